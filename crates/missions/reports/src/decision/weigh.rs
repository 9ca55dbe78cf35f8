//! The evidence on one criterion: what was measured against its threshold, who speaks for it and who against.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use adjutant_questions::{Evidence, Graded};
use adjutant_rule_answers::Subject;

use super::bound::{
    Bound, Edge, Reading, Side, amount, bound, counted_when, edge, kind_of_measure, readings,
};
use super::criteria::Asked;
use super::table_counts::counted_in_tables;
use super::{CriterionOf, Decide, Measured, Testimony, Verdict};
use crate::cited_text::{CitedText, Contradiction};
use crate::passages::{Passages, Piece};
use crate::text::{content, plain, same, short, written};

/// How much of a criterion's words a passage must have to bear on it.
const RELEVANCE_MIN: f64 = 0.25;
const SHARED_WORDS_MIN: usize = 2;
/// A value counts if its passage is nearly as near to the criterion as the nearest.
const VALUE_NEAR: f64 = 0.7;
/// A passage that a finding rests on counts more.
const FINDING_WEIGHT: f64 = 1.2;
const TESTIMONIES_MAX: usize = 4;
/// Scores: a threshold that is met and disputed, and one missed by how far. What nobody knows has none.
const DISPUTED: f64 = 75.0;
const MISSED_MAX: f64 = 50.0;

/// A passage with one of these tells what is wanted, assumed or feared, not what is.
const NOT_MEASURED: &[&str] = &[
    "power",
    "assum",
    "standard deviation",
    "should",
    "would",
    "at least",
    "no more than",
    "planned",
    "proposed",
    "target",
    "expected",
    "promise",
    "limit of",
    "provisional",
    "budget",
    "below",
    "due in",
];
/// A passage that begins so tells of some of those who were measured.
const OF_SOME: &[&str] = &[
    "among ",
    "except for ",
    "excluding ",
    "in the subgroup",
    "in those",
    "leaving out ",
    "of those",
    "without ",
];
/// So does one that begins with `in`, a word, and one of these: `In homes with a garden`.
const NARROWING: &[&str] = &["aged", "over", "under", "who", "whose", "with", "without"];
const DENIALS: &[&str] = &[
    " not ",
    " no ",
    " never ",
    " without ",
    " cannot ",
    " refus",
    " reject",
    " withdrawn",
    " fails ",
    " failed",
    " breach",
    " missing",
    " lack",
    " neither ",
    " nobody ",
    " exhausted",
    " unresolved",
    " wrong",
];
const AFFIRMATIONS: &[&str] = &[
    " agreed",
    " agrees",
    " accept",
    " approved",
    " signed",
    " granted",
    " validated",
    " completed",
    " confirmed",
    " superior",
    " effective",
    " positive",
    " supported",
    " in force",
    " meets ",
    " met ",
    " significant",
    " funded",
];

struct Value<'a> {
    reading: Reading,
    relevance: f64,
    evidence: Vec<Evidence>,
    published: Option<&'a str>,
    measured_on: MeasuredOn,
    /// Its document speaks of the strength that is decided on.
    at_strength: bool,
}

/// On what a value was measured, as far as its passage tells. Our own come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MeasuredOn {
    /// It names what is decided on.
    Ours,
    Unsaid,
    /// It stands in a document on something else.
    Elsewhere,
    /// It names something else that its document is about.
    Another,
}

/// Shorter words are no names.
const NAME_CHARS_MIN: usize = 3;
const FOREIGN_NAME_CHARS_MIN: usize = 6;
/// What is named in more documents than these is no name of its own.
const FOREIGN_DOCUMENTS_MAX: usize = 2;

