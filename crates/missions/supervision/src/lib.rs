//! Supervisors watch a mission and send it commands. This crate folds the events of a mission into what supervisors see,
//! decides what each of them wants, and puts those wishes in order.
//!
//! It sends nothing and knows no clock: a host gives it events and the time, and carries out the [`Intent`] it returns.
//!
//! **Invariant:** The id of a command follows from the supervisor, the rule and the event that gave the occasion. So a host that
//! was restarted, or a second one that watches, repeats the same id, and the mission takes it once.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod declaration;
mod facts;
mod files;
mod looks;
mod record;
mod supervision;
mod wishes;

pub use declaration::{
    Action, BECAUSE_CHARS_MAX, Background, LOOKS_MAX, MEMBERS_MAX, Member, Model, Panel, Problem,
    RULES_MAX, Rules, SUPERVISORS_MAX, Severity, Supervisor, WatchRule,
};
pub use facts::{FACTS, Fact};
pub use record::{
    Declared, Origin, RecordError, SUPERVISORS_INPUT, check, check_operators, declare, declared,
};
pub use supervision::{Intent, Requirement, Supervision, Unfit};
