//! What people and programs do with Adjutant, whichever way they come in: planning, starting, asking, reporting, knowledge.
//!
//! Every use case takes the host and the caller. Nothing here knows a terminal or HTTP: the command line and the server
//! call the same functions. Settings are read here, once, and the parts of an installation are put together.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::panic,
        reason = "a test that panics is a test that fails"
    )
)]

pub mod analytics;
pub mod answer_in_words;
pub mod calibration;
pub mod catalogue;
pub mod constitution;
pub mod context;
mod delegate_outputs;
pub mod direct_answer;
pub mod document_review;
mod earlier_report;
pub mod error;
mod error_kind;
pub mod event_contents;
pub mod files;
pub mod find;
pub mod follow_up;
pub mod host_link;
pub mod knowledge;
pub mod mission_record;
pub mod model_answer;
pub mod notes;
pub mod outgoing;
pub mod pieces;
pub mod plan_checker;
pub mod planning;
pub mod progress;
pub mod ratings;
mod read_documents;
pub mod read_only_store;
mod reading_tools;
pub mod remedies;
mod repeat;
pub mod report;
pub mod report_tools;
pub mod routing;
pub mod rules;
mod run_history;
pub mod settings;
pub mod single_question;
pub mod stores;
pub mod suggestion;
mod supervisor_replans;
pub mod use_cases;
mod wait_for_mission;
pub mod wiring;
pub mod words;
pub mod workflow;
