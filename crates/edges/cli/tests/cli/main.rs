//! The real program, run as a person or a script would: its output pinned, its processes killed.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

mod all_scripted;
mod asking;
mod autonomy;
mod bad_input;
mod budgets;
mod command_storm;
mod constitution;
mod constitution_model;
mod crashes;
mod delegating;
mod documents;
mod embedding;
mod event_names;
mod failing_over;
mod followed;
mod forking;
mod grounding;
mod hosts;
mod keeping;
mod knowledge;
mod leaking;
mod looking;
mod mcp;
mod mcp_clients;
mod mcp_intents;
mod mcp_requests;
mod mcp_server;
mod mcp_words;
mod missions;
mod model_reading;
mod models;
mod notifying;
mod options;
mod protecting;
mod reasoning_crashes;
mod remote;
mod remote_verbs;
mod replanning;
mod rules;
mod running;
mod scripted_missions;
mod serving;
mod serving_losses;
mod stats;
mod stopping;
mod sub_missions;
mod supervising;
mod support;
mod tampering;
mod telling;
mod thirteen_tools;
mod tooling;
mod triggers;
mod trusting;
mod watching;
mod words;
mod world;
