//! The tool `constitution`: checks what a mission is about to hand over. Its result is the record of the check.

use adjutant_catalogue::CHECKED_PIECES;
use adjutant_constitution::{Action, Area, AreaCheck, Check, CheckedBy, Finding, Text, check};
use adjutant_document_model::Document;
use adjutant_tools::{RegistryError, Tool, ToolFailure, read_arguments as read};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answers::found_by_model;
use super::pieces::{Cut, PIECES_MAX, cut};
use super::texts;
use crate::report_tools::{Method, written};

pub const TOOL: &str = "constitution";

/// A result stays small enough to be kept in the journal itself, where exits and events read it.
const RECORD_BYTES_MAX: usize = 3_900;
const FINDINGS_LISTED_MAX: usize = 8;
const EXCERPT_CHARS_MAX: usize = 120;
const BLOCKING_MAX: usize = 40;

/// What the check of an output found, as it is recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Recorded {
    /// The output that was checked.
    pub(crate) checked: String,
    pub(crate) passed: bool,
    /// Whether it may not leave unless a person overrules that.
    pub(crate) blocked: bool,
    pub(crate) areas: Vec<AreaCheck>,
    /// The gravest first.
    pub(crate) findings: Vec<Finding>,
    /// The ids of the findings that block it, the first of them if there are many.
    pub(crate) blocking: Vec<String>,
    /// Those of them that the rules do not find again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) by_model_alone: Vec<String>,
    /// Findings that are counted above and not listed.
    pub(crate) not_listed: usize,
    /// What a model had to say, where one was to be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<ModelCheck>,
}

/// The part of a check that a model had.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelCheck {
    /// Who answered: provider and model.
    pub by: Vec<String>,
    /// Pieces of the text that a model was asked about, and those that it answered.
    pub pieces: usize,
    pub answered: usize,
    /// Passages of the text that no piece held.
    pub unread: usize,
    /// What it said that does not count: no such rule, or its quote is not in the text.
    pub dropped: usize,
}

impl ModelCheck {
    /// Whether it read all of the text.
    pub fn is_complete(&self) -> bool {
        self.answered == self.pieces && self.unread == 0
    }

    /// What is missing of it, in words; empty if nothing is.
    pub fn missing(&self) -> String {
        let mut missing = Vec::new();
        if self.answered < self.pieces {
            let of = count(self.pieces, "piece");
            missing.push(format!("a model answered for {} of {of}", self.answered));
        }
        if self.unread > 0 {
            missing.push(format!(
                "not asked about: {}",
                count(self.unread, "passage")
            ));
        }
        missing.join("; ")
    }
}

impl Recorded {
    pub(crate) fn of(checked: String, check: Check, model: Option<ModelCheck>) -> Self {
        let mut recorded = Self::listing(checked, check, model);
        while recorded.findings.len() > 1 && size(&recorded) > RECORD_BYTES_MAX {
            recorded.findings.pop();
            recorded.not_listed += 1;
        }
        recorded
    }

    fn listing(checked: String, mut check: Check, model: Option<ModelCheck>) -> Self {
        let blocking: Vec<String> = check.blocking().map(|it| it.id.clone()).collect();
        let by_model = check.blocking().filter(|it| it.by == CheckedBy::Model);
        let by_model_alone: Vec<String> = by_model.map(|it| it.id.clone()).collect();
        let total: usize = check.areas.iter().map(|area| area.findings).sum();
        // What the rules block they find again; what only a model found is known from here alone.
        check.findings.sort_by_key(|finding| {
            let is_blocked = finding.action == Action::Block;
            (
                !is_blocked,
                finding.by != CheckedBy::Model,
                finding.may_be_overruled,
            )
        });
        check.findings.truncate(FINDINGS_LISTED_MAX);
        for finding in &mut check.findings {
            finding.excerpt = first_words(&finding.excerpt);
        }
        Self {
            checked,
            passed: total == 0,
            blocked: !blocking.is_empty(),
            not_listed: total - check.findings.len(),
            blocking: blocking.into_iter().take(BLOCKING_MAX).collect(),
            by_model_alone: by_model_alone.into_iter().take(BLOCKING_MAX).collect(),
            areas: check.areas,
            findings: check.findings,
            model,
        }
    }
}

impl Recorded {
    pub(super) fn read(output: &Value) -> Option<Self> {
        serde_json::from_value(output.clone()).ok()
    }

    /// The blocking findings that a model alone made and that are not listed: nothing is known of them but that they are
    /// there.
    pub(super) fn unlisted(&self) -> Vec<Finding> {
        let Some(like) = self.findings.iter().find(|it| it.action == Action::Block) else {
            return Vec::new();
        };
        let listed: Vec<&String> = self.findings.iter().map(|it| &it.id).collect();
        let ids = self.by_model_alone.iter().filter(|id| !listed.contains(id));
        ids.map(|id| Finding {
            id: id.clone(),
            place: String::new(),
            excerpt: "a passage that a model found, which is not listed".to_owned(),
            by: CheckedBy::Model,
            may_be_overruled: like.may_be_overruled,
            ..like.clone()
        })
        .collect()
    }
}

fn size(recorded: &Recorded) -> usize {
    serde_json::to_vec(recorded).map_or(0, |bytes| bytes.len())
}

