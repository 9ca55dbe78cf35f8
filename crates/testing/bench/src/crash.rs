//! `bench crash`: chains whose process is killed half-way, and another process that finishes them.
//!
//! Every step writes a line to a log of its own, as the peers' benches do, and may happen only once: what was under
//! way at the kill is in doubt and asked about. The bench answers as a careful person would, by looking into the log.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use adjutant_effects::Performer;
use adjutant_host::{Config, Host, Performs, new_command_id, new_mission_id};
use adjutant_journal::{MasterKey, Vault};
use adjutant_mission::{
    Actor, ApprovalSource, Asks, CheckpointId, Command, Decision, EffectClass, Json, OptionKey,
    Phase, Plan, Provenance, Scope, Start, Task, TaskKey, ToolCall, ToolId, Verdict, Waivers,
    WorkSpec,
};
use adjutant_store::{Committed, Store as _, TenantStore};
use adjutant_tools::{BoxFuture, Call, Manifest, Registry, Tool, ToolFailure};
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command as Program};
use tokio::sync::broadcast::{self, error::RecvError};

use super::load::round;
use super::{failed, world};
use crate::args::{BenchCrash, CrashPart};
use crate::output;
use adjutant_app::error::AppError;
use adjutant_app::settings::{Settings, StorePlace};
use adjutant_app::stores::{Access, AnyStore};

const STEPS: u32 = 20;
const PATIENCE: Duration = Duration::from_secs(120);
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Questions read at a time.
const QUESTIONS: u32 = 1_000;
const ANSWERS_AT_ONCE: usize = 64;

pub(crate) async fn run(settings: &Settings, crash: BenchCrash) -> Result<(), AppError> {
    let missions = crash.missions as usize;
    let (Some(part), Some(home)) = (&crash.part, &crash.place.home) else {
        return both(settings, &crash).await;
    };
    let bench = Bench {
        settings,
        home,
        store: match &crash.schema {
            Some(schema) => world::on_server(settings, schema)?,
            None => StorePlace::File(home.join("bench.db")),
        },
    };
    match part {
        CrashPart::First => bench.first(missions).await,
        CrashPart::Again => bench.again(missions).await,
    }
}

/// What both processes work on.
struct Bench<'a> {
    settings: &'a Settings,
    home: &'a Path,
    store: StorePlace,
}

