//! Shares that sources state as counts, `4 of 106`: those that bear on the objective, the best supported first. How firm a share
//! is, the statistician says.

use std::collections::BTreeSet;

use adjutant_questions::{Evidence, Source};
use adjutant_text::stems::content_stems;
use serde::Deserialize;
use serde_json::json;

use crate::exhibit::{Exhibit, ExhibitCell, ExhibitColumn, ExhibitTable, Statement};
use crate::method::{InputRefused, Method, read_input};
use crate::words::{sentences, short};

const SOURCES_MAX: usize = 400;
const SENTENCES_MAX: usize = 20_000;
const SHOWN_MAX: usize = 8;
const CELL_CHARACTERS_MAX: usize = 220;
/// Fewer cases say nothing of a share.
const CASES_MIN: u64 = 5;
/// Words behind the second number that make both a place or a date.
const NO_CASES: &[&str] = &[
    "april",
    "august",
    "december",
    "february",
    "january",
    "july",
    "june",
    "march",
    "may",
    "november",
    "october",
    "september",
];

pub(crate) const STATED_SHARES: Method = Method {
    id: "stated_shares",
    name: "Stated shares",
    about: "Collects shares that sources state as counts, such as `4 of 106`. `data` has the counts of the one that bears most on \
            the objective, as `successes` and `trials`.",
    inputs: || {
        json!({
            "objective": {"type": "string"},
            "sources": {"type": "array", "description": "Sources: id, title, text."},
        })
    },
    required: &["objective", "sources"],
    apply: |input| read_input(input).and_then(stated_shares),
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StatedShares {
    objective: String,
    sources: Vec<Source>,
}

struct Share {
    part: u64,
    whole: u64,
    sentence: String,
    evidence: Evidence,
    shared: usize,
}

fn stated_shares(input: StatedShares) -> Result<Exhibit, InputRefused> {
    if input.sources.len() > SOURCES_MAX {
        return Err(InputRefused(format!(
            "at most {SOURCES_MAX} sources can be read"
        )));
    }
    let asked = content_stems(&input.objective);
    let mut found: Vec<Share> = Vec::new();
    for sentence in sentences(&input.sources, SENTENCES_MAX) {
        let about = content_stems(sentence.text);
        for (part, whole) in shares(sentence.text) {
            found.push(Share {
                part,
                whole,
                sentence: short(sentence.text, CELL_CHARACTERS_MAX),
                evidence: sentence.evidence(),
                shared: about.intersection(&asked).count(),
            });
        }
    }
    found.sort_by_key(|one| std::cmp::Reverse((one.shared, one.whole)));
    let mut seen = BTreeSet::new();
    found.retain(|one| seen.insert((one.part, one.whole, one.sentence.clone())));
    let mut exhibit = Exhibit::default();
    let Some(first) = found.first() else {
        exhibit.add_note(
            "No counts",
            "No source states a share as counts, such as “4 of 106”",
        );
        return Ok(exhibit);
    };
    exhibit.headlines.push(Statement::fact(
        first.sentence.clone(),
        vec![first.evidence.clone()],
    ));
    let rows = found.iter().take(SHOWN_MAX).map(|one| {
        vec![
            ExhibitCell::label(format!("{} of {}", one.part, one.whole)),
            ExhibitCell::statement(one.sentence.clone(), vec![one.evidence.clone()]),
        ]
    });
    exhibit.tables.push(ExhibitTable {
        caption: "Shares that are stated as counts".to_owned(),
        columns: vec![
            ExhibitColumn::text("Share", 1),
            ExhibitColumn::text("What is said", 6),
        ],
        rows: rows.collect(),
    });
    exhibit.data = json!({"successes": first.part, "trials": first.whole});
    Ok(exhibit)
}

/// `4 of 106`, `4 out of 106`, `4 of the 106`.
fn shares(text: &str) -> Vec<(u64, u64)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let count = |word: &str| -> Option<u64> {
        let bare = word.trim_matches(|char: char| "(),.;:".contains(char));
        let digits = bare.replace(',', "");
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().ok()).flatten()
    };
    let mut found = Vec::new();
    for at in 0..words.len() {
        let Some(part) = count(words[at]) else {
            continue;
        };
        let mut next = at + 1;
        if words.get(next) == Some(&"out") {
            next += 1;
        }
        if words.get(next) != Some(&"of") {
            continue;
        }
        next += 1;
        if ["the", "all"]
            .iter()
            .any(|word| words.get(next) == Some(word))
        {
            next += 1;
        }
        let Some(whole) = words.get(next).and_then(|word| count(word)) else {
            continue;
        };
        let behind = words.get(next + 1).map(|word| word.to_lowercase());
        let behind = behind
            .as_deref()
            .map(|word| word.trim_matches(|char: char| !char.is_alphabetic()));
        let is_date = behind.is_some_and(|word| NO_CASES.contains(&word));
        if part <= whole && whole >= CASES_MIN && !is_date {
            found.push((part, whole));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::shares;
    use crate::method;

    #[test]
    fn counts_are_read_and_dates_are_none() {
        for (text, expected) in [
            ("The valve failed 4 of 106 times.", vec![(4, 106)]),
            ("In 12 out of 1,204 patients it rose.", vec![(12, 1204)]),
            ("9 of the 11 tests (all of 11) passed.", vec![(9, 11)]),
            ("It is due on 3 of 12 May.", vec![]),
            ("It took 9 of 3 days and 1 of 2 tries.", vec![]),
            ("A total of 106 was counted.", vec![]),
        ] {
            assert_eq!(shares(text), expected, "{text}");
        }
    }

    #[test]
    fn the_share_that_bears_on_the_objective_comes_first() {
        let made = (method("stated_shares").unwrap().apply)(json!({
            "objective": "How often does the valve fail?",
            "sources": [
                {"id": "a", "title": "Letters", "text": "Answers came from 300 of 400 people."},
                {"id": "b", "title": "Log", "text": "The valve failed 4 of 106 times."},
            ],
        }))
        .unwrap();
        assert_eq!(made.data, json!({"successes": 4, "trials": 106}));
        assert_eq!(made.headlines[0].evidence[0].source, "b");
        assert_eq!(made.tables[0].rows.len(), 2);
    }
}
