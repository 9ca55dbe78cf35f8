//! `bench serve readers`: many readers of one mission's live events.
//!
//! An event is timed from its `timestamp`, which is when the machine decided it, before it was written to disk, to when
//! a reader has all of it. Both come from this machine's clock, in whole milliseconds. What a reader got when it came
//! is not timed; every id counts, from the first to the last.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use adjutant_host::Clock;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::http::Connection;
use super::server::{Home, gone};
use super::times::Times;
use super::{failed, lost, make_room};
use crate::args::BenchReaders;
use crate::load::round;
use crate::output;
use crate::process;
use adjutant_app::error::AppError;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

const MISSION: &str = "bench_ticker";
/// Readers that come at the same time.
const COMING_AT_ONCE: usize = 64;
/// How much longer than planned a mission may take.
const PATIENCE: Duration = Duration::from_secs(120);
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What one reader was told.
#[derive(Debug, Default)]
struct Heard {
    events: usize,
    /// Of all ids, in the order they came.
    ids: DefaultHasher,
    times: Times,
    first_ms: Option<i64>,
    last_ms: i64,
    ended: Ended,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// The mission ended, and with it the stream.
    WithMission,
    #[default]
    LetGo,
}

#[derive(Deserialize)]
struct Stamped<'a> {
    timestamp: &'a str,
}

impl Heard {
    /// Takes note of a whole event, as it stands between two empty lines.
    fn take(&mut self, event: &str, now_ms: i64, since_ms: i64) {
        let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
        // What has no id is a sign of life.
        let Some(id) = field("id: ") else { return };
        id.hash(&mut self.ids);
        self.events += 1;
        if matches!(field("event: "), Some("complete" | "error")) {
            self.ended = Ended::WithMission;
        }
        let stamped = field("data: ").and_then(|data| serde_json::from_str::<Stamped>(data).ok());
        let at = stamped.and_then(|stamped| stamped.timestamp.parse::<Timestamp>().ok());
        let Some(at) = at.map(|at| at.as_millisecond()) else {
            return;
        };
        if at > since_ms {
            self.first_ms.get_or_insert(at);
            self.last_ms = at;
            let took = u64::try_from(now_ms - at).unwrap_or(0);
            self.times.add(Duration::from_millis(took));
        }
    }
}

/// Reads to the end; what happened before `since_ms` is counted and not timed.
async fn read(
    mut connection: Connection,
    clock: Clock,
    since_ms: tokio::sync::watch::Receiver<i64>,
) -> Heard {
    let mut heard = Heard::default();
    let mut came = Vec::new();
    // A stream that breaks off tells by itself that it ended without the mission.
    while let Ok(1..) = connection.chunk(&mut came).await {
        let (now_ms, since_ms) = (clock.now().0, *since_ms.borrow());
        while let Some(end) = came.windows(2).position(|two| two == b"\n\n") {
            let event: Vec<u8> = came.drain(..end + 2).collect();
            heard.take(&String::from_utf8_lossy(&event), now_ms, since_ms);
        }
    }
    heard
}

async fn come(address: SocketAddr, token: &str, mission: &str) -> std::io::Result<Connection> {
    let mut connection = Connection::open(address).await?;
    let path = format!("/api/missions/{mission}/events");
    connection.follow(token, &path).await?;
    Ok(connection)
}

