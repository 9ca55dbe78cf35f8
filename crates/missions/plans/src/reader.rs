//! A typed reader over the tree. Every question it answers with `None` has been reported, so callers
//! go on with the next field and the user sees all problems at once. It knows types, not plans, so that other
//! files than plans are read by it too.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use adjutant_mission::{
    AgentId, AgentLevel, IdError, Json, MicroUsd, Millis, Ppm, ProblemKind, limits,
};

use crate::near::{did_you_mean, nearest};
use crate::problem::{FileProblem, PlanErrors, Position, Problems, code};
use crate::quantity;
use crate::scalar::{Scalar, resolve, write_json};
use crate::tree::{Entry, Node, Value};

/// The machine's code for numbers beyond a limit.
const OUT_OF_LIMITS: &str = "ADJ-1002";

/// A path into the file, rendered only when there is something to report.
#[derive(Debug, Clone, Copy)]
pub enum Place<'a> {
    Root,
    Field(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>, usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Field(Self::Root, name) => f.write_str(name),
            Self::Field(parent, name) => write!(f, "{parent}.{name}"),
            Self::Item(parent, n) => write!(f, "{parent}[{n}]"),
        }
    }
}

/// The fields of one map.
#[derive(Debug)]
pub struct Fields<'a> {
    at: Position,
    entries: &'a [Entry],
    place: &'a Place<'a>,
}

impl<'a> Fields<'a> {
    /// A field that is there and not empty.
    pub fn find(&self, name: &str) -> Option<&'a Entry> {
        self.entries
            .iter()
            .find(|entry| entry.key == name && !is_null(&entry.value))
    }
}

pub(crate) fn is_null(node: &Node) -> bool {
    matches!(&node.value, Value::Plain(text) if resolve(text) == Scalar::Null)
}

#[derive(Debug, Default)]
pub struct Reader {
    pub(crate) problems: Problems,
    /// Places already complained about: what the machine says of them would be an echo.
    pub(crate) reported: BTreeSet<String>,
    /// A task's name could not be read, so that names which seem to lead nowhere may well be right.
    pub(crate) names_lost: bool,
    /// Of the plan's agents that were read: tasks come after them.
    pub(crate) agent_levels: BTreeMap<AgentId, AgentLevel>,
    /// Fields that tasks have in this kind of file besides those of a plan; whoever knows them reads them.
    pub(crate) further_task_fields: &'static [&'static str],
}

