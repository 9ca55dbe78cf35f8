//! Changing a plan while its mission runs: the difference as data, and what gives occasion for one.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use super::{Caps, Plan, Task, ToolTable};
use crate::{Ppm, TaskKey};

/// The difference between a plan and the next: tasks by their keys, whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanPatch {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add: Vec<Task>,
    /// In the place of the tasks that have these keys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub change: Vec<Task>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drop: Vec<TaskKey>,
    /// In the place of the mission's caps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caps: Option<Caps>,
    /// Added to what every agent has to keep to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// What the machine must know of tools that the plan did not use so far.
    #[serde(default, skip_serializing_if = "ToolTable::is_empty")]
    pub tools: ToolTable,
}

impl PlanPatch {
    pub fn is_empty(&self) -> bool {
        let no_tasks = self.add.is_empty() && self.change.is_empty() && self.drop.is_empty();
        no_tasks && self.caps.is_none() && self.constraints.is_empty()
    }

    /// Every task that the patch takes away or puts another in the place of.
    pub(crate) fn touches(&self) -> impl Iterator<Item = &TaskKey> {
        self.change.iter().map(|task| &task.key).chain(&self.drop)
    }

    /// The plan as it is with the patch; or why the patch does not fit it. Whether the outcome is a plan that can be
    /// carried out is for its validation to say.
    pub fn applied_to(&self, plan: &Plan) -> Result<Plan, String> {
        let mut named = BTreeSet::new();
        let all = self.touches().chain(self.add.iter().map(|task| &task.key));
        for key in all {
            if !named.insert(key) {
                return Err(format!("it names task `{key}` twice"));
            }
        }
        let has = |key: &TaskKey| plan.tasks.iter().any(|task| task.key == *key);
        if let Some(key) = self.touches().find(|key| !has(key)) {
            return Err(format!("there is no task `{key}`"));
        }
        if let Some(task) = self.add.iter().find(|task| has(&task.key)) {
            return Err(format!("there is already a task `{}`", task.key));
        }
        let kept = plan
            .tasks
            .iter()
            .filter(|task| !self.drop.contains(&task.key));
        let changed = kept.map(|task| {
            let other = self.change.iter().find(|other| other.key == task.key);
            other.unwrap_or(task).clone()
        });
        let tasks = changed.chain(self.add.iter().cloned()).collect();
        let caps = self.caps.clone().unwrap_or_else(|| plan.caps.clone());
        let constraints = plan.constraints.iter().chain(&self.constraints);
        Ok(Plan {
            tasks,
            caps,
            constraints: constraints.cloned().collect(),
            ..plan.clone()
        })
    }
}

/// What may give occasion to change a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplanTrigger {
    /// A task could be done neither again nor in its other way.
    Failure,
    /// A result is less certain than the plan wants it.
    LowConfidence,
    /// A result is other than expected.
    Surprise,
    /// Something was told to the mission.
    NewInformation,
    /// Somebody gives the command.
    HumanIntervention,
    /// Somebody answers a question of the mission with a change.
    Checkpoint,
}

impl ReplanTrigger {
    pub const ALL: [Self; 6] = [
        Self::Failure,
        Self::LowConfidence,
        Self::Surprise,
        Self::NewInformation,
        Self::HumanIntervention,
        Self::Checkpoint,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Failure => "failure",
            Self::LowConfidence => "low_confidence",
            Self::Surprise => "surprise",
            Self::NewInformation => "new_information",
            Self::HumanIntervention => "human_intervention",
            Self::Checkpoint => "checkpoint",
        }
    }
}

/// On which occasions the plan may change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replanning {
    pub on: BTreeSet<ReplanTrigger>,
    /// A result less certain than this is an occasion.
    pub confidence_below: Ppm,
}

impl Default for Replanning {
    fn default() -> Self {
        use ReplanTrigger::{Checkpoint, Failure, HumanIntervention};
        Self {
            on: [Failure, HumanIntervention, Checkpoint].into(),
            confidence_below: Ppm(700_000),
        }
    }
}
