//! Whether an answer's evidence is in the sources it names.

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

/// What an answer cites that is not in its question: sources that were not given, quotes that are not in them.
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
    wrong.take(TOLD_MAX).collect()
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
