//! What was said and what came of it.

use serde::{Deserialize, Serialize};

/// A share in parts per million, never more than the whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ppm(#[serde(deserialize_with = "at_most_whole")] u32);

impl Ppm {
    pub const WHOLE: Self = Self(1_000_000);

    /// The share, or the whole if it is more than that.
    pub fn new(share: u32) -> Self {
        Self(share.min(Self::WHOLE.0))
    }

    pub const fn get(self) -> u32 {
        self.0
    }
}

fn at_most_whole<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let share = u32::deserialize(from)?;
    match share <= Ppm::WHOLE.0 {
        true => Ok(share),
        false => Err(serde::de::Error::custom(format_args!(
            "{share} parts per million is more than 100 %"
        ))),
    }
}

/// How sure something was said to be, before anybody knew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forecast {
    pub mission: String,
    pub task: String,
    /// Who said it.
    pub agent: String,
    /// What it was about: the purpose of a question, or the type of a checkpoint.
    pub kind: String,
    pub confidence: Ppm,
}

impl Forecast {
    /// What tells it from others. An outcome of the same forecast that comes later replaces the one before.
    pub(crate) fn key(&self) -> (&str, &str, &str, &str) {
        (&self.mission, &self.task, &self.agent, &self.kind)
    }
}

/// What a forecast turned out to be worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    Right,
    Wrong,
    /// Right in part.
    Share(Ppm),
}

impl Worth {
    pub fn share(self) -> Ppm {
        match self {
            Self::Right => Ppm::WHOLE,
            Self::Wrong => Ppm::default(),
            Self::Share(share) => share,
        }
    }
}

/// What somebody found out about a forecast.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "OutcomeFields", into = "OutcomeFields")]
pub struct Outcome {
    pub worth: Worth,
    /// Who judged it.
    pub by: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
    pub note: String,
}

/// An outcome as it is written: with `right` or with `share`, never with both.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OutcomeFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    right: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    share: Option<Ppm>,
    by: String,
    at: i64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    note: String,
}

impl TryFrom<OutcomeFields> for Outcome {
    type Error = &'static str;

    fn try_from(fields: OutcomeFields) -> Result<Self, Self::Error> {
        let worth = match (fields.right, fields.share) {
            (Some(true), None) => Worth::Right,
            (Some(false), None) => Worth::Wrong,
            (None, Some(share)) => Worth::Share(share),
            (Some(_), Some(_)) => return Err("an outcome has `right` or `share`, not both"),
            (None, None) => return Err("an outcome needs `right` or `share`"),
        };
        Ok(Self {
            worth,
            by: fields.by,
            at: fields.at,
            note: fields.note,
        })
    }
}

impl From<Outcome> for OutcomeFields {
    fn from(outcome: Outcome) -> Self {
        let (right, share) = match outcome.worth {
            Worth::Right => (Some(true), None),
            Worth::Wrong => (Some(false), None),
            Worth::Share(share) => (None, Some(share)),
        };
        Self {
            right,
            share,
            by: outcome.by,
            at: outcome.at,
            note: outcome.note,
        }
    }
}