pub(super) fn weigh(
    passages: &Passages<'_>,
    request: &Decide,
    subject: &Subject,
    asked: &Asked,
) -> (CriterionOf, Option<Contradiction>) {
    let criterion = &asked.criterion;
    let bound = bound(&criterion.threshold);
    let edge = edge(&criterion.threshold);
    let mut words = content(&format!(
        "{} {} {}",
        criterion.name, criterion.threshold, asked.words
    ));
    // That something is told in months does not make it what the criterion is about.
    for unit in bound.iter().flat_map(|at| content(&at.unit)) {
        words.remove(&unit);
    }
    let stated: BTreeSet<&str> = asked.evidence.iter().map(|at| at.quote.as_str()).collect();
    let mut found = relevant(passages, request, &words, &stated);
    if let (Some(bound), Some(_)) = (&bound, &edge) {
        found.extend(with_interval(passages, bound, &words, &found));
    }
    // What was seen of something else, or of another strength, decides nothing here.
    found.retain(|(_, piece)| {
        let source = passages.sources.get(piece.source);
        source.is_none_or(|source| !subject.is_about_another(source, &piece.text))
    });
    let mut values = bound
        .as_ref()
        .map(|bound| measured(passages, request, subject, asked, bound, &found, &words))
        .unwrap_or_default();
    if let Some(edge) = &edge {
        values.sort_by_key(|at| edge.of(&at.reading).is_none());
    }
    let mut weighed = CriterionOf {
        name: plain(&criterion.name),
        threshold: plain(&criterion.threshold),
        must: criterion.must,
        weight: criterion.weight,
        evidence: asked.evidence.clone(),
        verdict: Verdict::Unclear,
        score: None,
        weighted: 0.0,
        because: String::new(),
        measured: None,
        supports: Vec::new(),
        opposes: Vec::new(),
    };
    let contradiction = match (&bound, values.first()) {
        (Some(bound), Some(_)) => by_values(&mut weighed, bound, edge.as_ref(), &values),
        (Some(bound), None) => {
            without_value(&mut weighed, bound, passages, &found);
            None
        }
        (None, _) => by_stance(&mut weighed, passages, &found),
    };
    (weighed, contradiction)
}

fn is_of_some(small: &str) -> bool {
    let mut words = small.split_whitespace();
    let narrowed = words.next() == Some("in")
        && words.next().is_some()
        && words.next().is_some_and(|word| NARROWING.contains(&word));
    narrowed || OF_SOME.iter().any(|words| small.starts_with(words))
}

fn relevant<'p>(
    passages: &'p Passages<'_>,
    request: &Decide,
    words: &BTreeSet<String>,
    stated: &BTreeSet<&str>,
) -> Vec<(f64, &'p Piece)> {
    let quotes: Vec<String> = request
        .findings
        .iter()
        .flat_map(|finding| &finding.evidence)
        .map(|evidence| plain(&evidence.quote))
        .collect();
    let stated: Vec<String> = stated.iter().map(|line| plain(line)).collect();
    let mut found: Vec<(f64, &Piece)> = passages
        .all
        .iter()
        .filter(|piece| {
            Passages::shared(words, piece) >= SHARED_WORDS_MIN.min(words.len())
                && !stated.contains(&piece.text)
        })
        .map(|piece| {
            let cited = quotes
                .iter()
                .any(|quote| quote.contains(&piece.text) || piece.text.contains(quote));
            let more = if cited { FINDING_WEIGHT } else { 1.0 };
            (passages.relevance(words, piece) * more, piece)
        })
        .filter(|(relevance, _)| *relevance >= RELEVANCE_MIN)
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found
}

