//! Looks at every text of a question before anybody answers it, and does what the policy says.

use std::collections::BTreeMap;

use adjutant_guard::{
    Action, Inspected, Origin, Severity, ThreatKind, fence, inspect, strip_label_end, strip_marks,
    unfence,
};
use adjutant_questions::{Input, says};
use serde::Serialize;
use serde_json::Value;

use super::Protection;
use super::clean_texts::Key;
use super::origin::Origins;
use crate::acknowledgement::{Acknowledgements, AskedBy};

/// Texts shorter than this tell nobody to do anything.
const TEXT_BYTES_MIN: usize = 8;
/// Threats that are recorded of one question; of more, only their number.
const RECORDED_MAX: usize = 50;
const PLACE_CHARS_MAX: usize = 80;
/// Threats that one reason names.
const TOLD_MAX: usize = 3;

/// A threat as it stands in the journal: everything but the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Recorded {
    #[serde(rename = "where")]
    place: String,
    origin: Origin,
    kind: ThreatKind,
    severity: Severity,
    /// Bytes of the text as it was given.
    span: (usize, usize),
    action: Taken,
    reason: String,
}

/// What was done about a threat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
enum Taken {
    Log,
    Fence,
    /// A person was asked and let it through; it is fenced all the same.
    Allow,
    Ask,
    Block,
}

/// What the guard says to a question.
#[derive(Debug)]
pub(crate) enum Looked {
    /// With the same input without marks, if something is fenced.
    GoOn(Guarding, Option<Value>),
    /// Names what was found; begins with a code that says the same of the same threats.
    Ask(String),
    Block(String),
}

/// A question that may go on, and what was found in it.
#[derive(Debug, Default)]
pub(crate) struct Guarding {
    recorded: Vec<Recorded>,
    more: usize,
}

impl Guarding {
    /// Adds what was found to a record of who answered.
    pub(crate) fn record(&self, by: &mut Value) {
        if let (Value::Object(fields), false) = (by, self.recorded.is_empty()) {
            let threats = serde_json::to_value(&self.recorded).unwrap_or_default();
            fields.insert("threats".to_owned(), threats);
            if self.more > 0 {
                fields.insert("threats_more".to_owned(), self.more.into());
            }
        }
    }

    /// The same in a few words, for a question that was not answered; empty if there is nothing.
    pub(crate) fn told(&self) -> String {
        match self.recorded.len() + self.more {
            0 => String::new(),
            count => format!(" (the guard found {count}: {})", told(&self.recorded)),
        }
    }
}

/// Looks at all texts of an input and fences what is to be fenced, with what people were asked about it before.
pub(crate) fn look(
    input: &mut Value,
    origins: &Origins,
    protection: &Protection,
    acknowledged: Acknowledgements<'_>,
) -> Looked {
    let names = Names::of(input);
    let mut found = Found::default();
    let mut unfenced = input.clone();
    let mut visible: BTreeMap<(String, String), String> = BTreeMap::new();
    super::each(input, &mut |pointer, text| {
        if text.len() < TEXT_BYTES_MIN {
            return None;
        }
        let origin = origins.of(pointer);
        let key = Key::new(text, origin);
        if protection.clean_texts.contains(&key) {
            return None;
        }
        let inspected = inspect(text, origin, &protection.limits);
        let Some(action) = protection.guard.action(origin, &inspected) else {
            protection.clean_texts.insert(key);
            return None;
        };
        found.add(
            &names.of_place(pointer),
            origin,
            text,
            &inspected,
            protection,
        );
        (action >= Action::Fence).then(|| {
            let fenced = fence(&inspected);
            visible.insert((pointer.to_owned(), text.to_owned()), inspected.text);
            fenced
        })
    });
    let unfenced = (!visible.is_empty()).then(|| {
        super::each(&mut unfenced, &mut |pointer, text| {
            visible.get(&(pointer.to_owned(), text.to_owned())).cloned()
        });
        unfenced
    });
    found.settle(acknowledged, unfenced)
}

/// The text as it went out, without the marks around what was fenced: what quotes of it are looked up in.
pub(crate) fn unmarked(value: &mut Value) {
    super::each(value, &mut |_, text| Some(unfence(text)));
}

