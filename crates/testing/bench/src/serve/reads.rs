//! `bench serve reads`: reads by a fixed schedule while missions run.
//!
//! A read is timed from when it was due, not from when it was sent: a server that holds up one holds up those behind it,
//! and all of that counts.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::failed;
use super::http::Connection;
use super::server::{Home, gone};
use super::times::Times;
use crate::args::BenchReads;
use crate::load::round;
use crate::output;
use crate::process;
use adjutant_app::error::AppError;
use adjutant_app::settings::Settings;

const MISSION: &str = "bench_walk";
/// Each mission takes a step a second, which tells six events.
const EVENTS_PER_SECOND: f64 = 6.0;
/// How much longer than the reads the missions run: they have to be started first.
const BESIDE_SECONDS: f64 = 60.0;
const CONNECTIONS: u64 = 64;

/// What is read, and by whom.
pub(super) struct Schedule {
    pub(super) address: SocketAddr,
    pub(super) token: String,
    pub(super) missions: Vec<String>,
    pub(super) begins: Instant,
    pub(super) every: Duration,
    /// How many reads there are in all.
    pub(super) reads: u64,
    next: AtomicU64,
}

/// How reads went.
#[derive(Debug, Default)]
pub(super) struct Went {
    pub(super) times: Times,
    pub(super) refused: u64,
}

impl Schedule {
    pub(super) fn new(
        (address, token): (SocketAddr, String),
        missions: Vec<String>,
        rate: u32,
        seconds: u32,
    ) -> Self {
        Self {
            address,
            token,
            missions,
            begins: Instant::now(),
            every: Duration::from_secs(1) / rate.max(1),
            reads: u64::from(rate) * u64::from(seconds),
            next: AtomicU64::new(0),
        }
    }

    /// A mission, the list, the inbox, a mission's tasks, in turn.
    fn path(&self, n: u64) -> String {
        let mission = self
            .missions
            .get(n as usize / 4 % self.missions.len().max(1));
        let mission = mission.map_or("", String::as_str);
        match n % 4 {
            0 => format!("/api/missions/{mission}"),
            1 => "/api/missions".to_owned(),
            2 => "/api/inbox".to_owned(),
            _ => format!("/api/missions/{mission}/tasks"),
        }
    }

    /// Takes whichever read is next, over one connection, until there are none.
    async fn work(self: Arc<Self>) -> std::io::Result<Went> {
        let mut connection = Connection::open(self.address).await?;
        let mut went = Went::default();
        loop {
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            if n >= self.reads {
                return Ok(went);
            }
            let due = self.begins + self.every.mul_f64(n as f64);
            tokio::time::sleep_until(due).await;
            let answer = connection.ask(&self.token, &self.path(n), None).await?;
            went.times.add(due.elapsed());
            went.refused += u64::from(answer.status != 200);
        }
    }

    pub(super) async fn run(self) -> Result<Went, AppError> {
        let schedule = Arc::new(self);
        let mut working = JoinSet::new();
        for _ in 0..CONNECTIONS {
            working.spawn(Arc::clone(&schedule).work());
        }
        let mut all = Went::default();
        while let Some(went) = working.join_next().await {
            let went = went.map_err(|error| failed(error.to_string()))?;
            let went = went.map_err(gone)?;
            all.times.take_over(went.times);
            all.refused += went.refused;
        }
        Ok(all)
    }
}

pub(super) async fn run(settings: &Settings, wanted: BenchReads) -> Result<(), AppError> {
    let home = Home::new(settings, &wanted.place)?;
    let runs = f64::from(wanted.seconds) + BESIDE_SECONDS;
    home.teach(MISSION, runs, EVENTS_PER_SECOND)?;
    let server = home.serve().await?;
    let missions = server.run_missions(MISSION, wanted.missions).await?;
    let (cpu, own_cpu, began) = (server.cpu(), process::cpu(), Instant::now());
    let at = (server.address, server.token.clone());
    let schedule = Schedule::new(at, missions, wanted.rate, wanted.seconds);
    let went = schedule.run().await?;
    let seconds = began.elapsed().as_secs_f64();
    let cores = (server.cpu().saturating_sub(cpu)).as_secs_f64() / seconds;
    let own_cores = (process::cpu().saturating_sub(own_cpu)).as_secs_f64() / seconds;
    // Those that ended meanwhile did not run beside the last reads.
    let mut owner = server.owner().await?;
    let listed = owner.must("/api/missions?phase=executing&limit=500", None);
    let running = listed.await?["missions"].as_array().map_or(0, Vec::len);
    let reads = went.times.count();
    let told = went.times.told();
    if wanted.json.json {
        let mut line = json!({
            "peer": home.name(), "workload": "serve_reads", "missions": wanted.missions,
            "running_at_the_end": running, "reads": reads, "refused": went.refused,
            "seconds": round(seconds), "reads_s": round(reads as f64 / seconds),
            "server_cores": round(cores), "client_cores": round(own_cores),
            "server_rss_mb": round(server.rss_mb()),
        });
        told.add_to(&mut line);
        output::line(&line.to_string())?;
        return Ok(());
    }
    output::line(&format!(
        " {reads} reads, {:.0} a second for {seconds:.0} s, while {running} missions run: {} refused",
        reads as f64 / seconds,
        went.refused
    ))?;
    output::line(&format!(
        "   from when it was due: {} · server {cores:.2} cores, {:.0} MiB · clients {own_cores:.2} cores",
        told.words(),
        server.rss_mb()
    ))?;
    Ok(())
}
