//! The server as a process, and what clients of the benches have in common: users, missions, decisions.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use super::super::{process, world};
use super::failed;
use super::http::{Answer, Connection};
use crate::args::BenchPlace;
use adjutant_app::error::AppError;
use adjutant_app::settings::{Settings, StorePlace};

const UP_WITHIN: Duration = Duration::from_secs(60);
/// Missions that one user may have at work.
pub(super) const MISSIONS_PER_USER: u32 = 5;
/// Chains of steps that run side by side in a mission of the benches.
const LANES: u32 = 4;
/// What a step tells: that it is called, is ready, runs, answered, is done, and how far the mission is.
const EVENTS_PER_STEP: f64 = 6.0;

/// Where a server of the bench lives; a temporary folder goes with the bench.
pub(super) struct Home {
    folder: PathBuf,
    store: StorePlace,
    is_temporary: bool,
    token: String,
}

impl Drop for Home {
    fn drop(&mut self) {
        if self.is_temporary {
            // What cannot be removed from the temporary folder the system will remove.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

impl Home {
    pub(super) fn new(settings: &Settings, wanted: &BenchPlace) -> Result<Self, AppError> {
        let own = || std::env::temp_dir().join(format!("adjutant-bench-{}", std::process::id()));
        let folder = wanted.home.clone().unwrap_or_else(own);
        let store = world::place(settings, wanted.store, &folder)?;
        if folder.join("adjutant.toml").exists() {
            return Err(failed(format!("{} is in use", folder.display())));
        }
        let unwritten = |error: std::io::Error| failed(format!("{}: {error}", folder.display()));
        std::fs::create_dir_all(folder.join("missions")).map_err(unwritten)?;
        let schema = match &store {
            StorePlace::File(_) => String::new(),
            StorePlace::Server { schema, .. } => format!("[store]\nschema = \"{schema}\"\n"),
        };
        std::fs::write(folder.join("adjutant.toml"), schema).map_err(unwritten)?;
        let mut secret = [0_u8; 16];
        getrandom::fill(&mut secret).map_err(|error| failed(error.to_string()))?;
        let mut token = String::from("adj_bench_");
        for byte in secret {
            // Writing into a text cannot fail.
            let _ = write!(token, "{byte:02x}");
        }
        Ok(Self {
            folder,
            store,
            is_temporary: wanted.home.is_none(),
            token,
        })
    }

    /// What figures of it are called.
    pub(super) fn name(&self) -> &'static str {
        match self.store {
            StorePlace::File(_) => "adjutant-sqlite",
            StorePlace::Server { .. } => "adjutant-postgres",
        }
    }

    /// A mission in the folder's catalogue that tells about so many events a second, for so long.
    pub(super) fn teach(&self, id: &str, seconds: f64, events: f64) -> Result<(), AppError> {
        let step = f64::from(LANES) * EVENTS_PER_STEP / events;
        let steps = (seconds / step).ceil() as u32;
        let mut text = format!(
            "id: {id}\nname: {id}\ncategory: understand\nversion: 1\nabout: Waits in small steps\n\
             expert: L2-research-coordinator\nspecialists: []\nworkers: [L4-DE]\ntools: []\n\
             reasoning: {{patterns: [chain_of_thought], max_iterations: 1, confidence_threshold: 0.5}}\n\
             methods: []\nestimate: {{cost: {{from: $0.00, to: $0.01}}, time: {{from: 1m, to: 2m}}}}\n\
             deliverable: {{kind: deep_dive, sections: [None]}}\ninputs: []\ncheckpoints: []\ntasks:\n"
        );
        for lane in 0..LANES {
            // Lanes take their steps in turn, not all at once.
            let first = step * f64::from(lane + 1) / f64::from(LANES);
            for n in 0..steps {
                let (after, wait) = match n.checked_sub(1) {
                    None => (String::new(), first),
                    Some(before) => (format!("after: l{lane}s{before}, "), step),
                };
                let _ = writeln!(
                    text,
                    "  - {{id: l{lane}s{n}, {after}tool: sleep, with: {{seconds: {wait:.3}}}}}"
                );
            }
        }
        let file = self.folder.join("missions").join(format!("{id}.yaml"));
        std::fs::write(&file, text).map_err(|error| failed(format!("{}: {error}", file.display())))
    }

    /// The program over this folder, and nothing of our own settings.
    fn program(&self, arguments: &[&str]) -> Result<Command, AppError> {
        let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(&self.folder)
            .env("ADJUTANT_HOME", &self.folder)
            .env("ADJUTANT_USER", "bench")
            .env("ADJUTANT_TOKEN", &self.token)
            .env_remove("ADJUTANT_CASSETTE")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        match &self.store {
            StorePlace::File(_) => command.env_remove("ADJUTANT_STORE_URL"),
            StorePlace::Server { address, .. } => command.env("ADJUTANT_STORE_URL", address),
        };
        Ok(command)
    }

    /// The journal of a mission as `adjutant events` tells it, beside a server that may be at work.
    pub(super) async fn journal(&self, mission: &str) -> Result<Option<String>, AppError> {
        let told = self.program(&["events", mission, "--json"])?.output().await;
        let told = told.map_err(|error| failed(error.to_string()))?;
        let text = String::from_utf8_lossy(&told.stdout).into_owned();
        Ok(told.status.success().then_some(text))
    }

    pub(super) async fn serve(&self) -> Result<Server, AppError> {
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--json"];
        let child = self.program(&arguments)?.spawn();
        let mut child = child.map_err(|error| failed(error.to_string()))?;
        let stdout = child.stdout.take().ok_or_else(|| failed("no output"))?;
        let mut lines = BufReader::new(stdout).lines();
        let address = tokio::time::timeout(UP_WITHIN, async {
            while let Ok(Some(line)) = lines.next_line().await {
                let told: Value = serde_json::from_str(&line).unwrap_or_default();
                if let Some(address) = told["serving"]["address"].as_str() {
                    return address.trim_start_matches("http://").parse().ok();
                }
            }
            None
        });
        let address: Option<SocketAddr> = address.await.ok().flatten();
        let address = address.ok_or_else(|| failed("the server did not start"))?;
        // What it goes on to say is taken, so that it never waits for us.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Server {
            child,
            address,
            token: self.token.clone(),
        })
    }
}

