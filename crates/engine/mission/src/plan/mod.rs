//! The plan: a directed acyclic graph of tasks, as data. Reading it from a file is another crate's job.

mod difference;
mod graph;
mod patch;
mod provenance;
mod references;
mod validate;
pub(crate) mod words;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

pub(crate) use graph::Graph;
pub use patch::{PlanPatch, ReplanTrigger, Replanning};
pub use provenance::Provenance;
pub(crate) use provenance::{Lineage, OutsideText};
pub use references::{Reference, fill_references, references, references_in_json};
pub use validate::{Problem, ProblemKind, Warning};

use crate::{
    Approvers, CheckpointType, ChoiceOption, EffectClass, Json, MicroUsd, Millis, OptionKey,
    ResourceKey, Role, TaskKey, ToolId,
};

/// What a plan may hold at most. Reaching one is a validation problem that names the number.
pub mod limits {
    use crate::Millis;

    pub const TASKS_MAX: usize = 10_000;
    pub const DEPENDENCIES_PER_TASK_MAX: usize = 1_000;
    pub const DEPENDENCIES_MAX: usize = 100_000;
    pub const CONCURRENCY_MAX: u16 = 256;
    pub const ATTEMPTS_MAX: u16 = 20;
    pub const GATE_RETURNS_MAX: u16 = 10;
    pub const GATE_RULES_MAX: usize = 50;
    pub const OPTIONS_MAX: usize = 20;
    /// How many missions may be above a mission, and below it in all.
    pub const SUB_MISSION_DEPTH_MAX: usize = 4;
    pub const SUB_MISSIONS_MAX: usize = 100;
    /// How often a plan may change while it is carried out.
    pub const REPLANS_MAX: u16 = 100;
    pub const RESOURCES_PER_TASK_MAX: usize = 20;
    pub const AGENTS_MAX: usize = 200;
    pub const TAGS_PER_TASK_MAX: usize = 20;
    pub const CONSTRAINTS_MAX: usize = 100;
    pub const TEXT_BYTES_MAX: usize = 8 * 1024;
    pub const ARGUMENTS_BYTES_MAX: usize = 256 * 1024;
    pub const DURATION_MAX: Millis = Millis(366 * 24 * 3_600_000);
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub objective: String,
    /// What every agent has to keep to: part of their prompts, those of sub-missions included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub success_criteria: Vec<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub strategy: Strategy,
    #[serde(
        default = "default_concurrency",
        skip_serializing_if = "is_default_concurrency"
    )]
    pub concurrency: u16,
    #[serde(default, skip_serializing_if = "is_default")]
    pub barrier: Barrier,
    /// How many tasks `continue_on_block` may leave out before the mission stops.
    #[serde(
        default = "default_skips_max",
        skip_serializing_if = "is_default_skips_max"
    )]
    pub skips_max: u16,
    #[serde(default, skip_serializing_if = "is_default")]
    pub on_failure: OnFailure,
    #[serde(default, skip_serializing_if = "is_default")]
    pub autonomy: Autonomy,
    /// Questions that whoever opened the mission does not settle: somebody else has to approve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub four_eyes: Vec<CheckpointType>,
    /// Who must answer questions of a type, and how many of them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub approvers: BTreeMap<CheckpointType, Approvers>,
    /// How long a checkpoint waits before silence becomes a no.
    #[serde(
        default = "default_deadline",
        skip_serializing_if = "is_default_deadline"
    )]
    pub checkpoint_deadline: Millis,
    #[serde(default, skip_serializing_if = "is_default")]
    pub caps: Caps,
    #[serde(default, skip_serializing_if = "is_default")]
    pub soft_caps: SoftCaps,
    #[serde(default, skip_serializing_if = "is_default")]
    pub on_soft_cap: OnSoftCap,
    #[serde(default, skip_serializing_if = "is_default")]
    pub replan: Replanning,
    /// Values that arguments may refer to as `{{inputs.name}}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Json>,
    /// Who works on it. Tasks name them by `by`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<crate::AgentSpec>,
    pub tasks: Vec<Task>,
}

