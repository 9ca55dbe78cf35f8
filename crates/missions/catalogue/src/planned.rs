//! What planning comes to: a plan and what it leaves out, or why there is none.

use adjutant_mission::{Plan, TaskKey};

/// A plan, and what of its template is not in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    pub plan: Plan,
    /// In the order of the template: tasks first, then checkpoints.
    pub left_out: Vec<LeftOut>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub task: TaskKey,
    pub why: String,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("the objective is empty")]
    NoObjective,
    #[error("the input `{name}` is needed: {about}")]
    InputMissing { name: String, about: String },
    #[error("the mission takes no input `{name}`{}", did_you_mean(.near))]
    InputUnknown { name: String, near: Option<String> },
    #[error("there is no pack `{name}`{}", did_you_mean(.near))]
    PackUnknown { name: String, near: Option<String> },
    #[error("the inputs cannot be kept: {why}")]
    InputsUnwritable { why: String },
    #[error("nothing is left to do: {why}")]
    NothingLeft { why: String },
}

fn did_you_mean(near: &Option<String>) -> String {
    near.as_ref()
        .map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}
