//! How well `find` does on a set of lines. An expected value counts as found when findings of its kind cover it; a
//! finding counts as right when it overlaps an expected value of its kind.

use std::collections::BTreeMap;

use adjutant_redact::{Found, Kind, find};
use serde::Deserialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    Tuned,
    HeldOut,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) found: Vec<(Kind, String)>,
    #[serde(default)]
    held_out: bool,
}

#[derive(Debug)]
pub(crate) struct Set {
    pub(crate) lines: Vec<Line>,
}

#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Score {
    pub(crate) right: u32,
    pub(crate) wrong: u32,
    pub(crate) missed: u32,
    pub(crate) hit: u32,
}

impl Score {
    pub(crate) fn precision(&self) -> f64 {
        ratio(self.right, self.wrong)
    }

    pub(crate) fn recall(&self) -> f64 {
        ratio(self.hit, self.missed)
    }
}

fn ratio(good: u32, bad: u32) -> f64 {
    if good + bad == 0 {
        1.0
    } else {
        f64::from(good) / f64::from(good + bad)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Scores {
    pub(crate) lines: usize,
    pub(crate) by_kind: BTreeMap<Kind, Score>,
    pub(crate) problems: Vec<String>,
}

impl Scores {
    pub(crate) fn all(&self) -> Score {
        self.by_kind
            .values()
            .fold(Score::default(), |sum, one| Score {
                right: sum.right + one.right,
                wrong: sum.wrong + one.wrong,
                missed: sum.missed + one.missed,
                hit: sum.hit + one.hit,
            })
    }
}

impl Set {
    pub(crate) fn read(text: &str) -> Result<Self, serde_json::Error> {
        let lines = text
            .lines()
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()?;
        Ok(Self { lines })
    }

    pub(crate) fn score(&self, half: Half) -> Scores {
        let mut scores = Scores::default();
        for line in self
            .lines
            .iter()
            .filter(|line| line.held_out == (half == Half::HeldOut))
        {
            scores.lines += 1;
            line.score(&mut scores);
        }
        scores
    }
}

impl Line {
    fn score(&self, scores: &mut Scores) {
        let found = find(&self.text);
        let expected = self.expected();
        for (kind, span) in &expected {
            let covered = span.clone().all(|at| {
                found
                    .iter()
                    .any(|one| one.kind == *kind && one.span.contains(&at))
            });
            let score = scores.by_kind.entry(*kind).or_default();
            if covered {
                score.hit += 1;
            } else {
                score.missed += 1;
                scores.problems.push(format!(
                    "missed {kind:?} {:?} in {:?}",
                    &self.text[span.clone()],
                    self.text
                ));
            }
        }
        for Found { kind, span, reason } in &found {
            let right = expected.iter().any(|(wanted, place)| {
                wanted == kind && place.start < span.end && span.start < place.end
            });
            let score = scores.by_kind.entry(*kind).or_default();
            if right {
                score.right += 1;
            } else {
                score.wrong += 1;
                scores.problems.push(format!(
                    "false {kind:?} {:?} ({reason}) in {:?}",
                    &self.text[span.clone()],
                    self.text
                ));
            }
        }
    }

    /// Where the expected values stand: the n-th mention of a value is its n-th occurrence that is free.
    fn expected(&self) -> Vec<(Kind, std::ops::Range<usize>)> {
        let mut taken: Vec<std::ops::Range<usize>> = Vec::new();
        let mut expected = Vec::new();
        for (kind, value) in &self.found {
            let free = self
                .text
                .match_indices(value.as_str())
                .map(|(at, _)| at..at + value.len())
                .find(|span| {
                    taken
                        .iter()
                        .all(|other| other.end <= span.start || span.end <= other.start)
                });
            // A value that is not there is missed by all means.
            let span = free.unwrap_or(0..self.text.len());
            taken.push(span.clone());
            expected.push((*kind, span));
        }
        expected
    }
}
