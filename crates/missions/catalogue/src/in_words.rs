//! A change of a plan in words, as far as it can be understood without a model: which tasks to leave out, what the mission
//! may cost and how long it may take, and what to look at besides.

use std::collections::BTreeSet;

use adjutant_mission::{Caps, MicroUsd, Millis, Plan, PlanPatch, Task, TaskKey, WorkSpec};

use crate::leave_out::{Leaving, without};
use crate::planned::LeftOut;

/// What is understood without a model, for whoever was not understood.
pub const UNDERSTOOD: &str = "“leave out TASK”, “spend at most $5”, “finish within 2 hours”, “at most 40 calls” or “focus on …”";

const LEAVING: [&str; 8] = [
    "drop", "skip", "omit", "remove", "exclude", "without", "cancel", "delete",
];
const NEGATING: [&str; 5] = ["not", "never", "don", "dont", "no"];
const LIMITING: [&str; 17] = [
    "budget", "spend", "cost", "costs", "limit", "cap", "most", "more", "under", "below", "within",
    "maximum", "max", "longer", "time", "finish", "only",
];
/// What begins a sentence that says where to look.
const FOCUSING: [&str; 16] = [
    "focus",
    "concentrate",
    "emphasise",
    "emphasize",
    "consider",
    "include",
    "cover",
    "also",
    "add",
    "mention",
    "look",
    "prioritise",
    "prioritize",
    "check",
    "pay",
    "take",
];
/// Words before what is wanted.
const POLITE: [&str; 18] = [
    "please", "kindly", "can", "could", "would", "will", "you", "we", "i", "d", "want", "like",
    "to", "should", "must", "and", "then", "but",
];
/// Words that a title shares with any sentence.
const COMMON: [&str; 22] = [
    "the", "and", "our", "for", "with", "from", "what", "that", "this", "which", "their", "them",
    "how", "who", "are", "its", "all", "question", "task", "step", "on", "of",
];

/// What words say about a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InWords {
    pub left_out: Vec<TaskKey>,
    /// The mission's caps with what is said in their place; nothing where nothing is said.
    pub caps: Option<Caps>,
    /// What agents have to keep to.
    pub constraints: Vec<String>,
    pub not_understood: Vec<String>,
}

impl InWords {
    /// Reads every sentence by itself.
    pub fn read(plan: &Plan, words: &str) -> Self {
        let mut read = Self::default();
        for sentence in sentences(words) {
            let said = tokens(sentence);
            let has = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
            let leaves = has(&LEAVING) || (has(&["leave"]) && has(&["out"]));
            let named = named_tasks(plan, sentence);
            let mut caps = read.caps.clone().unwrap_or_else(|| plan.caps.clone());
            if leaves && !has(&NEGATING) && !named.is_empty() {
                for key in named {
                    if !read.left_out.contains(&key) {
                        read.left_out.push(key);
                    }
                }
            } else if has(&LIMITING) && limit(&said, &mut caps) {
                read.caps = Some(caps);
            } else if begins_with(&said, &FOCUSING) {
                read.constraints.push(sentence.to_owned());
            } else {
                read.not_understood.push(sentence.to_owned());
            }
        }
        read
    }

    /// Whether nothing was understood.
    pub fn is_nothing(&self) -> bool {
        self.left_out.is_empty() && self.caps.is_none() && self.constraints.is_empty()
    }

    /// How the plan changes, and what is left out with what was named.
    pub fn patch(&self, plan: &Plan) -> (PlanPatch, Vec<LeftOut>) {
        let (mut patch, left_out) = leaving_out(plan, &self.left_out, "a person leaves it out");
        patch.caps.clone_from(&self.caps);
        patch.constraints.clone_from(&self.constraints);
        (patch, left_out)
    }
}

/// Whether one of these is the first word that says what is wanted.
fn begins_with(said: &[String], words: &[&str]) -> bool {
    let mut telling = said.iter().filter(|word| !POLITE.contains(&word.as_str()));
    telling
        .next()
        .is_some_and(|word| words.contains(&word.as_str()))
}

/// The patch that takes tasks out of a plan so that the rest still stands.
fn leaving_out(plan: &Plan, keys: &[TaskKey], why: &str) -> (PlanPatch, Vec<LeftOut>) {
    let mut leaving = Leaving::default();
    for task in plan.tasks.iter().filter(|task| keys.contains(&task.key)) {
        leaving.leave(task, why.to_owned());
    }
    let (kept, left_out) = without(plan.tasks.clone(), leaving);
    let changed = kept.into_iter().filter(|task| !plan.tasks.contains(task));
    let patch = PlanPatch {
        change: changed.collect(),
        drop: left_out.iter().map(|left| left.task.clone()).collect(),
        ..PlanPatch::default()
    };
    (patch, left_out)
}