/// In what order ready tasks run, and what a task that cannot go on means for the others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// One task at a time, in plan order; a task that cannot go on holds everything.
    Sequential,
    /// In parallel; a task that cannot go on holds only what depends on it.
    ContinueOnBlock,
    /// In parallel; a task that cannot go on lets running work finish and holds the rest.
    #[default]
    ParallelSafe,
}

/// What happens between one layer of the plan and the next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Barrier {
    #[default]
    None,
    /// The whole layer ends before the next begins.
    Wait,
    /// As `wait`, and a human says `continue`.
    Ask,
}

/// What follows when retries and the alternative are used up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    #[default]
    Ask,
    GiveUp,
}

/// Which checkpoint types the mission itself asks for. The one that asks most comes first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Autonomy {
    Strict,
    #[default]
    Balanced,
    Permissive,
}

impl Autonomy {
    pub fn asks_for(self, kind: CheckpointType) -> bool {
        use CheckpointType::{CriticalDecision, FinalReview, PlanApproval};
        match self {
            Self::Strict => true,
            Self::Balanced => matches!(kind, PlanApproval | CriticalDecision | FinalReview),
            Self::Permissive => matches!(kind, PlanApproval | FinalReview),
        }
    }
}

/// Hard limits. Absent means unlimited.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caps {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money: Option<MicroUsd>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Effects started: each try of each task is one turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_time: Option<Millis>,
}

/// Marks at which a person is asked, or the cheaper way is taken, before more is spent. Absent means none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoftCaps {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money: Option<MicroUsd>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_time: Option<Millis>,
    /// What one try may cost without asking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money_per_turn: Option<MicroUsd>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_per_turn: Option<u64>,
}

/// What passing a soft cap brings about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnSoftCap {
    /// A person says whether to go on.
    #[default]
    Ask,
    /// From here on tasks that declare an alternative take it at once.
    Degrade,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    pub key: TaskKey,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    pub work: WorkSpec,
    /// The agent of the plan that performs the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<crate::AgentId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Dependency>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub retry: Retry,
    /// Tried once the retries of the first way are used up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternative: Option<ToolCall>,
    /// How to undo it once it is done, if its mission is aborted with that wish.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<Undo>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub approval: Approval,
    #[serde(default, skip_serializing_if = "is_default")]
    pub caps: Caps,
    #[serde(default, skip_serializing_if = "is_default")]
    pub soft_caps: SoftCaps,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<ResourceKey>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// Higher goes first among ready tasks.
    #[serde(default, skip_serializing_if = "is_default")]
    pub priority: i16,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub milestone: bool,
}

/// What a task does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkSpec {
    Tool(ToolCall),
    Agent(alloc::boxed::Box<crate::AgentWork>),
    Human(Human),
    Gate(Gate),
    Mission(alloc::boxed::Box<crate::SubMission>),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    pub tool: ToolId,
    /// Arguments, possibly with `{{task.output…}}` references in them.
    pub with: Json,
}

/// A call that undoes what a task did, with its own retries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Undo {
    pub tool: ToolId,
    /// Arguments; they may refer to what the task itself gave.
    pub with: Json,
    #[serde(default, skip_serializing_if = "is_default")]
    pub retry: Retry,
}

