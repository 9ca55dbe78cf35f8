//! What a question may use at most, before it is asked.
//!
//! A request is bounded by what goes in (the prompt's limit, the schema, an answer quoted back with what was wrong with
//! it) and by the answer's limit, which the provider is told and keeps to. Each model of a chain may be sent
//! [`PAID_REQUESTS_MAX`] requests that have to be paid: the question, one more if its answer got lost on the way, one to
//! have it repaired. Requests that were turned away cost nothing and are not counted. In the worst case every model of
//! the chain uses up all of its requests, so the bound is the sum over the chain, at the dearest rate a token may have.
//! Counting holds the bound: a model's paid requests are counted down, and what a provider says it used counts only up
//! to what the request could have used.
//!
//! **Invariant:** What a question may cost at most is known before it is sent. The bound covers every model of its
//! chain, a model without a price is not asked, and reported usage counts only up to what the request could have used.

use adjutant_mission::MicroUsd;
use adjutant_questions::{Limits, Tokens};

use crate::price::Price;
use crate::tools::{TOOL_ROUNDS_MAX, TOOL_TOKENS_MAX};

/// Requests to one model that may have to be paid.
pub(crate) const PAID_REQUESTS_MAX: u32 = 3;
/// What surrounds a prompt on the wire, in tokens: roles, a provider's own words on schemas and tools.
const ENVELOPE_TOKENS: u64 = 600;
/// What a repair says besides the answer it quotes.
const REPAIR_TOKENS_MAX: u64 = 1_500;

/// The most that a question can use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bound {
    pub money: MicroUsd,
    /// In and out together.
    pub tokens: u64,
}

/// Whether a question has tools to call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calling {
    Nothing,
    Tools,
}

/// The most that one request can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RequestMax {
    pub(crate) input: u64,
    pub(crate) output: u64,
}

impl RequestMax {
    pub(crate) fn new(limits: Limits, schema_tokens: u64, calling: Calling) -> Self {
        let tools = match calling {
            Calling::Nothing => 0,
            Calling::Tools => u64::from(TOOL_TOKENS_MAX),
        };
        let output = u64::from(limits.output_tokens_max);
        let prompt = u64::from(limits.input_tokens_max);
        Self {
            input: prompt + output + envelope(schema_tokens) + REPAIR_TOKENS_MAX + tools,
            output,
        }
    }

    /// What a provider said it used, as far as that can be true.
    pub(crate) fn believe(self, told: Tokens) -> Tokens {
        let input = told.input.min(self.input);
        let cache_read = told.cache_read.min(input);
        Tokens {
            input,
            output: told.output.min(self.output),
            cache_read,
            cache_write: told.cache_write.min(input - cache_read),
        }
    }
}

/// How much of its limits a question ordinarily takes: one half. A forecast is made with it, and no cap.
const USUAL_SHARE: u64 = 2;

/// What one request ordinarily uses.
pub(crate) fn usual(limits: Limits, schema_tokens: u64) -> Tokens {
    Tokens {
        input: u64::from(limits.input_tokens_max) / USUAL_SHARE + envelope(schema_tokens),
        output: u64::from(limits.output_tokens_max) / USUAL_SHARE,
        ..Tokens::default()
    }
}

/// What goes along with every prompt.
pub(crate) fn envelope(schema_tokens: u64) -> u64 {
    schema_tokens + ENVELOPE_TOKENS
}

pub(crate) fn paid_requests_max(calling: Calling) -> u32 {
    match calling {
        Calling::Nothing => PAID_REQUESTS_MAX,
        Calling::Tools => PAID_REQUESTS_MAX + u32::from(TOOL_ROUNDS_MAX),
    }
}

/// The bound of a chain: what each of its models takes for a request, and the most that can be.
pub(crate) fn bound(chain: &[(Price, RequestMax)], calling: Calling) -> Bound {
    let requests = u64::from(paid_requests_max(calling));
    let mut bound = Bound::default();
    for (price, request) in chain {
        let money = price.cost_max(request.input, request.output).0;
        let money = money.saturating_mul(requests);
        bound.money = MicroUsd(bound.money.0.saturating_add(money));
        let tokens = (request.input + request.output).saturating_mul(requests);
        bound.tokens = bound.tokens.saturating_add(tokens);
    }
    bound
}

#[cfg(test)]
#[path = "bound_tests.rs"]
mod tests;