/// The tasks that a text names: by their key, or by all that their title says.
pub fn named_tasks(plan: &Plan, text: &str) -> Vec<TaskKey> {
    let said: BTreeSet<String> = tokens(text).into_iter().collect();
    let whole = format!(" {} ", tokens(text).join(" "));
    let is_named = |task: &Task| {
        let key = task.key.as_str().to_lowercase();
        let spoken = format!(" {} ", key.replace(['_', '-'], " "));
        if said.contains(&key) || whole.contains(&spoken) {
            return true;
        }
        let title = tokens(task.name());
        let telling: Vec<&String> = title
            .iter()
            .filter(|word| word.len() > 2 && !COMMON.contains(&word.as_str()))
            .collect();
        !telling.is_empty() && telling.iter().all(|word| said.contains(*word))
    };
    let tasks = plan.tasks.iter().filter(|task| is_named(task));
    tasks.map(|task| task.key.clone()).collect()
}

/// The agents' tasks that no other agent's task follows: those that wrote the result.
pub fn last_agents(plan: &Plan) -> Vec<TaskKey> {
    let is_agent = |task: &Task| matches!(task.work, WorkSpec::Agent(_));
    // Tasks that an agent's task waits for, directly or through others.
    let mut earlier: BTreeSet<&str> = BTreeSet::new();
    let mut waiting: Vec<&Task> = plan.tasks.iter().filter(|task| is_agent(task)).collect();
    while let Some(task) = waiting.pop() {
        for before in &task.after {
            if earlier.insert(before.task.as_str()) {
                waiting.extend(plan.tasks.iter().find(|at| at.key == before.task));
            }
        }
    }
    let last = plan
        .tasks
        .iter()
        .filter(|task| is_agent(task) && !earlier.contains(task.key.as_str()));
    last.map(|task| task.key.clone()).collect()
}

fn sentences(words: &str) -> impl Iterator<Item = &str> {
    words
        .split(['\n', ';'])
        .flat_map(|line| line.split(". "))
        .map(|sentence| sentence.trim().trim_end_matches('.').trim())
        .filter(|sentence| !sentence.is_empty())
}

/// Words and numbers in lower case. A currency sign is a word of its own.
fn tokens(text: &str) -> Vec<String> {
    let spaced = text.to_lowercase().replace('$', " $ ");
    spaced
        .split(|c: char| c.is_whitespace() || (!c.is_alphanumeric() && !"$_.-".contains(c)))
        .map(|word| word.trim_matches(['.', '-']).to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

/// Takes the amounts that a sentence names into the caps. Whether there was any.
fn limit(said: &[String], caps: &mut Caps) -> bool {
    let mut found = false;
    for (at, word) in said.iter().enumerate() {
        let Some(amount) = number(word) else { continue };
        let before = at.checked_sub(1).and_then(|at| said.get(at));
        let after = said.get(at + 1).map(String::as_str).unwrap_or_default();
        let is_money = before.is_some_and(|word| word == "$")
            || matches!(after, "usd" | "dollar" | "dollars" | "$");
        let seconds = match after {
            "second" | "seconds" | "sec" | "secs" | "s" => Some(1.0),
            "minute" | "minutes" | "min" | "mins" | "m" => Some(60.0),
            "hour" | "hours" | "h" => Some(3_600.0),
            "day" | "days" | "d" => Some(86_400.0),
            _ => None,
        };
        if is_money {
            caps.money = Some(MicroUsd((amount * 1e6).round() as u64));
        } else if let Some(seconds) = seconds {
            caps.wall_time = Some(Millis((amount * seconds * 1e3).round() as u64));
        } else if matches!(after, "call" | "calls" | "turns") && amount.fract() == 0.0 {
            caps.turns = Some(amount as u64);
        } else {
            continue;
        }
        found = true;
    }
    found
}

/// An amount that a cap can be: more than nothing, and less than anybody spends.
fn number(word: &str) -> Option<f64> {
    let amount: f64 = word.parse().ok()?;
    (amount > 0.0 && amount <= 1e9).then_some(amount)
}
