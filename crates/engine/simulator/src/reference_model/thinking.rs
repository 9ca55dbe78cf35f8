//! What agents have thought and used, as the journal tells it: the steps of each reasoning, who took over from whom,
//! which runs have begun.

use adjutant_mission::{
    AfterAssessment, AgentId, AgentLevel, AgentSpec, AgentWork, Move, Next, Reasoning, Recorded,
    StepKind, StepTaken, ToolCall, ToolId, Usage, WorkSpec, again, next,
};

use super::{Before, ReferenceModel};

/// The reasoning of one task.
#[derive(Debug, Clone, Default)]
pub(crate) struct Thoughts {
    pub(crate) steps: Vec<StepTaken>,
    /// The event at which it was last begun from nothing.
    pub(crate) since: u64,
    /// How many steps there were when a human allowed the call that was to come.
    pub(crate) allowed: Option<usize>,
    /// Who took it over from the agent that the plan names.
    pub(crate) over: Option<(AgentId, AgentLevel)>,
    /// Its conclusion was not sure enough, and a human was asked.
    pub(crate) unsure: bool,
}

impl Thoughts {
    /// Nothing of what was thought before counts any more.
    pub(super) fn anew(since: u64) -> Self {
        Self {
            since,
            ..Self::default()
        }
    }
}

impl ReferenceModel {
    fn question(&self, task: usize) -> Option<&AgentWork> {
        match &self.scene.spec(task).work {
            WorkSpec::Agent(agent) => Some(agent),
            _ => None,
        }
    }

    /// The level of whoever is asked now.
    pub(crate) fn level(&self, task: usize) -> Option<AgentLevel> {
        let over = self.tasks[task].thoughts.over.as_ref();
        over.map(|(_, level)| *level)
            .or_else(|| Some(self.question(task)?.level))
    }

    /// The way its question to a model takes, whoever asks it now.
    pub(super) fn route(&self, task: usize) -> Option<ToolId> {
        let agent = self.question(task)?;
        match &self.tasks[task].thoughts.over {
            None => Some(agent.route()),
            Some((_, level)) => {
                let over = AgentWork {
                    level: *level,
                    reasoning: None,
                    ..agent.clone()
                };
                Some(over.route())
            }
        }
    }

    /// How its agent reasons, unless the task does something else in its place.
    pub(crate) fn reasons(&self, task: usize) -> Option<&Reasoning> {
        let reasoning = self.question(task)?.reasoning.as_deref()?;
        (self.planned_tool(task) == self.route(task)).then_some(reasoning)
    }

    /// What its reasoning chose to call and has not called yet.
    pub(crate) fn chosen(&self, task: usize) -> Option<&ToolCall> {
        self.reasons(task)?;
        let last = self.tasks[task].thoughts.steps.last()?;
        let call = last.signs.call.as_ref();
        call.filter(|_| last.step.kind == StepKind::Act)
    }

    /// The step that follows from those that were recorded.
    pub(crate) fn next_step(&self, task: usize) -> Option<Move> {
        let reasoning = self.reasons(task)?;
        let may_act = self.level(task) == Some(AgentLevel::L4);
        let steps = &self.tasks[task].thoughts.steps;
        let concluded = (steps.last()).is_some_and(|last| last.step.kind == StepKind::Conclude);
        let follows = match concluded {
            true => again(reasoning, may_act, steps),
            false => next(reasoning, may_act, steps),
        };
        match follows {
            Next::Take(step) => Some(step),
            Next::Concluded | Next::Stuck(_) => None,
        }
    }

    /// Whether a step that is not the first of its reasoning is under way.
    pub(crate) fn is_in_mid_thought(&self) -> bool {
        let mut tasks = self.performing().map(|effect| &self.tasks[effect.task]);
        tasks.any(|task| !task.thoughts.steps.is_empty())
    }

    /// Which agent does a task now.
    pub(crate) fn doer(&self, task: usize) -> Option<&AgentId> {
        let over = self.tasks[task].thoughts.over.as_ref();
        over.map(|(by, _)| by).or(self.scene.spec(task).by.as_ref())
    }

    pub(crate) fn agent(&self, id: &AgentId) -> Option<&AgentSpec> {
        let mut agents = self.scene.plan().agents.iter();
        agents.find(|agent| agent.id == *id)
    }

    /// What the open effects of an agent hold.
    pub(crate) fn tokens_held(&self, id: &AgentId) -> u64 {
        let open = self.effects.iter().filter(|effect| !effect.closed);
        open.filter(|effect| self.doer(effect.task) == Some(id))
            .map(|effect| effect.reserved.tokens)
            .sum()
    }

    pub(super) fn charge_agent(&mut self, task: usize, usage: Usage) {
        if let Some(agent) = self.doer(task).cloned()
            && let Some(tokens) = self.agents.get_mut(&agent)
        {
            *tokens += usage.tokens;
        }
    }

    pub(super) fn fold_step(&mut self, task: usize, taken: &StepTaken) {
        self.close(task, taken.usage);
        let seen = &mut self.tasks[task];
        (seen.tries, seen.doubt) = (0, None);
        seen.thoughts.allowed = None;
        seen.thoughts.steps.push(taken.clone());
    }

    pub(super) fn fold_assessment(&mut self, task: usize, then: AfterAssessment) {
        match then {
            AfterAssessment::Ask => {
                let seen = &mut self.tasks[task];
                (seen.escalated, seen.thoughts.unsure) = (true, true);
            }
            AfterAssessment::GoOn => self.before = Before::GoesOn(task),
            AfterAssessment::Again => {}
        }
    }

    /// Whoever starts the task's agent does it from nothing.
    pub(super) fn fold_upward(&mut self, recorded: &Recorded, task: usize, to: &AgentId) {
        let level = self.agent(to).map(|agent| agent.level);
        let seen = &mut self.tasks[task];
        (seen.tries, seen.changed) = (0, None);
        seen.thoughts = Thoughts {
            over: level.map(|level| (to.clone(), level)),
            ..Thoughts::anew(recorded.seq)
        };
    }
}
