//! Who works on a mission of a template, who starts whom, and who may call what.

use std::collections::BTreeSet;

use adjutant_mission::{AgentId, AgentLevel, AgentSpec, Complexity, Task, ToolId, WorkSpec};
use adjutant_questions::LevelFacts;

use crate::check_by_model;
use crate::roster::{self, RosterAgent};
use crate::template::Template;

/// Everybody the template names: expert, specialists, workers.
pub(crate) fn team(template: &Template) -> impl Iterator<Item = &AgentId> {
    [&template.expert]
        .into_iter()
        .chain(&template.specialists)
        .chain(&template.workers)
}

/// What a worker may call in a mission of this template: its own tools and the mission's.
pub(crate) fn may_call(template: &Template, worker: &AgentId) -> Vec<ToolId> {
    let own = roster::agent(worker.as_str()).map_or(&[][..], |agent| agent.tools);
    let own = own.iter().filter_map(|tool| ToolId::new(*tool).ok());
    let mut tools = template.tools.clone();
    for tool in own {
        if !tools.contains(&tool) {
            tools.push(tool);
        }
    }
    tools
}

pub(crate) fn is_worker(agent: &AgentId) -> bool {
    roster::agent(agent.as_str()).is_some_and(|agent| agent.level.may_start(AgentLevel::L5))
}

/// Who starts an agent: the mission itself starts the expert, the expert its specialists, and the first specialist the
/// workers, or the expert where there is none.
fn started_by(template: &Template, level: AgentLevel) -> Option<&AgentId> {
    match level {
        AgentLevel::L1 | AgentLevel::L2 => None,
        AgentLevel::L3 => Some(&template.expert),
        AgentLevel::L4 | AgentLevel::L5 => {
            Some(template.specialists.first().unwrap_or(&template.expert))
        }
    }
}

/// The agents that the tasks need: those that do them, and those that start these.
pub(crate) fn agent_specs(template: &Template, tasks: &[Task]) -> Vec<AgentSpec> {
    let mut needed: BTreeSet<&AgentId> = BTreeSet::from([&template.expert]);
    let doing: BTreeSet<&AgentId> = tasks.iter().filter_map(|task| task.by.as_ref()).collect();
    for agent in team(template).filter(|agent| doing.contains(agent)) {
        needed.insert(agent);
        if let Some(entry) = roster::agent(agent.as_str()) {
            needed.extend(started_by(template, entry.level));
        }
    }
    let needed = team(template).filter(|agent| needed.contains(agent));
    needed
        .filter_map(|id| Some(spec(template, tasks, id, roster::agent(id.as_str())?)))
        .collect()
}

/// So many times what a question may hold that not every mission has is reserved for it.
const FURTHER_QUESTION_TIMES: u64 = 10;

fn spec(template: &Template, tasks: &[Task], id: &AgentId, agent: &RosterAgent) -> AgentSpec {
    let complex = |task: &&Task| match &task.work {
        WorkSpec::Agent(work) => {
            task.by.as_ref() == Some(id) && work.complexity == Complexity::Complex
        }
        _ => false,
    };
    let checks = |task: &&Task| task.by.as_ref() == Some(id) && check_by_model::asks(task);
    let tokens = |complexity| {
        let limits = LevelFacts::of(agent.level).limits(complexity);
        u64::from(limits.input_tokens_max + limits.output_tokens_max)
    };
    let complex = tasks.iter().filter(complex).count() as u64;
    let checks = tasks.iter().filter(checks).count() as u64;
    let further = complex * tokens(Complexity::Complex) + checks * tokens(Complexity::Ordinary);
    let further = further * FURTHER_QUESTION_TIMES;
    AgentSpec {
        id: id.clone(),
        level: agent.level,
        name: agent.name.to_owned(),
        started_by: started_by(template, agent.level).cloned(),
        tokens_lifetime: Some(agent.tokens_lifetime() + further),
    }
}
