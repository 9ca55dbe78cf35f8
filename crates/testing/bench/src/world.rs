//! A host on a fresh store, and chains of missions to run on it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use adjutant_effects::Performer;
use adjutant_host::{Config, Host, new_command_id, new_mission_id};
use adjutant_journal::{MasterKey, TenantJournal, Vault};
use adjutant_mission::{
    Actor, ApprovalSource, Human, Json, MissionId, Plan, Scope, Start, Task, TaskKey, TenantId,
    ToolCall, ToolId, ToolTable, Waivers, WorkSpec,
};
use adjutant_store::{Store, TenantStore};
use tokio::sync::broadcast::error::RecvError;

use super::{failed, process};
use crate::args::{BenchPlace, BenchStore};
use adjutant_app::error::AppError;
use adjutant_app::settings::{Settings, StorePlace};
use adjutant_app::stores::{Access, AnyStore, AnyTenant};
use adjutant_app::wiring;

const LETTER_BYTES_MIN: usize = 2_000;

pub(super) struct World {
    pub(super) host: Host<AnyStore>,
    tools: ToolTable,
    me: Actor,
    tenant: TenantId,
    folder: Folder,
}

/// What each mission does, by the names that the peers' benches use.
#[derive(Debug, Clone, Copy)]
pub(super) enum Workload {
    /// One step after the other.
    Chain { steps: u32 },
    /// One step, `width` at once, one step.
    Fanout { width: u16 },
    /// A chain whose every step gives 2 kB.
    Words { steps: u32 },
    /// The same with personal data, and no text twice in any mission.
    Letters { steps: u32 },
}

impl Workload {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Chain { .. } => "w1",
            Self::Fanout { .. } => "w2",
            Self::Words { .. } => "words",
            Self::Letters { .. } => "letters",
        }
    }

    pub(super) fn steps(self) -> u32 {
        match self {
            Self::Chain { steps } | Self::Words { steps } | Self::Letters { steps } => steps,
            Self::Fanout { width } => u32::from(width) + 2,
        }
    }

    fn plan(self) -> Result<Plan, AppError> {
        match self {
            Self::Chain { steps } => chain_of(steps, "{}"),
            Self::Fanout { width } => fan_of(width),
            Self::Words { steps } => wordy_plan(steps),
            Self::Letters { steps } => letters_plan(steps, 0),
        }
    }

    /// The plan of one mission: the same for all, where they are all the same.
    fn plan_of(self, shared: &Plan, mission: u64) -> Result<Plan, AppError> {
        match self {
            Self::Letters { steps } => letters_plan(steps, mission),
            Self::Chain { .. } | Self::Fanout { .. } | Self::Words { .. } => Ok(shared.clone()),
        }
    }
}

/// The folder of the store; a temporary one goes with the bench.
struct Folder {
    path: PathBuf,
    kept: Kept,
}

