//! What is different between two plans, in words for whoever approves the second.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Plan, Task};

impl Plan {
    /// What another plan makes different: tasks added, dropped and changed, limits, and what agents must keep to.
    pub(crate) fn changes_to(&self, other: &Self) -> Vec<String> {
        let by_key = |plan: &Self| -> BTreeMap<String, Task> {
            let tasks = plan.tasks.iter();
            tasks
                .map(|task| (task.key.to_string(), task.clone()))
                .collect()
        };
        if self == other {
            return Vec::new();
        }
        let (old, new) = (by_key(self), by_key(other));
        let mut changes = Vec::new();
        for (key, task) in &new {
            match old.get(key) {
                None => changes.push(format!("+ {} (`{key}`): {}", task.name(), task.does())),
                Some(before) if before != task => {
                    let how = before.changes_to(task).join(", ");
                    changes.push(format!("~ {} (`{key}`): {how}", task.name()));
                }
                Some(_) => {}
            }
        }
        let dropped = old.iter().filter(|(key, _)| !new.contains_key(*key));
        changes.extend(dropped.map(|(key, task)| format!("- {} (`{key}`)", task.name())));
        if self.caps != other.caps {
            let limits = other.caps.in_words().unwrap_or_else(|| "none".into());
            changes.push(format!("~ limits: {limits}"));
        }
        let told = (other.constraints.iter()).filter(|told| !self.constraints.contains(*told));
        changes.extend(told.map(|told| format!("+ for every agent: {told}")));
        changes
    }
}

impl Task {
    /// Which parts of it another one changes.
    fn changes_to(&self, other: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        let (before, after) = (self.does(), other.does());
        match (&self.work, &other.work) {
            (old, new) if old == new => {}
            _ if before != after => changes.push(format!("{after}, before {before}")),
            _ => changes.push("other arguments".into()),
        }
        let parts = [
            (self.alternative != other.alternative, "another alternative"),
            (self.undo != other.undo, "another way to undo it"),
            (self.after != other.after, "another order"),
            (self.by != other.by, "another agent"),
            (self.approval != other.approval, "another rule of approval"),
            (self.retry != other.retry, "other retries"),
            (
                self.caps != other.caps || self.soft_caps != other.soft_caps,
                "other limits",
            ),
        ];
        let changed = parts.into_iter().filter(|(changed, _)| *changed);
        changes.extend(changed.map(|(_, what)| String::from(what)));
        if changes.is_empty() {
            changes.push("another description".into());
        }
        changes
    }
}