/// Starts one process, kills it, starts another, and says how that went.
async fn both(settings: &Settings, crash: &BenchCrash) -> Result<(), AppError> {
    let home = match &crash.place.home {
        Some(home) => home.clone(),
        None => std::env::temp_dir().join(format!("adjutant-bench-{}", std::process::id())),
    };
    let store = world::place(settings, crash.place.store, &home)?;
    std::fs::create_dir_all(&home)
        .map_err(|error| failed(format!("{}: {error}", home.display())))?;
    let log = home.join("steps.log");
    if log.exists() {
        return Err(failed(format!("{} already exists", log.display())));
    }
    let total = crash.missions as usize * STEPS as usize;
    let mut child = spawn(crash, &home, &store, "first")?;
    let began = Instant::now();
    while lines(&log).len() < total / 2 {
        if began.elapsed() > PATIENCE {
            return Err(failed("the missions never got half-way"));
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    let stuck = |error: std::io::Error| failed(format!("the process could not be ended: {error}"));
    child.kill().await.map_err(stuck)?;
    let at_kill = lines(&log).len();
    let killed = Instant::now();
    let mut child = spawn(crash, &home, &store, "again")?;
    let mut told = BufReader::new(child.stdout.take().ok_or_else(|| failed("no output"))?).lines();
    let (mut ready_s, mut resumed_s, mut doubts) = (0.0, None, 0);
    while let Ok(Some(line)) = told.next_line().await {
        match line.split_once(' ') {
            Some(("READY", _)) => ready_s = killed.elapsed().as_secs_f64(),
            Some(("RESUMED", _)) => resumed_s = Some(killed.elapsed().as_secs_f64()),
            Some(("DONE", asked)) => {
                doubts = asked.parse().unwrap_or(0);
                break;
            }
            _ => {}
        }
    }
    let all_done_s = killed.elapsed().as_secs_f64();
    let ended = child.wait().await.map_err(stuck)?;
    if !ended.success() {
        return Err(failed("the second process did not finish the missions"));
    }
    let executed = lines(&log);
    let distinct: HashSet<&String> = executed.iter().collect();
    let (twice, missing) = (executed.len() - distinct.len(), total - distinct.len());
    if crash.place.home.is_none() {
        // What cannot be removed from the temporary folder the system will remove.
        let _ = std::fs::remove_dir_all(&home);
    }
    if crash.json.json {
        let peer = match store {
            StorePlace::File(_) => "adjutant-sqlite",
            StorePlace::Server { .. } => "adjutant-postgres",
        };
        let line = json!({
            "peer": peer, "workload": "w4", "missions": crash.missions, "at_kill": at_kill,
            "app_ready_s": round(ready_s), "resumed_s": resumed_s.map(round), "all_done_s": round(all_done_s), "executed": executed.len(),
            "twice": twice, "missing": missing, "in_doubt": doubts,
        });
        output::line(&line.to_string())?;
        return Ok(());
    }
    output::line(&format!(
        " {} chains of {STEPS} steps, killed after {at_kill} steps: all done {all_done_s:.2} s later",
        crash.missions
    ))?;
    output::line(&format!(
        "   {twice} steps done twice, {missing} never · {doubts} in doubt and asked about · ready after {ready_s:.2} s{}",
        resumed_s.map_or(String::new(), |after| format!(
            ", every mission taken up after {after:.2} s"
        ))
    ))?;
    Ok(())
}

fn spawn(
    crash: &BenchCrash,
    home: &Path,
    store: &StorePlace,
    part: &str,
) -> Result<Child, AppError> {
    let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
    let mut command = Program::new(program);
    command
        .args(["bench", "crash", "--part", part, "--home"])
        .arg(home)
        .args(["--missions", &crash.missions.to_string()]);
    if let StorePlace::Server { schema, .. } = store {
        command.args(["--schema", schema]);
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| failed(format!("another process cannot be started: {error}")))
}

fn lines(log: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

impl Bench<'_> {
    /// Opens all chains before any of them takes a step, then runs them until it is killed.
    async fn first(&self, missions: usize) -> Result<(), AppError> {
        let opening = self.host(Performs::Nothing).await?;
        let (registry, plan) = (registry(self.home)?, plan()?);
        for _ in 0..missions {
            let now = opening.clock().now();
            let waiver = ApprovalSource::Waiver {
                by: self.settings.me.clone(),
                types: Waivers::all(),
            };
            let start = Start {
                mission: new_mission_id(now)?,
                scope: Scope::of(self.settings.tenant.clone()),
                plan: plan.clone(),
                tools: registry.table(),
                approvals: vec![waiver],
                parent: None,
                began_by: Vec::new(),
            };
            let by = Actor::human(self.settings.me.clone());
            opening.open(by, new_command_id(now)?, start).await?;
        }
        opening.drain().await;
        opening.store().close().await?;
        let running = self.host(Performs::Effects).await?;
        running.carry_on();
        tokio::time::sleep(PATIENCE).await;
        Err(failed("nobody ended this process"))
    }

    /// Takes up what the other process left, and answers for what is in doubt.
    async fn again(&self, missions: usize) -> Result<(), AppError> {
        let host = self.host(Performs::Effects).await?;
        let journal = host.journal(&self.settings.tenant);
        let counts = journal.store().counts().await?;
        let ended = counts.iter().filter(|(phase, _)| phase.is_ended());
        let left = missions - ended.map(|(_, n)| *n as usize).sum::<usize>();
        let committed = host.store().subscribe();
        // A thread of its own: the runtime's are busy, and what it misses it counts late.
        std::thread::spawn(move || all_moved(committed, left));
        host.carry_on();
        output::line("READY ")?;
        let mut doubts = 0;
        let began = Instant::now();
        loop {
            let counts = journal.store().counts().await?;
            let completed = counts.iter().find(|(phase, _)| *phase == Phase::Completed);
            if completed.is_some_and(|(_, n)| *n == missions as u64) {
                break;
            }
            if began.elapsed() > PATIENCE {
                return Err(failed("the missions do not end"));
            }
            let asked = journal.inbox(QUESTIONS).await?;
            if asked.is_empty() {
                tokio::time::sleep(LOOK_EVERY).await;
                continue;
            }
            let done: HashSet<String> = lines(&self.home.join("steps.log")).into_iter().collect();
            let answers = asked
                .into_iter()
                .map(|question| self.settle(&host, question.checkpoint, &done));
            let answered: Vec<bool> = stream::iter(answers)
                .buffer_unordered(ANSWERS_AT_ONCE)
                .try_collect()
                .await?;
            doubts += answered.into_iter().filter(|asked| *asked).count();
        }
        output::line(&format!("DONE {doubts}"))?;
        host.drain().await;
        host.store().close().await?;
        Ok(())
    }

    /// Says what became of an effect in doubt; `false` if it was answered before.
    async fn settle(
        &self,
        host: &Host<AnyStore>,
        checkpoint: CheckpointId,
        done: &HashSet<String>,
    ) -> Result<bool, AppError> {
        let (mission, _) = host
            .journal(&self.settings.tenant)
            .load(checkpoint.mission)
            .await?;
        let asked = mission
            .open_checkpoints()
            .find(|state| state.checkpoint.number == checkpoint.number);
        let Some(Asks::SettleInDoubt { task, .. }) = asked.map(|state| &state.checkpoint.asks)
        else {
            return Ok(false);
        };
        let happened = done.contains(&format!("{} {task}", checkpoint.mission));
        let option = if happened { "mark_done" } else { "retry" };
        let decision = Decision {
            option: OptionKey::new(option).ok(),
            ..Decision::new(Verdict::Approve)
        };
        let command = Command::Decide {
            checkpoint: checkpoint.number,
            decision,
        };
        let id = new_command_id(host.clock().now())?;
        let by = Actor::human(self.settings.me.clone());
        host.command(&self.settings.tenant, checkpoint.mission, id, by, command)
            .await?;
        Ok(true)
    }

    /// A host on the store, with the key that was made with it.
    async fn host(&self, performs: Performs) -> Result<Host<AnyStore>, AppError> {
        // The server may not know yet that the process before is dead.
        let store = AnyStore::open(&self.store, Access::StandBy).await?;
        let key = self.home.join("bench.key");
        if !key.exists() {
            adjutant_app::settings::keep(&key, &MasterKey::generate()?.text())?;
        }
        let text = std::fs::read_to_string(&key).unwrap_or_default();
        let master = MasterKey::parse(&text).ok_or_else(|| failed("the bench's key is damaged"))?;
        let performer = Performer::new(Arc::new(registry(self.home)?));
        let config = Config {
            performs,
            ..Config::default()
        };
        Ok(Host::new(store, Vault::new(master), performer, config))
    }
}

/// Says when so many missions have moved: each of them has something to record as soon as it is taken up. News that
/// was missed is made up for by the mission's next, so it may be said late and never early.
fn all_moved(mut committed: broadcast::Receiver<Committed>, left: usize) {
    let mut moved = HashSet::new();
    loop {
        match committed.blocking_recv() {
            Ok(news) => moved.insert(news.mission),
            Err(RecvError::Lagged(_)) => continue,
            Err(RecvError::Closed) => return,
        };
        if moved.len() >= left {
            let _ = output::line("RESUMED ");
            return;
        }
    }
}

/// The bench's own step is the only tool there is.
fn registry(home: &Path) -> Result<Registry, AppError> {
    let mut registry = Registry::new();
    let registered = registry.register(Box::new(Step::new(home)?));
    registered.map_err(|error| failed(error.to_string()))?;
    Ok(registry)
}

fn plan() -> Result<Plan, AppError> {
    let wrong = |error: &dyn std::fmt::Display| failed(error.to_string());
    let tool = ToolId::new(Step::ID).map_err(|error| wrong(&error))?;
    let mut tasks: Vec<Task> = Vec::new();
    for n in 0..STEPS {
        let name = format!("s{n}");
        let with = json!({ "step": name }).to_string();
        let call = ToolCall {
            tool: tool.clone(),
            with: Json::parse(&with).map_err(|error| wrong(&error))?,
        };
        let key = TaskKey::new(name).map_err(|error| wrong(&error))?;
        let before = tasks.last().map(|task| task.key.clone());
        tasks.push(Task::new(key, WorkSpec::Tool(call)).after(before));
    }
    Ok(Plan::new("Chain", tasks))
}

/// Writes a line that says it was done: one write, which a killed process has made whole or not at all.
struct Step {
    manifest: Manifest,
    log: Mutex<std::fs::File>,
}

impl Step {
    const ID: &str = "bench_step";

    fn new(home: &Path) -> Result<Self, AppError> {
        let path: PathBuf = home.join("steps.log");
        let log = std::fs::File::options()
            .append(true)
            .create(true)
            .open(&path)
            .map_err(|error| failed(format!("{}: {error}", path.display())))?;
        let id = ToolId::new(Self::ID).map_err(|error| failed(error.to_string()))?;
        let input = json!({ "type": "object", "properties": { "step": { "type": "string" } } });
        let manifest = Manifest {
            name: "A step of the bench".into(),
            description: "Writes a line to the bench's log.".into(),
            provenance: Provenance::Own,
            ..Manifest::new(id, EffectClass::Once, input)
        };
        Ok(Self {
            manifest,
            log: Mutex::new(log),
        })
    }
}

impl Tool for Step {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        let step = call.arguments.get("step").and_then(Value::as_str);
        let line = format!("{} {}\n", call.effect.mission, step.unwrap_or_default());
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let written = log.write_all(line.as_bytes());
        let written = written.map_err(|error| ToolFailure::permanent(error.to_string()));
        Box::pin(std::future::ready(written.map(|()| Value::Null)))
    }
}
