//! A check of all texts of an output.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::sentence::{Passage, without_citations};
use crate::{
    Action, Area, CheckedBy, Finding, Rule, balance, harm, integrity, medical, rule, triggers,
};

/// A longer sentence is shortened where it is shown.
const EXCERPT_CHARS_MAX: usize = 400;
/// More findings than these are counted and not listed; a blocking one is always listed before another.
const FINDINGS_MAX: usize = 200;
const ID_CHARS: usize = 12;

/// Whose words a text is, which decides by which rules it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Our own words, of which nobody has checked the citations: every rule.
    Own,
    /// Our own words in a document whose citations are checked elsewhere, sentence by sentence.
    Judged,
    /// The words of somebody else, or a row of a table: only what is harmful whoever says it.
    Quoted,
}

/// A part of an output: a paragraph, a row of a table, a passage of a source. Citations stand in it as `[1]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    pub place: String,
    pub text: String,
    pub origin: Origin,
}

impl Text {
    pub fn new(place: impl Into<String>, text: impl Into<String>, origin: Origin) -> Self {
        Self {
            place: place.into(),
            text: text.into(),
            origin,
        }
    }
}

/// What was checked, and what was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    pub areas: Vec<AreaCheck>,
    pub findings: Vec<Finding>,
    /// Findings that are not listed, because there are too many.
    #[serde(default, skip_serializing_if = "is_none")]
    pub not_listed: usize,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// One area: what in the output made it apply, and whether it was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AreaCheck {
    pub area: Area,
    /// What of the output the area applies to, such as `dosing information`.
    pub triggers: Vec<String>,
    pub passed: bool,
    /// What follows if it is not passed.
    pub action: Action,
    pub findings: usize,
}

impl Check {
    /// The same with further findings, such as a model's. What was found already is found once, and nothing is taken away.
    #[must_use]
    pub fn with(mut self, more: impl IntoIterator<Item = Finding>) -> Self {
        for finding in more {
            let mut known = self.findings.iter();
            if known.any(|known| known.id == finding.id && known.place == finding.place) {
                continue;
            }
            let mut areas = self.areas.iter_mut();
            if let Some(area) = areas.find(|area| area.area == finding.area) {
                area.findings += 1;
                area.passed = false;
            }
            self.findings.push(finding);
        }
        self.findings.sort_by_key(|it| Reverse(it.severity));
        self.not_listed += self.findings.len().saturating_sub(FINDINGS_MAX);
        self.findings.truncate(FINDINGS_MAX);
        self
    }

    /// The same without what the rules alone flagged, for a text that a model has read to its end: `by_model` is what it found.
    /// A finding of the rules stays if it blocks, or if the model found something of the same area in the same place. Rules
    /// see words: without this they flag every seventh ordinary passage.
    #[must_use]
    pub fn agreed_by(mut self, by_model: &[Finding]) -> Self {
        let stays = |finding: &Finding| {
            finding.action == Action::Block
                || finding.by == CheckedBy::Model
                || by_model
                    .iter()
                    .any(|it| it.area == finding.area && it.place == finding.place)
        };
        let (kept, dropped): (Vec<_>, Vec<_>) = self.findings.into_iter().partition(stays);
        for finding in dropped {
            let mut areas = self.areas.iter_mut();
            if let Some(area) = areas.find(|area| area.area == finding.area) {
                area.findings -= 1;
                area.passed = area.findings == 0;
            }
        }
        self.findings = kept;
        self
    }

    fn of(passages: &[Passage], mut findings: Vec<Finding>) -> Self {
        let mut seen = BTreeSet::new();
        findings.retain(|finding| seen.insert((finding.id.clone(), finding.place.clone())));
        findings.sort_by_key(|finding| Reverse(finding.severity));
        let areas = Area::ALL.map(|area| {
            let found = findings.iter().filter(|it| it.area == area).count();
            AreaCheck {
                area,
                triggers: triggers::of(area, passages),
                passed: found == 0,
                action: area.action(),
                findings: found,
            }
        });
        let not_listed = findings.len().saturating_sub(FINDINGS_MAX);
        findings.truncate(FINDINGS_MAX);
        Self {
            areas: areas.into(),
            findings,
            not_listed,
        }
    }

    /// The findings that keep the output from leaving.
    pub fn blocking(&self) -> impl Iterator<Item = &Finding> {
        let findings = self.findings.iter();
        findings.filter(|finding| finding.action == Action::Block)
    }

    #[must_use]
    pub fn area(&self, area: Area) -> Option<&AreaCheck> {
        self.areas.iter().find(|check| check.area == area)
    }
}

/// Checks the texts by every rule.
#[must_use]
pub fn check(texts: &[Text]) -> Check {
    let passages: Vec<Passage> = texts.iter().map(|text| Passage::read(&text.text)).collect();
    let mut findings = Vec::new();
    for (text, passage) in texts.iter().zip(&passages) {
        let mut broken = harm::broken(passage);
        if text.origin != Origin::Quoted {
            broken.extend(medical::broken(passage));
            broken.extend(integrity::broken(passage, text.origin));
            broken.extend(balance::broken(passage));
        }
        let made = broken
            .into_iter()
            .filter_map(|(id, at)| finding(id, text, passage, at));
        findings.extend(made);
    }
    Check::of(&passages, findings)
}

fn finding(id: &str, text: &Text, passage: &Passage, at: usize) -> Option<Finding> {
    let range = passage.sentences.get(at)?.range.clone();
    finding_at(rule(id)?, text, range)
}

/// A finding of the rules in this range of the text.
pub(crate) fn finding_at(rule: &Rule, text: &Text, range: Range<usize>) -> Option<Finding> {
    let sentence = text.text.get(range.clone())?;
    Some(Finding {
        id: finding_id(rule.id, sentence),
        area: rule.area,
        rule: rule.id.to_owned(),
        severity: rule.area.severity(),
        action: rule.area.action(),
        may_be_overruled: rule.may_be_overruled,
        place: text.place.clone(),
        excerpt: shortened(sentence),
        from: range.start,
        to: range.end,
        reason: rule.reason.to_owned(),
        by: CheckedBy::Rules,
    })
}

/// Of the rule and the words of the sentence: how it is set in lines or cited makes no difference.
fn finding_id(rule: &str, sentence: &str) -> String {
    let words = words_of(sentence).join(" ");
    let hash = blake3::hash(format!("{rule}\n{words}").as_bytes());
    hash.to_hex().chars().take(ID_CHARS).collect()
}

/// The words of a text in small letters, without citations.
pub(crate) fn words_of(text: &str) -> Vec<String> {
    let bare = without_citations(text);
    let words = bare.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn shortened(sentence: &str) -> String {
    match sentence.char_indices().nth(EXCERPT_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &sentence[..end]),
        None => sentence.to_owned(),
    }
}
