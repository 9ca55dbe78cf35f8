//! Whether an answer's evidence is in the sources it names, and whether it speaks of what was asked.
//!
//! **Invariant:** An answer cites only what its question carried. Quotes are looked up in the sources, white space
//! aside; an answer that invents one is sent back once and then refused, and offline answers pass the same check.

use std::collections::BTreeMap;

use crate::{
    Contradiction, Evidence, Finding, FindingKind, Input, Output, Scenario, worker_checks,
};

/// How many things that are not there one check tells of.
const TOLD_MAX: usize = 5;
const QUOTE_TOLD_CHARS_MAX: usize = 80;

impl Output {
    /// Every piece of evidence in the answer.
    pub fn evidence(&self) -> Vec<&Evidence> {
        match self {
            Self::Plan(_) => Vec::new(),
            Self::Extract(output) => all(output.findings.iter().map(|at| &at.evidence)),
            Self::Compare(output) => {
                let cells = output.rows.iter().flat_map(|row| &row.cells);
                all(cells.map(|at| &at.evidence))
            }
            Self::Cluster(output) => all(output.clusters.iter().map(|at| &at.evidence)),
            Self::Timeline(output) => all(output.events.iter().map(|at| &at.evidence)),
            Self::Gaps(output) => all(output.points.iter().map(|at| &at.evidence)),
            Self::Score(output) => {
                let parts = output.ranking.iter().flat_map(|ranked| &ranked.parts);
                all(parts.map(|at| &at.evidence))
            }
            Self::Object(output) => all(output.objections.iter().map(|at| &at.evidence)),
            Self::Draft(output) => output.citations.iter().collect(),
            Self::Grade(output) => all(output.sources.iter().map(|at| &at.evidence)),
            Self::Think(output) => all(output.findings.iter().map(|at| &at.evidence)),
            Self::Weigh(_) | Self::Split(_) | Self::Act(_) | Self::Route(_) => Vec::new(),
            Self::Conclude(output) => {
                let sides = output.contradictions.iter().flat_map(|at| &at.sides);
                let findings = output.findings.iter().map(|at| &at.evidence);
                all(findings.chain(sides.map(|at| &at.evidence)))
            }
            Self::Read(output) => output.evidence().collect(),
            Self::Reconcile(output) => output.evidence().collect(),
            Self::Hypothesize(output) => all(output.hypotheses.iter().map(|at| &at.evidence)),
            Self::Causes(output) => all(output.causes.iter().map(|at| &at.evidence)),
            Self::Flag(output) => all(output.flags.iter().map(|at| &at.evidence)),
            Self::Scenarios(output) => {
                let lines = output.scenarios.iter().flat_map(Scenario::lines);
                all(lines.map(|at| &at.evidence))
            }
            Self::Summarize(output) => output
                .documents
                .iter()
                .flat_map(|at| &at.sentences)
                .collect(),
            Self::Cite(_) => Vec::new(),
            Self::Constitution(output) => output.breaches.iter().map(|at| &at.evidence).collect(),
        }
    }
}

impl Input {
    /// Evidence that the question itself carries, and that its answer may repeat.
    pub(crate) fn carried(&self) -> impl Iterator<Item = &Evidence> {
        let drafted = match self {
            Self::Draft(draft) => &draft.findings[..],
            _ => &[],
        };
        let thought = self.thoughts().iter().flat_map(|at| &at.findings);
        drafted.iter().chain(thought).flat_map(|at| &at.evidence)
    }
}

fn all<'a>(lists: impl Iterator<Item = &'a Vec<Evidence>>) -> Vec<&'a Evidence> {
    lists.flatten().collect()
}

