//! Whose text a call is made of, worked out in the plainest way: mark what comes from outside, then whatever mentions
//! what is marked, until nothing changes.

use adjutant_mission::{Json, Provenance, Task, ToolId, WorkSpec};

use super::ReferenceModel;

impl ReferenceModel {
    /// Whether a task's next call may happen only once and is made of text from outside.
    pub(crate) fn sends_outside_text(&self, at: usize) -> bool {
        let once = self.tool(at).is_some_and(|tool| self.is_once(&tool));
        let labelled = |tools: &adjutant_mission::ToolTable| {
            let mut facts = tools.values();
            facts.any(|facts| facts.provenance.is_some())
        };
        // What a person wrote is that person's word.
        if !once || self.tasks[at].changed.is_some() || !labelled(&self.scene.start.tools) {
            return false;
        }
        let spec = self.scene.spec(at);
        let with = match (&spec.work, &spec.alternative) {
            (_, Some(alternative)) if self.tasks[at].alternative => &alternative.with,
            (WorkSpec::Tool(call), _) => &call.with,
            _ => return false,
        };
        let marked = self.marked();
        self.mentions(with, &marked)
    }

    /// Which tasks give text from outside.
    fn marked(&self) -> Vec<bool> {
        let tasks = &self.scene.plan().tasks;
        let mut marked: Vec<bool> = tasks.iter().map(|task| self.reaches_out(task)).collect();
        loop {
            let before = marked.clone();
            for (at, task) in tasks.iter().enumerate() {
                let first = match &task.work {
                    WorkSpec::Tool(call) => &call.with,
                    WorkSpec::Agent(agent) => &agent.with,
                    WorkSpec::Human(_) | WorkSpec::Gate(_) | WorkSpec::Mission(_) => continue,
                };
                let second = task.alternative.as_ref().map(|call| &call.with);
                let mut ways = std::iter::once(first).chain(second);
                marked[at] |= ways.any(|with| self.mentions(with, &before));
            }
            if marked == before {
                return marked;
            }
        }
    }

    fn reaches_out(&self, task: &Task) -> bool {
        let first = match &task.work {
            WorkSpec::Mission(_) => return true,
            WorkSpec::Tool(call) => self.is_outside(&call.tool),
            WorkSpec::Agent(agent) => {
                // What it reads on its way is in its answer.
                let read = agent.reasoning.iter().flat_map(|by| &by.tools);
                let mut read = read.map(|tool| self.is_outside(tool));
                self.is_outside(&agent.route()) || read.any(|outside| outside)
            }
            WorkSpec::Human(_) | WorkSpec::Gate(_) => false,
        };
        let second = task.alternative.as_ref();
        first || second.is_some_and(|call| self.is_outside(&call.tool))
    }

    fn is_outside(&self, tool: &ToolId) -> bool {
        let facts = self.scene.start.tools.get(tool);
        facts.is_some_and(|facts| facts.provenance.is_some_and(|of| of != Provenance::Own))
    }

    fn mentions(&self, with: &Json, marked: &[bool]) -> bool {
        let tasks = self.scene.plan().tasks.iter().zip(marked);
        tasks.filter(|(_, marked)| **marked).any(|(task, _)| {
            let reference = format!("{{{{{}.output", task.key);
            with.text().contains(&reference)
        })
    }
}
