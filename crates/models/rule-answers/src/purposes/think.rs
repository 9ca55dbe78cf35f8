//! One thought, by the part it plays: what is new, what is deeper, what speaks for and against, what remains, what is alike.

mod analogy;

use adjutant_mission::StepRole;
use adjutant_questions::{Cluster, Finding, Source, Think, Thinking};

use super::cluster::cluster;
use super::contradictions::{at_odds, contradictions};
use super::criticism::{Remains, counters, remaining};
use super::extract::extracted;
use super::thoughts::{self, criticism, findings, founded, merged, passage, standing, used};
use crate::corpus::Corpus;
use crate::stance::{Reading, Relation};
use crate::text::{clipped, confidence, one_line, words};

/// How many findings one thought has, how many are looked through for new ones, and how long it is.
const NEW_MAX: usize = 3;
const SAID_AGAIN_MAX: usize = 8;
const LOOKED_THROUGH_MAX: usize = 60;
const THOUGHT_CHARS_MAX: usize = 600;
const TOLD_CHARS_MAX: usize = 180;
const FACETS_MAX: u16 = 6;
/// How sure it is that there is nothing, where everything was looked through by rules of words.
const SURE_OF_NOTHING: f64 = 0.55;
/// Words by which a sentence says what something is.
const DEFINING: &[&str] = &[" is a ", " is an ", " are ", " means ", " is the "];

/// A line of thought: what it says before its findings, and whether that is all.
struct Line {
    opening: String,
    findings: Vec<Finding>,
    settled: bool,
}

impl Line {
    /// Settled if there is nothing.
    fn new(opening: &str, nothing: &str, findings: Vec<Finding>) -> Self {
        let settled = findings.is_empty();
        Self {
            opening: if settled { nothing } else { opening }.to_owned(),
            findings,
            settled,
        }
    }
}

pub(crate) fn think(input: &Think) -> Thinking {
    let mut corpus = Corpus::read(&input.sources);
    let asked = question_of_step(input);
    let line = match input.role {
        StepRole::Branch => branch(&mut corpus, input, &asked),
        StepRole::Expand => expand(&mut corpus, input, &asked),
        StepRole::Critique | StepRole::Attack | StepRole::Against => criticise(&mut corpus, input),
        StepRole::For => support(&mut corpus, input, &asked),
        StepRole::Revise | StepRole::Rebut | StepRole::Defend => mend(&mut corpus, input),
        StepRole::Answer => answer(&mut corpus, &asked),
        StepRole::Explain => explain(&mut corpus, &asked),
        StepRole::CheckUnderstanding => check_understanding(&mut corpus, input),
        StepRole::Analogue => analogy::analogue(&mut corpus, input),
        StepRole::Map => analogy::map(&mut corpus, input),
        StepRole::Transfer => analogy::transfer(&mut corpus, input),
        StepRole::Examine => examine(&mut corpus, input),
        _ => step(&mut corpus, input, &asked),
    };
    let sure = line.findings.iter().map(|at| at.confidence).sum::<f64>();
    let sure = sure / (line.findings.len() as f64).max(1.0);
    Thinking {
        thought: render_line(&line),
        confidence: confidence(match (line.findings.is_empty(), input.sources.is_empty()) {
            (true, true) => 0.0,
            (true, false) => SURE_OF_NOTHING,
            (false, _) => sure,
        }),
        findings: line.findings,
        settled: line.settled,
    }
}

/// What is worked on: the part if there is one, and what people said to mind.
fn question_of_step(input: &Think) -> String {
    let question = input.part.as_deref().filter(|part| !part.trim().is_empty());
    let question = question.unwrap_or(&input.question);
    let guidance = input.guidance.iter().map(String::as_str);
    [question]
        .into_iter()
        .chain(guidance)
        .collect::<Vec<_>>()
        .join("\n")
}

fn render_line(line: &Line) -> String {
    let mut text = line.opening.clone();
    for finding in line.findings.iter().take(NEW_MAX) {
        let said = clipped(&finding.text, TOLD_CHARS_MAX);
        if !text.contains(&said) {
            text.push(' ');
            text.push_str(&said);
        }
    }
    clipped(&text, THOUGHT_CHARS_MAX)
}

/// What sources say on something and no earlier thought has cited.
fn unused(corpus: &mut Corpus<'_>, asked: &str, input: &Think, most: usize) -> Vec<Finding> {
    let used = used(&input.thoughts);
    let looked_through = (most + used.len()).min(LOOKED_THROUGH_MAX);
    let found = extracted(asked, corpus, looked_through).findings;
    let new = found.into_iter().filter(|at| {
        let mut evidence = at.evidence.iter();
        !evidence.any(|at| used.contains(&passage(at)))
    });
    new.filter_map(|at| founded(&at)).take(most).collect()
}