/// Takes the guard's marks out of an answer to a question that had some. A quote that one of the inputs says stays as
/// it is: brackets in it are the source's own.
pub(crate) fn unmark_answer(value: &mut Value, inputs: &[&Input]) {
    match value {
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| unmark_answer(item, inputs)),
        Value::Object(fields) => {
            let text = |name: &str| fields.get(name).and_then(Value::as_str);
            let quote = text("source").zip(text("quote"));
            let quote = quote.map(|(source, quote)| unmarked_quote(source, quote, inputs));
            fields
                .values_mut()
                .for_each(|field| unmark_answer(field, inputs));
            if let Some(quote) = quote {
                fields.insert("quote".to_owned(), quote.into());
            }
        }
        Value::String(text) if text.contains(['⟦', '⟧']) => *text = strip_marks(text),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn unmarked_quote(source: &str, quote: &str, inputs: &[&Input]) -> String {
    let source = strip_marks(source);
    let stripped = strip_marks(quote);
    let candidates = [quote, stripped.as_str(), strip_label_end(&stripped)];
    let found = candidates
        .into_iter()
        .find(|quote| inputs.iter().any(|input| says(input, &source, quote)));
    found.unwrap_or(&stripped).to_owned()
}

#[derive(Default)]
struct Found {
    recorded: Vec<Recorded>,
    /// What a person is to be asked about: place, kind and words of each threat.
    asked_about: Vec<String>,
    gravest: Option<Taken>,
}

impl Found {
    fn add(
        &mut self,
        place: &str,
        origin: Origin,
        text: &str,
        inspected: &Inspected,
        protection: &Protection,
    ) {
        let actions = protection.guard.actions(origin);
        for threat in &inspected.threats {
            let action = match actions.for_severity(threat.severity) {
                Action::Log => Taken::Log,
                Action::Fence => Taken::Fence,
                Action::Ask => Taken::Ask,
                Action::Block => Taken::Block,
            };
            self.gravest = self.gravest.max(Some(action));
            if action == Taken::Ask {
                let words = text.get(threat.span.clone()).unwrap_or_default();
                let about = [place.to_owned(), name(&threat.kind), words.to_owned()];
                self.asked_about.extend(about);
            }
            self.recorded.push(Recorded {
                place: place.to_owned(),
                origin,
                kind: threat.kind,
                severity: threat.severity,
                span: (threat.span.start, threat.span.end),
                action,
                reason: threat.reason.clone(),
            });
        }
    }

    fn settle(mut self, acknowledged: Acknowledgements<'_>, unfenced: Option<Value>) -> Looked {
        // The gravest stay if there are too many.
        self.recorded
            .sort_by_key(|threat| std::cmp::Reverse(threat.severity));
        let of = |action: Taken, recorded: &[Recorded]| {
            let some: Vec<Recorded> = recorded
                .iter()
                .filter(|threat| threat.action == action)
                .cloned()
                .collect();
            told(&some)
        };
        match self.gravest {
            Some(Taken::Block) => {
                let told = of(Taken::Block, &self.recorded);
                return Looked::Block(format!("the guard blocks sending this to a model: {told}"));
            }
            Some(Taken::Ask) => {
                let parts: Vec<&str> = self.asked_about.iter().map(String::as_str).collect();
                let code = acknowledged.code(AskedBy::Guard, &parts);
                if !acknowledged.contain(&code) {
                    let told = of(Taken::Ask, &self.recorded);
                    return Looked::Ask(format!(
                        "{code} before this is sent to a model, review {told}. Retrying sends it, marked as data"
                    ));
                }
                let asked = self.recorded.iter_mut();
                for threat in asked.filter(|threat| threat.action == Taken::Ask) {
                    threat.action = Taken::Allow;
                }
            }
            Some(Taken::Log | Taken::Fence | Taken::Allow) | None => {}
        }
        let more = self.recorded.len().saturating_sub(RECORDED_MAX);
        self.recorded.truncate(RECORDED_MAX);
        let recorded = self.recorded;
        Looked::GoOn(Guarding { recorded, more }, unfenced)
    }
}

fn told(threats: &[Recorded]) -> String {
    let named = threats.iter().take(TOLD_MAX).map(|threat| {
        format!(
            "{} ({}): {}, {}: {}",
            threat.place,
            name(&threat.origin),
            name(&threat.kind),
            name(&threat.severity),
            threat.reason
        )
    });
    let mut told: Vec<String> = named.collect();
    if threats.len() > told.len() {
        told.push(format!("{} more", threats.len() - told.len()));
    }
    told.join("; ")
}

/// A word as it is written in records, with spaces.
fn name(word: &impl Serialize) -> String {
    let value = serde_json::to_value(word).unwrap_or_default();
    value.as_str().unwrap_or_default().replace('_', " ")
}

/// What the sources of an input are called.
struct Names(Vec<String>);

impl Names {
    fn of(input: &Value) -> Self {
        let sources = input.get("sources").and_then(Value::as_array);
        let ids = sources.into_iter().flatten().map(|source| {
            let id = source.get("id").and_then(Value::as_str).unwrap_or_default();
            id.chars().take(PLACE_CHARS_MAX).collect()
        });
        Self(ids.collect())
    }

    /// A place in words: ``source `letter` ``, `finding 3`, `question`.
    fn of_place(&self, pointer: &str) -> String {
        let mut parts = pointer.split('/').skip(1);
        let field = parts.next().unwrap_or_default();
        let at = parts.next().and_then(|at| at.parse::<usize>().ok());
        match (field, at) {
            ("sources", Some(at)) => {
                let id = self.0.get(at).map_or("", String::as_str);
                format!("source `{id}`")
            }
            (list, Some(at)) => {
                let one = list.strip_suffix('s').unwrap_or(list);
                format!("{one} {}", at + 1)
            }
            (field, None) => field.to_owned(),
        }
    }
}
