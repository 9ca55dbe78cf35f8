//! A mission template: what a mission of its type takes, who works on it, what people are asked, and its graph.

use adjutant_mission::{
    AgentId, CheckpointType, ChoiceOption, Json, MicroUsd, Millis, OptionKey, Reasoning, Task,
    TaskKey, ToolId,
};

use crate::{Category, Method, Range};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// By which it is chosen; a user's template of the same id takes a built-in one's place.
    pub id: String,
    pub name: String,
    pub category: Category,
    pub version: u32,
    /// What it is for, in a line.
    pub about: String,
    pub expert: AgentId,
    pub specialists: Vec<AgentId>,
    pub workers: Vec<AgentId>,
    /// What its workers may call besides their own tools.
    pub tools: Vec<ToolId>,
    /// How its agents reason where their task says nothing else.
    pub reasoning: Reasoning,
    pub methods: Vec<Method>,
    pub checkpoints: Vec<NamedCheckpoint>,
    /// Who watches such missions, as plan files write it.
    pub supervisors: Option<Json>,
    pub inputs: Vec<InputSpec>,
    pub estimate: Forecast,
    pub deliverable: Deliverable,
    pub tasks: Vec<TemplateTask>,
}

impl Template {
    /// The same mission with another expert in the lead.
    #[must_use]
    pub fn led_by(&self, expert: &AgentId) -> Self {
        let mut led = self.clone();
        for at in &mut led.tasks {
            if at.task.by.as_ref() == Some(&self.expert) {
                at.task.by = Some(expert.clone());
            }
        }
        led.expert = expert.clone();
        led
    }
}

/// What such missions are likely to take. Shown and later compared, never a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forecast {
    pub cost: Range<MicroUsd>,
    pub time: Range<Millis>,
}

/// What is handed over in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deliverable {
    /// As the `report` tool knows it.
    pub kind: String,
    pub sections: Vec<String>,
}

/// Something the mission is given besides its objective.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputSpec {
    pub name: String,
    pub about: String,
    pub required: bool,
    /// May refer to the objective: `{{inputs.objective}}`, or `{{names.objective}}` for the names in it.
    pub default: Option<Json>,
}

/// A question to a person that has its place in the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedCheckpoint {
    pub name: TaskKey,
    pub kind: CheckpointType,
    /// What must be done before it is asked. Tasks that wait for the answer name the checkpoint in their `after`.
    pub after: Vec<TaskKey>,
    pub question: String,
    pub options: Vec<ChoiceOption>,
    pub recommend: Option<OptionKey>,
    /// What an answer in words chooses.
    pub on_modify: Option<OptionKey>,
    pub because: String,
}

impl NamedCheckpoint {
    /// Whether the machine asks it by itself, before and after everything else.
    pub fn is_the_machines(&self) -> bool {
        matches!(
            self.kind,
            CheckpointType::PlanApproval | CheckpointType::FinalReview
        )
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateTask {
    pub task: Task,
    /// It is left out unless all of these are there.
    pub only_with: Vec<Needs>,
    /// It is done once for each item of the list that this task makes.
    pub each: Option<TaskKey>,
    /// The task whose place it takes for all that comes after it, where it is in the plan.
    pub replaces: Option<TaskKey>,
}

/// What there may or may not be to work with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    KnowledgeBase,
    Attachments,
    Lookups,
    /// A model that answers for workers, and documents for it to read.
    Model,
}

impl Needs {
    pub const ALL: [Self; 4] = [
        Self::KnowledgeBase,
        Self::Attachments,
        Self::Lookups,
        Self::Model,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::KnowledgeBase => "kb",
            Self::Attachments => "attachments",
            Self::Lookups => "lookups",
            Self::Model => "model",
        }
    }

    /// Why something that needs it is left out.
    pub(crate) fn missing(self) -> &'static str {
        match self {
            Self::KnowledgeBase => "no knowledge base was named",
            Self::Attachments => "nothing was attached",
            Self::Lookups => "no public database may be asked",
            Self::Model => "no model reads documents here",
        }
    }
}