pub(super) struct Server {
    child: Child,
    pub(super) address: SocketAddr,
    pub(super) token: String,
}

/// Somebody with a key, and a connection.
pub(super) struct User {
    pub(super) connection: Connection,
    pub(super) token: String,
}

impl Server {
    pub(super) fn rss_mb(&self) -> f64 {
        self.child.id().map_or(0.0, process::rss_mb_of)
    }

    pub(super) fn cpu(&self) -> Duration {
        let id = self.child.id();
        id.map_or(Duration::ZERO, |id| process::cpu_of(&id.to_string()))
    }

    /// `kill -9`.
    pub(super) async fn kill(mut self) -> Result<(), AppError> {
        let killed = self.child.kill().await;
        killed.map_err(|error| failed(format!("the server could not be ended: {error}")))
    }

    /// The server's owner.
    pub(super) async fn owner(&self) -> Result<User, AppError> {
        Ok(User {
            connection: Connection::open(self.address).await.map_err(gone)?,
            token: self.token.clone(),
        })
    }

    /// A new user who may start, decide and steer.
    pub(super) async fn user(&self, who: &str) -> Result<User, AppError> {
        let wanted = json!({ "who": who, "role": "operator", "expires_in_days": 1 });
        let mut owner = self.owner().await?;
        let told = owner.must("/api/access", Some(&wanted)).await?;
        Ok(User {
            token: told["token"].as_str().unwrap_or_default().to_owned(),
            ..owner
        })
    }

    /// Users who have so many missions of a kind at work between them. The plans are approved.
    pub(super) async fn run_missions(
        &self,
        id: &str,
        missions: u32,
    ) -> Result<Vec<String>, AppError> {
        let mut all = Vec::new();
        while (all.len() as u32) < missions {
            let mut user = self.user(&format!("user{}", all.len())).await?;
            let some = (missions - all.len() as u32).min(MISSIONS_PER_USER);
            for _ in 0..some {
                let mission = user.start(id).await?;
                user.approve(&mission, 0, "").await?;
                all.push(mission);
            }
        }
        Ok(all)
    }
}

pub(super) fn gone(error: std::io::Error) -> AppError {
    failed(format!("the server does not answer: {error}"))
}

impl User {
    pub(super) async fn ask(
        &mut self,
        path: &str,
        body: Option<&Value>,
    ) -> std::io::Result<Answer> {
        let body = body.map(Value::to_string);
        self.connection
            .ask(&self.token, path, body.as_deref())
            .await
    }

    /// An answer that must be a good one.
    pub(super) async fn must(
        &mut self,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, AppError> {
        let answer = self.ask(path, body).await.map_err(gone)?;
        let told: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        match answer.status {
            200..=299 => Ok(told),
            status => Err(failed(format!("{path} is answered with {status}: {told}"))),
        }
    }

    pub(super) async fn start(&mut self, id: &str) -> Result<String, AppError> {
        let told = self.must("/api/missions", Some(&wanted(id))).await?;
        Ok(told["mission"].as_str().unwrap_or_default().to_owned())
    }

    pub(super) async fn approve(
        &mut self,
        mission: &str,
        number: u32,
        note: &str,
    ) -> Result<(), AppError> {
        let path = format!("/api/missions/{mission}/checkpoints/{number}/decision");
        self.must(&path, Some(&approval(note))).await.map(drop)
    }
}

pub(super) fn wanted(id: &str) -> Value {
    json!({ "mission": id, "objective": "To be measured" })
}

pub(super) fn approval(note: &str) -> Value {
    json!({ "verdict": "approve", "note": note })
}
