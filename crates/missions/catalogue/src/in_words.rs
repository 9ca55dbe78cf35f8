//! A change of a plan in words, as far as it can be understood without a model: which tasks to leave out, what the mission
//! may cost and how long it may take, and what to look at besides.

use std::collections::BTreeSet;
use std::ops::Range;

use adjutant_mission::{Caps, MicroUsd, Millis, Plan, PlanPatch, Task, TaskKey, WorkSpec};

use crate::leave_out::{Leaving, without};
use crate::planned::LeftOut;

/// What is understood without a model, for whoever was not understood.
pub const UNDERSTOOD: &str = "“leave out TASK”, “spend at most $5”, “finish within 2 hours”, “at most 40 calls” or “focus on …”";

const LEAVING: [&str; 8] = [
    "drop", "skip", "omit", "remove", "exclude", "without", "cancel", "delete",
];
const NEGATING: [&str; 6] = ["not", "never", "don", "dont", "no", "nothing"];
/// How many words before what is negated the negation may stand.
const NEGATION_WITHIN: usize = 3;
/// How many words "leave" or "take" and their "out" may be apart.
const OUT_WITHIN: usize = 8;
const LIMITING: [&str; 20] = [
    "budget", "spend", "cost", "costs", "limit", "cap", "most", "more", "under", "below", "within",
    "maximum", "max", "longer", "time", "finish", "only", "up", "have", "give",
];
const NUMBERS: [&str; 12] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
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
    "take into account",
    "pay attention",
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
            let left_out = left_out(plan, &said);
            let mut caps = read.caps.clone().unwrap_or_else(|| plan.caps.clone());
            if !left_out.is_empty() {
                for key in left_out {
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

/// Whether one of these comes first of the words that say what is wanted.
fn begins_with(said: &[String], phrases: &[&str]) -> bool {
    let is_polite = |word: &&String| POLITE.contains(&word.as_str());
    let telling: Vec<&str> = said
        .iter()
        .skip_while(is_polite)
        .map(String::as_str)
        .collect();
    phrases.iter().any(|phrase| {
        let words: Vec<&str> = phrase.split(' ').collect();
        telling.starts_with(&words)
    })
}

/// The tasks that a sentence wants left out. What stands last before a task's name decides; if nothing does, what
/// follows it.
fn left_out(plan: &Plan, said: &[String]) -> Vec<TaskKey> {
    let mentions = mentions(plan, said);
    let is_said = |at: usize, words: &[&str]| {
        said.get(at)
            .is_some_and(|word| words.contains(&word.as_str()))
    };
    let negated = |at: usize| {
        (at.saturating_sub(NEGATION_WITHIN)..at).any(|before| is_said(before, &NEGATING))
    };
    let has_out = |at: usize| (at + 1..=at + OUT_WITHIN).any(|after| is_said(after, &["out"]));
    let mut leaves = None;
    let mut wanted = Vec::new();
    for at in 0..said.len() {
        for (key, _) in mentions.iter().filter(|(_, mention)| mention.start == at) {
            let after = mentions.iter().filter(|(_, mention)| mention.start == at);
            let end = after.map(|(_, mention)| mention.end).max().unwrap_or(at);
            let goes = is_said(end, &["can", "may", "should"]) && is_said(end + 1, &["go"]);
            if leaves.unwrap_or(goes) && !wanted.contains(key) {
                wanted.push(key.clone());
            }
        }
        let names_next = mentions.iter().any(|(_, mention)| mention.start == at + 1);
        if is_said(at, &LEAVING) || (is_said(at, &["leave", "take"]) && has_out(at)) {
            leaves = Some(!negated(at));
        } else if is_said(at, &["keep", "leave"]) {
            leaves = Some(false);
        } else if is_said(at, &["need", "want"]) && negated(at)
            || is_said(at, &["no"]) && names_next
        {
            leaves = Some(true);
        } else if is_said(at, &["except"]) {
            leaves = Some(leaves != Some(true));
        }
    }
    wanted
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
    let mentions = mentions(plan, &tokens(text));
    let is_named = |task: &&Task| mentions.iter().any(|(key, _)| *key == task.key);
    let named = plan.tasks.iter().filter(is_named);
    named.map(|task| task.key.clone()).collect()
}

/// Where tasks are named.
fn mentions(plan: &Plan, said: &[String]) -> Vec<(TaskKey, Range<usize>)> {
    let titles: Vec<(&TaskKey, Vec<String>)> = plan
        .tasks
        .iter()
        .map(|task| (&task.key, tokens(task.name())))
        .collect();
    let mut found: Vec<(TaskKey, Range<usize>)> = Vec::new();
    for (key, title) in &titles {
        let words: BTreeSet<&str> = telling(title).collect();
        let places = words
            .iter()
            .map(|word| said.iter().position(|said| said == word));
        let places: Option<Vec<usize>> = places.collect();
        // A single word would be said by chance: then the title as it stands.
        if words.len() > 1
            && let Some(places) = places
            && let (Some(first), Some(last)) = (places.iter().min(), places.iter().max())
        {
            found.push(((*key).clone(), *first..last + 1));
        } else if !words.is_empty() {
            found.extend(places_of(said, title).map(|place| ((*key).clone(), place)));
        }
        let name = key.as_str().to_lowercase();
        let spoken: Vec<String> = name.split(['_', '-']).map(str::to_owned).collect();
        let whole = places_of(said, std::slice::from_ref(&name));
        for place in whole.chain(places_of(said, &spoken)) {
            if !is_said_of_another(key, said, &place, &titles) {
                found.push(((*key).clone(), place));
            }
        }
    }
    found
}

/// Whether a word that is a task's key is said as part of another's title: "the check of the report against its sources"
/// is about neither the report nor the sources.
fn is_said_of_another(
    key: &TaskKey,
    said: &[String],
    place: &Range<usize>,
    titles: &[(&TaskKey, Vec<String>)],
) -> bool {
    let [word] = &said[place.clone()] else {
        return false;
    };
    titles.iter().any(|(other, title)| {
        let others =
            telling(title).filter(|told| told != word && said.iter().any(|said| said == told));
        *other != key && title.contains(word) && others.count() > 0
    })
}

/// The words of a title by which it is known.
fn telling(title: &[String]) -> impl Iterator<Item = &str> {
    let words = title.iter().map(String::as_str);
    words.filter(|word| word.len() > 2 && !COMMON.contains(word))
}

/// Where these words stand one after the other.
fn places_of<'s>(
    said: &'s [String],
    words: &'s [String],
) -> impl Iterator<Item = Range<usize>> + 's {
    let length = words.len().max(1);
    let windows = said.windows(length).enumerate();
    let same = windows.filter(move |(_, window)| *window == words);
    same.map(move |(at, _)| at..at + length)
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
        let Some(amount) = number(word) else {
            continue;
        };
        let before = at.checked_sub(1).and_then(|at| said.get(at));
        let after = said.get(at + 1).map(String::as_str).unwrap_or_default();
        let is_money = before.is_some_and(|word| word == "$")
            || matches!(after, "usd" | "dollar" | "dollars" | "$");
        let is_small_change = matches!(after, "cent" | "cents");
        let seconds = match after {
            "second" | "seconds" | "sec" | "secs" | "s" => Some(1.0),
            "minute" | "minutes" | "min" | "mins" | "m" => Some(60.0),
            "hour" | "hours" | "h" => Some(3_600.0),
            "day" | "days" | "d" => Some(86_400.0),
            _ => None,
        };
        if is_money || is_small_change {
            let dollars = if is_small_change {
                amount / 100.0
            } else {
                amount
            };
            caps.money = Some(MicroUsd((dollars * 1e6).round() as u64));
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
    let in_words = NUMBERS.iter().position(|number| *number == word);
    let amount: f64 = match in_words {
        Some(at) => at as f64 + 1.0,
        None => word.parse().ok()?,
    };
    (amount > 0.0 && amount <= 1e9).then_some(amount)
}
