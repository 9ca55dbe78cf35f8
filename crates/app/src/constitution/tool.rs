//! The tool `constitution`: checks what a mission is about to hand over. Its result is the record of the check.

use adjutant_constitution::{Action, Area, AreaCheck, Check, Finding, check};
use adjutant_document_model::Document;
use adjutant_tools::{RegistryError, Tool, ToolFailure, read_arguments as read};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::texts;
use crate::report_tools::{Method, written};

pub const TOOL: &str = "constitution";

/// A result stays small enough to be kept in the journal itself, where events are made of it.
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
    /// Findings that are counted above and not listed.
    pub(crate) not_listed: usize,
}

impl Recorded {
    pub(crate) fn of(checked: String, mut check: Check) -> Self {
        let blocking: Vec<String> = check.blocking().map(|it| it.id.clone()).collect();
        let total: usize = check.areas.iter().map(|area| area.findings).sum();
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
            areas: check.areas,
            findings: check.findings,
        }
    }
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
    if recorded.passed {
        return "passed: nothing was found".to_owned();
    }
    let found = recorded.findings.iter().map(|finding| {
        let blocks = match (finding.action, finding.may_be_overruled) {
            (Action::Block, true) => "blocks the report",
            (Action::Block, false) => "blocks the report for good",
            _ => "flagged",
        };
        format!(
            "{blocks} ({}, in “{}”): “{}”",
            finding.rule, finding.place, finding.excerpt
        )
    });
    let mut lines: Vec<String> = found.collect();
    if recorded.not_listed > 0 {
        lines.push(format!("and {} more", recorded.not_listed));
    }
    lines.join("; ")
}

pub(crate) fn checking_tool() -> Result<Box<dyn Tool>, RegistryError> {
    let areas: Vec<&str> = Area::ALL.iter().map(|area| area.title()).collect();
    let tool = Method::new(
        TOOL,
        "Constitution",
        "Checks what a mission is about to hand over against the constitution: medical safety, information integrity, \
         bias, harmful content. A finding of harmful content blocks it.",
        json!({
            "document": {"type": "object", "description": format!("The document of a report, checked for: {}.", areas.join(", "))},
            "answer": {"description": "An answer that is no document: every text in it is checked."},
        }),
        &[],
        |arguments| written(&checked(arguments)?),
    )?;
    Ok(Box::new(tool))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checked {
    #[serde(default)]
    document: Option<Value>,
    #[serde(default)]
    answer: Option<Value>,
}

fn checked(arguments: Value) -> Result<Recorded, ToolFailure> {
    let given: Checked = read(arguments)?;
    match (given.document, given.answer) {
        (Some(document), None) => {
            let document: Document = read(document)?;
            let checked = check(&texts::of_document(&document));
            Ok(Recorded::of(digest(&document)?, checked))
        }
        (None, Some(answer)) => Ok(Recorded::of(
            digest(&answer)?,
            check(&texts::of_value(&answer)),
        )),
        _ => Err(ToolFailure::permanent(
            "give either `document` or `answer`".to_owned(),
        )),
    }
}

/// A hash that identifies an output.
fn digest(output: &impl Serialize) -> Result<String, ToolFailure> {
    let bytes = serde_json::to_vec(output)
        .map_err(|error| ToolFailure::permanent(format!("invalid JSON: {error}")))?;
    Ok(blake3::hash(&bytes).to_hex().to_string())
}
