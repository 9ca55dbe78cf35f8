//! Rules in CEL: compiled when a plan is checked, evaluated when a gate is reached.
//!
//! A rule maps values to true or false and has no side effects. Which rules a gate has, and what follows from their
//! result, is defined by the plan.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod built;
mod rules;
mod shape;
mod size;

pub use rules::{RULE_BYTES_MAX, Rule, RuleError};