pub(super) async fn run(settings: &Settings, wanted: BenchReaders) -> Result<(), AppError> {
    make_room(wanted.readers)?;
    let home = Home::new(settings, &wanted.place)?;
    home.teach(MISSION, f64::from(wanted.seconds), f64::from(wanted.events))?;
    let server = home.serve().await?;
    let mut owner = server.owner().await?;
    let mission = owner.start(MISSION).await?;
    let (since, is_live) = tokio::sync::watch::channel(i64::MAX);
    // All of them are there before the mission takes its first step.
    let turns = Arc::new(Semaphore::new(COMING_AT_ONCE));
    let mut coming = JoinSet::new();
    let came = Instant::now();
    for _ in 0..wanted.readers {
        let (turns, token) = (Arc::clone(&turns), server.token.clone());
        let (address, mission) = (server.address, mission.clone());
        coming.spawn(async move {
            let _turn = turns.acquire_owned().await;
            come(address, &token, &mission).await
        });
    }
    let mut reading = JoinSet::new();
    while let Some(connection) = coming.join_next().await {
        let connection = connection.map_err(|error| failed(error.to_string()))?;
        let connection = connection.map_err(gone)?;
        reading.spawn(read(connection, wiring::clock(), is_live.clone()));
    }
    let came_s = came.elapsed().as_secs_f64();
    since.send_replace(wiring::clock().now().0);
    let (cpu, own_cpu, began) = (server.cpu(), process::cpu(), Instant::now());
    owner.approve(&mission, 0, "").await?;
    let until = began + Duration::from_secs(u64::from(wanted.seconds)) + PATIENCE;
    // The result is reviewed once there is one, and the mission ends.
    let questions = format!("/api/missions/{mission}/checkpoints");
    loop {
        if owner.must(&questions, None).await?["checkpoints"]
            .get(1)
            .is_some()
        {
            break;
        }
        if Instant::now() > until {
            return Err(failed("the mission does not come to its end"));
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    let seconds = began.elapsed().as_secs_f64();
    let cores = (server.cpu().saturating_sub(cpu)).as_secs_f64() / seconds;
    let own_cores = (process::cpu().saturating_sub(own_cpu)).as_secs_f64() / seconds;
    owner.approve(&mission, 1, "").await?;
    let mut all = Vec::new();
    while let Ok(Some(heard)) = tokio::time::timeout(PATIENCE, reading.join_next()).await {
        all.push(heard.map_err(|error| failed(error.to_string()))?);
    }
    let rss = server.rss_mb();
    // What there was to hear: a reader who comes late is told the journal.
    let truth = come(server.address, &server.token, &mission).await;
    let truth = read(truth.map_err(gone)?, wiring::clock(), is_live).await;
    let is_whole =
        |heard: &&Heard| heard.events == truth.events && heard.ids.finish() == truth.ids.finish();
    let let_go = all
        .iter()
        .filter(|heard| heard.ended == Ended::LetGo)
        .count()
        + (wanted.readers as usize).saturating_sub(all.len());
    let with_gaps = all
        .iter()
        .filter(|heard| heard.ended == Ended::WithMission && !is_whole(heard))
        .count();
    let span_ms = truth.last_ms - truth.first_ms.unwrap_or(truth.last_ms);
    let rate = truth.times.count() as f64 * 1_000.0 / (span_ms.max(1)) as f64;
    let mut times = Times::default();
    for heard in all {
        times.take_over(heard.times);
    }
    let told_times = times.count();
    let told = times.told();
    if wanted.json.json {
        let mut line = json!({
            "peer": home.name(), "workload": "serve_readers", "readers": wanted.readers,
            "seconds": round(seconds), "events": truth.events, "events_s": round(rate),
            "told": told_times, "let_go": let_go, "with_gaps": with_gaps, "came_s": round(came_s),
            "server_cores": round(cores), "client_cores": round(own_cores), "server_rss_mb": round(rss),
        });
        told.add_to(&mut line);
        output::line(&line.to_string())?;
    } else {
        output::line(&format!(
            " {} readers of a mission that told {} events, {rate:.1} a second for {seconds:.0} s: {let_go} let go, {with_gaps} with gaps",
            wanted.readers, truth.events
        ))?;
        output::line(&format!(
            "   event to client: {} · server {cores:.2} cores, {rss:.0} MiB · clients {own_cores:.2} cores · all there after {came_s:.1} s",
            told.words()
        ))?;
    }
    match with_gaps {
        0 => Ok(()),
        gaps => Err(lost(format!(
            "{gaps} readers were not told every event once, in order"
        ))),
    }
}
