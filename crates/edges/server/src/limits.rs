//! Limits on starting and running missions. Counted in the store, so that they survive a restart.

use std::collections::VecDeque;

use adjutant_mission::{Millis, MissionId, Timestamp};
use adjutant_store::{RecordKind, Store};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use serde::{Deserialize, Serialize};

use crate::{App, Problem};

const MINUTE: Millis = Millis::seconds(60);
const HOUR: Millis = Millis::hours(1);

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
pub(crate) struct Room {
    limit: u32,
    remaining: u32,
    reset_seconds: u64,
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

impl Room {
    /// One less, as the answer tells it.
    pub(crate) fn tell(self, headers: &mut HeaderMap) {
        let told = [
            ("ratelimit-limit", u64::from(self.limit)),
            (
                "ratelimit-remaining",
                u64::from(self.remaining.saturating_sub(1)),
            ),
            ("ratelimit-reset", self.reset_seconds),
        ];
        for (name, value) in told {
            headers.insert(name, HeaderValue::from(value));
        }
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

/// Whether a user may start one more mission now. Counts nothing.
pub(crate) async fn check<S: Store>(app: &App<S>, who: &str) -> Result<(), Problem> {
    counted(app, who).await.map(|_| ())
}

/// Counts a start of somebody's, if there is room. To be called by one at a time.
pub(crate) async fn take<S: Store>(
    app: &App<S>,
    who: &str,
    mission: MissionId,
) -> Result<Room, Problem> {
    let Counted {
        mut user,
        mut tenant,
        room,
    } = counted(app, who).await?;
    let (journal, now) = (app.host.journal(&app.tenant), app.host.clock().now());
    user.at_work.push(mission);
    user.add(now);
    tenant.add(now);
    journal
        .put_record(RecordKind::Tally, &of_user(who), &user)
        .await?;
    journal
        .put_record(RecordKind::Tally, OF_TENANT, &tenant)
        .await?;
    Ok(room)
}

async fn counted<S: Store>(app: &App<S>, who: &str) -> Result<Counted, Problem> {
    let (journal, now) = (app.host.journal(&app.tenant), app.host.clock().now());
    let user: Option<Starts> = journal.record(RecordKind::Tally, &of_user(who)).await?;
    let tenant: Option<Starts> = journal.record(RecordKind::Tally, OF_TENANT).await?;
    let (mut user, tenant) = (user.unwrap_or_default(), tenant.unwrap_or_default());
    let limits = app.limits;
    let (minute, hour) = (limits.user_per_minute, limits.user_per_hour);
    let room = user.room(now, &[(minute, MINUTE), (hour, HOUR)]);
    let room = room.map_err(|until| {
        let told = format!(
            "you have reached the limit of {minute} mission starts per minute or {hour} per hour"
        );
        over(now, until, told)
    })?;
    let all = limits.tenant_per_hour;
    tenant.room(now, &[(all, HOUR)]).map_err(|until| {
        over(
            now,
            until,
            format!("the limit of {all} mission starts per hour for all users together is reached"),
        )
    })?;
    let mut at_work = Vec::new();
    for mission in user.at_work {
        let listed = journal.summary(mission).await?;
        if listed.is_some_and(|listed| !listed.summary.phase.is_ended()) {
            at_work.push(mission);
        }
    }
    if at_work.len() as u32 >= limits.user_at_once {
        let mut problem = Problem::new(
            StatusCode::TOO_MANY_REQUESTS,
            "ADJ-9015",
            format!(
                "you have {} unfinished missions, which is the limit",
                at_work.len()
            ),
            "Wait until one ends, answer its questions, or cancel it.",
        );
        problem.retry_after = Some(MINUTE.0 / 1_000);
        return Err(problem);
    }
    user.at_work = at_work;
    Ok(Counted { user, tenant, room })
}

fn over(now: Timestamp, until: Timestamp, told: String) -> Problem {
    let seconds = until.since(now).0.div_ceil(1_000).max(1);
    let mut problem = Problem::new(
        StatusCode::TOO_MANY_REQUESTS,
        "ADJ-9014",
        told,
        format!("Try again in {seconds} s."),
    );
    problem.retry_after = Some(seconds);
    problem
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