/// What an answer cites or speaks of that is not in its question: sources, steps, items and claims that were not given,
/// quotes that are not in their sources; and what a step of a reasoning owes and does not give.
/// Spaces and line ends are not told apart.
pub fn unfounded(input: &Input, output: &Output) -> Vec<String> {
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    let mut add = |id, said| {
        let text: &mut String = texts.entry(id).or_default();
        text.push('\n');
        text.push_str(&plain(said));
    };
    for source in input.sources() {
        add(&source.id, &source.text);
    }
    for evidence in input.carried() {
        add(&evidence.source, &evidence.quote);
    }
    let wrong = output.evidence().into_iter().filter_map(|evidence| {
        let Some(text) = texts.get(evidence.source.as_str()) else {
            return Some(format!("there is no source `{:.60}`", evidence.source));
        };
        let quote = plain(&evidence.quote);
        let told: String = quote.chars().take(QUOTE_TOLD_CHARS_MAX).collect();
        (quote.is_empty() || !text.contains(&quote))
            .then(|| format!("source `{:.60}` does not say \"{told}\"", evidence.source))
    });
    let strangers = strangers(input, output).into_iter();
    let owed = owed(input, output).into_iter();
    let owed = owed.chain(worker_checks::strange_numbers(input, output));
    strangers.chain(owed).chain(wrong).take(TOLD_MAX).collect()
}

/// What an answer speaks of that its question does not.
fn strangers(input: &Input, output: &Output) -> Vec<String> {
    let mut found = Vec::new();
    let mut meet = |what: &str, name: &str, known: &[&str]| {
        if !known.contains(&name) {
            found.push(format!("there is no {what} `{name:.60}`"));
        }
    };
    let ids: Vec<&str> = input.sources().iter().map(|at| at.id.as_str()).collect();
    match (input, output) {
        (Input::Plan(input), Output::Plan(output)) => {
            let keys: Vec<&str> = input.template.iter().map(|at| at.key.as_str()).collect();
            let steps = output.steps.iter();
            let named = steps.flat_map(|at| at.after.iter().chain([&at.key]));
            let left_out = output.left_out.iter().map(|at| &at.key);
            named
                .chain(left_out)
                .for_each(|key| meet("step", key, &keys));
        }
        (Input::Compare(input), Output::Compare(output)) => {
            let items: Vec<&str> = input.items.iter().map(String::as_str).collect();
            let criteria: Vec<&str> = input.criteria.iter().map(String::as_str).collect();
            for row in &output.rows {
                meet("criterion", &row.criterion, &criteria);
                row.cells
                    .iter()
                    .for_each(|cell| meet("item", &cell.item, &items));
            }
        }
        (Input::Cluster(_), Output::Cluster(output)) => {
            let inside = output.clusters.iter().flat_map(|at| &at.sources);
            let all = inside.chain(&output.alone);
            all.for_each(|source| meet("source", source, &ids));
        }
        (Input::Gaps(input), Output::Gaps(output)) => {
            let keys: Vec<&str> = input.checklist.iter().map(|at| at.key.as_str()).collect();
            output
                .points
                .iter()
                .for_each(|at| meet("point", &at.key, &keys));
        }
        (Input::Score(input), Output::Score(output)) => {
            let items: Vec<&str> = input.items.iter().map(|at| at.name.as_str()).collect();
            let criteria: Vec<&str> = input.criteria.iter().map(|at| at.name.as_str()).collect();
            for ranked in &output.ranking {
                meet("item", &ranked.item, &items);
                let parts = ranked.parts.iter();
                parts.for_each(|part| meet("criterion", &part.criterion, &criteria));
            }
        }
        (Input::Object(input), Output::Object(output)) => {
            let claims: Vec<&str> = input.claims.iter().map(String::as_str).collect();
            output
                .objections
                .iter()
                .for_each(|at| meet("claim", &at.claim, &claims));
        }
        (Input::Summarize(_), Output::Summarize(output)) => {
            output
                .documents
                .iter()
                .for_each(|at| meet("source", &at.source, &ids));
        }
        (Input::Cite(_), Output::Cite(output)) => {
            let named = output.issues.iter();
            let named = named.flat_map(|at| at.other.iter().chain([&at.source]));
            named.for_each(|source| meet("source", source, &ids));
        }
        (Input::Grade(_), Output::Grade(output)) => {
            output
                .sources
                .iter()
                .for_each(|at| meet("source", &at.source, &ids));
        }
        (Input::Weigh(input), Output::Weigh(output)) => {
            let known: Vec<String> = input
                .thoughts
                .iter()
                .map(|at| at.step.to_string())
                .collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let scores = output.scores.iter();
            scores.for_each(|at| meet("thought", &at.step.to_string(), &known));
        }
        (Input::Act(input), Output::Act(output)) => {
            let known: Vec<&str> = input.tools.iter().map(|at| at.id.as_str()).collect();
            output
                .tool
                .iter()
                .for_each(|tool| meet("tool", tool, &known));
        }
        (Input::Route(input), Output::Route(output)) => {
            let known: Vec<&str> = input.missions.iter().map(|at| at.id.as_str()).collect();
            let others = output.others.iter().map(|at| &at.id);
            let named = output.mission.iter().chain(others);
            named.for_each(|mission| meet("mission", mission, &known));
        }
        (Input::Constitution(input), Output::Constitution(output)) => {
            let known: Vec<&str> = input.rules.iter().map(|at| at.id.as_str()).collect();
            let named = output.breaches.iter();
            named.for_each(|at| meet("rule", &at.rule, &known));
        }
        (Input::Reconcile(input), Output::Reconcile(output)) => {
            let groups: Vec<&str> = input.groups.iter().map(|at| at.key.as_str()).collect();
            let points: Vec<&str> = input.points.iter().map(|at| at.key.as_str()).collect();
            let judged = output.judgements.iter();
            judged.for_each(|at| meet("group", &at.group, &groups));
            let settled = output.points.iter();
            settled.for_each(|at| meet("point", &at.point, &points));
        }
        _ => {}
    }
    found
}

