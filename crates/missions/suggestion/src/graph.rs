//! A graph of tasks in the shape that agents exchange.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Tasks, each after those that it depends on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Graph {
    pub tasks: Vec<GraphTask>,
}

/// One call of a tool. `{{x.output}}` in its arguments stands for the result of task `x`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GraphTask {
    pub id: String,
    pub tool: String,
    #[serde(default)]
    pub arguments: Map<String, Value>,
    #[serde(default)]
    pub depends_on: Vec<String>,
}

impl Graph {
    /// The tools that it calls, each once.
    pub fn tools(&self) -> BTreeSet<&str> {
        self.tasks.iter().map(|task| task.tool.as_str()).collect()
    }

    /// Which tool's result each tool is called after: one pair for each dependency.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (&str, &str)> {
        let tool_of: BTreeMap<&str, &str> = self
            .tasks
            .iter()
            .map(|task| (task.id.as_str(), task.tool.as_str()))
            .collect();
        self.tasks.iter().flat_map(move |task| {
            let before = task.depends_on.iter();
            let known: Vec<(&str, &str)> = before
                .filter_map(|id| Some((*tool_of.get(id.as_str())?, task.tool.as_str())))
                .collect();
            known
        })
    }

    /// Tasks by layers: those of one layer depend only on layers before it.
    pub fn layers(&self) -> Vec<Vec<&GraphTask>> {
        let mut left: Vec<&GraphTask> = self.tasks.iter().collect();
        let mut done: BTreeSet<&str> = BTreeSet::new();
        let ids: BTreeSet<&str> = left.iter().map(|task| task.id.as_str()).collect();
        let mut layers = Vec::new();
        while !left.is_empty() {
            let is_ready = |task: &&&GraphTask| {
                let mut before = task.depends_on.iter();
                before.all(|id| done.contains(id.as_str()) || !ids.contains(id.as_str()))
            };
            let layer: Vec<&GraphTask> = left.iter().filter(is_ready).copied().collect();
            if layer.is_empty() {
                // A cycle: nobody can begin, so all of it is one layer.
                layers.push(left);
                break;
            }
            left.retain(|task| !layer.iter().any(|at| at.id == task.id));
            done.extend(layer.iter().map(|task| task.id.as_str()));
            layers.push(layer);
        }
        layers
    }
}
