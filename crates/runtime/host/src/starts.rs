//! Limits on starting and running missions, for whoever comes in over HTTP and for the triggers that they make. Counted in
//! the store, so that they survive a restart.

use std::collections::VecDeque;

use adjutant_mission::{Millis, MissionId, TenantId, Timestamp};
use adjutant_store::{RecordKind, Store};
use serde::{Deserialize, Serialize};

use crate::{Host, HostError};

const MINUTE: Millis = Millis::seconds(60);
const HOUR: Millis = Millis::hours(1);

/// How many missions a caller may start in how long, and have at work at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StartLimits {
    pub user_per_minute: u32,
    pub user_per_hour: u32,
    pub tenant_per_hour: u32,
    pub user_at_once: u32,
}

impl Default for StartLimits {
    fn default() -> Self {
        Self {
            user_per_minute: 10,
            user_per_hour: 100,
            tenant_per_hour: 1_000,
            user_at_once: 5,
        }
    }
}

/// Why nothing more is started now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TooManyStarts {
    #[error("you have reached the limit of {minute} mission starts per minute or {hour} per hour")]
    OfUser {
        minute: u32,
        hour: u32,
        wait_seconds: u64,
    },
    #[error("the limit of {hour} mission starts per hour for all users together is reached")]
    OfTenant { hour: u32, wait_seconds: u64 },
    #[error("you have {at_work} unfinished missions, which is the limit")]
    AtOnce { at_work: usize },
}

impl TooManyStarts {
    pub fn code(&self) -> &'static str {
        match self {
            Self::OfUser { .. } | Self::OfTenant { .. } => "ADJ-9014",
            Self::AtOnce { .. } => "ADJ-9015",
        }
    }

    pub fn remedy(&self) -> &'static str {
        match self {
            Self::OfUser { .. } | Self::OfTenant { .. } => "Try again later.",
            Self::AtOnce { .. } => "Wait until one ends, answer its questions, or cancel it.",
        }
    }

    /// How long to wait before the next try.
    pub fn wait_seconds(&self) -> u64 {
        match self {
            Self::OfUser { wait_seconds, .. } | Self::OfTenant { wait_seconds, .. } => {
                *wait_seconds
            }
            Self::AtOnce { .. } => MINUTE.0 / 1_000,
        }
    }
}

/// When missions were started, and which of them were at work when last looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Starts {
    at: VecDeque<Timestamp>,
    at_work: Vec<MissionId>,
}

/// So many in so long.
type Window = (u32, Millis);

/// What is left of the window that has least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    pub limit: u32,
    pub remaining: u32,
    pub reset_seconds: u64,
}

impl Starts {
    /// The room there is at a time, or when there will be some.
    fn room(&self, now: Timestamp, windows: &[Window]) -> Result<Room, Timestamp> {
        let mut least: Option<Room> = None;
        for (limit, length) in windows {
            let within: Vec<Timestamp> = self
                .at
                .iter()
                .copied()
                // A clock that was ahead locks nobody out.
                .filter(|at| now.since(*at) < *length && at.since(now) < *length)
                .collect();
            let used = within.len() as u32;
            let first = within.first().copied().unwrap_or(now);
            if used >= *limit {
                // When the oldest of those that fill it leaves.
                let leaves = within.get((used - *limit) as usize).copied().unwrap_or(now);
                return Err(leaves.plus(*length));
            }
            let room = Room {
                limit: *limit,
                remaining: *limit - used,
                reset_seconds: first.plus(*length).since(now).0.div_ceil(1_000),
            };
            if least.is_none_or(|least| room.remaining < least.remaining) {
                least = Some(room);
            }
        }
        Ok(least.unwrap_or(Room {
            limit: u32::MAX,
            remaining: u32::MAX,
            reset_seconds: 0,
        }))
    }

    fn add(&mut self, now: Timestamp) {
        self.at
            .retain(|at| now.since(*at) < HOUR && at.since(now) < HOUR);
        self.at.push_back(now);
    }
}