impl Reader {
    /// Lets tasks have further fields, which the caller reads itself.
    pub fn allow_task_fields(&mut self, further: &'static [&'static str]) {
        self.further_task_fields = further;
    }

    /// Says of which level an agent is, so that its tasks need not.
    pub fn know_agent(&mut self, id: AgentId, level: AgentLevel) {
        self.agent_levels.insert(id, level);
    }

    /// What was reported, or nothing if all is well.
    pub fn into_errors(self) -> Option<PlanErrors> {
        self.problems.into_errors()
    }

    /// Whether anything was reported at this place or inside it.
    pub fn has_reported(&self, place: &str) -> bool {
        let mut inside = self.reported.range(place.to_owned()..);
        inside.next().is_some_and(|first| first.starts_with(place))
    }

    pub fn report(
        &mut self,
        code: &'static str,
        at: Position,
        place: &Place<'_>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let place = place.to_string();
        self.reported.insert(place.clone());
        self.problems
            .push(FileProblem::new(code, at, place, message, remedy));
    }

    /// Reports without silencing what the machine has to say about the place.
    pub(crate) fn note(
        &mut self,
        code: &'static str,
        at: Position,
        place: &Place<'_>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let problem = FileProblem::new(code, at, place.to_string(), message, remedy);
        self.problems.push(problem);
    }

    fn wrong_type(&mut self, node: &Node, place: &Place<'_>, wanted: &str) {
        let remedy = format!("Write {wanted} here.");
        self.wrong_type_with(node, place, wanted, remedy);
    }

    fn wrong_type_with(&mut self, node: &Node, place: &Place<'_>, wanted: &str, remedy: String) {
        let found = match &node.value {
            // The tree has reported it; only keep the machine from saying more.
            Value::Broken => {
                self.reported.insert(place.to_string());
                return;
            }
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
            Value::Quoted(_) => "text",
            Value::Plain(text) => match resolve(text) {
                Scalar::Null => "nothing",
                Scalar::Bool(_) => "a yes or no",
                Scalar::Number(_) | Scalar::Unbounded => "a number",
                Scalar::Text(_) => "text",
            },
        };
        let message = format!("this should be {wanted}, not {found}");
        self.report(code::SHAPE, node.at, place, message, remedy);
    }

    /// The fields of a map, with everything not in `known` reported.
    pub fn fields<'a>(
        &mut self,
        node: &'a Node,
        place: &'a Place<'a>,
        known: &[&'static str],
    ) -> Option<Fields<'a>> {
        self.fields_and(node, place, known, &[])
    }

    /// As `fields`; those in `handled` are neither reported nor suggested.
    pub fn fields_and<'a>(
        &mut self,
        node: &'a Node,
        place: &'a Place<'a>,
        known: &[&'static str],
        handled: &[&'static str],
    ) -> Option<Fields<'a>> {
        let Value::Map(entries) = &node.value else {
            let first = &known[..known.len().min(3)];
            let remedy = format!("Write fields here, such as {}.", list(first, "and"));
            self.wrong_type_with(node, place, "a map", remedy);
            return None;
        };
        for entry in entries {
            let name = entry.key.as_str();
            if !known.contains(&name) && !handled.contains(&name) {
                if self.problems.is_full() {
                    self.problems.leave_out(1);
                    continue;
                }
                let near = nearest(&entry.key, known.iter().copied());
                let name = shortened(&entry.key);
                let message = format!("there is no field `{name}` here{}", did_you_mean(near));
                let remedy = match near {
                    Some(near) => format!("Rename it to `{near}`, or remove it."),
                    None => format!("Remove it. The fields here are {}.", list(known, "and")),
                };
                let here = Place::Field(place, &name);
                self.report(code::SHAPE, entry.at, &here, message, remedy);
            }
        }
        Some(Fields {
            at: node.at,
            entries,
            place,
        })
    }

    /// Reads a field if it is there.
    pub fn field<T>(
        &mut self,
        fields: &Fields<'_>,
        name: &str,
        read: impl FnOnce(&mut Self, &Node, &Place<'_>) -> Option<T>,
    ) -> Option<T> {
        let entry = fields.find(name)?;
        read(self, &entry.value, &Place::Field(fields.place, name))
    }

    /// Reads a field that must be there.
    pub fn needed<T>(
        &mut self,
        fields: &Fields<'_>,
        name: &str,
        read: impl FnOnce(&mut Self, &Node, &Place<'_>) -> Option<T>,
    ) -> Option<T> {
        let place = Place::Field(fields.place, name);
        match fields.find(name) {
            Some(entry) => read(self, &entry.value, &place),
            None => {
                let message = format!("`{name}` is missing");
                let remedy = format!("Add `{name}:` with a value.");
                self.report(code::MISSING, fields.at, &place, message, remedy);
                None
            }
        }
    }

    pub fn text(&mut self, node: &Node, place: &Place<'_>) -> Option<String> {
        let text = self.scalar(node, place, "text")?;
        if text.len() > limits::TEXT_BYTES_MAX {
            let kind = ProblemKind::OverLimit {
                what: "bytes of text",
                found: text.len() as u64,
                limit: limits::TEXT_BYTES_MAX as u64,
            };
            let remedy = "Shorten it; long texts belong into files.";
            self.report(kind.code(), node.at, place, kind.to_string(), remedy);
            return None;
        }
        Some(text.to_owned())
    }

    /// Text that says something.
    pub fn filled_text(&mut self, node: &Node, place: &Place<'_>) -> Option<String> {
        let text = self.text(node, place)?;
        if text.trim().is_empty() {
            let kind = ProblemKind::Blank { what: "this text" };
            let remedy = "Write something here.";
            self.report(kind.code(), node.at, place, kind.to_string(), remedy);
            return None;
        }
        Some(text)
    }

    fn scalar<'n>(&mut self, node: &'n Node, place: &Place<'_>, wanted: &str) -> Option<&'n str> {
        match &node.value {
            Value::Plain(text) | Value::Quoted(text) => Some(text),
            Value::List(_) | Value::Map(_) | Value::Broken => {
                self.wrong_type(node, place, wanted);
                None
            }
        }
    }

    fn bad_value(
        &mut self,
        node: &Node,
        place: &Place<'_>,
        message: String,
        remedy: impl Into<String>,
    ) {
        self.report(code::VALUE, node.at, place, message, remedy);
    }

    pub fn name<T: FromStr<Err = IdError>>(&mut self, node: &Node, place: &Place<'_>) -> Option<T> {
        let text = self.scalar(node, place, "a name")?;
        text.parse()
            .map_err(|error: IdError| {
                let remedy = "Use a short name such as `fetch_prices`.";
                self.bad_value(node, place, error.to_string(), remedy);
            })
            .ok()
    }

    /// A whole number; `10_000` is one too.
    pub fn whole<T: TryFrom<i64>>(
        &mut self,
        node: &Node,
        place: &Place<'_>,
        range: RangeInclusive<i64>,
    ) -> Option<T> {
        let wanted = "a whole number";
        let text = self.scalar(node, place, wanted)?;
        let digits = text.replace('_', "");
        let looks_whole = |text: &str| {
            let bare = text.strip_prefix(['-', '+']).unwrap_or(text);
            !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !matches!(node.value, Value::Plain(_)) || !looks_whole(&digits) {
            let message = format!("`{}` is not a whole number", shortened(text));
            let remedy = "Write digits only, without quotes.";
            self.bad_value(node, place, message, remedy);
            return None;
        }
        let value = digits.parse().ok().filter(|value| range.contains(value));
        let value = value.and_then(|value| T::try_from(value).ok());
        if value.is_none() {
            let (least, most) = (range.start(), range.end());
            let message = format!("{} is not between {least} and {most}", shortened(text));
            let remedy = format!("Choose a number between {least} and {most}.");
            self.report(OUT_OF_LIMITS, node.at, place, message, remedy);
        }
        value
    }

    pub fn yes_or_no(&mut self, node: &Node, place: &Place<'_>) -> Option<bool> {
        if let Value::Plain(text) = &node.value
            && let Scalar::Bool(value) = resolve(text)
        {
            return Some(value);
        }
        self.wrong_type(node, place, "`true` or `false`");
        None
    }

    pub fn duration(&mut self, node: &Node, place: &Place<'_>) -> Option<Millis> {
        let text = self.scalar(node, place, "a duration such as `90s`")?;
        quantity::duration(text)
            .map_err(|message| self.bad_value(node, place, message, quantity::DURATION_FORM))
            .ok()
    }

    pub fn money(&mut self, node: &Node, place: &Place<'_>) -> Option<MicroUsd> {
        let text = self.scalar(node, place, "an amount such as `$1.50`")?;
        quantity::money(text)
            .map_err(|message| self.bad_value(node, place, message, quantity::MONEY_FORM))
            .ok()
    }

    pub fn share(&mut self, node: &Node, place: &Place<'_>) -> Option<Ppm> {
        let text = self.scalar(node, place, "a share such as `0.7`")?;
        quantity::share(text)
            .map_err(|message| self.bad_value(node, place, message, quantity::SHARE_FORM))
            .ok()
    }

    /// One of a few words.
    pub fn choice<T: Copy>(
        &mut self,
        node: &Node,
        place: &Place<'_>,
        choices: &[(&'static str, T)],
    ) -> Option<T> {
        let words: Vec<&'static str> = choices.iter().map(|(word, _)| *word).collect();
        let wanted = format!("one of {}", list(&words, "or"));
        let text = self.scalar(node, place, &wanted)?;
        let found = choices.iter().find(|(word, _)| *word == text);
        if found.is_none() {
            let near = did_you_mean(nearest(text, words.iter().copied()));
            let message = format!("`{}` is not known here{near}", shortened(text));
            let remedy = format!("Use {}.", list(&words, "or"));
            self.bad_value(node, place, message, remedy);
        }
        found.map(|(_, value)| *value)
    }

    /// A list, or a single value that stands for a list of one. Unreadable items are left out.
    pub fn several<T>(
        &mut self,
        node: &Node,
        place: &Place<'_>,
        mut read: impl FnMut(&mut Self, &Node, &Place<'_>) -> Option<T>,
    ) -> Vec<T> {
        match &node.value {
            Value::List(items) => items
                .iter()
                .enumerate()
                .filter_map(|(n, item)| read(self, item, &Place::Item(place, n)))
                .collect(),
            _ => read(self, node, place).into_iter().collect(),
        }
    }

    pub fn texts(&mut self, node: &Node, place: &Place<'_>) -> Option<Vec<String>> {
        Some(self.several(node, place, Self::filled_text))
    }

    /// A list, written as one.
    pub fn items<'n>(&mut self, node: &'n Node, place: &Place<'_>) -> Option<&'n [Node]> {
        match &node.value {
            Value::List(items) => Some(items),
            _ => {
                self.wrong_type(node, place, "a list");
                None
            }
        }
    }

    /// A map of any content, as JSON.
    pub fn free_map(&mut self, node: &Node, place: &Place<'_>) -> Option<Json> {
        if !matches!(node.value, Value::Map(_)) {
            self.wrong_type(node, place, "a map");
            return None;
        }
        self.free_value(node, place)
    }

    /// Any content, as JSON.
    pub fn free_value(&mut self, node: &Node, place: &Place<'_>) -> Option<Json> {
        let mut json = String::new();
        write_json(node, &mut json, &mut |number| {
            let message = "this number is not one that can be stored".to_owned();
            let remedy = "Write a finite number, or quote it to make it text.";
            self.bad_value(number, place, message, remedy);
        });
        Json::parse(&json)
            .map_err(|error| {
                let message = format!("this value cannot be stored: {error}");
                self.bad_value(node, place, message, "Simplify the value.");
            })
            .ok()
    }
}

/// What is quoted in a message stays short enough to read.
fn shortened(text: &str) -> String {
    const CHARACTERS_MAX: usize = 60;
    if text.chars().count() <= CHARACTERS_MAX {
        return text.to_owned();
    }
    text.chars().take(CHARACTERS_MAX).chain(['…']).collect()
}

fn list(words: &[&str], last: &str) -> String {
    match words {
        [] => String::new(),
        [only] => format!("`{only}`"),
        [first @ .., final_word] => {
            format!("`{}` {last} `{final_word}`", first.join("`, `"))
        }
    }
}
