//! What the steps of a mission left behind, by name. Every piece may be missing, incomplete or something else than
//! expected: what can be read of it is read, item by item.

use std::collections::BTreeSet;

use adjutant_questions::{
    ClusterOf, Dated, Drafted, Evidence, Finding, FindingKind, GapPoint, GradeOf, Objection,
    Ranked, Row, SourceGrade,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::cited_text::Contradiction;
use crate::documents_read::DocumentsRead;

/// Items read of one list.
const ITEMS_MAX: usize = 200;

/// Answers of the steps, by the names the plan gave them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces<'a> {
    given: Option<&'a Map<String, Value>>,
    /// What was read in the documents, if they were read.
    pub(crate) read: Option<DocumentsRead>,
    offline: bool,
}

/// What a `conclude` step says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Concluded {
    pub(crate) summary: String,
    pub(crate) findings: Vec<Finding>,
}

/// Where something was looked up, and how much there was.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LookedUp {
    pub(crate) place: String,
    pub(crate) looked_for: String,
    /// Nothing if it could not be asked.
    pub(crate) total: Option<u64>,
}

impl<'a> Pieces<'a> {
    pub(crate) fn of(given: &'a Map<String, Value>, offline: bool) -> Self {
        let mut pieces = Self {
            given: Some(given),
            read: None,
            offline,
        };
        pieces.read = pieces.read("reading");
        pieces
    }

    /// Whether a model read documents, even if rules did everything else.
    pub(crate) fn read_by_a_model(&self) -> bool {
        let model = self.read.as_ref().and_then(|read| read.model.as_ref());
        model.is_some_and(|model| model.read > 0)
    }

    /// Whether rules alone compared the sources, and the documents were read completely besides: reading finds what differs
    /// more surely.
    pub(crate) fn reading_replaces_rules(&self) -> bool {
        self.offline && self.read.is_some()
    }

    /// Whether rules alone wrote it, and reading found what comes first: what a search found is then not told.
    pub(crate) fn reads_first(&self) -> bool {
        let found = self
            .read
            .as_ref()
            .is_some_and(|read| !read.noticed.first.is_empty());
        self.reading_replaces_rules() && found
    }

    /// Whether all that something rests on are drafts and documents that were replaced.
    pub(crate) fn is_outdated(&self, evidence: &[Evidence]) -> bool {
        let outdated = |one: &Evidence| {
            let read = self.read.as_ref();
            read.is_some_and(|read| read.is_outdated(&one.source))
        };
        !evidence.is_empty() && evidence.iter().all(outdated)
    }

    /// A piece that says something.
    pub(crate) fn get(&self, name: &str) -> Option<&'a Value> {
        let value = self.given?.get(name)?;
        (!value.is_null()).then_some(value)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Whether a piece has a list of that name, even if it is empty.
    pub(crate) fn tells(&self, name: &str, list: &str) -> bool {
        self.get(name).is_some_and(|value| tells(value, list))
    }

    pub(crate) fn concluded(&self, name: &str) -> Option<Concluded> {
        self.get(name).map(concluded)
    }

    /// The piece as a whole, if it is exactly of that shape.
    pub(crate) fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_value(self.get(name)?.clone()).ok()
    }

    /// Findings of the analysis first, then of the extracts, the same text once.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let mut found: Vec<Finding> = Vec::new();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for name in ["analysis", "extracts"] {
            for finding in self.get(name).map(findings).unwrap_or_default() {
                if seen.insert(finding.text.clone()) {
                    found.push(finding);
                }
            }
        }
        // What only drafts and replaced documents say comes last.
        found.sort_by_key(|finding| self.is_outdated(&finding.evidence));
        found
    }

    /// Whether any step put sources side by side: one that did tells what it found, also if that is nothing.
    pub(crate) fn has_looked_for_contradictions(&self) -> bool {
        let mut given = self.given.into_iter().flat_map(Map::values);
        given.any(|value| tells(value, "contradictions"))
    }

    /// Between sources that hold: a later version of a document does not contradict the earlier one.
    pub(crate) fn contradictions(&self) -> Vec<Contradiction> {
        let mut found: Vec<Contradiction> = Vec::new();
        if self.reading_replaces_rules() {
            return found;
        }
        for value in self.given.into_iter().flat_map(Map::values) {
            for one in items::<Contradiction>(value, "contradictions") {
                let told = one.sides.iter().filter(|side| !side.text.trim().is_empty());
                let is_outdated = one
                    .sides
                    .iter()
                    .any(|side| self.is_outdated(&side.evidence));
                if told.count() > 1
                    && !is_outdated
                    && !found.iter().any(|known| same_sides(known, &one))
                {
                    found.push(one);
                }
            }
        }
        found
    }

    pub(crate) fn events(&self) -> Vec<Dated> {
        self.items("timeline", "events")
    }

    pub(crate) fn objections(&self) -> Vec<Objection> {
        self.items("objections", "objections")
    }

    pub(crate) fn clusters(&self) -> Vec<ClusterOf> {
        self.items("clusters", "clusters")
    }

    pub(crate) fn rows(&self) -> Vec<Row> {
        self.items("comparison", "rows")
    }

    pub(crate) fn gap_points(&self) -> Vec<GapPoint> {
        self.items("gaps", "points")
    }

    pub(crate) fn ranking(&self) -> Vec<Ranked> {
        self.items("scores", "ranking")
    }

    pub(crate) fn grades(&self) -> Vec<SourceGrade> {
        self.items("grade", "sources")
    }

    pub(crate) fn draft(&self) -> Option<Drafted> {
        let mut given = self.get("draft")?.clone();
        // Who wrote it is told elsewhere.
        given.as_object_mut()?.remove("answered_by");
        serde_json::from_value(given).ok()
    }

    /// The entries of a piece's list that can be read.
    pub(crate) fn items<T: DeserializeOwned>(&self, name: &str, list: &str) -> Vec<T> {
        self.get(name)
            .map(|value| items(value, list))
            .unwrap_or_default()
    }

    /// What any step looked for and did not find.
    pub(crate) fn not_found(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for value in self.given.into_iter().flat_map(Map::values) {
            collect_not_found(value, &mut found);
        }
        found
    }

    pub(crate) fn looked_up(&self) -> Vec<LookedUp> {
        let list = self.get("looked_up").and_then(Value::as_array);
        let list = list.map(Vec::as_slice).unwrap_or_default().iter();
        let read = |value: &Value| {
            let text = |name: &str| value.get(name).map(words).unwrap_or_default();
            Some(LookedUp {
                place: Some(text("where")).filter(|at| !at.is_empty())?,
                looked_for: text("looked_for"),
                total: total(value),
            })
        };
        let mut found: Vec<LookedUp> = Vec::new();
        for one in list.take(ITEMS_MAX).filter_map(read) {
            if !found.contains(&one) {
                found.push(one);
            }
        }
        found
    }
}