/// Where the starts of everybody together are counted.
const OF_TENANT: &str = "starts";

fn of_user(who: &str) -> String {
    format!("{OF_TENANT}-{}", blake3::hash(who.as_bytes()).to_hex())
}

/// What was started so far, by one and by all, where there is room for one more.
struct Counted {
    user: Starts,
    tenant: Starts,
    room: Room,
}

impl<S: Store> Host<S> {
    /// Whether a user may start one more mission now. Counts nothing.
    pub async fn check_start(
        &self,
        tenant: &TenantId,
        who: &str,
        limits: StartLimits,
    ) -> Result<(), HostError> {
        self.counted(tenant, who, limits).await.map(|_| ())
    }

    /// Counts a start of somebody's, if there is room.
    pub async fn count_start(
        &self,
        tenant: &TenantId,
        who: &str,
        mission: MissionId,
        limits: StartLimits,
    ) -> Result<Room, HostError> {
        // One after the other: each with those before it counted.
        let _alone = self.shared().starting.lock().await;
        let Counted {
            user: mut by_user,
            tenant: mut by_all,
            room,
        } = self.counted(tenant, who, limits).await?;
        let (journal, now) = (self.journal(tenant), self.clock().now());
        by_user.at_work.push(mission);
        by_user.add(now);
        by_all.add(now);
        journal
            .put_record(RecordKind::Tally, &of_user(who), &by_user)
            .await?;
        journal
            .put_record(RecordKind::Tally, OF_TENANT, &by_all)
            .await?;
        Ok(room)
    }

    async fn counted(
        &self,
        tenant: &TenantId,
        who: &str,
        limits: StartLimits,
    ) -> Result<Counted, HostError> {
        let (journal, now) = (self.journal(tenant), self.clock().now());
        let user: Option<Starts> = journal.record(RecordKind::Tally, &of_user(who)).await?;
        let all: Option<Starts> = journal.record(RecordKind::Tally, OF_TENANT).await?;
        let (mut user, all) = (user.unwrap_or_default(), all.unwrap_or_default());
        let wait_seconds = |until: Timestamp| until.since(now).0.div_ceil(1_000).max(1);
        let (minute, hour) = (limits.user_per_minute, limits.user_per_hour);
        let room = user.room(now, &[(minute, MINUTE), (hour, HOUR)]);
        let room = room.map_err(|until| TooManyStarts::OfUser {
            minute,
            hour,
            wait_seconds: wait_seconds(until),
        })?;
        let hour = limits.tenant_per_hour;
        all.room(now, &[(hour, HOUR)])
            .map_err(|until| TooManyStarts::OfTenant {
                hour,
                wait_seconds: wait_seconds(until),
            })?;
        let mut at_work = Vec::new();
        for mission in user.at_work {
            let listed = journal.summary(mission).await?;
            if listed.is_some_and(|listed| !listed.summary.phase.is_ended()) {
                at_work.push(mission);
            }
        }
        if at_work.len() as u32 >= limits.user_at_once {
            let at_work = at_work.len();
            return Err(TooManyStarts::AtOnce { at_work }.into());
        }
        user.at_work = at_work;
        Ok(Counted {
            user,
            tenant: all,
            room,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_full_until_its_oldest_leaves() {
        let mut starts = Starts::default();
        let windows = [(2, MINUTE), (3, HOUR)];
        let at = |seconds: i64| Timestamp(seconds * 1_000);
        let left = |starts: &Starts, now| starts.room(now, &windows).map(|room| room.remaining);
        assert_eq!(left(&starts, at(0)), Ok(2));
        starts.add(at(0));
        starts.add(at(10));
        assert_eq!(starts.room(at(20), &windows), Err(at(60)));
        assert_eq!(left(&starts, at(60)), Ok(1));
        starts.add(at(60));
        assert_eq!(
            starts.room(at(200), &windows),
            Err(at(3_600)),
            "the hour is full"
        );
        starts.add(at(3_600));
        assert_eq!(
            starts.at.len(),
            3,
            "what is older than an hour is forgotten"
        );
    }
}