#[derive(PartialEq, Eq)]
enum Kept {
    Yes,
    No,
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.kept == Kept::No {
            // What cannot be removed from the temporary folder the system will remove.
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

impl World {
    pub(super) async fn open(settings: &Settings, wanted: &BenchPlace) -> Result<Self, AppError> {
        let folder = match &wanted.home {
            Some(home) => Folder {
                path: home.clone(),
                kept: Kept::Yes,
            },
            None => {
                let name = format!("adjutant-bench-{}", std::process::id());
                Folder {
                    path: std::env::temp_dir().join(name),
                    kept: Kept::No,
                }
            }
        };
        let place = place(settings, wanted.store, &folder.path)?;
        let store = AnyStore::open(&place, Access::Host).await?;
        let tools = wiring::own_tools(settings, wiring::HostParts::default())?;
        let table = tools.table();
        let vault = Vault::new(MasterKey::generate()?);
        let performer = Performer::new(Arc::new(tools));
        let host = Host::new(store, vault, performer, Config::default());
        host.carry_on();
        Ok(Self {
            host,
            tools: table,
            me: Actor::human(settings.me.clone()),
            tenant: settings.tenant.clone(),
            folder,
        })
    }

    /// What figures of it are called.
    pub(super) fn name(&self) -> &'static str {
        match self.host.store() {
            AnyStore::Sqlite(_) => "adjutant-sqlite",
            AnyStore::Postgres(_) => "adjutant-postgres",
        }
    }

    /// Whose missions they are.
    pub(super) fn owner(&self) -> (&TenantId, Actor) {
        (&self.tenant, self.me.clone())
    }

    pub(super) fn journal(&self) -> TenantJournal<AnyTenant> {
        self.host.journal(&self.tenant)
    }

    pub(super) fn store(&self) -> AnyTenant {
        self.host.store().tenant(&self.tenant)
    }

    /// Bytes of the store's files.
    fn store_bytes(&self) -> u64 {
        let files = std::fs::read_dir(&self.folder.path)
            .into_iter()
            .flatten()
            .flatten();
        files
            .filter_map(|file| Some(file.metadata().ok()?.len()))
            .sum()
    }

    pub(super) async fn begin(&self, plan: Plan, types: Waivers) -> Result<MissionId, AppError> {
        let now = self.host.clock().now();
        let by = self.me.id.clone();
        let waiver = ApprovalSource::Waiver { by, types };
        let start = Start {
            mission: new_mission_id(now)?,
            scope: Scope::of(self.tenant.clone()),
            plan,
            tools: self.tools.clone(),
            approvals: vec![waiver],
            parent: None,
            began_by: Vec::new(),
        };
        Ok(self
            .host
            .open(self.me.clone(), new_command_id(now)?, start)
            .await?)
    }

    /// Stops, and says how large the store is once its log has been moved into it.
    pub(super) async fn close(self) -> Result<u64, AppError> {
        self.host.drain().await;
        let on_server = match self.host.store() {
            AnyStore::Sqlite(_) => None,
            AnyStore::Postgres(store) => Some(store.size().await?),
        };
        self.host.store().close().await?;
        Ok(on_server.unwrap_or_else(|| self.store_bytes()))
    }

    /// Runs missions, `inflight` at a time, each finished one followed by the next, for a time.
    pub(super) async fn runs(
        &self,
        workload: Workload,
        inflight: usize,
        lasts: Lasts,
    ) -> Result<Ran, AppError> {
        let (plan, steps) = (workload.plan()?, workload.steps());
        // Every mission has the same tasks, so its journal's last event has the same number in all.
        let last_seq = self.run_one(&plan).await?;
        let mut committed = self.host.store().subscribe();
        let (cpu, began) = (process::cpu(), Instant::now());
        let mut running: HashMap<MissionId, Instant> = HashMap::new();
        let mut begun = 0;
        for _ in 0..inflight {
            if !lasts.goes_on(begun, began.elapsed()) {
                break;
            }
            begun += 1;
            let at = Instant::now();
            let plan = workload.plan_of(&plan, begun.into())?;
            running.insert(self.begin(plan, Waivers::all()).await?, at);
        }
        let mut took = Vec::new();
        while !running.is_empty() {
            let done = match committed.recv().await {
                Ok(news) if news.seq >= last_seq => {
                    running.remove(&news.mission).map(|at| vec![at])
                }
                Ok(_) => None,
                Err(RecvError::Lagged(_)) => Some(self.sweep(&mut running).await?),
                Err(RecvError::Closed) => return Err(failed("the store closed")),
            };
            for at in done.unwrap_or_default() {
                took.push(at.elapsed());
                if lasts.goes_on(begun, began.elapsed()) {
                    begun += 1;
                    let at = Instant::now();
                    let plan = workload.plan_of(&plan, begun.into())?;
                    running.insert(self.begin(plan, Waivers::all()).await?, at);
                }
            }
        }
        let seconds = began.elapsed().as_secs_f64();
        took.sort();
        Ok(Ran {
            took,
            steps,
            seconds,
            events_each: last_seq,
            cores: (process::cpu().saturating_sub(cpu)).as_secs_f64() / seconds,
        })
    }

    /// News was missed: looks up which missions have ended.
    async fn sweep(
        &self,
        running: &mut HashMap<MissionId, Instant>,
    ) -> Result<Vec<Instant>, AppError> {
        let store = self.store();
        let mut done = Vec::new();
        for mission in running.keys().copied().collect::<Vec<_>>() {
            let ended = store
                .row(mission)
                .await?
                .is_some_and(|row| row.summary.phase.is_ended());
            if ended {
                done.extend(running.remove(&mission));
            }
        }
        Ok(done)
    }

    /// Runs one chain whose every step gives 2 kB.
    pub(super) async fn wordy_chain(&self, steps: u32) -> Result<(), AppError> {
        self.run_one(&wordy_plan(steps)?).await.map(drop)
    }

    async fn run_one(&self, plan: &Plan) -> Result<u64, AppError> {
        let mut feed = self.host.subscribe();
        let mission = self.begin(plan.clone(), Waivers::all()).await?;
        let store = self.store();
        loop {
            if store
                .row(mission)
                .await?
                .is_some_and(|row| row.summary.phase.is_ended())
            {
                let head = store.head(mission).await?;
                return head
                    .map(|head| head.seq)
                    .ok_or_else(|| failed("the first mission is gone"));
            }
            let _ = feed.recv().await;
        }
    }
}

/// A store of the bench's own: a file in `folder`, or on the server of the settings a schema that stays there.
pub(super) fn place(
    settings: &Settings,
    wanted: Option<BenchStore>,
    folder: &Path,
) -> Result<StorePlace, AppError> {
    let has_server = matches!(settings.store, StorePlace::Server { .. });
    let wanted = wanted.unwrap_or(match has_server {
        true => BenchStore::Postgres,
        false => BenchStore::Sqlite,
    });
    if wanted == BenchStore::Postgres {
        let now = wiring::clock().now().0;
        let schema = format!("adjutant_bench_{}_{now}", std::process::id());
        let place = on_server(settings, &schema)?;
        crate::output::note(&format!(
            "Measuring in the schema {schema}, which stays on the server."
        ));
        return Ok(place);
    }
    std::fs::create_dir_all(folder)
        .map_err(|error| failed(format!("{}: {error}", folder.display())))?;
    let database = folder.join("bench.db");
    if database.exists() {
        return Err(failed(format!("{} already exists", database.display())));
    }
    Ok(StorePlace::File(database))
}

/// A schema on the server of the settings.
pub(super) fn on_server(settings: &Settings, schema: &str) -> Result<StorePlace, AppError> {
    match &settings.store {
        StorePlace::Server { address, .. } => Ok(StorePlace::Server {
            address: address.clone(),
            schema: schema.to_owned(),
        }),
        StorePlace::File(_) => Err(failed(
            "no PostgreSQL server is set: name one with ADJUTANT_STORE_URL or `store.url`",
        )),
    }
}

/// When a bench has had enough.
#[derive(Debug, Clone, Copy)]
pub(super) enum Lasts {
    For(Duration),
    Missions(u32),
}

impl Lasts {
    fn goes_on(self, begun: u32, passed: Duration) -> bool {
        match self {
            Self::For(time) => passed < time,
            Self::Missions(most) => begun < most,
        }
    }
}

pub(super) struct Ran {
    took: Vec<Duration>,
    steps: u32,
    pub(super) seconds: f64,
    events_each: u64,
    pub(super) cores: f64,
}

impl Ran {
    pub(super) fn missions(&self) -> usize {
        self.took.len()
    }

