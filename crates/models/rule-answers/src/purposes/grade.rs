//! How good the evidence is: what kind of study, how many were studied, how recent, how direct, and whether they agree.

mod study;
mod table;

use adjutant_questions::{Agreement, Evidence, Grade, GradeOf, Graded, SourceGrade};

use crate::corpus::Corpus;
use crate::purposes::object::publication_date;
use crate::stance::{Reading, Relation};
use crate::text::confidence;
use table::{DIRECT_MIN, OLD_YEARS, facts, lowered, raised};

/// How many sentences of a source are held against the claim.
const SENTENCES_MAX: usize = 12;
const COVERAGE_MIN: f64 = 0.3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stance {
    For,
    Reserved,
    Against,
    Silent,
}

/// What the sources are held against.
#[derive(PartialEq, Eq)]
enum Measure {
    Claim,
    /// Without a claim, a sentence that several of them speak of.
    Sentence(String),
    Nothing,
}

pub(crate) fn grade(input: &Grade) -> Graded {
    let mut corpus = Corpus::read(&input.sources);
    let (measure, stances) = measured(&mut corpus, &input.claim);
    let years: Vec<Option<u16>> = (0..input.sources.len())
        .map(|at| year(&corpus, at))
        .collect();
    let newest = years.iter().flatten().max().copied();
    let sources: Vec<SourceGrade> = (0..input.sources.len())
        .map(|at| {
            one(
                &mut corpus,
                &input.claim,
                at,
                years[at],
                newest,
                &stances[at],
            )
        })
        .collect();
    let (agreement, why) = agreement(&stances, &measure);
    let mut reasons = vec![why];
    let overall = overall(&sources, &stances, &measure, agreement, &mut reasons);
    let known = sources
        .iter()
        .filter(|source| source.study != adjutant_questions::StudyKind::Unknown)
        .count();
    let speaking = stances
        .iter()
        .filter(|(stance, _)| *stance != Stance::Silent)
        .count();
    let all = (sources.len() as f64).max(1.0);
    let sure = if sources.is_empty() {
        0.0
    } else {
        0.3 + 0.3 * known as f64 / all + 0.2 * speaking as f64 / all
    };
    Graded {
        sources,
        overall,
        agreement,
        reasons,
        confidence: confidence(sure),
    }
}

fn year(corpus: &Corpus<'_>, source: usize) -> Option<u16> {
    publication_date(&corpus.sources[source])
        .map(|date| date.year())
        .or_else(|| study::year(&corpus.sources[source]))
}

fn one(
    corpus: &mut Corpus<'_>,
    claim: &str,
    at: usize,
    year: Option<u16>,
    newest: Option<u16>,
    stance: &(Stance, Option<usize>),
) -> SourceGrade {
    let (kind, kind_at) = study::kind(corpus, at);
    let (size, size_at) = study::size(corpus, at);
    let limits_at = study::limits(corpus, at);
    let rule = facts(kind);
    let mut grade = rule.grade;
    let mut reasons = vec![format!("{}: begins as {}", rule.name, table::name(grade))];
    match size {
        Some(size) if size < rule.small_below => {
            grade = lowered(grade);
            reasons.push(format!("only {size} were studied: one lower"));
        }
        Some(size) if rule.large_from.is_some_and(|large| size >= large) => {
            grade = raised(grade);
            reasons.push(format!("{size} were studied: one higher"));
        }
        Some(size) => reasons.push(format!("{size} were studied")),
        None if rule.small_below > 0 => {
            grade = lowered(grade);
            reasons.push("it does not say how many were studied: one lower".to_owned());
        }
        None => {}
    }
    match (year, newest) {
        (Some(year), Some(newest)) if newest - year.min(newest) > OLD_YEARS => {
            grade = lowered(grade);
            reasons.push(format!(
                "of {year}, {} years before the newest: one lower",
                newest - year
            ));
        }
        (Some(year), _) => reasons.push(format!("of {year}")),
        (None, _) => reasons.push("its year is not known".to_owned()),
    }
    if limits_at.is_some() {
        grade = lowered(grade);
        reasons.push("it names limits of its own: one lower".to_owned());
    }
    if !claim.trim().is_empty() {
        let (stance, reason) = directness(corpus, claim, at, stance.0);
        if stance == Directness::Indirect {
            grade = lowered(grade);
        }
        reasons.push(reason);
    }
    let mut evidence: Vec<Evidence> = Vec::new();
    for sentence in [kind_at, size_at, limits_at, stance.1]
        .into_iter()
        .flatten()
    {
        let said = corpus.evidence(sentence);
        if !evidence.contains(&said) {
            evidence.push(said);
        }
    }
    SourceGrade {
        source: corpus.sources[at].id.clone(),
        study: kind,
        size,
        year,
        grade,
        reasons,
        evidence,
    }
}

#[derive(PartialEq, Eq)]
enum Directness {
    Direct,
    Indirect,
}

fn directness(
    corpus: &mut Corpus<'_>,
    claim: &str,
    source: usize,
    stance: Stance,
) -> (Directness, String) {
    let query = corpus.query(claim);
    let own = corpus.sentences_of_source(source);
    let best = own
        .map(|at| corpus.coverage(&query, at))
        .fold(0.0, f64::max);
    let said = match stance {
        Stance::For => "it supports the claim",
        Stance::Reserved => "it supports the claim with reservations",
        Stance::Against => "it speaks against the claim",
        Stance::Silent => "it takes no side on the claim",
    };
    if best < DIRECT_MIN {
        (
            Directness::Indirect,
            "it bears on the claim only indirectly: one lower".to_owned(),
        )
    } else {
        (Directness::Direct, said.to_owned())
    }
}

