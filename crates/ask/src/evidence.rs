//! Whether an answer's evidence is in the sources it names, and whether it speaks of what was asked.

use std::collections::BTreeMap;

use crate::{Evidence, Input, Output};

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
        }
    }
}

fn all<'a>(lists: impl Iterator<Item = &'a Vec<Evidence>>) -> Vec<&'a Evidence> {
    lists.flatten().collect()
}

/// What an answer cites or speaks of that is not in its question: sources, steps, items and claims that were not given,
/// quotes that are not in their sources.
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
    if let Input::Draft(draft) = input {
        for evidence in draft.findings.iter().flat_map(|finding| &finding.evidence) {
            add(&evidence.source, &evidence.quote);
        }
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
    strangers.chain(wrong).take(TOLD_MAX).collect()
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
        (Input::Grade(_), Output::Grade(output)) => {
            output
                .sources
                .iter()
                .for_each(|at| meet("source", &at.source, &ids));
        }
        _ => {}
    }
    found
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