    pub(super) fn missions_s(&self) -> f64 {
        self.took.len() as f64 / self.seconds
    }

    pub(super) fn steps_s(&self) -> f64 {
        self.missions_s() * f64::from(self.steps)
    }

    pub(super) fn events_s(&self) -> f64 {
        self.missions_s() * self.events_each as f64
    }

    pub(super) fn percentile_ms(&self, percent: usize) -> f64 {
        let at = (self.took.len() * percent / 100).min(self.took.len().saturating_sub(1));
        self.took
            .get(at)
            .map_or(0.0, |took| took.as_secs_f64() * 1_000.0)
    }

    /// Steps done in all, the first mission's included.
    pub(super) fn steps(&self) -> f64 {
        (self.took.len() as f64 + 1.0) * f64::from(self.steps)
    }
}

fn key(text: String) -> Result<TaskKey, AppError> {
    TaskKey::new(text).map_err(|error| failed(error.to_string()))
}

/// A chain whose outputs are 2,000 characters each; the plan itself holds them once.
fn wordy_plan(steps: u32) -> Result<Plan, AppError> {
    let text = serde_json::json!({ "text": "x".repeat(2_000) }).to_string();
    let inputs = Json::parse(&text).map_err(|error| failed(error.to_string()))?;
    Ok(Plan {
        inputs: Some(inputs),
        ..chain_of(steps, r#"{"value": "{{inputs.text}}"}"#)?
    })
}

/// A chain whose every step is given a letter of its own, with names, dates of birth and addresses in it.
fn letters_plan(steps: u32, mission: u64) -> Result<Plan, AppError> {
    let mut plan = chain_of(steps, "{}")?;
    for (step, task) in plan.tasks.iter_mut().enumerate() {
        if let WorkSpec::Tool(call) = &mut task.work {
            let with = serde_json::json!({ "value": letter(mission, step) });
            call.with = Json::encode(&with).map_err(|error| failed(error.to_string()))?;
        }
    }
    Ok(plan)
}

fn letter(mission: u64, step: usize) -> String {
    let mut letter = String::new();
    for line in 0.. {
        let number = mission * 1_000 + step as u64 * 20 + line;
        letter += &format!(
            "Letter {number}: Mrs Anna Weber of {number} Mill Lane, born on {:02}.{:02}.19{:02}, writes from \
             anna.weber{number}@clinic.example that the appointment of week {} was kept. ",
            1 + number % 28,
            1 + number % 12,
            30 + number % 60,
            1 + number % 52,
        );
        if letter.len() >= LETTER_BYTES_MIN {
            break;
        }
    }
    letter
}

fn noop(name: String, with: &str) -> Result<Task, AppError> {
    let tool = ToolId::new("noop").map_err(|error| failed(error.to_string()))?;
    let with = Json::parse(with).map_err(|error| failed(error.to_string()))?;
    let call = ToolCall { tool, with };
    Ok(Task::new(key(name)?, WorkSpec::Tool(call)))
}

fn fan_of(width: u16) -> Result<Plan, AppError> {
    let mut tasks = vec![noop("first".into(), "{}")?];
    let mut middle = Vec::new();
    for n in 0..width {
        let name = format!("m{n}");
        middle.push(key(name.clone())?);
        tasks.push(noop(name, "{}")?.after([key("first".into())?]));
    }
    tasks.push(noop("last".into(), "{}")?.after(middle));
    Ok(Plan {
        concurrency: width,
        ..Plan::new("Fan-out", tasks)
    })
}

/// Two steps, a question, one step.
pub(super) fn pausing_plan() -> Result<Plan, AppError> {
    let mut plan = chain_of(2, "{}")?;
    let question = waiting_plan()?.tasks.remove(0).after([key("s1".into())?]);
    plan.tasks.push(question);
    plan.tasks
        .push(noop("s2".into(), "{}")?.after([key("ask".into())?]));
    Ok(plan)
}

fn chain_of(steps: u32, with: &str) -> Result<Plan, AppError> {
    let mut tasks = Vec::new();
    for n in 0..steps {
        let task = noop(format!("s{n}"), with)?;
        let before = n
            .checked_sub(1)
            .map(|before| key(format!("s{before}")))
            .transpose()?;
        tasks.push(task.after(before));
    }
    Ok(Plan::new("Chain", tasks))
}

/// A plan that is one question.
pub(super) fn waiting_plan() -> Result<Plan, AppError> {
    let human = Human {
        question: "Go on?".into(),
        kind: adjutant_mission::CheckpointType::CriticalDecision,
        options: Vec::new(),
        recommend: None,
        on_modify: None,
        because: String::new(),
        role: None,
        approvers: None,
        deadline: None,
    };
    let task = Task::new(key("ask".into())?, WorkSpec::Human(human));
    Ok(Plan::new("Waits", vec![task]))
}
