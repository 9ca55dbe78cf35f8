//! What a tenant has that requests can name, for the tests of every route; and what of it a request may change.

use adjutant_host::{AccessKey, AccessRole, StopScope, Upkeep};
use adjutant_mission::*;
use adjutant_store::{PhaseCounts, RecordKind, RecordRow, Store, TenantStore};
use reqwest::Response;
use serde_json::{Value, json};

use crate::support::*;

/// In everything that tenant `acme` has. Whoever may not read its missions must never receive it.
pub(crate) const MARKER: &str = "quetzalcoatlus";

pub(crate) fn acme() -> TenantId {
    TenantId::new("acme").unwrap()
}

pub(crate) fn rival() -> TenantId {
    TenantId::new("rival").unwrap()
}

pub(crate) fn agent(name: &str) -> AgentId {
    AgentId::new(name).unwrap()
}

/// What a tenant has that a request can name, and how a request names it.
pub(crate) struct Things {
    pub(crate) mission: String,
    pub(crate) session: String,
    /// The open checkpoint, as Mode 3 names it.
    pub(crate) checkpoint: String,
    pub(crate) number: u32,
    pub(crate) key: String,
    pub(crate) trigger: String,
    pub(crate) provider: String,
    pub(crate) base: &'static str,
    /// The UUID of the agent that leads deep dives.
    pub(crate) expert: String,
    /// Of the link in a mail that asks the open checkpoint.
    pub(crate) token: String,
}

/// A mission that has called a tool and then asks a person; both say the marker.
pub(crate) async fn open_mission(world: &World, tenant: TenantId, says: &str) -> MissionId {
    let call = WorkSpec::Tool(ToolCall {
        tool: ToolId::new("noop").unwrap(),
        with: Json::parse(&json!({ "value": { "said": says } }).to_string()).unwrap(),
    });
    let asks = WorkSpec::Human(Human {
        question: format!("Is it {says}?"),
        kind: CheckpointType::CriticalDecision,
        options: Vec::new(),
        recommend: None,
        on_modify: None,
        because: String::new(),
        role: None,
        approvers: None,
        deadline: None,
    });
    let key = |name: &str| TaskKey::new(name).unwrap();
    let tasks = vec![
        Task::new(key("told"), call),
        Task::new(key("asks"), asks).after([key("told")]),
    ];
    let registry = world.tools();
    let now = world.host().clock().now();
    let mission = adjutant_host::new_mission_id(now).unwrap();
    let start = Start {
        mission,
        scope: Scope::of(tenant),
        plan: Plan {
            objective: says.to_owned(),
            ..Plan::new(says, tasks)
        },
        tools: registry,
        approvals: Vec::new(),
        parent: None,
        began_by: Vec::new(),
    };
    let by = Actor::human(agent("ann"));
    let command = CommandId::from_bits(mission.bits());
    world.host().open(by, command, start).await.unwrap();
    mission
}

/// Gives somebody a token; its id comes first.
pub(crate) async fn give_key(world: &World, tenant: &TenantId, key: AccessKey) -> (String, String) {
    let (id, token) = AccessKey::new_token().unwrap();
    let key = AccessKey {
        hash: AccessKey::hash_of(&token),
        ..key
    };
    let give = Upkeep::GiveAccess {
        id: id.clone(),
        key: Box::new(key),
    };
    world.host().upkeep(tenant, give).await.unwrap();
    (id, token)
}

pub(crate) fn key_of(world: &World, who: &str, role: AccessRole) -> AccessKey {
    AccessKey {
        who: agent(who),
        role,
        decides_for: Vec::new(),
        hash: String::new(),
        made_at: world.host().clock().now(),
        made_by: agent("ann"),
        expires_at: None,
        revoked_at: None,
    }
}

pub(crate) async fn stop(world: &World, scope: StopScope) {
    let stop = Upkeep::Stop {
        scope,
        by: Actor::human(agent("ann")),
        reason: MARKER.to_owned(),
    };
    world.host().upkeep(&acme(), stop).await.unwrap();
}

pub(crate) fn trigger_body(name: &str) -> Value {
    json!({
        "name": name, "schedule": { "cron": "0 8 * * 1" },
        "start": { "mission": "deep_dive", "objective": "red" },
    })
}

/// A fresh one of everything, so that a request can change it.
pub(crate) async fn things(world: &World, approved: u32) -> Things {
    let mission = open_mission(world, acme(), MARKER).await;
    let session = format!("{:032x}", mission.bits());
    let cuts = [0..8, 8..12, 12..16, 16..20, 20..32];
    let session = cuts.map(|cut| &session[cut]).join("-");
    let mission = mission.to_string();
    world.asked(&mission, 0).await;
    for number in 0..approved {
        assert_eq!(
            world.decide(&mission, number, "approve").await.status(),
            200
        );
        world.asked(&mission, number + 1).await;
    }
    let status = world.get(&format!("/api/mode3/{session}/status")).await;
    let checkpoint = &status["pending_checkpoint"]["id"];
    let (key, _) = give_key(world, &acme(), key_of(world, MARKER, AccessRole::Viewer)).await;
    let trigger = read(world.post("/api/triggers", trigger_body(MARKER)).await).await;
    let provider = format!("{MARKER}-{key}");
    let named = format!("provider/{provider}");
    stop(world, StopScope::parse(&named).unwrap()).await;
    let agents = world.get("/api/agents").await;
    let mut agents = agents["agents"].as_array().unwrap().iter();
    let leads = |agent: &&Value| {
        let missions = agent["missions"].as_array().unwrap();
        agent["level"] == "L2" && missions.contains(&json!("deep_dive"))
    };
    let expert = &agents.find(leads).unwrap()["uuid"];
    Things {
        token: world.answer_token("mail", &mission, approved),
        mission,
        session,
        checkpoint: checkpoint.as_str().unwrap().to_owned(),
        number: approved,
        key,
        trigger: trigger["id"].as_str().unwrap().to_owned(),
        provider,
        base: "house",
        expert: expert.as_str().unwrap().to_owned(),
    }
}

