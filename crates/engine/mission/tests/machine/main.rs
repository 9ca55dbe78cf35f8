//! Given events, when input, then the whole step: the machine's own tests, one binary.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]
#![expect(unreachable_pub, reason = "modules of one test binary share freely")]

mod agents;
mod approvals;
mod barriers;
mod bound_approvals;
mod caps;
mod checkpoints;
mod commands;
mod comparing;
mod dependencies;
mod drives;
mod forks;
mod four_eyes;
mod gates;
mod in_doubt;
mod passport;
mod plan_questions;
mod plans;
mod provenance;
mod quorum;
mod recovery;
mod replan;
mod running;
mod soft_caps;
mod stops;
mod strategies;
mod sub_missions;
mod support;
mod thinking;
mod triggers;
mod undo;
mod words;
mod zones;
