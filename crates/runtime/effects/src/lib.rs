//! Performs one effect: resolves its inputs, checks, calls, validates, and returns one outcome.
//!
//! It never decides what comes next, keeps nothing between effects, and does not store: the host fetches what
//! an effect mentions and keeps the outcome and its blob.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod acknowledgement;
mod asking;
mod gate;
mod outcome;
mod performer;
mod protect;
mod request;
mod resolve;
mod tenant_rules;
mod thinking;

pub use adjutant_guard::{GuardPolicy, Origin};
pub use adjutant_questions::Asker;
pub use adjutant_rules::RuleSet;
pub use performer::{Performer, table};
pub use protect::{CleanTexts, INPUTS, Protection, PseudonymKey, Redaction, origin_of};
pub use request::{PreparedEffect, Request, ResolvedInputs, resolve_sub_mission_inputs};
pub use resolve::RESOLVED_BYTES_MAX;
pub use tenant_rules::{
    ForeseenCall, Foresight, MissionFacts, MissionRules, MissionTypes, PastCall, RuleBook,
    StartRefused, WhoAnswered, document_of, report_value,
};
pub use thinking::step_name;
