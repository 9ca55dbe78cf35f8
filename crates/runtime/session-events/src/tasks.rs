//! Where tasks stand and who works on them: what was told of it, so that only what changed is told.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_mission::{AgentId, Event, Mission, Task, TaskKey, TaskState, TaskStatus};
use serde_json::json;

use crate::EventType;
use crate::event::Told;

#[derive(Debug, Clone, Default)]
pub(crate) struct Tasks {
    seen: BTreeMap<TaskKey, Seen>,
    /// Whose standing may change with a task's: what a step costs is what it changes, not what the plan holds.
    dependents: BTreeMap<TaskKey, Vec<TaskKey>>,
    ended: usize,
    progress_told: Option<(usize, usize)>,
    /// What each agent has yet to do.
    left: BTreeMap<AgentId, BTreeSet<TaskKey>>,
    /// The agents that have taken up a task and have not done all of theirs.
    working: BTreeSet<AgentId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    status: TaskStatus,
    doer: Option<AgentId>,
}

impl Seen {
    fn of((spec, state): (&Task, &TaskState)) -> Self {
        let over = state.taken_over.as_ref();
        Self {
            status: state.status,
            doer: over.map(|over| &over.by).or(spec.by.as_ref()).cloned(),
        }
    }
}

/// Which tasks an event may have moved.
pub(crate) enum Touched {
    None,
    /// This one, and what waits for it.
    One(TaskKey),
    All,
}

impl Tasks {
    /// Starts with what the mission's plan says now, without telling of it.
    pub(crate) fn begin(&mut self, mission: &Mission) {
        self.seen.clear();
        self.left.clear();
        self.ended = 0;
        self.index(mission);
        for (spec, state) in mission.tasks() {
            self.keep(&spec.key, Seen::of((spec, state)));
        }
    }

    fn index(&mut self, mission: &Mission) {
        self.dependents.clear();
        for task in &mission.plan().tasks {
            for on in &task.after {
                let dependents = self.dependents.entry(on.task.clone()).or_default();
                dependents.push(task.key.clone());
            }
        }
    }

    /// The plan is another: tasks that are gone are forgotten, new ones were told of with the plan.
    pub(crate) fn replan(&mut self, mission: &Mission) {
        self.index(mission);
        let gone = self.seen.keys();
        let gone = gone.filter(|key| mission.task(key.as_str()).is_none());
        let gone: Vec<TaskKey> = gone.cloned().collect();
        for key in gone {
            self.forget(&key);
        }
        for (spec, state) in mission.tasks() {
            if !self.seen.contains_key(&spec.key) {
                self.keep(&spec.key, Seen::of((spec, state)));
            }
        }
    }

    /// Who did a task before the present event.
    pub(crate) fn doer_before(&self, task: &TaskKey) -> Option<AgentId> {
        self.seen.get(task)?.doer.clone()
    }

    /// A try of a task began: if its agent was not at work, it is now.
    pub(crate) fn take_up(&mut self, told: &mut Told<'_>, task: &TaskKey) {
        let Some(agent) = told.doer(task) else {
            return;
        };
        if !self.working.insert(agent.clone()) {
            return;
        }
        let mut agents = told.mission.plan().agents.iter();
        let spec = agents.find(|spec| spec.id == *agent);
        let data = json!({
            "agent_id": agent,
            "level": spec.map(|spec| spec.level.name()),
            "type": agent,
            "name": spec.map(|spec| &spec.name),
            "task_id": task,
        });
        told.tell(EventType::AgentStarted, data);
    }

    /// Tells where tasks stand now that stood elsewhere before, which agents are done, and how far the mission is.
    pub(crate) fn update(&mut self, told: &mut Told<'_>, touched: Touched) {
        let keys = match touched {
            Touched::None => Vec::new(),
            Touched::One(task) => {
                let dependents = self.dependents.get(&task).cloned().unwrap_or_default();
                std::iter::once(task).chain(dependents).collect()
            }
            Touched::All => self.seen.keys().cloned().collect(),
        };
        for key in keys {
            self.look_at(told, &key);
        }
        self.tell_completed(told);
        self.tell_progress(told);
    }