/// How much there was: as the lookup counts it, else as many sources as it gives. It may be said in its answer. Nothing
/// if it could not be asked, which a count of `null` says.
fn total(looked: &Value) -> Option<u64> {
    let not_asked = |value: &Value| value.get("total").is_some_and(Value::is_null);
    if not_asked(looked) || looked.get("answer").is_some_and(not_asked) {
        return None;
    }
    let count = |value: &Value| {
        let sources = value.get("sources").and_then(Value::as_array);
        let given = sources.map(|all| all.len() as u64);
        value.get("total").and_then(Value::as_u64).or(given)
    };
    count(looked).or_else(|| looked.get("answer").and_then(count))
}

/// A text, or texts in a list.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Array(all) => {
            let texts = all.iter().filter_map(Value::as_str);
            texts.collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    }
}

/// Whether two contradictions are between the same passages, whichever is named first.
fn same_sides(one: &Contradiction, other: &Contradiction) -> bool {
    let passages = |of: &Contradiction| -> BTreeSet<(String, String)> {
        let evidence = of.sides.iter().flat_map(|side| side.evidence.first());
        evidence
            .map(|at| (at.source.clone(), crate::text::plain(&at.quote)))
            .collect()
    };
    let own = passages(one);
    match own.is_empty() {
        true => one.sides == other.sides,
        false => own == passages(other),
    }
}

/// The items of a value's list that can be read; the value may be a list of such values itself.
fn tells(value: &Value, list: &str) -> bool {
    match value {
        Value::Array(all) => all.iter().take(ITEMS_MAX).any(|one| tells(one, list)),
        Value::Object(fields) => fields.get(list).is_some_and(Value::is_array),
        _ => false,
    }
}

fn items<T: DeserializeOwned>(value: &Value, list: &str) -> Vec<T> {
    let mut found = Vec::new();
    match value {
        Value::Array(all) => {
            for one in all.iter().take(ITEMS_MAX) {
                found.extend(items(one, list));
            }
        }
        Value::Object(fields) => {
            let all = fields.get(list).and_then(Value::as_array);
            let all = all.map(Vec::as_slice).unwrap_or_default().iter();
            let read = |one: &Value| serde_json::from_value(one.clone()).ok();
            found.extend(all.take(ITEMS_MAX).filter_map(read));
        }
        _ => {}
    }
    found.truncate(ITEMS_MAX);
    found
}

fn collect_not_found(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(all) => all
            .iter()
            .take(ITEMS_MAX)
            .for_each(|one| collect_not_found(one, found)),
        Value::Object(fields) => {
            let all = fields.get("not_found").and_then(Value::as_array);
            for text in all.into_iter().flatten().filter_map(Value::as_str) {
                let text = crate::text::plain(text);
                let known = found.iter().any(|at| at.eq_ignore_ascii_case(&text));
                if !text.is_empty() && !known && found.len() < ITEMS_MAX {
                    found.push(text);
                }
            }
        }
        _ => {}
    }
}

fn findings(value: &Value) -> Vec<Finding> {
    let mut found: Vec<Finding> = items(value, "findings");
    found.retain(|finding| !finding.text.trim().is_empty());
    for finding in &mut found {
        finding.confidence = finding.confidence.clamp(0.0, 1.0);
        if finding.kind == FindingKind::Fact && finding.evidence.is_empty() {
            finding.kind = FindingKind::Interpretation;
        }
    }
    found
}

fn concluded(value: &Value) -> Concluded {
    Concluded {
        summary: value.get("summary").map(words).unwrap_or_default(),
        findings: findings(value),
    }
}

pub(crate) fn grade_name(grade: GradeOf) -> &'static str {
    match grade {
        GradeOf::VeryLow => "very low",
        GradeOf::Low => "low",
        GradeOf::Moderate => "moderate",
        GradeOf::High => "high",
    }
}
