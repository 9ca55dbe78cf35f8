//! Rules in CEL: conditions of gates, and a tenant's rules over missions, calls, results and reports.
//!
//! A rule maps values to true or false and has no side effects. Which rules a gate has, and what follows from their
//! result, is defined by the plan. A tenant's rules allow, ask or deny; asking and refusing is done by others.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod built;
mod fields;
mod rules;
mod set;
mod shape;
mod size;
mod typed;

pub use fields::{Field, FieldType, Subject};
pub use rules::{RULE_BYTES_MAX, Rule, RuleError};
pub use set::{
    Approver, BECAUSE_CHARS_MAX, Decision, NAME_CHARS_MAX, RULES_MAX, RuleProblem, RuleSet,
    RuleSource, Ruling,
};