    fn look_at(&mut self, told: &mut Told<'_>, key: &TaskKey) {
        let Some(now) = told.mission.task(key.as_str()) else {
            return;
        };
        let (attempt, now) = (now.1.attempt, Seen::of(now));
        let before = self.seen.get(key).map(|seen| seen.status);
        let moved = before.is_some_and(|before| before != now.status);
        if moved {
            let data = json!({
                "task_id": key,
                "agent_id": now.doer,
                "from": before.map(TaskStatus::name),
                "to": now.status.name(),
                "attempt": attempt,
                "reason": reason(&told.recorded.event, key),
            });
            told.tell(EventType::TaskStatusChange, data);
        }
        self.keep(key, now);
    }

    fn keep(&mut self, key: &TaskKey, now: Seen) {
        self.forget(key);
        if now.status.is_ended() {
            self.ended += 1;
        } else if let Some(doer) = &now.doer {
            let left = self.left.entry(doer.clone()).or_default();
            left.insert(key.clone());
        }
        self.seen.insert(key.clone(), now);
    }

    fn forget(&mut self, key: &TaskKey) {
        let Some(before) = self.seen.remove(key) else {
            return;
        };
        if before.status.is_ended() {
            self.ended -= 1;
        }
        if let Some(doer) = &before.doer
            && let Some(left) = self.left.get_mut(doer)
        {
            left.remove(key);
        }
    }

    fn tell_completed(&mut self, told: &mut Told<'_>) {
        // With the mission every run is over, whatever is left undone.
        let over = told.mission.ending().is_some();
        let has_left = |agent: &AgentId| self.left.get(agent).is_some_and(|left| !left.is_empty());
        let done: Vec<AgentId> = self
            .working
            .iter()
            .filter(|agent| over || !has_left(agent))
            .cloned()
            .collect();
        for agent in done {
            self.working.remove(&agent);
            let mission = told.mission;
            let spec = mission.plan().agents.iter().find(|spec| spec.id == agent);
            let its = mission.tasks().map(Seen::of);
            let its = its.filter(|seen| seen.doer.as_ref() == Some(&agent));
            let completed = its.filter(|seen| seen.status == TaskStatus::Completed);
            let run = mission.agents().find(|(id, _)| **id == agent);
            let data = json!({
                "agent_id": agent,
                "level": spec.map(|spec| spec.level.name()),
                "type": agent,
                "name": spec.map(|spec| &spec.name),
                "tasks_completed": completed.count(),
                "tasks_left": self.left.get(&agent).map_or(0, BTreeSet::len),
                "tokens": run.map_or(0, |(_, run)| run.tokens),
            });
            told.tell(EventType::AgentCompleted, data);
        }
    }

    fn tell_progress(&mut self, told: &mut Told<'_>) {
        let now = (self.ended, self.seen.len());
        if self.progress_told == Some(now) {
            return;
        }
        self.progress_told = Some(now);
        let (ended, total) = now;
        let data = json!({
            "percent": (ended * 100).checked_div(total).unwrap_or(100),
            "tasks_ended": ended,
            "tasks_total": total,
            "active_agents": self.working,
        });
        told.tell(EventType::ProgressUpdate, data);
    }
}

/// Why an event moved a task, if it says so.
fn reason<'a>(event: &'a Event, key: &TaskKey) -> Option<&'a str> {
    match event {
        Event::AttemptFailed { task, failure, .. } if task == key => Some(&failure.message),
        Event::TaskSkipped { task, reason } | Event::GateJudged { task, reason, .. }
            if task == key =>
        {
            Some(reason)
        }
        Event::TasksReturned { tasks, reason } if tasks.contains(key) => Some(reason),
        Event::EffectInDoubt { reason, .. } | Event::EffectAbandoned { reason, .. } => Some(reason),
        _ => None,
    }
}
