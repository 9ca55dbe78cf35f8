use adjutant_mission::Millis;
use adjutant_questions::{Limits, Tokens};
use proptest::prelude::*;

use super::{Bound, Calling, RequestMax, bound, paid_requests_max};
use crate::price::Price;

fn limits(input_tokens_max: u32, output_tokens_max: u32) -> Limits {
    Limits {
        input_tokens_max,
        output_tokens_max,
        time_max: Millis::seconds(1),
    }
}

#[test]
fn a_chain_of_nobody_costs_nothing() {
    assert_eq!(bound(&[], Calling::Nothing), Bound::default());
}

proptest! {
    /// Whatever providers say they used, and however often they are paid: no more than the bound.
    #[test]
    fn lies_do_not_pass_the_bound(
        (input, output) in (1u32..200_000, 1u32..50_000),
        told in prop::collection::vec(any::<[u64; 4]>(), 0..20),
        rates in proptest::array::uniform4(0u64..1_000_000),
    ) {
        let rate = |at: usize| -> crate::price::Rate { format!("{}", rates[at]).parse().unwrap() };
        let price = Price {
            input: rate(0),
            output: rate(1),
            cache_read: Some(rate(2)),
            cache_write: Some(rate(3)),
        };
        for calling in [Calling::Nothing, Calling::Tools] {
            let request = RequestMax::new(limits(input, output), 700, calling);
            let most = bound(&[(price, request)], calling);
            let paid = told.iter().take(paid_requests_max(calling) as usize);
            let (mut money, mut tokens) = (0u64, 0u64);
            for told in paid {
                let believed = request.believe(Tokens {
                    input: told[0],
                    output: told[1],
                    cache_read: told[2],
                    cache_write: told[3],
                });
                money += price.cost(believed).0;
                tokens += believed.total();
            }
            prop_assert!(money <= most.money.0 && tokens <= most.tokens);
        }
    }
}