/// What the sources are held against, and where each of them stands.
fn measured(corpus: &mut Corpus<'_>, claim: &str) -> (Measure, Vec<(Stance, Option<usize>)>) {
    if !claim.trim().is_empty() {
        return (Measure::Claim, stances(corpus, claim));
    }
    let sentence = common_sentence(corpus);
    let stances = stances(corpus, &sentence);
    let silent = |(stance, _): &&(Stance, Option<usize>)| *stance == Stance::Silent;
    if stances.len() - stances.iter().filter(silent).count() < 2 {
        let silent = vec![(Stance::Silent, None); stances.len()];
        return (Measure::Nothing, silent);
    }
    (Measure::Sentence(sentence), stances)
}

/// Where each source stands, and the sentence that says so.
fn stances(corpus: &mut Corpus<'_>, claim: &str) -> Vec<(Stance, Option<usize>)> {
    let query = corpus.query(claim);
    let own = Reading::new(claim, &mut corpus.stems);
    let found = corpus.search(&query);
    let mut stances = vec![(Stance::Silent, None); corpus.sources.len()];
    let mut looked_at = vec![0; corpus.sources.len()];
    for (at, _) in found {
        let source = corpus.sentences[at].source;
        if looked_at[source] >= SENTENCES_MAX || corpus.coverage(&query, at) < COVERAGE_MIN {
            continue;
        }
        looked_at[source] += 1;
        let said = Reading::new(corpus.text(at), &mut corpus.stems);
        let stance = match own.relation(&said) {
            Relation::Contradicts(_) => Stance::Against,
            Relation::Agrees if said.hedge.is_some() => Stance::Reserved,
            Relation::Agrees => Stance::For,
            Relation::Apart | Relation::Related => continue,
        };
        if stances[source].0 == Stance::Silent {
            stances[source] = (stance, Some(at));
        }
    }
    stances
}

/// The sentence that has most in common with the other sources.
fn common_sentence(corpus: &mut Corpus<'_>) -> String {
    let shared = |at: usize| {
        let terms = corpus.sentence_terms(at).iter();
        terms.filter(|term| corpus.sources_with(**term) > 1).count()
    };
    let best = (0..corpus.sentences.len())
        .rev()
        .max_by_key(|at| shared(*at));
    best.map(|at| corpus.line(at)).unwrap_or_default()
}

fn agreement(stances: &[(Stance, Option<usize>)], measure: &Measure) -> (Agreement, String) {
    let count = |wanted: Stance| {
        stances
            .iter()
            .filter(|(stance, _)| *stance == wanted)
            .count()
    };
    let (for_it, reserved, against) = (
        count(Stance::For),
        count(Stance::Reserved),
        count(Stance::Against),
    );
    let agreement = match (for_it + reserved, against) {
        (with, against) if with + against < 2 => Agreement::Unknown,
        (_, 0) if reserved == 0 => Agreement::Agree,
        (0, _) => Agreement::Agree,
        (_, 0) if for_it > 0 => Agreement::Agree,
        (with, against) if against >= with => Agreement::Contradict,
        _ => Agreement::Mixed,
    };
    let silent = count(Stance::Silent);
    let all = stances.len();
    let said = match measure {
        Measure::Claim => format!(
            "{for_it} of {all} support the claim, {reserved} with reservations, {against} speak against it, {silent} take no side"
        ),
        Measure::Sentence(sentence) => format!(
            "no claim was given; on “{sentence}” {for_it} of {all} say the same, {reserved} with reservations, {against} otherwise, {silent} nothing"
        ),
        Measure::Nothing => {
            "no claim was given, and no two sources were found to speak of the same".to_owned()
        }
    };
    (agreement, said)
}

fn overall(
    sources: &[SourceGrade],
    stances: &[(Stance, Option<usize>)],
    measure: &Measure,
    agreement: Agreement,
    reasons: &mut Vec<String>,
) -> GradeOf {
    let counted = sources
        .iter()
        .zip(stances)
        .filter(|(_, (stance, _))| *measure != Measure::Claim || *stance != Stance::Silent);
    let grades: Vec<GradeOf> = counted.map(|(source, _)| source.grade).collect();
    let (best, nothing) = match measure {
        Measure::Claim => (
            "the best that takes a side",
            "no source takes a side: nothing to grade by",
        ),
        Measure::Sentence(_) | Measure::Nothing => {
            ("the best source", "no source was given: nothing to grade")
        }
    };
    let Some(mut grade) = grades.iter().copied().max() else {
        reasons.push(nothing.to_owned());
        return GradeOf::VeryLow;
    };
    reasons.push(format!("{best} is {}", table::name(grade)));
    if grades.len() == 1 && grade == GradeOf::High {
        grade = GradeOf::Moderate;
        reasons.push("a single source is at most moderate".to_owned());
    }
    if matches!(agreement, Agreement::Mixed | Agreement::Contradict) {
        grade = lowered(grade);
        reasons.push("they do not agree: one lower".to_owned());
    }
    grade
}
