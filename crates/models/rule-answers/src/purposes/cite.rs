//! The state of the citations: quotes that are not in their source, newer versions, doubles, statements with one source only, and
//! sources without a date, a title or an address.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_questions::{
    CitationIssue, CitationIssueKind, CitationsChecked, Cite, Finding, FindingKind, Source,
};
use adjutant_text::stems::content_stems;

use super::summarize::version;
use crate::document_id::document_id;
use crate::text::{clipped, one_line, parse_date};

/// So many stems of two documents are the same if they are one document.
const SAME_MIN: f64 = 0.95;
/// Fewer stems are no text to compare.
const STEMS_MIN: usize = 8;
const TEXT_CHARS_MAX: usize = 230;
const QUOTE_CHARS_MAX: usize = 90;
const ISSUES_MAX: usize = 60;
/// Counting is certain; whether two documents are one, or one replaces the other, is less so.
const SURE: f64 = 0.9;
const SURE_OF_LIKENESS: f64 = 0.75;

/// A document with what its passages say together.
struct Document<'a> {
    id: &'a str,
    /// The first of its sources.
    source: &'a str,
    title: String,
    published: Option<&'a str>,
    stems: BTreeSet<String>,
}

pub(crate) fn cite(input: &Cite) -> CitationsChecked {
    let documents = documents(&input.sources);
    let mut issues: Vec<CitationIssue> = Vec::new();
    issues.extend(
        input
            .findings
            .iter()
            .flat_map(|at| of_finding(at, &input.sources)),
    );
    let pairs = (0..documents.len()).flat_map(|a| (a + 1..documents.len()).map(move |b| (a, b)));
    issues.extend(pairs.filter_map(|(a, b)| of_pair(&documents[a], &documents[b])));
    issues.extend(documents.iter().flat_map(of_document));
    issues.sort_by_key(|one| one.kind);
    issues.truncate(ISSUES_MAX);
    let compares = issues.iter().any(|one| {
        matches!(
            one.kind,
            CitationIssueKind::Duplicate | CitationIssueKind::Superseded
        )
    });
    CitationsChecked {
        issues,
        confidence: match compares {
            true => SURE_OF_LIKENESS,
            false => SURE,
        },
    }
}

fn documents(sources: &[Source]) -> Vec<Document<'_>> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all: Vec<Document<'_>> = Vec::new();
    for source in sources {
        let id = document_id(&source.id);
        let stems = content_stems(&source.text);
        match places.get(id).and_then(|at| all.get_mut(*at)) {
            Some(known) => {
                known.stems.extend(stems);
                known.published = known.published.or(source.published.as_deref());
            }
            None => {
                places.insert(id, all.len());
                all.push(Document {
                    id,
                    source: &source.id,
                    // Behind the dot stands a heading within the document.
                    title: one_line(source.title.split(" · ").next().unwrap_or_default()),
                    published: source.published.as_deref(),
                    stems,
                });
            }
        }
    }
    all
}

fn issue(kind: CitationIssueKind, source: &str, text: String) -> CitationIssue {
    CitationIssue {
        kind,
        source: source.to_owned(),
        other: None,
        claim: None,
        text: clipped(&text, TEXT_CHARS_MAX),
    }
}

/// A quote that its source does not have; a fact that rests on one document.
fn of_finding(finding: &Finding, sources: &[Source]) -> Vec<CitationIssue> {
    let plain = |text: &str| one_line(text);
    let mut issues = Vec::new();
    let mut resting: BTreeSet<&str> = BTreeSet::new();
    for evidence in &finding.evidence {
        let mut of_source = sources
            .iter()
            .filter(|at| at.id == evidence.source)
            .peekable();
        // A source that is not among those given cannot be looked up.
        let Some(known) = of_source.peek().map(|at| at.id.as_str()) else {
            continue;
        };
        let quote = plain(&evidence.quote);
        if quote.is_empty() || !of_source.any(|at| plain(&at.text).contains(&quote)) {
            let told = clipped(&quote, QUOTE_CHARS_MAX);
            let text = format!("The source does not say “{told}”");
            issues.push(CitationIssue {
                claim: Some(finding.text.clone()),
                ..issue(CitationIssueKind::QuoteNotFound, known, text)
            });
        } else {
            resting.insert(document_id(known));
        }
    }
    let only = finding.evidence.first().filter(|_| resting.len() == 1);
    if let Some(only) = only.filter(|_| finding.kind == FindingKind::Fact)
        && sources.iter().any(|at| at.id == only.source)
    {
        let text = format!(
            "Only one document says so: “{}”",
            clipped(&finding.text, QUOTE_CHARS_MAX)
        );
        issues.push(CitationIssue {
            claim: Some(finding.text.clone()),
            ..issue(CitationIssueKind::SingleSource, &only.source, text)
        });
    }
    issues
}

/// Two documents that are one, or of which one replaces the other.
fn of_pair(one: &Document<'_>, other: &Document<'_>) -> Option<CitationIssue> {
    if let Some((older, newer)) = versions(one, other) {
        let text = format!("“{}” is a newer version of “{}”", newer.title, older.title);
        return Some(CitationIssue {
            other: Some(newer.source.to_owned()),
            ..issue(CitationIssueKind::Superseded, older.source, text)
        });
    }
    let both = one.stems.intersection(&other.stems).count() as f64;
    let either = one.stems.union(&other.stems).count() as f64;
    let is_same = one.stems.len() >= STEMS_MIN && both >= SAME_MIN * either;
    is_same.then(|| {
        let text = format!("“{}” and “{}” say the same", name(one), name(other));
        CitationIssue {
            other: Some(other.source.to_owned()),
            ..issue(CitationIssueKind::Duplicate, one.source, text)
        }
    })
}

fn name<'d>(of: &'d Document<'_>) -> &'d str {
    match of.title.is_empty() {
        true => of.id,
        false => &of.title,
    }
}

/// The older and the newer, if both give a version of the same thing, or have one title and two dates.
fn versions<'d, 's>(
    one: &'d Document<'s>,
    other: &'d Document<'s>,
) -> Option<(&'d Document<'s>, &'d Document<'s>)> {
    let order = match (version(&one.title), version(&other.title)) {
        (Some(a), Some(b)) if a.of == b.of && !a.of.is_empty() => a.number.cmp(&b.number),
        (None, None) if !one.title.is_empty() && one.title.eq_ignore_ascii_case(&other.title) => {
            let date = |of: &Document<'_>| of.published.and_then(parse_date);
            date(one)?.cmp(&date(other)?)
        }
        _ => return None,
    };
    match order {
        std::cmp::Ordering::Less => Some((one, other)),
        std::cmp::Ordering::Greater => Some((other, one)),
        std::cmp::Ordering::Equal => None,
    }
}

/// What a reader needs to find a document again and it does not have.
fn of_document(of: &Document<'_>) -> Vec<CitationIssue> {
    let mut issues = Vec::new();
    if of.published.and_then(parse_date).is_none() {
        let text = format!("It is not known from when “{}” is", name(of));
        issues.push(issue(CitationIssueKind::NoDate, of.source, text));
    }
    if of.title.is_empty() || of.title == of.id {
        let text = format!("“{}” has no title", of.id);
        issues.push(issue(CitationIssueKind::NoTitle, of.source, text));
    }
    // An address says where to look: `kb:`, `https:`, the name of a database.
    if !of.id.contains(':') {
        let text = format!("It is not known where “{}” can be found", name(of));
        issues.push(issue(CitationIssueKind::NoAddress, of.source, text));
    }
    issues
}
