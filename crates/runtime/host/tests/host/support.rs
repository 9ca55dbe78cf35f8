//! A host on a store in a temporary folder.

use std::path::PathBuf;
use std::sync::Arc;

use adjutant_effects::Performer;
use adjutant_host::{Clock, Committed, Config, Host, new_command_id, new_mission_id};
use adjutant_journal::{MasterKey, Vault};
use adjutant_mission::*;
use adjutant_store_sqlite::{Access, SqliteStore};
use adjutant_tools::{
    AllowedHosts, BoxFuture, Call, Manifest, Permissions, Registry, Tool, ToolFailure, ToolOutline,
    ToolSettings,
};
use tempfile::TempDir;

pub struct World {
    pub host: Host<SqliteStore>,
    pub folder: Arc<TempDir>,
    pub registry: Arc<Registry>,
}

pub fn tenant() -> TenantId {
    TenantId::new("acme").unwrap()
}

pub fn ann() -> Actor {
    Actor::human(AgentId::new("ann").unwrap())
}

/// The same key for every host, as after a restart.
fn vault() -> Vault {
    Vault::new(MasterKey::parse(&"5e".repeat(32)).unwrap())
}

fn registry(folder: &TempDir, permissions: Permissions) -> Arc<Registry> {
    let clock = Clock::system();
    let files = folder.path().join("files");
    let settings = ToolSettings {
        private_hosts: vec!["127.0.0.1".into()],
        http_hosts: AllowedHosts::Only(vec!["127.0.0.1".into()]),
        ..ToolSettings::new(files, Arc::new(move || clock.now()))
    };
    let mut registry = Registry::builtin(settings).unwrap();
    registry.register(Box::new(AsksToRepeat::new())).unwrap();
    Arc::new(registry.permitted_by(permissions))
}

/// Answers with the order that it is given, in place of the program's own tool, which makes one.
struct AsksToRepeat(Manifest);

impl AsksToRepeat {
    fn new() -> Self {
        let outline = ToolOutline {
            id: adjutant_host::SCHEDULE_REPEAT,
            name: "Schedule a repetition",
            description: "Asks for what it is given.",
            class: EffectClass::Idempotent,
            provenance: Provenance::Own,
            input: serde_json::json!({"type": "object"}),
            output: None,
            time_limit: Millis::seconds(10),
            output_bytes_max: 64 * 1024,
        };
        Self(outline.manifest().unwrap())
    }
}

impl Tool for AsksToRepeat {
    fn manifest(&self) -> &Manifest {
        &self.0
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<serde_json::Value, ToolFailure>> {
        Box::pin(async move { Ok(serde_json::json!({"data": call.arguments["order"]})) })
    }
}

impl World {
    pub fn new() -> Self {
        Self::reopened(Arc::new(TempDir::new().unwrap()))
    }

    /// A host on a folder another host has left.
    pub fn reopened(folder: Arc<TempDir>) -> Self {
        Self::with(folder, Config::default())
    }

    pub fn with(folder: Arc<TempDir>, config: Config) -> Self {
        Self::permitting(folder, config, Permissions::default())
    }

    pub fn permitting(folder: Arc<TempDir>, config: Config, permissions: Permissions) -> Self {
        let store = SqliteStore::open(folder.path().join("adjutant.db"), Access::Host).unwrap();
        let registry = registry(&folder, permissions);
        let host = Host::new(
            store,
            vault(),
            Performer::new(Arc::clone(&registry)),
            config,
        );
        Self {
            host,
            folder,
            registry,
        }
    }

    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("control.sock")
    }

    pub fn start(&self, plan: Plan, approvals: Vec<ApprovalSource>) -> Start {
        let mission = new_mission_id(self.host.clock().now()).unwrap();
        let scope = Scope::of(tenant());
        Start {
            mission,
            scope,
            plan,
            tools: self.registry.table(),
            approvals,
            parent: None,
            began_by: Vec::new(),
        }
    }

    pub async fn open(&self, plan: Plan) -> MissionId {
        self.open_with(plan, waive_all()).await
    }

    pub async fn open_with(&self, plan: Plan, approvals: Vec<ApprovalSource>) -> MissionId {
        let start = self.start(plan, approvals);
        self.host
            .open(ann(), self.command_id(), start)
            .await
            .unwrap()
    }

    pub fn command_id(&self) -> CommandId {
        new_command_id(self.host.clock().now()).unwrap()
    }

    pub async fn summary(&self, mission: MissionId) -> Summary {
        let listed = self.host.journal(&tenant()).summary(mission).await;
        listed.unwrap().unwrap().summary
    }

    /// Waits until the mission's stored row satisfies `until`, woken by what is committed.
    pub async fn wait_for(&self, mission: MissionId, until: impl Fn(&Summary) -> bool) -> Summary {
        let mut feed = self.host.subscribe();
        loop {
            let summary = self.summary(mission).await;
            if until(&summary) {
                return summary;
            }
            loop {
                let Committed { mission: of, .. } = feed.recv().await.unwrap();
                if of == mission {
                    break;
                }
            }
        }
    }

    pub async fn journal(&self, mission: MissionId) -> Vec<Recorded> {
        let read = self.host.journal(&tenant()).read(mission).await;
        read.unwrap().0
    }
}

pub fn waive_all() -> Vec<ApprovalSource> {
    vec![ApprovalSource::Waiver {
        by: AgentId::new("ann").unwrap(),
        types: Waivers::all(),
    }]
}

pub fn key(text: &str) -> TaskKey {
    TaskKey::new(text).unwrap()
}

pub fn call(name: &str, tool: &str, with: &str, after: &[&str]) -> Task {
    let call = ToolCall {
        tool: ToolId::new(tool).unwrap(),
        with: Json::parse(with).unwrap(),
    };
    Task::new(key(name), WorkSpec::Tool(call)).after(after.iter().map(|on| key(on)))
}

pub fn question(name: &str, after: &[&str]) -> Task {
    let human = Human {
        question: "Which way?".into(),
        kind: CheckpointType::CriticalDecision,
        options: Vec::new(),
        recommend: None,
        on_modify: None,
        because: String::new(),
        role: Some(Role::new("editor").unwrap()),
        approvers: None,
        deadline: None,
    };
    Task::new(key(name), WorkSpec::Human(human)).after(after.iter().map(|on| key(on)))
}
