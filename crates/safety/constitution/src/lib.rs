//! The constitutional checks: what a report must not say, in four areas, found by rules.
//!
//! Text in, findings out, the same for the same text. Nothing here reads files, asks a model, knows what a mission is or
//! keeps anything back: whoever lets a text out asks [`check`] first and does what its findings say. Rules see words, not
//! meaning: what they find is a reason to look, and what they do not find is no proof that nothing is there.

#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod balance;
mod check;
mod concepts;
mod finding;
mod harm;
mod integrity;
mod medical;
mod rule;
mod sentence;
mod triggers;
mod withhold;

pub use check::{AreaCheck, Check, Origin, Text, check};
pub use finding::{Action, Area, Finding, Severity};
pub use rule::{RULES, Rule, rule};
pub use withhold::{WITHHELD, is_blocked, withhold};
