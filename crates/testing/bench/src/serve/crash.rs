//! `bench serve crash`: a server that is killed with `kill -9` while many clients send commands.
//!
//! A client writes down what it asked for only when a good answer came. After each kill another server is started over
//! the same store, and every command that was written down must stand in its mission's journal. What was under way at
//! the kill may or may not: nobody was told anything.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::server::{Home, User, approval, wanted as to_start};
use super::{failed, lost, make_room};
use crate::args::BenchServeCrash;
use crate::load::round;
use crate::output;
use adjutant_app::error::AppError;
use adjutant_app::settings::Settings;

const MISSION: &str = "bench_walk";
const MISSION_SECONDS: f64 = 600.0;
const EVENTS_PER_SECOND: f64 = 6.0;
/// How long a server lives, at least, and how much longer it may.
const LIVES_MS: u64 = 700;
const LIVES_LONGER_MS: u64 = 1_300;
/// Starts of one client in one life of the server.
const STARTS_MAX: u32 = 3;
/// Pauses and resumptions of a mission before the next is started.
const TURNS: u32 = 4;
const JOURNALS_AT_ONCE: usize = 4;
/// Lost commands that are named.
const NAMED_MAX: usize = 5;

/// Something that a server said it had done.
#[derive(Debug, Clone)]
struct Acknowledged {
    mission: String,
    what: What,
    /// What its journal must hold.
    trace: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Start,
    Decision,
    Pause,
}

type Log = Arc<Mutex<Vec<Acknowledged>>>;

pub(super) async fn run(settings: &Settings, wanted: BenchServeCrash) -> Result<(), AppError> {
    make_room(wanted.clients)?;
    let home = Home::new(settings, &wanted.place)?;
    home.teach(MISSION, MISSION_SECONDS, EVENTS_PER_SECOND)?;
    let log = Log::default();
    let (mut missing, mut back) = (Vec::new(), Duration::ZERO);
    let mut server = home.serve().await?;
    let mut checked = 0;
    for round in 0..wanted.rounds {
        let mut clients = JoinSet::new();
        for n in 0..wanted.clients {
            let user = server.user(&format!("round{round}client{n}")).await?;
            let name = format!("{round}-{n}");
            clients.spawn(send(user, name, Arc::clone(&log)));
        }
        let longer = getrandom::u64().unwrap_or(0) % LIVES_LONGER_MS;
        tokio::time::sleep(Duration::from_millis(LIVES_MS + longer)).await;
        server.kill().await?;
        while clients.join_next().await.is_some() {}
        let killed = Instant::now();
        server = home.serve().await?;
        back = back.max(killed.elapsed());
        let all = log.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let of_round = all.get(checked..).unwrap_or_default();
        missing.extend(not_there(&home, of_round).await?);
        checked = all.len();
    }
    // Once more, after the last of all the kills.
    let all = log.lock().unwrap_or_else(PoisonError::into_inner).clone();
    missing.extend(not_there(&home, &all).await?);
    let of = |what: What| all.iter().filter(|did| did.what == what).count();
    let (starts, decisions, pauses) = (of(What::Start), of(What::Decision), of(What::Pause));
    if wanted.json.json {
        let line = json!({
            "peer": home.name(), "workload": "serve_crash", "rounds": wanted.rounds, "clients": wanted.clients,
            "acknowledged": all.len(), "starts": starts, "decisions": decisions, "pauses": pauses,
            "lost": missing.len(), "back_s_max": round(back.as_secs_f64()),
        });
        output::line(&line.to_string())?;
    } else {
        output::line(&format!(
            " {} kills under {} clients: {} commands acknowledged ({starts} starts, {decisions} decisions, {pauses} pauses), {} of them lost",
            wanted.rounds,
            wanted.clients,
            all.len(),
            missing.len()
        ))?;
        output::line(&format!(
            "   served again at most {:.2} s after a kill",
            back.as_secs_f64()
        ))?;
    }
    if missing.is_empty() {
        return Ok(());
    }
    missing.truncate(NAMED_MAX);
    Err(lost(format!("acknowledged, and not there: {missing:?}")))
}

fn write_down(log: &Log, mission: &str, what: What, trace: &str) {
    let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
    log.push(Acknowledged {
        mission: mission.to_owned(),
        what,
        trace: trace.to_owned(),
    });
}

/// Starts missions, approves their plans, pauses and resumes them, until the server is gone.
async fn send(mut user: User, name: String, log: Log) -> std::io::Result<()> {
    let mut starts = 0;
    let mut mission = String::new();
    let mut n = 0_u64;
    loop {
        if starts < STARTS_MAX {
            starts += 1;
            let answer = user.ask("/api/missions", Some(&to_start(MISSION))).await?;
            let told: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
            if answer.status != 201 {
                return Err(std::io::Error::other(told.to_string()));
            }
            mission = told["mission"].as_str().unwrap_or_default().to_owned();
            write_down(&log, &mission, What::Start, "mission_opened/1");
            let note = format!("yes {name}");
            let path = format!("/api/missions/{mission}/checkpoints/0/decision");
            if user.ask(&path, Some(&approval(&note))).await?.status == 200 {
                write_down(&log, &mission, What::Decision, &note);
            }
        }
        for _ in 0..TURNS {
            n += 1;
            let reason = format!("pause {name} number {n}.");
            let path = format!("/api/missions/{mission}/commands");
            let pause = json!({ "pause": { "reason": reason } });
            if user.ask(&path, Some(&pause)).await?.status == 200 {
                write_down(&log, &mission, What::Pause, &reason);
            }
            user.ask(&path, Some(&json!("resume"))).await?;
        }
    }
}

/// Which of these commands their journals do not hold.
async fn not_there(home: &Home, did: &[Acknowledged]) -> Result<Vec<Acknowledged>, AppError> {
    let mut missions: Vec<&String> = did.iter().map(|did| &did.mission).collect();
    missions.sort_unstable();
    missions.dedup();
    let mut missing = Vec::new();
    for some in missions.chunks(JOURNALS_AT_ONCE) {
        let journals = some.iter().map(|mission| home.journal(mission));
        for (mission, journal) in some.iter().zip(futures::future::join_all(journals).await) {
            // A mission whose journal cannot be told has lost everything.
            let journal = journal?.unwrap_or_default();
            let of = did.iter().filter(|did| did.mission == **mission);
            missing.extend(of.filter(|did| !journal.contains(&did.trace)).cloned());
        }
    }
    if missions.is_empty() {
        return Err(failed("no command was acknowledged at all"));
    }
    Ok(missing)
}