/// What an answer must have and has not: a score for each thought, a part at least, evidence for facts.
fn owed(input: &Input, output: &Output) -> Vec<String> {
    match (input, output) {
        (Input::Weigh(input), Output::Weigh(output)) => {
            let count = |step: u16| output.scores.iter().filter(|at| at.step == step).count();
            let wrong = input.thoughts.iter().map(|at| (at.step, count(at.step)));
            let wrong = wrong.filter(|(_, count)| *count != 1);
            wrong
                .map(|(step, count)| format!("thought `{step}` has {count} scores and needs one"))
                .collect()
        }
        (Input::Split(input), Output::Split(output)) => {
            let (count, most) = (output.parts.len(), input.most.max(1));
            let mut wrong = Vec::new();
            if count == 0 || count > usize::from(most) {
                wrong.push(format!("there are {count} parts: give 1 to {most}"));
            }
            if output.parts.iter().any(|part| part.trim().is_empty()) {
                wrong.push("a part is empty".to_owned());
            }
            wrong
        }
        (_, Output::Conclude(output)) => {
            let bare = |at: &&Finding| at.kind == FindingKind::Fact && at.evidence.is_empty();
            let facts = output.findings.iter().filter(bare);
            let facts = facts.map(|at| format!("the fact \"{:.80}\" has no evidence", at.text));
            let sided = |at: &&Contradiction| {
                at.sides.len() > 1 && at.sides.iter().all(|side| !side.evidence.is_empty())
            };
            let open = output.contradictions.iter().filter(|at| !sided(at));
            let open = open.map(|at| {
                format!(
                    "the contradiction on \"{:.60}\" needs two sides, each with evidence",
                    at.about
                )
            });
            facts.chain(open).collect()
        }
        (_, Output::Summarize(output)) => output.owed(),
        (_, Output::Cite(output)) => output.owed(input),
        _ => worker_checks::owed(output),
    }
}

/// Whether a source of the question, or evidence that it carries, says this. Spaces and line ends are not told apart.
pub fn says(input: &Input, source: &str, quote: &str) -> bool {
    let sources = input.sources().iter().map(|at| (&at.id, &at.text));
    let carried = input.carried().map(|at| (&at.source, &at.quote));
    let quote = plain(quote);
    let mut texts = sources.chain(carried).filter(|(id, _)| *id == source);
    !quote.is_empty() && texts.any(|(_, text)| plain(text).contains(&quote))
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