fn first_words(text: &str) -> String {
    match text.char_indices().nth(EXCERPT_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The record of a check as people read it: what was found, and where.
pub fn check_in_words(output: &Value) -> String {
    let Some(recorded) = Recorded::read(output) else {
        return "the check cannot be read".to_owned();
    };
    let model = recorded.model.as_ref();
    let missing = model.map(ModelCheck::missing).unwrap_or_default();
    let missing = match missing.as_str() {
        "" => String::new(),
        missing => format!("; the check by a model is incomplete: {missing}"),
    };
    if recorded.passed {
        let by = match model {
            None => "",
            Some(_) => " by rules and model",
        };
        return format!("passed: nothing was found{by}{missing}");
    }
    let found = recorded.findings.iter().map(|finding| {
        let blocks = match (finding.action, finding.may_be_overruled) {
            (Action::Block, true) => "blocks the report",
            (Action::Block, false) => "blocks the report for good",
            _ => "flagged",
        };
        format!(
            "{blocks} ({}{}, in “{}”): “{}”",
            finding.rule,
            match finding.by {
                CheckedBy::Rules => "",
                CheckedBy::Model => ", by a model",
            },
            finding.place,
            finding.excerpt
        )
    });
    let mut lines: Vec<String> = found.collect();
    if recorded.not_listed > 0 {
        lines.push(format!("and {} more", recorded.not_listed));
    }
    lines.join("; ") + &missing
}

fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

/// The tool that checks, and the one that cuts what is checked into pieces for a model.
pub(crate) fn checking_tools() -> Result<[Box<dyn Tool>; 2], RegistryError> {
    let areas: Vec<&str> = Area::ALL.iter().map(|area| area.title()).collect();
    let document = json!({"type": "object", "description": format!("The document of a report, checked for: {}.", areas.join(", "))});
    let answer =
        json!({"description": "An answer that is no document: every text in it is checked."});
    let check = Method::new(
        TOOL,
        "Constitution",
        "Checks what a mission is about to hand over against the constitution: medical safety, information integrity, \
         bias, harmful content. A finding of harmful content blocks it. What a model found is added if its quote is in the text; where it read the whole text, what rules alone flagged and \
         does not block is left out.",
        json!({
            "document": document.clone(),
            "answer": answer.clone(),
            "answers": {"type": "array", "maxItems": PIECES_MAX, "description": "The answers of a model, one for each piece of `constitution_pieces`, in their order."},
        }),
        &[],
        |arguments| written(&checked(arguments)?),
    )?;
    let pieces = Method::new(
        CHECKED_PIECES,
        "Constitution, pieces",
        "Cuts what a mission is about to hand over into pieces that one question to a model can carry, each with the rules \
         of the constitution that are for it.",
        json!({
            "document": document,
            "answer": answer,
            "count": {"type": "integer", "minimum": 0, "maximum": PIECES_MAX, "description": "How many pieces there are to be; the rest is counted."},
        }),
        &["count"],
        |arguments| written(&in_pieces(arguments)?),
    )?;
    Ok([Box::new(check), Box::new(pieces)])
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checked {
    #[serde(default)]
    document: Option<Value>,
    #[serde(default)]
    answer: Option<Value>,
    #[serde(default)]
    answers: Option<Vec<Value>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToCut {
    #[serde(default)]
    document: Option<Value>,
    #[serde(default)]
    answer: Option<Value>,
    count: usize,
}

fn in_pieces(arguments: Value) -> Result<Cut, ToolFailure> {
    let given: ToCut = read(arguments)?;
    let (texts, _) = texts_of(given.document, given.answer)?;
    Ok(cut(&texts, given.count))
}

fn checked(arguments: Value) -> Result<Recorded, ToolFailure> {
    let given: Checked = read(arguments)?;
    let (texts, digest) = texts_of(given.document, given.answer)?;
    let by_rules = check(&texts);
    let Some(answers) = given.answers else {
        return Ok(Recorded::of(digest, by_rules, None));
    };
    let (findings, model) = found_by_model(&texts, &answers);
    let by_rules = match model.is_complete() {
        true => by_rules.agreed_by(&findings),
        false => by_rules,
    };
    Ok(Recorded::of(digest, by_rules.with(findings), Some(model)))
}

/// The texts of an output, and the hash that identifies it.
fn texts_of(
    document: Option<Value>,
    answer: Option<Value>,
) -> Result<(Vec<Text>, String), ToolFailure> {
    match (document, answer) {
        (Some(document), None) => {
            let document: Document = read(document)?;
            let digest = digest(&document)
                .map_err(|error| ToolFailure::permanent(format!("invalid JSON: {error}")))?;
            Ok((texts::of_document(&document), digest))
        }
        (None, Some(answer)) => {
            let digest = digest(&answer)
                .map_err(|error| ToolFailure::permanent(format!("invalid JSON: {error}")))?;
            Ok((texts::of_value(&answer), digest))
        }
        _ => Err(ToolFailure::permanent(
            "give either `document` or `answer`".to_owned(),
        )),
    }
}

/// A hash that identifies an output.
pub(super) fn digest(output: &impl Serialize) -> serde_json::Result<String> {
    let bytes = serde_json::to_vec(output)?;
    Ok(blake3::hash(&bytes).to_hex().to_string())
}
