//! What is told of the sources themselves: each document in its own sentences, and the state of the citations.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize};

use crate::{Evidence, Finding, FindingKind, Input, Source, ToldDocument};

/// Sentences of one document.
pub(crate) const SENTENCES_MAX: usize = 3;
/// How sure it is that a document says what is quoted of it.
const SURE_OF_A_SENTENCE: f64 = 0.8;

/// Documents to be told in short. The passages of a document share what stands before the `#` of their ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summarize {
    pub sources: Vec<Source>,
    /// The question it is done for.
    #[serde(default)]
    pub about: String,
    /// What is known of the documents besides.
    #[serde(default)]
    pub documents: Vec<ToldDocument>,
    /// How many documents at most.
    #[serde(default = "documents_most")]
    pub most: u16,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

fn documents_most() -> u16 {
    20
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summarized {
    /// In the order in which they were given.
    pub documents: Vec<DocumentSummary>,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentSummary {
    /// The id of one of its sources.
    pub source: String,
    /// Minutes, a register, a letter; `null` if it does not say.
    pub kind: Option<String>,
    pub date: Option<String>,
    pub version: Option<String>,
    /// One to three sentences of the document, letter for letter.
    pub sentences: Vec<Evidence>,
}

/// Statements with their quotes, whose citations are looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cite {
    /// Findings, or lists of them.
    #[serde(deserialize_with = "findings")]
    pub findings: Vec<Finding>,
    pub sources: Vec<Source>,
    /// What people want kept in mind.
    #[serde(default)]
    pub guidance: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CitationsChecked {
    pub issues: Vec<CitationIssue>,
    pub confidence: f64,
}

/// What is wrong with a citation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CitationIssue {
    pub kind: CitationIssueKind,
    /// The source it is about; of a claim with a single source, that one.
    pub source: String,
    /// The other source, where it takes two: a double, a newer version.
    pub other: Option<String>,
    /// The exact text of the finding, where it is about one.
    pub claim: Option<String>,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CitationIssueKind {
    QuoteNotFound,
    Superseded,
    Duplicate,
    SingleSource,
    NoDate,
    NoTitle,
    NoAddress,
}

impl CitationIssueKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::QuoteNotFound => "quote not in its source",
            Self::Superseded => "newer version",
            Self::Duplicate => "cited twice",
            Self::SingleSource => "one source only",
            Self::NoDate => "no date",
            Self::NoTitle => "no title",
            Self::NoAddress => "no address",
        }
    }
}

/// Findings, whether they are given as such or in lists. Each once.
fn findings<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Finding>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Finding(Finding),
        List(Vec<Given>),
    }
    fn flat(given: Given, all: &mut Vec<Finding>) {
        match given {
            Given::Finding(finding) if !all.contains(&finding) => all.push(finding),
            Given::Finding(_) => {}
            Given::List(list) => list.into_iter().for_each(|at| flat(at, all)),
        }
    }
    let mut all = Vec::new();
    let given = Vec::<Given>::deserialize(from)?;
    given.into_iter().for_each(|at| flat(at, &mut all));
    Ok(all)
}

/// The document that a source belongs to.
pub(crate) fn document_of(source: &str) -> &str {
    source
        .split_once('#')
        .map_or(source, |(document, _)| document)
}

impl Summarized {
    pub(crate) fn as_findings(&self) -> Vec<Finding> {
        let sentences = self.documents.iter().flat_map(|at| &at.sentences);
        let findings = sentences.map(|sentence| Finding {
            text: sentence
                .quote
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
            kind: FindingKind::Fact,
            evidence: vec![sentence.clone()],
            confidence: SURE_OF_A_SENTENCE,
        });
        findings.collect()
    }

    /// A document once, with one to three sentences, all of them its own.
    pub(crate) fn owed(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut seen = BTreeSet::new();
        for one in &self.documents {
            let document = document_of(&one.source);
            if !seen.insert(document) {
                wrong.push(format!("the document `{document:.60}` is told twice"));
            }
            let count = one.sentences.len();
            if count == 0 || count > SENTENCES_MAX {
                wrong.push(format!(
                    "the document `{document:.60}` has {count} sentences: give 1 to {SENTENCES_MAX}"
                ));
            }
            let strangers = one.sentences.iter();
            let mut strangers = strangers.filter(|at| document_of(&at.source) != document);
            if strangers.next().is_some() {
                wrong.push(format!(
                    "the document `{document:.60}` is told in a sentence of another one"
                ));
            }
        }
        wrong
    }
}

impl CitationsChecked {
    /// A double and a newer version take two sources, a claim with one source takes a claim.
    pub(crate) fn owed(&self, input: &Input) -> Vec<String> {
        let Input::Cite(input) = input else {
            return Vec::new();
        };
        let wrong = self.issues.iter().filter_map(|one| {
            use CitationIssueKind::{Duplicate, QuoteNotFound, SingleSource, Superseded};
            let named = one.claim.as_ref();
            let is_known =
                named.is_none_or(|claim| input.findings.iter().any(|at| at.text == *claim));
            let takes_two = matches!(one.kind, Duplicate | Superseded);
            let takes_a_claim = matches!(one.kind, QuoteNotFound | SingleSource);
            let name = one.kind.name();
            if !is_known {
                let claim = named.map_or("", String::as_str);
                Some(format!("there is no claim `{claim:.60}`"))
            } else if takes_two && one.other.is_none() {
                Some(format!(
                    "an issue of the kind “{name}” needs the other source"
                ))
            } else if takes_a_claim && named.is_none() {
                Some(format!("an issue of the kind “{name}” needs the claim"))
            } else {
                None
            }
        });
        wrong.collect()
    }
}
