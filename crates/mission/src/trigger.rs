//! Triggers start or inform missions at a time. Firing them is a host's work; this is their record.

use alloc::string::String;
use serde::{Deserialize, Serialize};

use crate::{MissionId, Timestamp};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Schedule {
    At(Timestamp),
    Cron(String),
    Rrule(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerTarget {
    StartMission { template: String },
    InformMission { mission: MissionId, topic: String },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trigger {
    pub schedule: Schedule,
    /// IANA zone name in which the schedule is read.
    pub zone: String,
    /// How often it may fire; absent means until cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat_max: Option<u32>,
    /// Cancelled by the first information whose topic matches this pattern.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancel_on: Option<String>,
    pub target: TriggerTarget,
}
