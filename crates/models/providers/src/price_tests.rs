use adjutant_mission::MicroUsd;
use adjutant_questions::Tokens;
use proptest::prelude::*;

use super::{Price, Rate};

fn rate(text: &str) -> Rate {
    text.parse().unwrap()
}

#[test]
fn dollars_become_whole_micro_dollars() {
    assert_eq!(rate("2.50"), Rate(2_500_000));
    assert_eq!(rate("10"), Rate(10_000_000));
    assert_eq!(rate("0.075"), Rate(75_000));
    assert_eq!(rate("0.000001"), Rate(1));
    assert_eq!(rate("0"), Rate(0));
}

#[test]
fn what_is_no_price_is_refused() {
    for text in [
        "",
        ".5",
        "5.",
        "-1",
        "1e3",
        "$2",
        "2,50",
        "0.0000001",
        "1000001",
        "NaN",
        "99999999999999999999",
    ] {
        assert!(text.parse::<Rate>().is_err(), "{text}");
    }
}

#[test]
fn a_request_is_priced_by_what_was_cached_and_rounded_up() {
    let price = Price {
        input: rate("3.00"),
        output: rate("15.00"),
        cache_read: Some(rate("0.30")),
        cache_write: Some(rate("3.75")),
    };
    let tokens = Tokens {
        input: 10_000,
        output: 500,
        cache_read: 6_000,
        cache_write: 3_000,
    };
    // 1,000 x 3.00 + 6,000 x 0.30 + 3,000 x 3.75 + 500 x 15.00, in micro-dollars.
    assert_eq!(price.cost(tokens), MicroUsd(3_000 + 1_800 + 11_250 + 7_500));
    let one = Tokens {
        input: 1,
        ..Tokens::default()
    };
    assert_eq!(
        Price {
            input: rate("0.01"),
            ..price
        }
        .cost(one),
        MicroUsd(1)
    );
    assert_eq!(Price::FREE.cost(tokens), MicroUsd::ZERO);
}

#[test]
fn huge_counts_do_not_wrap_round() {
    let price = Price {
        input: rate("1000000"),
        ..Price::FREE
    };
    let tokens = Tokens {
        input: u64::MAX,
        ..Tokens::default()
    };
    assert_eq!(price.cost(tokens), MicroUsd(u64::MAX));
}

proptest! {
    #[test]
    fn nothing_costs_more_than_its_bound(
        rates in proptest::array::uniform4(0u64..100_000_000),
        has in proptest::array::uniform2(any::<bool>()),
        input in 0u64..1_000_000, output in 0u64..1_000_000, read in 0u64..1_000_000, write in 0u64..1_000_000,
    ) {
        let price = Price {
            input: Rate(rates[0]),
            output: Rate(rates[1]),
            cache_read: has[0].then_some(Rate(rates[2])),
            cache_write: has[1].then_some(Rate(rates[3])),
        };
        let read = read.min(input);
        let tokens = Tokens { input, output, cache_read: read, cache_write: write.min(input - read) };
        prop_assert!(price.cost(tokens) <= price.cost_max(input, output));
    }
}
