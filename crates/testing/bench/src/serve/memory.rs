//! `bench serve memory`: what the server keeps in memory under a steady mix of everything. Readers come and go, missions
//! are started, decided and end, and all of it is read meanwhile. Ended missions stay in the store, and only there.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::http::Connection;
use super::reads::Schedule;
use super::server::{Home, Server, User, gone};
use super::{failed, make_room};
use crate::args::BenchMemory;
use crate::load::round;
use crate::output;
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::settings::Settings;

const MISSION: &str = "bench_walk";
const MISSION_SECONDS: f64 = 20.0;
const EVENTS_PER_SECOND: f64 = 6.0;
/// All users together start at most 1,000 missions in an hour: this is 900.
const STARTED_EVERY: Duration = Duration::from_secs(4);
/// Each starts every 20th mission, so that nobody starts 100 in an hour or has 5 at work.
const USERS: usize = 20;
const READER_STAYS: Duration = Duration::from_secs(7);
const LOOK_EVERY: Duration = Duration::from_secs(30);
const DECIDE_EVERY: Duration = Duration::from_secs(1);
/// The newest missions, which readers choose from.
const RECENT_MAX: usize = 8;

type Recent = Arc<Mutex<Vec<String>>>;

pub(super) async fn run(settings: &Settings, wanted: BenchMemory) -> Result<(), AppError> {
    if wanted.until <= wanted.from {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6163",
            "memory is looked at last before it is looked at first",
            "Give `--until` more seconds than `--from`.",
        ));
    }
    make_room(wanted.readers)?;
    let home = Home::new(settings, &wanted.place)?;
    home.teach(MISSION, MISSION_SECONDS, EVENTS_PER_SECOND)?;
    let server = home.serve().await?;
    let mut users = Vec::new();
    for n in 0..USERS {
        users.push(server.user(&format!("user{n}")).await?);
    }
    let first = users
        .first_mut()
        .ok_or_else(|| failed("there are no users"))?;
    let mission = first.start(MISSION).await?;
    let recent: Recent = Arc::new(Mutex::new(vec![mission.clone()]));
    let at = (server.address, server.token.clone());
    let owner = server.owner().await?;
    let lasts = wanted.until + LOOK_EVERY.as_secs() as u32;
    let reads = Schedule::new(at.clone(), vec![mission], wanted.rate, lasts);
    let mut mix = JoinSet::new();
    mix.spawn(async move { reads.run().await.map(drop) });
    mix.spawn(start_all(server.address, users, Arc::clone(&recent)));
    mix.spawn(decide_all(owner));
    for n in 0..wanted.readers {
        let from = Duration::from_millis(u64::from(n) * 70);
        mix.spawn(come_and_go(at.clone(), Arc::clone(&recent), from));
    }
    let looked = tokio::select! {
        looked = look(&server, &wanted) => looked?,
        stopped = mix.join_next() => return Err(match stopped {
            Some(Ok(Err(failure))) => failure,
            _ => failed("the mix came to an end"),
        }),
    };
    let at = |second: u32| looked.iter().find(|(at, _)| *at == second);
    let rss = |second: u32| at(second).map_or(0.0, |(_, rss)| *rss);
    let (before, after) = (rss(wanted.from), rss(wanted.until));
    let percent = (after / before - 1.0) * 100.0;
    let mut owner = server.owner().await?;
    let page = owner.must("/api/missions?phase=completed&limit=500", None);
    let ended = page.await?["missions"].as_array().map_or(0, Vec::len);
    if wanted.json.json {
        let line = json!({
            "peer": home.name(), "workload": "serve_memory", "readers": wanted.readers, "reads_s": wanted.rate,
            "missions_ended": ended, "from_s": wanted.from, "until_s": wanted.until,
            "rss_mb_from": round(before), "rss_mb_until": round(after), "percent": round(percent),
            "rss_mb": looked.iter().map(|(at, rss)| json!([at, round(*rss)])).collect::<Vec<_>>(),
        });
        output::line(&line.to_string())?;
        return Ok(());
    }
    output::line(&format!(
        " {} readers that come and go, {} reads a second, {ended} missions ended",
        wanted.readers, wanted.rate
    ))?;
    output::line(&format!(
        "   memory {before:.1} MiB after {} s, {after:.1} MiB after {} s: {percent:+.1} %",
        wanted.from, wanted.until
    ))?;
    Ok(())
}

/// The server's memory at each look, the two that are asked for among them.
async fn look(server: &Server, wanted: &BenchMemory) -> Result<Vec<(u32, f64)>, AppError> {
    let began = Instant::now();
    let step = LOOK_EVERY.as_secs() as usize;
    let mut at: Vec<u32> = (step as u32..wanted.until).step_by(step).collect();
    at.extend([wanted.from, wanted.until]);
    at.sort_unstable();
    at.dedup();
    let mut looked = Vec::new();
    for second in at {
        tokio::time::sleep_until(began + Duration::from_secs(u64::from(second))).await;
        looked.push((second, server.rss_mb()));
    }
    Ok(looked)
}

async fn start_all(
    address: SocketAddr,
    mut users: Vec<User>,
    recent: Recent,
) -> Result<(), AppError> {
    let mut n = 0;
    loop {
        tokio::time::sleep(STARTED_EVERY).await;
        n += 1;
        let Some(user) = users.get_mut(n % USERS) else {
            return Ok(());
        };
        // By the time it is their turn again, the server has closed the connection.
        user.connection = Connection::open(address).await.map_err(gone)?;
        let mission = user.start(MISSION).await?;
        let mut recent = recent.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.len() >= RECENT_MAX {
            recent.remove(0);
        }
        recent.push(mission);
    }
}

/// Says yes to everything that is asked.
async fn decide_all(mut owner: User) -> Result<(), AppError> {
    loop {
        tokio::time::sleep(DECIDE_EVERY).await;
        let asked = owner.must("/api/inbox", None).await?;
        for question in asked["checkpoints"].as_array().into_iter().flatten() {
            let mission = question["mission"].as_str().unwrap_or_default();
            let number = question["number"].as_u64().unwrap_or(0) as u32;
            owner.approve(mission, number, "").await?;
        }
    }
}

/// Reads a recent mission for some time, leaves in the middle of it, and comes back to another.
async fn come_and_go(
    (address, token): (SocketAddr, String),
    recent: Recent,
    from: Duration,
) -> Result<(), AppError> {
    tokio::time::sleep(from).await;
    let mut n = from.as_millis() as usize;
    loop {
        n += 1;
        let mission = {
            let recent = recent.lock().unwrap_or_else(PoisonError::into_inner);
            let at = n % recent.len().max(1);
            recent.get(at).cloned().unwrap_or_default()
        };
        let stays = tokio::time::timeout(READER_STAYS, async {
            let mut connection = Connection::open(address).await?;
            let path = format!("/api/missions/{mission}/events");
            connection.follow(&token, &path).await?;
            let mut came = Vec::new();
            while connection.chunk(&mut came).await? > 0 {
                came.clear();
            }
            // The mission has ended; the reader stays away for the rest of its time.
            std::future::pending::<std::io::Result<()>>().await
        });
        if let Ok(Err(error)) = stays.await {
            return Err(gone(error));
        }
    }
}
