//! Who works on a plan: law 6 before anything runs.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::ToString;

use super::problem::nearest;
use super::{Check, ProblemKind};
use crate::plan::limits;
use crate::{AgentId, AgentLevel, AgentSpec, Task, WorkSpec};

/// Only these are started by the mission itself.
const ENTRIES: [AgentLevel; 2] = [AgentLevel::L1, AgentLevel::L2];

impl Check<'_> {
    pub(super) fn agents(&mut self) {
        let plan = self.plan;
        self.at_most("agents", "agents", plan.agents.len(), limits::AGENTS_MAX);
        let mut known: BTreeMap<&AgentId, &AgentSpec> = BTreeMap::new();
        for (at, agent) in plan.agents.iter().enumerate() {
            if known.insert(&agent.id, agent).is_some() {
                let agent = agent.id.clone();
                self.report(
                    format_args!("agents[{at}].id"),
                    ProblemKind::RepeatedAgent { agent },
                );
            }
        }
        for (at, agent) in plan.agents.iter().enumerate() {
            let place = format!("agents[{at}].started_by");
            match &agent.started_by {
                None if ENTRIES.contains(&agent.level) => {}
                None => {
                    let kind = ProblemKind::NobodyStarts {
                        agent: agent.id.clone(),
                        level: agent.level.name(),
                    };
                    self.report(place, kind);
                }
                Some(by) => match known.get(by) {
                    None => self.unknown_agent(place, by),
                    Some(starter) if starter.level.may_start(agent.level) => {}
                    Some(starter) => {
                        let kind = ProblemKind::MayNotStart {
                            by: by.clone(),
                            level: starter.level.name(),
                            what: format!("{} `{}`", agent.level.name(), agent.id),
                        };
                        self.report(place, kind);
                    }
                },
            }
        }
        for (at, task) in plan.tasks.iter().enumerate() {
            self.worker(at, task, &known);
        }
    }

    /// Whether who is to do a task may do it.
    fn worker(&mut self, at: usize, task: &Task, known: &BTreeMap<&AgentId, &AgentSpec>) {
        if let WorkSpec::Agent(work) = &task.work
            && let Some(reasoning) = &work.reasoning
        {
            for text in reasoning.problems(work.level) {
                let place = format!("tasks[{at}].agent.reasoning");
                self.report(place, ProblemKind::Unfit { text });
            }
            for tool in &reasoning.tools {
                self.known_tool(format_args!("tasks[{at}].agent.reasoning.tools"), tool);
            }
        }
        let Some(by) = &task.by else { return };
        let place = format!("tasks[{at}].by");
        let Some(agent) = known.get(by) else {
            return self.unknown_agent(place, by);
        };
        let may_not = |what| ProblemKind::MayNotStart {
            by: by.clone(),
            level: agent.level.name(),
            what,
        };
        match &task.work {
            WorkSpec::Agent(work) if work.level != agent.level => {
                let what = format!("a question of {}", work.level.name());
                self.report(place, may_not(what));
            }
            WorkSpec::Tool(call) if !agent.level.may_start(AgentLevel::L5) => {
                let what = format!("tool `{}`", call.tool);
                self.report(place, may_not(what));
            }
            WorkSpec::Agent(_) | WorkSpec::Tool(_) => {}
            WorkSpec::Human(_) | WorkSpec::Gate(_) | WorkSpec::Mission(_) => {
                self.report(place, ProblemKind::NotByAgents);
            }
        }
    }

    fn unknown_agent(&mut self, place: alloc::string::String, agent: &AgentId) {
        let ids = self.plan.agents.iter().map(|agent| agent.id.as_str());
        let near = nearest(agent.as_str(), ids);
        let agent = agent.to_string();
        self.report(place, ProblemKind::UnknownAgent { agent, near });
    }
}
