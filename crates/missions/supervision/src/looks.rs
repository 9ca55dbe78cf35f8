//! A supervisor that has a model look: when it looks, as which task, and what it wants because of what the model flagged.
//!
//! A look is a task of the mission like any other: it is in the journal, is paid out of the mission's budget, and is repeated
//! after a crash as such a task is. Nothing waits for it, so that a slow model holds nothing up.

use std::collections::BTreeSet;

use adjutant_mission::{
    AgentLevel, AgentWork, Caps, Json, Mission, Payload, PurposeId, Task, TaskKey, TaskState,
    TaskStatus, WorkSpec,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::declaration::{Action, Model, Severity};
use crate::wishes::{About, Seen, Wish};

/// The question that a look puts.
const PURPOSE: &str = "flag";
const KEY: &str = "watch_";
/// How many flags a model is asked for, and how many of them are passed on.
const FLAGS_MOST: u16 = 5;
const FLAGS_TOLD: usize = 3;
const TOLD_CHARS_MAX: usize = 200;

/// What a look is asked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Look {
    task: TaskKey,
    /// The tasks whose results are looked at.
    at: Vec<TaskKey>,
}

/// The answer, as far as it is needed here.
#[derive(Debug, Deserialize)]
struct Answer {
    flags: Vec<Flag>,
}

#[derive(Debug, Deserialize)]
struct Flag {
    what: String,
    severity: Severity,
}

impl Model {
    pub(crate) fn wishes(&self, seen: Seen<'_>) -> Vec<Wish> {
        let flagged = looks(seen.mission, &self.name)
            .filter_map(|(task, state)| self.because_of(&task.key, state));
        let look = self.next_look(seen);
        flagged.chain(look).collect()
    }

    /// The next look: when a layer has ended, at what it gave and nobody looked at, while there is still something to do. One after
    /// the other.
    fn next_look(&self, seen: Seen<'_>) -> Option<Wish> {
        let mission = seen.mission;
        let mut number: u16 = 1;
        let mut looked_at: BTreeSet<&TaskKey> = BTreeSet::new();
        for (task, state) in looks(mission, &self.name) {
            if !state.status.is_ended() {
                return None;
            }
            number = number.saturating_add(1);
            looked_at.extend(task.after.iter().map(|on| &on.task));
        }
        let is_work = |task: &Task| number_of_look(task, None).is_none();
        let mut tasks = mission.tasks();
        let goes_on = tasks.any(|(task, state)| is_work(task) && !state.status.is_ended());
        if number > self.looks || !goes_on {
            return None;
        }
        let ended = mission.tasks().enumerate().filter(|(at, (task, state))| {
            state.status == TaskStatus::Completed
                && seen.in_ended_layers.contains(at)
                && is_work(task)
                && !looked_at.contains(&task.key)
        });
        let at: Vec<TaskKey> = ended.map(|(_, (task, _))| task.key.clone()).collect();
        if at.is_empty() {
            return None;
        }
        let task = key_of_look(&self.name, number)?;
        Some(Wish {
            key: format!("look:{number}"),
            action: Action::Look,
            because: format!("a model is to look at {}", in_words(&at)),
            about: About::Look(Look { task, at }),
            requirement: None,
        })
    }

    /// What is wanted because of an answer.
    fn because_of(&self, look: &TaskKey, state: &TaskState) -> Option<Wish> {
        if state.status != TaskStatus::Completed {
            return None;
        }
        let because = match &state.output {
            Some(Payload::Inline(output)) => {
                match serde_json::from_str::<Answer>(output.text()) {
                    Ok(answer) => self.grave(&answer)?,
                    // Doubt is a no.
                    Err(error) => format!("the answer to `{look}` cannot be read: {error}"),
                }
            }
            Some(Payload::Blob { .. }) => {
                format!("the answer to `{look}` is too long to be read here")
            }
            None => return None,
        };
        Some(Wish {
            key: format!("flag:{look}"),
            action: self.then,
            because,
            about: About::Mission,
            requirement: None,
        })
    }

    /// What was flagged that is severe enough, in words.
    fn grave(&self, answer: &Answer) -> Option<String> {
        let mut grave: Vec<&Flag> = answer
            .flags
            .iter()
            .filter(|flag| flag.severity >= self.from)
            .collect();
        grave.sort_by_key(|flag| std::cmp::Reverse(flag.severity));
        let told = grave.iter().take(FLAGS_TOLD).map(|flag| {
            let what: String = flag.what.trim().chars().take(TOLD_CHARS_MAX).collect();
            what.trim_end_matches('.').to_owned()
        });
        let told: Vec<String> = told.collect();
        match told.is_empty() {
            true => None,
            false => Some(format!("a model flagged: {}", told.join("; "))),
        }
    }

    /// The task that a look is.
    pub(crate) fn task(&self, look: &Look, mission: &Mission) -> Option<Task> {
        let title = |key: &TaskKey| {
            let found = mission.task(key.as_str());
            found.map_or("", |(task, _)| task.title.as_str()).to_owned()
        };
        let sources: Vec<Value> = look
            .at
            .iter()
            .map(|key| {
                json!({ "id": key, "title": title(key), "text": format!("Output: {{{{{key}.output}}}}") })
            })
            .collect();
        let with =
            json!({ "question": self.question.trim(), "sources": sources, "most": FLAGS_MOST });
        let work = AgentWork {
            level: AgentLevel::L4,
            purpose: PurposeId::new(PURPOSE).ok()?,
            with: Json::encode(&with).ok()?,
            domain: None,
            complexity: adjutant_mission::Complexity::default(),
            model: None,
            reasoning: None,
        };
        let mut task = Task::new(look.task.clone(), WorkSpec::Agent(Box::new(work)))
            .after(look.at.iter().cloned());
        task.title = format!("Look of supervisor {}", self.name);
        task.caps = Caps {
            money: self.max_cost,
            ..Caps::default()
        };
        Some(task)
    }
}

/// The looks of a supervisor, the first one first.
fn looks<'a>(
    mission: &'a Mission,
    supervisor: &'a str,
) -> impl Iterator<Item = (&'a Task, &'a TaskState)> {
    mission
        .tasks()
        .filter(move |(task, _)| number_of_look(task, Some(supervisor)).is_some())
}

/// Which look a task is, if it is one: of this supervisor, or of any.
pub(crate) fn number_of_look(task: &Task, supervisor: Option<&str>) -> Option<u16> {
    let WorkSpec::Agent(work) = &task.work else {
        return None;
    };
    let (name, number) = task.key.as_str().strip_prefix(KEY)?.rsplit_once('_')?;
    let is_its = supervisor.is_none_or(|supervisor| supervisor == name);
    (work.purpose.as_str() == PURPOSE && is_its)
        .then(|| number.parse().ok())
        .flatten()
}

fn key_of_look(supervisor: &str, number: u16) -> Option<TaskKey> {
    TaskKey::new(format!("{KEY}{supervisor}_{number}")).ok()
}

fn in_words(tasks: &[TaskKey]) -> String {
    match tasks {
        [one] => format!("what `{one}` gave"),
        [first, ..] => format!("what `{first}` and {} more gave", tasks.len() - 1),
        [] => String::new(),
    }
}
