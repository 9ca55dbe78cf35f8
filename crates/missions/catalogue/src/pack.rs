//! Packs: what belongs to a field and not to a kind of mission. Which databases are asked, by which criteria a decision is
//! judged, what a complete answer tells. The packs are data; here one of them is chosen, and nothing else is decided.

use std::collections::BTreeSet;

use adjutant_mission::{Task, WorkSpec};
use adjutant_plans::reading::nearest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::lookups::LOOKUPS;
use crate::planned::Problem;
use crate::roster;
use crate::start::StartWith;
use crate::template::Template;

/// The input by which a template takes a pack. Templates without it name their databases and criteria themselves.
pub const PACK_INPUT: &str = "pack";

/// The packs that are built in; the first is taken when no other fits.
const FILES: [&str; 3] = [
    include_str!("../packs/general.toml"),
    include_str!("../packs/pharma.toml"),
    include_str!("../packs/software.toml"),
];

/// A word of the objective says more of the field than one of the documents.
const OBJECTIVE_WORD: usize = 3;
const DOCUMENT_WORD: usize = 1;
/// A pack is chosen with this many points, and this many times as many as any other.
const POINTS_MIN: usize = 3;
const TIMES_MORE: usize = 2;
/// Words that a reason names.
const WORDS_TOLD_MAX: usize = 5;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pack {
    pub name: String,
    pub about: String,
    /// The public databases that are asked, as tools.
    pub databases: Vec<String>,
    /// Words by which the field is known.
    #[serde(skip_serializing)]
    pub words: Vec<String>,
    /// What the subject is put beside, and by what.
    pub compared_with: String,
    pub compared_by: Vec<String>,
    /// Where risks are ranked.
    pub areas: Vec<String>,
    /// What our own documents are searched for.
    pub recall: Recall,
    /// By what a decision is judged if nobody says otherwise.
    pub criteria: Vec<PackCriterion>,
    /// What a complete answer tells.
    pub questions: Vec<Wanted>,
    /// What must be known before a decision.
    pub needed: Vec<Wanted>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recall {
    pub results: String,
    pub harm: String,
    pub rules: String,
    pub supply: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackCriterion {
    pub name: String,
    /// Words by which evidence on it is known.
    pub words: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    pub key: String,
    pub wants: String,
}

/// A pack, and why it was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenPack {
    pub pack: Pack,
    pub because: String,
}

/// All packs, the general one first.
pub fn packs() -> Vec<Pack> {
    FILES
        .iter()
        .filter_map(|file| toml::from_str(file).ok())
        .collect()
}

/// The pack of a mission: the one that was asked for, else the one whose words stand out in the objective and the
/// documents, else the general one. Nothing if the template takes none.
pub(crate) fn choose(
    template: &Template,
    start: &StartWith,
) -> Result<Option<ChosenPack>, Problem> {
    if !template.inputs.iter().any(|input| input.name == PACK_INPUT) {
        return Ok(None);
    }
    let asked = start.inputs.get(PACK_INPUT).and_then(Value::as_str);
    match asked.map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => named(name).map(Some),
        None => Ok(by_words(start)),
    }
}

fn named(name: &str) -> Result<ChosenPack, Problem> {
    let all = packs();
    let found = all.iter().find(|pack| pack.name == name).cloned();
    let because = "it was asked for".to_owned();
    found
        .map(|pack| ChosenPack { pack, because })
        .ok_or_else(|| Problem::PackUnknown {
            name: name.to_owned(),
            near: nearest(
                name,
                all.iter()
                    .map(|pack| pack.name.as_str())
                    .collect::<Vec<_>>(),
            )
            .map(str::to_owned),
        })
}

fn by_words(start: &StartWith) -> Option<ChosenPack> {
    let objective = folded(&start.objective);
    let mut read: Vec<&str> = start.documents.iter().map(String::as_str).collect();
    for attachment in &start.attachments {
        read.extend([attachment.title.as_str(), attachment.text.as_str()]);
    }
    let documents = folded(&read.join(" "));
    let mut scored: Vec<(usize, Vec<&str>, &Pack)> = Vec::new();
    let all = packs();
    for pack in &all {
        let of = |text: &str| -> BTreeSet<&str> {
            let words = pack.words.iter().map(String::as_str);
            words.filter(|word| text.contains(&folded(word))).collect()
        };
        let (asked, read) = (of(&objective), of(&documents));
        let points = asked.len() * OBJECTIVE_WORD + read.difference(&asked).count() * DOCUMENT_WORD;
        let told = asked.iter().chain(read.difference(&asked)).copied();
        scored.push((points, told.take(WORDS_TOLD_MAX).collect(), pack));
    }
    scored.sort_by_key(|(points, _, _)| std::cmp::Reverse(*points));
    let next = scored.get(1).map_or(0, |(points, _, _)| *points);
    match scored.first() {
        Some((points, words, pack)) if *points >= POINTS_MIN && *points >= TIMES_MORE * next => {
            Some(ChosenPack {
                pack: (*pack).clone(),
                because: format!(
                    "the objective and the documents speak of its field: {}",
                    words.join(", ")
                ),
            })
        }
        _ => all.first().map(|pack| ChosenPack {
            pack: pack.clone(),
            because: "no other field stands out in the objective and the documents".to_owned(),
        }),
    }
}

/// A text as words in small letters without a plural's ending, with a space before and after each.
fn folded(text: &str) -> String {
    let small = text.to_lowercase();
    let words = small
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    // `40mg` names a unit too.
    let words = words.map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit()));
    let words: Vec<&str> = words
        .map(|word| word.strip_suffix('s').unwrap_or(word))
        .collect();
    format!(" {} ", words.join(" "))
}

impl ChosenPack {
    /// Why a task is left out, if it asks a database that the pack does not ask.
    pub(crate) fn leaves_out(&self, task: &Task) -> Option<String> {
        let WorkSpec::Tool(call) = &task.work else {
            return None;
        };
        let tool = call.tool.as_str();
        let place = roster::agent(tool).map_or(tool, |tool| tool.name);
        self.does_not_ask(tool)
            .then(|| format!("the pack `{}` does not ask {place}", self.pack.name))
    }

    fn does_not_ask(&self, tool: &str) -> bool {
        LOOKUPS.contains(&tool) && !self.pack.databases.iter().any(|asked| asked == tool)
    }

    /// What a mission may start with: no agent is offered a database that the pack does not ask.
    pub(crate) fn narrowed(&self, start: &StartWith) -> StartWith {
        let mut narrowed = start.clone();
        narrowed
            .tools
            .retain(|tool| !self.does_not_ask(tool.as_str()));
        narrowed
    }

    /// The pack as an input, for templates to refer to.
    pub(crate) fn as_input(&self) -> Value {
        let mut input = serde_json::to_value(&self.pack).unwrap_or(Value::Null);
        if let Value::Object(fields) = &mut input {
            fields.insert("because".to_owned(), self.because.clone().into());
            let names = |key: &str, names: Vec<&str>| -> (String, Value) {
                let items = names
                    .into_iter()
                    .map(|name| serde_json::json!({"name": name}));
                (key.to_owned(), items.collect())
            };
            let criteria = self.pack.criteria.iter().map(|at| at.name.as_str());
            let areas = self.pack.areas.iter().map(String::as_str);
            fields.extend([
                names("scored_by", criteria.collect()),
                names("areas", areas.collect()),
            ]);
        }
        input
    }
}