fn step(corpus: &mut Corpus<'_>, input: &Think, asked: &str) -> Line {
    let found = unused(corpus, asked, input, NEW_MAX);
    Line::new(
        "The sources also say this:",
        "The sources say nothing more on this that was not said before.",
        found,
    )
}

/// Another facet: a group of sources that nothing was cited from, or any such source.
fn branch(corpus: &mut Corpus<'_>, input: &Think, asked: &str) -> Line {
    let cited = thoughts::cited(&input.thoughts);
    let facets = cluster(&Cluster {
        about: input.question.clone(),
        sources: input.sources.clone(),
        most: FACETS_MAX,
        guidance: Vec::new(),
    });
    let fresh = |ids: &[String]| -> Vec<Source> {
        let own = input.sources.iter().filter(|at| ids.contains(&at.id));
        own.filter(|at| !cited.contains(at.id.as_str()))
            .cloned()
            .collect()
    };
    let groups = facets.clusters.iter();
    let groups = groups.filter(|at| at.sources.iter().all(|id| !cited.contains(id.as_str())));
    let groups = groups.map(|at| (at.label.clone(), fresh(&at.sources)));
    let alone = (String::new(), fresh(&facets.alone));
    let all: Vec<String> = input.sources.iter().map(|at| at.id.clone()).collect();
    let rest = (String::new(), fresh(&all));
    for (label, sources) in groups.chain([alone, rest]) {
        let found = unused(&mut Corpus::read(&sources), asked, input, NEW_MAX);
        if !found.is_empty() {
            let opening = match label.as_str() {
                "" => "Other sources say this:".to_owned(),
                label => format!("Another side of it is {label}:"),
            };
            return Line::new(&opening, "", found);
        }
    }
    let found = unused(corpus, asked, input, NEW_MAX);
    Line::new(
        "In the same sources there is also this:",
        "There is no other side of it in the sources.",
        found,
    )
}

/// What shares the last thought's words and was not said before.
fn expand(corpus: &mut Corpus<'_>, input: &Think, asked: &str) -> Line {
    let Some(last) = input.thoughts.last() else {
        return step(corpus, input, asked);
    };
    let of_findings: Vec<&str> = last.findings.iter().map(|at| at.text.as_str()).collect();
    let about = match of_findings[..] {
        [] => last.text.clone(),
        _ => of_findings.join("\n"),
    };
    let found = unused(corpus, &about, input, NEW_MAX);
    Line::new(
        "Looked at more closely:",
        "The sources do not go deeper into the last thought.",
        found,
    )
}

fn criticise(corpus: &mut Corpus<'_>, input: &Think) -> Line {
    let mut claims: Vec<String> = standing(&input.thoughts)
        .into_iter()
        .map(|at| at.text.clone())
        .collect();
    if input.role == StepRole::Against {
        claims.push(input.question.clone());
    }
    let known = criticism(&input.thoughts)
        .into_iter()
        .flat_map(|at| &at.evidence);
    let known = known.map(passage).collect();
    let most = match input.role {
        StepRole::Attack => 1,
        _ => NEW_MAX + 1,
    };
    let mut found = counters(corpus, &claims, &known);
    found.truncate(most);
    let bare: Vec<&str> = standing(&input.thoughts)
        .into_iter()
        .filter(|at| at.evidence.is_empty())
        .map(|at| at.text.as_str())
        .collect();
    let mut opening: Vec<String> = found
        .iter()
        .map(|at| {
            format!(
                "{}.",
                clipped(&at.told, TOLD_CHARS_MAX).trim_end_matches('.')
            )
        })
        .collect();
    opening.extend(
        bare.first()
            .map(|text| format!("Nothing is cited for “{}”.", clipped(text, TOLD_CHARS_MAX))),
    );
    if opening.is_empty() {
        opening.push("Nothing was found in the sources that speaks against it.".to_owned());
    }
    Line {
        opening: opening.join(" "),
        settled: found.is_empty() && bare.is_empty(),
        findings: found.into_iter().map(|at| at.finding).collect(),
    }
}

fn support(corpus: &mut Corpus<'_>, input: &Think, asked: &str) -> Line {
    let claim = Reading::new(&input.question, &mut corpus.stems);
    let mut found = unused(corpus, asked, input, NEW_MAX * 3);
    found.retain(|at| {
        let said = Reading::new(&at.text, &mut corpus.stems);
        !matches!(claim.relation(&said), Relation::Contradicts(_))
    });
    found.truncate(NEW_MAX + 1);
    Line::new(
        "In favour of it:",
        "Nothing more was found in the sources that speaks for it.",
        found,
    )
}