/// Passages with an interval around a value of the bound's unit: a report names what was measured in one sentence and
/// gives the numbers in the next, so that they have little of the criterion's words.
fn with_interval<'p>(
    passages: &'p Passages<'_>,
    bound: &Bound,
    words: &BTreeSet<String>,
    known: &[(f64, &'p Piece)],
) -> Vec<(f64, &'p Piece)> {
    let told = |piece: &Piece| {
        let mut readings = readings(&piece.text, &bound.unit).into_iter();
        readings.any(|at| at.interval.is_some())
    };
    let new = |piece: &&Piece| !known.iter().any(|(_, at)| std::ptr::eq(*at, *piece));
    let pieces = passages.all.iter().filter(|piece| told(piece));
    pieces
        .filter(new)
        .filter(|piece| Passages::shared(words, piece) >= SHARED_WORDS_MIN)
        .map(|piece| (passages.relevance(words, piece), piece))
        .collect()
}

/// Values that can be held against the bound, the one that holds first: the newest of those near to the criterion.
fn measured<'p>(
    passages: &'p Passages<'_>,
    request: &Decide,
    subject: &Subject,
    asked: &Asked,
    bound: &Bound,
    found: &[(f64, &'p Piece)],
    words: &BTreeSet<String>,
) -> Vec<Value<'p>> {
    let when = counted_when(&asked.criterion.threshold);
    let kind = kind_of_measure(&asked.criterion.threshold);
    let edged = edge(&asked.criterion.threshold).is_some();
    let names = names(&request.objective);
    let mut values: Vec<Value<'p>> = Vec::new();
    for (relevance, piece) in found {
        let small = piece.text.to_lowercase();
        let about = format!("{} {}", piece.context, piece.text);
        let counts_it = when
            .as_ref()
            .is_none_or(|(written, _)| about.contains(written.as_str()));
        let another_measure = kind.as_ref().is_some_and(|(kind, of)| {
            small.contains(of.as_str()) && !about.to_lowercase().contains(kind.as_str())
        });
        let assumed = NOT_MEASURED.iter().any(|word| small.contains(word));
        let of_some = is_of_some(&small);
        if assumed || another_measure || of_some || !counts_it {
            continue;
        }
        let readings = readings(&piece.text, &bound.unit);
        // Where the strength is named, the value beside it counts. Else a limit is held against the highest value of a
        // passage, a minimum against the first it names.
        let strengths = subject.strength_offsets(&piece.text);
        let apart = |at: &Reading| strengths.iter().map(|place| place.abs_diff(at.at)).min();
        let reading = match bound.side {
            _ if !strengths.is_empty() => readings.into_iter().min_by_key(apart),
            Side::AtMost => readings
                .into_iter()
                .max_by(|a, b| a.value.total_cmp(&b.value)),
            Side::AtLeast => readings.into_iter().next(),
        };
        if let Some(reading) = reading {
            values.push(Value {
                reading,
                relevance: *relevance,
                evidence: vec![passages.evidence(piece)],
                published: passages.published(piece),
                measured_on: measured_on(passages, &names, piece),
                at_strength: passages
                    .sources
                    .get(piece.source)
                    .is_some_and(|source| subject.names_strength(source)),
            });
        }
    }
    // What was measured on something else decides nothing here.
    values.retain(|at| at.measured_on != MeasuredOn::Another);
    if values.iter().any(|at| at.at_strength) {
        values.retain(|at| at.at_strength);
    }
    let best = values.iter().map(|at| at.relevance).fold(0.0, f64::max);
    values
        .retain(|at| at.relevance >= best * VALUE_NEAR || (edged && at.reading.interval.is_some()));
    let whole = values
        .iter()
        .find_map(|at| at.reading.share)
        .map(|(_, whole)| whole);
    if let (Some((_, above)), Some(whole), "%") = (when, whole, bound.unit.as_str()) {
        for count in counted_in_tables(passages.sources, words, above) {
            if (count.subjects as f64) <= whole {
                values.push(Value {
                    reading: Reading {
                        value: 100.0 * count.subjects as f64 / whole,
                        share: Some((count.subjects as f64, whole)),
                        interval: None,
                        at: 0,
                    },
                    relevance: best,
                    evidence: count.evidence,
                    published: count.published,
                    measured_on: MeasuredOn::Ours,
                    at_strength: true,
                });
            }
        }
    }
    let grades = grades(request);
    let grade = |value: &Value<'_>| {
        value
            .evidence
            .first()
            .and_then(|at| grades.get(&at.source).copied())
    };
    values.sort_by(|a, b| {
        let newer = b.published.cmp(&a.published);
        let better = grade(b).cmp(&grade(a));
        let nearer = b
            .relevance
            .partial_cmp(&a.relevance)
            .unwrap_or(Ordering::Equal);
        let ours = a.measured_on.cmp(&b.measured_on);
        ours.then(newer).then(better).then(nearer)
    });
    values
}

/// What the objective calls by name: `Velmoran`, and of `CAIRN-3` what comes before the number.
fn names(objective: &str) -> Vec<String> {
    let words = objective.split_whitespace().skip(1);
    let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let named = words.filter(|word| word.chars().any(char::is_uppercase));
    named
        .filter_map(|word| word.split('-').next())
        .filter(|name| name.chars().count() >= NAME_CHARS_MIN)
        .map(str::to_lowercase)
        .collect()
}

fn measured_on(passages: &Passages<'_>, names: &[String], piece: &Piece) -> MeasuredOn {
    let Some(source) = passages.sources.get(piece.source) else {
        return MeasuredOn::Unsaid;
    };
    let ours = |text: &str| {
        let small = text.to_lowercase();
        names.iter().any(|name| small.contains(name.as_str()))
    };
    if names.is_empty() {
        return MeasuredOn::Unsaid;
    }
    if ours(&source.title) || ours(&piece.text) {
        return MeasuredOn::Ours;
    }
    let mut subjects = content(&source.title);
    subjects.retain(|word| {
        word.chars().count() >= FOREIGN_NAME_CHARS_MIN
            && passages.documents_with(word) <= FOREIGN_DOCUMENTS_MAX
    });
    let named_in = |text: &str| !subjects.is_disjoint(&content(text));
    match (named_in(&piece.text), named_in(&source.text)) {
        (true, _) => MeasuredOn::Another,
        (false, true) => MeasuredOn::Elsewhere,
        (false, false) => MeasuredOn::Unsaid,
    }
}