impl Undo {
    pub(crate) fn call(&self) -> ToolCall {
        ToolCall {
            tool: self.tool.clone(),
            with: self.with.clone(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Human {
    pub question: String,
    #[serde(default = "critical_decision")]
    pub kind: CheckpointType,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<ChoiceOption>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recommend: Option<OptionKey>,
    /// The option that a `modify` in words chooses; the recommended one, where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_modify: Option<OptionKey>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub because: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// In the place of what the plan says of this type of question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approvers: Option<Approvers>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Millis>,
}

impl Human {
    /// A waiver can only follow advice: without a recommendation there is nothing to say yes to, and a question
    /// for a role or for named people is reserved for them.
    pub(crate) fn can_be_waived(&self) -> bool {
        self.role.is_none()
            && self.approvers.is_none()
            && (self.options.is_empty() || self.recommend.is_some())
    }
}

/// A check on what came before. Its rules are evaluated by the host; the verdict is recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// The first rule that holds gives the verdict; if none does, the gate is passed.
    pub rules: Vec<GateRule>,
    /// Where a `repairable` verdict sends the work back to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub return_to: Option<TaskKey>,
    #[serde(default = "default_returns_max")]
    pub returns_max: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateRule {
    pub when: String,
    pub verdict: crate::GateVerdict,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub because: String,
}

/// Whether calling the task's tool needs a human first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Approval {
    #[default]
    ByAutonomy,
    /// A rule reserves this for a human: no waiver answers it.
    Always,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dependency {
    pub task: TaskKey,
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: DependencyKind,
    #[serde(default, skip_serializing_if = "is_default")]
    pub lag: Millis,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DependencyKind {
    /// Starts after the other has finished.
    #[default]
    #[serde(rename = "FS")]
    FinishToStart,
    /// Starts after the other has started.
    #[serde(rename = "SS")]
    StartToStart,
    /// Finishes after the other has finished.
    #[serde(rename = "FF")]
    FinishToFinish,
    /// Finishes after the other has started.
    #[serde(rename = "SF")]
    StartToFinish,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retry {
    /// The total number of tries, including the first.
    pub attempts: u16,
    pub backoff: Millis,
    /// Each further wait is this many times the previous one.
    pub factor: u16,
    pub backoff_max: Millis,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            attempts: 3,
            backoff: Millis::seconds(1),
            factor: 2,
            backoff_max: Millis::seconds(60),
        }
    }
}

impl Retry {
    /// How long to wait after the `failed`th try, counted from one.
    pub fn wait_after(&self, failed: u16) -> Millis {
        let factor = u64::from(self.factor.max(1));
        let mut wait = self.backoff.0;
        for _ in 1..failed.min(limits::ATTEMPTS_MAX) {
            wait = wait.saturating_mul(factor);
        }
        Millis(wait.min(self.backoff_max.0))
    }
}

/// A forecast; never a cap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money: Option<MicroUsd>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<Millis>,
}

/// What the machine must know of a tool. Recorded when a mission opens, so that replay needs no registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolFacts {
    pub class: EffectClass,
    /// Upper bound of what one call costs.
    #[serde(default, skip_serializing_if = "is_default")]
    pub price: MicroUsd,
    /// Upper bound of the tokens one call uses.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tokens: u64,
    /// Upper bound of what one call takes; none is known if it is zero.
    #[serde(default, skip_serializing_if = "is_default")]
    pub time_limit: Millis,
    /// Whose text it gives. Tables from before this was known do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
}

/// Which tools there are, and which ways questions to models may take.
pub type ToolTable = BTreeMap<ToolId, ToolFacts>;

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn critical_decision() -> CheckpointType {
    CheckpointType::CriticalDecision
}

pub(crate) fn default_concurrency() -> u16 {
    8
}

fn is_default_concurrency(value: &u16) -> bool {
    *value == default_concurrency()
}

pub(crate) fn default_skips_max() -> u16 {
    3
}

fn is_default_skips_max(value: &u16) -> bool {
    *value == default_skips_max()
}

pub(crate) fn default_returns_max() -> u16 {
    2
}

pub(crate) fn default_deadline() -> Millis {
    Millis::hours(24)
}

fn is_default_deadline(value: &Millis) -> bool {
    *value == default_deadline()
}

impl Plan {
    /// A plan of these tasks with every setting at its default.
    pub fn new(title: impl Into<String>, tasks: Vec<Task>) -> Self {
        Self {
            title: title.into(),
            objective: String::new(),
            constraints: Vec::new(),
            success_criteria: Vec::new(),
            strategy: Strategy::default(),
            concurrency: default_concurrency(),
            barrier: Barrier::default(),
            skips_max: default_skips_max(),
            on_failure: OnFailure::default(),
            autonomy: Autonomy::default(),
            four_eyes: Vec::new(),
            approvers: BTreeMap::new(),
            checkpoint_deadline: default_deadline(),
            caps: Caps::default(),
            soft_caps: SoftCaps::default(),
            on_soft_cap: OnSoftCap::default(),
            replan: Replanning::default(),
            inputs: None,
            agents: Vec::new(),
            tasks,
        }
    }

    /// Whether calling a tool of this class for the task needs a human's leave.
    pub(crate) fn needs_approval(&self, task: &Task, class: EffectClass) -> bool {
        task.approval == Approval::Always
            || (class != EffectClass::Pure && self.asks_for(CheckpointType::ToolApproval))
    }

    /// Whether the mission asks for this at all: with its autonomy, or because a rule says who must answer. Otherwise
    /// whoever starts a mission would get around the rule with an autonomy under which nobody is asked.
    pub fn asks_for(&self, kind: CheckpointType) -> bool {
        self.autonomy.asks_for(kind)
            || self.four_eyes.contains(&kind)
            || self.approvers.contains_key(&kind)
    }

    /// Whether a rule counts on people being who they say: four eyes, or named or several approvers.
    pub fn counts_people(&self) -> bool {
        let asks_some = |task: &Task| match &task.work {
            WorkSpec::Human(human) => human.approvers.is_some(),
            WorkSpec::Mission(sub) => sub.plan.counts_people(),
            WorkSpec::Tool(_) | WorkSpec::Agent(_) | WorkSpec::Gate(_) => false,
        };
        !self.four_eyes.is_empty() || !self.approvers.is_empty() || self.tasks.iter().any(asks_some)
    }

    /// Every question to a model that it asks, those of its sub-missions too.
    pub fn agents(&self) -> Vec<&crate::AgentWork> {
        let mut agents = Vec::new();
        for task in &self.tasks {
            match &task.work {
                WorkSpec::Agent(agent) => agents.push(&**agent),
                WorkSpec::Mission(sub) => agents.extend(sub.plan.agents()),
                WorkSpec::Tool(_) | WorkSpec::Human(_) | WorkSpec::Gate(_) => {}
            }
        }
        agents
    }

    /// A task's question as the agents above its own would ask it, should that one come to its end.
    pub fn above(&self, task: &Task) -> Vec<crate::AgentWork> {
        let WorkSpec::Agent(work) = &task.work else {
            return Vec::new();
        };
        let find = |id: &crate::AgentId| self.agents.iter().find(|agent| agent.id == *id);
        let mut asked = Vec::new();
        let mut at = task.by.as_ref().and_then(find);
        while let Some(above) = at
            .and_then(|agent| agent.started_by.as_ref())
            .and_then(find)
        {
            if asked.len() >= crate::AgentLevel::ALL.len() {
                break;
            }
            asked.push(crate::AgentWork {
                level: above.level,
                ..(**work).clone()
            });
            at = Some(above);
        }
        asked
    }

    pub fn uses_tool(&self, tool: &ToolId) -> bool {
        self.tasks.iter().any(|task| {
            let first = match &task.work {
                WorkSpec::Tool(call) => call.tool == *tool,
                WorkSpec::Agent(agent) => {
                    let reasoning = agent.reasoning.as_ref();
                    agent.route() == *tool
                        || reasoning.is_some_and(|by| by.tools.contains(tool))
                        || self.above(task).iter().any(|asked| asked.route() == *tool)
                }
                WorkSpec::Mission(sub) => sub.plan.uses_tool(tool),
                WorkSpec::Human(_) | WorkSpec::Gate(_) => false,
            };
            let second = task.alternative.as_ref();
            first
                || second.is_some_and(|call| call.tool == *tool)
                || task.undo.as_ref().is_some_and(|undo| undo.tool == *tool)
        })
    }
}

impl Task {
    /// What people read of it: its title, or else its key.
    pub fn name(&self) -> &str {
        match self.title.as_str() {
            "" => self.key.as_str(),
            title => title,
        }
    }

    /// A task with every setting at its default.
    pub fn new(key: TaskKey, work: WorkSpec) -> Self {
        Self {
            key,
            title: String::new(),
            work,
            by: None,
            after: Vec::new(),
            retry: Retry::default(),
            alternative: None,
            undo: None,
            approval: Approval::default(),
            caps: Caps::default(),
            soft_caps: SoftCaps::default(),
            resources: Vec::new(),
            estimate: None,
            priority: 0,
            tags: Vec::new(),
            milestone: false,
        }
    }

    #[must_use]
    pub fn after(self, tasks: impl IntoIterator<Item = TaskKey>) -> Self {
        let finish_to_start = |task| Dependency {
            task,
            kind: DependencyKind::default(),
            lag: Millis::ZERO,
        };
        Self {
            after: tasks.into_iter().map(finish_to_start).collect(),
            ..self
        }
    }
}