fn mend(corpus: &mut Corpus<'_>, input: &Think) -> Line {
    let critics = criticism(&input.thoughts);
    let Remains {
        findings,
        dropped,
        weakened,
    } = remaining(corpus, &standing(&input.thoughts), &critics);
    let mut all = findings;
    // What was right against them is said in their place.
    let granted = match input.role {
        StepRole::Revise => &critics[..],
        _ if !dropped.is_empty() => &critics[..],
        _ => &[],
    };
    all.extend(granted.iter().filter_map(|at| founded(at)));
    let mut all = merged(all.into_iter());
    all.truncate(SAID_AGAIN_MAX);
    let settled = dropped.is_empty() && weakened.is_empty();
    let said = |what: &str, texts: &[String]| {
        let first = texts.first()?;
        Some(format!("{what} “{}”.", clipped(first, TOLD_CHARS_MAX)))
    };
    let mut opening: Vec<String> = Vec::new();
    opening.extend(said("By the sources this cannot be held:", &dropped));
    opening.extend(said(
        "This is contested and weaker than it was said:",
        &weakened,
    ));
    opening.push(match (settled, all.is_empty()) {
        (_, true) => "Nothing remains.".to_owned(),
        (true, false) => "It stands as it was said:".to_owned(),
        (false, false) => "What remains:".to_owned(),
    });
    Line {
        opening: opening.join(" "),
        findings: all,
        settled,
    }
}

fn answer(corpus: &mut Corpus<'_>, asked: &str) -> Line {
    let found = extracted(asked, corpus, NEW_MAX + 1);
    let nothing = match found.not_found.first() {
        Some(missing) => format!(
            "The sources do not tell: {}.",
            clipped(missing, TOLD_CHARS_MAX)
        ),
        None => "The sources say nothing on this.".to_owned(),
    };
    let found: Vec<Finding> = found.findings.iter().filter_map(founded).collect();
    Line::new("The answer in the sources:", &nothing, found)
}

/// What something is comes before what it does.
fn explain(corpus: &mut Corpus<'_>, asked: &str) -> Line {
    let found = extracted(asked, corpus, NEW_MAX * 2).findings;
    let mut found: Vec<Finding> = found.iter().filter_map(founded).collect();
    let defines = |at: &Finding| DEFINING.iter().any(|words| at.text.contains(words));
    found.sort_by_key(|at| (!defines(at), words(&at.text).len() > 30));
    found.truncate(NEW_MAX);
    Line::new(
        "In plain words, one after the other:",
        "The sources do not explain this.",
        found,
    )
}

/// What of the explanations could be got wrong: what the sources also say otherwise.
fn check_understanding(corpus: &mut Corpus<'_>, input: &Think) -> Line {
    let explained = standing(&input.thoughts);
    let claims: Vec<String> = explained.iter().map(|at| at.text.clone()).collect();
    let known = used(&input.thoughts);
    let found = counters(corpus, &claims, &known).into_iter().take(NEW_MAX);
    let found: Vec<Finding> = found.map(|at| at.finding).collect();
    if !found.is_empty() {
        return Line::new("Somebody new should also know this:", "", found);
    }
    let mut again: Vec<Finding> = explained.into_iter().filter_map(founded).collect();
    again.truncate(NEW_MAX);
    Line {
        opening: match again.is_empty() {
            true => "Nothing was explained that could be checked.".to_owned(),
            false => "The explanations are borne out by the sources:".to_owned(),
        },
        findings: again,
        settled: true,
    }
}

/// Thoughts that contradict each other; if none do, what the sources have against the findings.
fn examine(corpus: &mut Corpus<'_>, input: &Think) -> Line {
    let all: Vec<&Finding> = findings(&input.thoughts).collect();
    let found = contradictions(&all);
    let sides: Vec<&str> = found
        .iter()
        .flat_map(|at| &at.sides)
        .map(|side| side.text.as_str())
        .collect();
    let kept = all
        .iter()
        .filter(|at| sides.contains(&one_line(&at.text).as_str()));
    let mut kept = merged(kept.filter_map(|at| founded(at)));
    kept.truncate(SAID_AGAIN_MAX);
    if let (Some(first), false) = (found.first(), kept.is_empty()) {
        let sides: Vec<String> = first
            .sides
            .iter()
            .map(|side| format!("“{}”", clipped(&side.text, TOLD_CHARS_MAX)))
            .collect();
        let opening = format!(
            "On {} this stands against that: {}.",
            first.about,
            sides.join(" and ")
        );
        return Line::new(&opening, "", kept);
    }
    let claims: Vec<String> = all.iter().map(|at| at.text.clone()).collect();
    let against = counters(corpus, &claims, &used(&input.thoughts));
    let against: Vec<Finding> = against
        .into_iter()
        .map(|at| at.finding)
        .take(NEW_MAX)
        .collect();
    let contested = against.iter().any(|one| {
        let mut others = all.iter();
        others.any(|other| at_odds(one, other, &mut corpus.stems))
    });
    let opening = match contested {
        true => "The thoughts agree, but a source stands against them:",
        false => "The thoughts agree; a source has reservations:",
    };
    Line::new(
        opening,
        "The thoughts do not contradict each other.",
        against,
    )
}