impl Things {
    pub(crate) fn path(&self, path: &str) -> String {
        let path = path
            .replace("{mission}", &self.mission)
            .replace("{other}", &self.mission)
            .replace("{session_id}", &self.session)
            .replace("{number}", &self.number.to_string())
            .replace("{task}", "told")
            .replace("{artifact}", "told")
            .replace("{key}", &self.key)
            .replace("{token}", &self.token)
            .replace("{base}", self.base)
            .replace("{kind}/{name}", &format!("provider/{}", self.provider))
            .replace("{kind}", "tenant")
            .replace("{trigger}", &self.trigger);
        match path.ends_with("/search") {
            true => format!("{path}?query=red"),
            false => path,
        }
    }

    /// A body that the route accepts, for those that read one.
    pub(crate) fn body(&self, method: &str, path: &str) -> Option<String> {
        let body = match (method, path.rsplit('/').next().unwrap()) {
            ("POST", "missions") => json!({ "mission": "deep_dive", "objective": "red" }),
            ("POST", "commands") => json!({ "pause": { "reason": "lunch" } }),
            ("POST", "fork") => json!({}),
            ("POST", "decision") => json!({ "verdict": "approve" }),
            ("PUT", "accounts") => {
                json!({ "account": "tenant", "per": "day", "hard": { "money": 5_000_000 } })
            }
            ("PUT", "rating") => json!({ "stars": 4, "remark": "clear" }),
            ("POST", "stops") => json!({ "what": format!("provider/new-{}", self.provider) }),
            ("POST", "triggers") => trigger_body("weekly"),
            ("POST", "access") => json!({ "who": "newcomer", "role": "admin" }),
            ("POST", "stream") => json!({
                "agent_id": self.expert, "message": "red", "mission_type": "deep_dive",
            }),
            ("POST", "respond") => {
                json!({ "checkpoint_id": self.checkpoint, "decision": "approve" })
            }
            ("POST", "execute") => json!({ "tasks": [{ "id": "a", "tool": "noop" }] }),
            ("POST", "continue") => json!({ "value": "abort", "reason": "enough" }),
            ("POST", "mcp") => json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }),
            ("POST", "{token}") => return Some("verdict=approve".to_owned()),
            _ => return None,
        };
        Some(body.to_string())
    }
}

/// Bodies that no route understands; some are not even text.
pub(crate) fn garbage() -> Vec<Vec<u8>> {
    let deep = "[".repeat(20_000);
    let wrong_types = json!({
        "mission": 7, "objective": [], "verdict": {}, "what": null, "who": -1, "role": "emperor",
        "schedule": "soon", "account": [], "checkpoint_id": 1e300, "agent_id": "\u{0}",
    });
    let texts = [
        "{",
        "null",
        "7",
        "[]",
        "\"\"",
        r#"{"verdict":"approve","verdict":"#,
        &deep,
    ];
    let mut bodies: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    bodies.push(wrong_types.to_string().into_bytes());
    bodies.push(vec![0xff, 0xfe, 0x00, 0x80]);
    bodies
}

/// Everything of a tenant that a request could change. Refusals themselves are recorded, in the audit log.
#[derive(PartialEq)]
pub(crate) struct State {
    pub(crate) newest: u64,
    pub(crate) phases: PhaseCounts,
    pub(crate) caps: String,
    pub(crate) records: Vec<RecordRow>,
}

pub(crate) async fn state(world: &World, tenant: &TenantId) -> State {
    let store = world.host().store().tenant(tenant);
    let mut records = Vec::new();
    for kind in RecordKind::ALL {
        // A refusal is noted in the audit, and the register says where that ends.
        if !matches!(kind, RecordKind::Audit | RecordKind::Register) {
            records.extend(store.records(kind).await.unwrap());
        }
    }
    State {
        newest: store.newest().await.unwrap(),
        phases: store.counts().await.unwrap(),
        caps: format!("{:?}", store.caps().await.unwrap()),
        records,
    }
}

/// The audit log without entries about access granted or refused.
pub(crate) async fn audited(world: &World) -> Value {
    let kinds = "configuration,not_done,export,audit_export,mission,command,decision,tool_call";
    let path = format!("/api/audit?limit=1000&kind={kinds}");
    world.get(&path).await["lines"].clone()
}

pub(crate) async fn token_of(world: &World, role: &str) -> String {
    let mut all = AccessRole::ALL.into_iter();
    let role = all.find(|known| known.name() == role).unwrap();
    let key = key_of(world, &format!("the-{}", role.name()), role);
    give_key(world, &acme(), key).await.1
}

/// The body of a response. Streams never end, so for them only the head is read; dropping the response closes them.
pub(crate) async fn text_of(response: Response) -> String {
    let kind = response.headers().get("content-type");
    if kind.is_some_and(|kind| kind == "text/event-stream") {
        return String::new();
    }
    let bytes = response.bytes().await.unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}
