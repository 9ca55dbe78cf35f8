//! Rules in CEL: compiled when a plan is checked, evaluated when a gate is judged.
//!
//! A rule looks at values and says yes or no; it changes nothing and decides nothing. Which rules a gate
//! has, and what a yes means, is the plan's business.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod rules;
mod shape;

pub use rules::{RULE_BYTES_MAX, Rule, RuleError};
