//! Workflows: what a program outside runs, steers and answers for, by requests and responses alone.
//!
//! A workflow is a mission made from a graph of tasks. Layers, changes of the plan and cancelling are the machine's own;
//! nothing of a workflow is kept outside its mission's journal. Each call returns within seconds with the present state,
//! so a client whose calls end early, or that is restarted in between, asks again and loses nothing.
//!
//! **Invariant:** A program never approves what it started or changed. It starts missions as an agent in a person's name;
//! answers to questions count only for principals that a setting names, and never for their own missions, whichever way
//! they come ([`may_answer`]). What a program adds to an approved plan and what changes anything outside is asked about one
//! by one.

mod answer;
mod arguments;
mod caller;
mod delegation;
mod door;
mod graph;
mod handover;
mod intent;
mod layers;
mod look;
mod makers;
mod offer;
mod outputs;
mod policy;
mod programs;
mod requirement;
mod resources;
mod service;
mod shorten;
mod sources;
mod start;
mod steer;
mod toolbox;
mod waiting;

pub use caller::{ProgramCaller, Right};
pub use door::HostSlot;
pub(crate) use graph::{UNTITLED, only_reads};
pub use makers::{
    AnswerWay, ProgramMakers, change_approved_before, may_answer, may_command, not_its_own,
    program_makers,
};
pub use policy::WorkflowPolicy;
pub use programs::{ProgramTools, ReachingTools};
pub use resources::{MissionResource, RESOURCES, ResourcePart, WorkflowPulse};
pub use service::Workflows;
pub(crate) use steer::ask_about_what_follows;
pub use toolbox::{AgentTool, TOOLS};

use crate::error::{AppError, ErrorKind};

/// Something in a request that does not fit, with its place in the request.
pub(crate) fn unfit(code: &str, message: impl Into<String>, help: impl Into<String>) -> AppError {
    AppError::new(ErrorKind::BadInput, code, message, help)
}
