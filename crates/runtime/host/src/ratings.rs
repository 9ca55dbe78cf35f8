//! What people say of missions that have ended: stars, a remark, and which insights were useful. Kept beside the outcomes of
//! conclusions; that somebody rated is noted in the audit as well, which cannot be changed unseen.

use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{AgentId, MissionId, Timestamp};
use adjutant_store::{RecordKind, TenantStore};
use serde::{Deserialize, Serialize};

use crate::calibration::Pair;

/// Of five.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Stars(u8);

impl Stars {
    pub fn get(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Stars {
    type Error = &'static str;

    fn try_from(stars: u8) -> Result<Self, Self::Error> {
        match stars {
            1..=5 => Ok(Self(stars)),
            _ => Err("a rating is 1 to 5"),
        }
    }
}

impl From<Stars> for u8 {
    fn from(stars: Stars) -> Self {
        stars.0
    }
}

/// What one person says of one mission. Saying it again replaces it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MissionRating {
    pub mission: MissionId,
    pub by: AgentId,
    pub at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stars: Option<Stars>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub remark: String,
    /// Numbers of insights.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub useful: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_useful: Vec<u32>,
}

impl MissionRating {
    /// The name of its record: one for each person and mission, and it tells neither.
    pub(crate) fn record_name(&self) -> String {
        let whose = format!("rating {} {}", self.mission, self.by);
        blake3::hash(whose.as_bytes()).to_hex().to_string()
    }
}

/// What is kept as an outcome.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OutcomeRecord {
    /// What a conclusion turned out to be worth.
    Conclusion(Pair),
    /// What somebody says of a whole mission.
    Rating(MissionRating),
}

impl OutcomeRecord {
    /// The mission that it is about.
    pub(crate) fn is_about(&self, missions: &[MissionId]) -> bool {
        missions.iter().any(|mission| match self {
            Self::Conclusion(pair) => pair.forecast.mission == mission.to_string(),
            Self::Rating(rating) => rating.mission == *mission,
        })
    }
}

/// What conclusions turned out to be worth, by record name, and what people said of missions.
#[derive(Debug, Default)]
pub struct Outcomes {
    pub conclusions: Vec<(String, Pair)>,
    pub ratings: Vec<MissionRating>,
}

pub async fn outcomes<T: TenantStore>(
    journal: &TenantJournal<T>,
) -> Result<Outcomes, JournalError> {
    let mut outcomes = Outcomes::default();
    for (name, record) in journal.records(RecordKind::Outcome).await? {
        match record {
            OutcomeRecord::Conclusion(pair) => outcomes.conclusions.push((name, pair)),
            OutcomeRecord::Rating(rating) => outcomes.ratings.push(rating),
        }
    }
    Ok(outcomes)
}
