//! The constitutional checks: what a report must not say, in four areas, found by rules; and what a model found, held
//! against the text.
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
mod clean;
mod concepts;
mod finding;
mod harm;
mod integrity;
mod medical;
mod quotes;
mod rule;
mod sentence;
mod triggers;
mod withhold;

pub use check::{AreaCheck, Check, Origin, Text, check};
pub use finding::{Action, Area, CheckedBy, Finding, Severity};
pub use quotes::{Remembered, finding_of_model, stretches};
pub use rule::{RULES, Rule, rule};
pub use withhold::{WITHHELD, blocking_in, is_blocked, withhold};