fn grades(request: &Decide) -> BTreeMap<String, adjutant_questions::GradeOf> {
    let graded = request
        .grade
        .as_ref()
        .and_then(|at| serde_json::from_value::<Graded>(at.clone()).ok());
    let sources = graded.map(|at| at.sources).unwrap_or_default();
    sources
        .into_iter()
        .map(|at| (at.source, at.grade))
        .collect()
}

fn calculation(reading: &Reading) -> Option<String> {
    let (part, whole) = reading.share?;
    Some(format!(
        "{} / {} = {} %",
        written(part, 0),
        written(whole, 0),
        written(reading.value, 1)
    ))
}

fn by_values(
    weighed: &mut CriterionOf,
    bound: &Bound,
    edge: Option<&Edge>,
    values: &[Value<'_>],
) -> Option<Contradiction> {
    let holding = values.first()?;
    let value = holding.reading.value;
    let at_edge = edge.map(|edge| (edge, edge.of(&holding.reading)));
    let met = bound.holds(value)
        && at_edge
            .as_ref()
            .and_then(|(edge, value)| Some(edge.bound.holds((*value)?)))
            .unwrap_or(true);
    for one in values {
        let said = told(one, bound);
        let list = if bound.holds(one.reading.value) {
            &mut weighed.supports
        } else {
            &mut weighed.opposes
        };
        let known = list.iter().any(|at| at.evidence == said.evidence);
        if !known && list.len() < TESTIMONIES_MAX {
            list.push(said);
        }
    }
    let disputed = !weighed.supports.is_empty() && !weighed.opposes.is_empty();
    weighed.verdict = if met { Verdict::Met } else { Verdict::Missed };
    weighed.score = Some(match (met, disputed) {
        (true, false) => 100.0,
        (true, true) => DISPUTED,
        (false, _) => (MISSED_MAX * bound.reached(value)).round(),
    });
    let shown = amount(value, &bound.unit);
    weighed.because = format!("{shown} against {}", bound.told());
    match &at_edge {
        Some((edge, Some(value))) => weighed.because.push_str(&format!(
            ", {} {} against {}",
            edge.name(),
            amount(*value, &edge.bound.unit),
            edge.bound.told()
        )),
        // Half of a threshold is not held.
        Some((edge, None)) => {
            if met {
                weighed.verdict = Verdict::Unclear;
                weighed.score = None;
            }
            weighed.because.push_str(&format!(
                "; no source gives its {} to compare with {}",
                edge.name(),
                edge.bound.told()
            ));
        }
        None => {}
    }
    if disputed {
        weighed
            .because
            .push_str("; another source gives a value on the other side");
    }
    let with_edge = at_edge.as_ref().and_then(|(edge, value)| {
        let value = amount((*value)?, &edge.bound.unit);
        Some(format!("{shown}, {} {value}", edge.name()))
    });
    weighed.measured = Some(Measured {
        value: with_edge.unwrap_or(shown),
        bound: bound.told(),
        calculation: calculation(&holding.reading),
        evidence: holding.evidence.clone(),
    });
    let mut sides: Vec<CitedText> = Vec::new();
    for one in values {
        let text = amount(one.reading.value, &bound.unit);
        if !sides.iter().any(|side| side.text == text) && sides.len() < TESTIMONIES_MAX {
            sides.push(CitedText {
                text,
                evidence: one.evidence.clone(),
            });
        }
    }
    let differ = values.iter().any(|at| !same(at.reading.value, value));
    (differ && sides.len() > 1).then(|| {
        let sides = sides
            .into_iter()
            .map(|side| with_calculation(side, values, bound))
            .collect();
        Contradiction {
            about: format!("{}: the value compared with {}", weighed.name, bound.told()),
            sides,
            held: format!("For {} the newest value was used", weighed.name),
        }
    })
}

/// A share that was worked out says how.
fn with_calculation(side: CitedText, values: &[Value<'_>], bound: &Bound) -> CitedText {
    let same_text = |at: &&Value<'_>| amount(at.reading.value, &bound.unit) == side.text;
    let calculation = values
        .iter()
        .find(same_text)
        .and_then(|at| calculation(&at.reading));
    CitedText {
        text: calculation.unwrap_or(side.text),
        evidence: side.evidence,
    }
}

fn told(value: &Value<'_>, bound: &Bound) -> Testimony {
    let quote = value
        .evidence
        .first()
        .map(|at| at.quote.as_str())
        .unwrap_or_default();
    let text = if value.evidence.len() > 1 {
        let share = value.reading.share.map_or(0.0, |(part, _)| part);
        format!(
            "{} are counted in the table ({})",
            written(share, 0),
            amount(value.reading.value, &bound.unit)
        )
    } else {
        short(quote, 300)
    };
    Testimony {
        text,
        evidence: value.evidence.clone(),
        published: value.published.map(str::to_owned),
    }
}

/// A threshold in numbers is neither met nor missed by words: what touches on it is shown, and it stays open.
fn without_value(
    weighed: &mut CriterionOf,
    bound: &Bound,
    passages: &Passages<'_>,
    found: &[(f64, &Piece)],
) {
    by_stance(weighed, passages, found);
    let opposes = std::mem::take(&mut weighed.opposes);
    weighed.supports.extend(opposes);
    weighed.supports.truncate(TESTIMONIES_MAX);
    weighed.verdict = Verdict::Unclear;
    weighed.score = None;
    weighed.because = format!("no source gives a value to compare with {}", bound.told());
}

/// Without numbers: who affirms and who denies, the newest first. Both together leave it unclear.
fn by_stance(
    weighed: &mut CriterionOf,
    passages: &Passages<'_>,
    found: &[(f64, &Piece)],
) -> Option<Contradiction> {
    let mut neutral = Vec::new();
    for (_, piece) in found.iter().take(TESTIMONIES_MAX * 4) {
        let small = format!(" {} ", piece.text.to_lowercase());
        let said = Testimony {
            text: short(&piece.text, 300),
            evidence: vec![passages.evidence(piece)],
            published: passages.published(piece).map(str::to_owned),
        };
        let denied = DENIALS.iter().any(|word| small.contains(word));
        let affirmed = AFFIRMATIONS.iter().any(|word| small.contains(word));
        let list = match (denied, affirmed) {
            (true, _) => &mut weighed.opposes,
            (false, true) => &mut weighed.supports,
            (false, false) => &mut neutral,
        };
        if list.len() < TESTIMONIES_MAX {
            list.push(said);
        }
    }
    for list in [&mut weighed.supports, &mut weighed.opposes] {
        list.sort_by(|a, b| b.published.cmp(&a.published));
    }
    let grounds = (weighed.supports.is_empty(), weighed.opposes.is_empty());
    let (verdict, score, because) = match grounds {
        (true, true) if neutral.is_empty() => (Verdict::Unclear, None, "no source addresses it"),
        (true, true) => (
            Verdict::Unclear,
            None,
            "the sources mention it without taking a side",
        ),
        (false, true) => (Verdict::Met, Some(DISPUTED), "the sources support it"),
        (true, false) => (Verdict::Missed, Some(0.0), "the sources contradict it"),
        (false, false) => (
            Verdict::Unclear,
            None,
            "some sources support it and some contradict it",
        ),
    };
    weighed.verdict = verdict;
    weighed.score = score;
    because.clone_into(&mut weighed.because);
    if grounds == (true, true) {
        weighed.supports = neutral;
    }
    let both = !weighed.supports.is_empty() && !weighed.opposes.is_empty();
    let sides = weighed
        .supports
        .iter()
        .take(1)
        .chain(weighed.opposes.iter().take(1));
    both.then(|| Contradiction {
        about: format!("{}: whether it is met", weighed.name),
        sides: sides
            .map(|at| CitedText {
                text: at.text.clone(),
                evidence: at.evidence.clone(),
            })
            .collect(),
        held: String::new(),
    })
}

/// What would make a criterion met.
pub(super) fn needs(criterion: &CriterionOf) -> String {
    match (&criterion.measured, criterion.threshold.is_empty()) {
        (Some(measured), _) => format!(
            "a value of {} instead of {}",
            measured.bound, measured.value
        ),
        (None, false) => format!("a source that shows it: {}", criterion.threshold),
        (None, true) => format!(
            "a source that states clearly whether {} is met",
            criterion.name.to_lowercase()
        ),
    }
}
