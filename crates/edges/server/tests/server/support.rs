//! A server on a free port of this machine, over a host on a store in a temporary folder.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use adjutant_app::constitution::Release;
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::outgoing::{Outgoing, OutgoingPolicy, redact_json};
use adjutant_app::report::ReportFormat;
use adjutant_app::use_cases::{
    PlannedMission, StartMission, UseCaseFuture, UseCases, WrittenReport,
};
use adjutant_app::workflow::{ProgramCaller, ProgramTools, ResourcePart, TOOLS, WorkflowPulse};
use adjutant_catalogue::Catalogue;
use adjutant_effects::Performer;
use adjutant_host::{Clock, Config, Host};
use adjutant_journal::{MasterKey, Vault};
use adjutant_mission::*;
use adjutant_notify::{AnswerKey, AnswerLink, ChannelName, Content, PublicUrl};
use adjutant_server::{Callers, Parts, StartLimits, Tls, Token, serve};
use adjutant_store_sqlite::{Access, SqliteStore};
use adjutant_tools::{Registry, ToolSettings};
use reqwest::{Certificate, Client, Method, RequestBuilder, Response};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub(crate) const TOKEN: &str = "a token that only tests know";

pub(crate) struct World {
    pub(crate) folder: Arc<TempDir>,
    pub(crate) base: String,
    client: Client,
    host: Host<SqliteStore>,
    registry: Arc<Registry>,
    use_cases: Arc<dyn UseCases>,
    /// Through which Mel answers for `finance`, and Ann what she started.
    links: Vec<AnswerLink>,
    /// What was logged, a line each.
    pub(crate) logged: Arc<Mutex<Vec<String>>>,
    stop: watch::Sender<bool>,
    server: JoinHandle<std::io::Result<()>>,
}

/// The server of another tenant, on the host and the store of a world.
pub(crate) struct Neighbour {
    pub(crate) base: String,
    stop: watch::Sender<bool>,
    server: JoinHandle<std::io::Result<()>>,
}

impl Neighbour {
    pub(crate) async fn stop(self) {
        self.stop.send(true).unwrap();
        let ended = tokio::time::timeout(Duration::from_secs(10), self.server);
        ended.await.expect("streams end").unwrap().unwrap();
    }
}

/// Plans what it is asked for as one question to a person after another, as many as the objective is long. Where a word
/// is `!noop` a tool is called, and where it is `!gate` a gate lets pass.
struct Questions {
    registry: Arc<Registry>,
}

fn work(word: &str) -> WorkSpec {
    match word {
        "!noop" => WorkSpec::Tool(ToolCall {
            tool: ToolId::new("noop").unwrap(),
            with: Json::parse(r#"{"value":{"said":"once"}}"#).unwrap(),
        }),
        "!gate" => WorkSpec::Gate(Gate {
            rules: vec![GateRule {
                when: "false".into(),
                verdict: GateVerdict::Fatal,
                because: String::new(),
            }],
            return_to: None,
            returns_max: 1,
        }),
        word => WorkSpec::Human(Human {
            question: format!("Is it {word}?"),
            kind: CheckpointType::CriticalDecision,
            options: options(word),
            recommend: None,
            on_modify: None,
            because: String::new(),
            role: None,
            approvers: None,
            deadline: None,
        }),
    }
}

fn start_limits() -> StartLimits {
    StartLimits {
        user_at_once: 6,
        ..StartLimits::default()
    }
}

fn no_base(base: &str) -> AppError {
    let told = format!("there is no namespace `{base}`");
    let remedy = "See `adjutant kb list` for the namespaces there are.";
    AppError::new(ErrorKind::NotFound, "ADJ-8002", told, remedy)
}

/// `left|right` is a choice between two.
fn options(word: &str) -> Vec<ChoiceOption> {
    let keys = word.split('|').filter(|_| word.contains('|'));
    keys.map(|key| ChoiceOption {
        key: OptionKey::new(key).unwrap(),
        label: key.into(),
        description: String::new(),
        pros: Vec::new(),
        cons: Vec::new(),
        cost: None,
        time: None,
        risk: None,
    })
    .collect()
}

impl ProgramTools for Questions {
    /// Runs nothing, but reads its arguments as strictly as the real one.
    fn call<'a>(
        &'a self,
        _caller: &'a ProgramCaller,
        tool: &'a str,
        arguments: Value,
    ) -> UseCaseFuture<'a, Value> {
        let known = TOOLS.iter().find(|known| known.name == tool).unwrap();
        let schema = (known.schema)();
        let wrong = jsonschema::validator_for(&schema).unwrap();
        let wrong = wrong.iter_errors(&arguments).next();
        let wrong = wrong.map(|error| {
            let told = format!("the arguments do not fit: {error}");
            AppError::new(
                ErrorKind::BadInput,
                "ADJ-6221",
                told,
                "See the tool's schema.",
            )
        });
        let id = arguments["workflow_id"].as_str();
        let id = id.unwrap_or("msn_00000000000000000000000001").to_owned();
        Box::pin(async move {
            match wrong {
                Some(error) => Err(error),
                None => Ok(json!({ "status": "running", "workflow_id": id })),
            }
        })
    }

    fn read_part<'a>(
        &'a self,
        _caller: &'a ProgramCaller,
        workflow: &'a str,
        resource: &'a str,
        from: u64,
    ) -> UseCaseFuture<'a, ResourcePart> {
        let text = format!("{resource} of {workflow} from {from}");
        Box::pin(async move { Ok(ResourcePart { text, next: None }) })
    }

    fn pulse<'a>(
        &'a self,
        _caller: &'a ProgramCaller,
        workflow: &'a str,
    ) -> UseCaseFuture<'a, WorkflowPulse> {
        let pulse = WorkflowPulse {
            workflow: workflow.to_owned(),
            began: String::new(),
            changed: String::new(),
            questions: 0,
        };
        Box::pin(async move { Ok(pulse) })
    }

    fn mission_kinds(&self) -> Result<Value, AppError> {
        self.catalogue()
    }
}

impl UseCases for Questions {
    fn catalogue(&self) -> Result<Value, AppError> {
        let asks = json!({
            "id": "deep_dive", "name": "Questions", "about": "Asks", "category": "understand",
            "ready": true,
        });
        Ok(json!({ "missions": [asks] }))
    }

    fn mission_types(&self) -> Result<Catalogue, AppError> {
        Ok(Catalogue::default())
    }

    fn check_message(&self, _message: &str) -> Result<(), AppError> {
        Ok(())
    }

    fn spell_out<'a>(
        &'a self,
        _caller: Actor,
        _mission: &'a Mission,
        _checkpoint: &'a Checkpoint,
        decision: Decision,
    ) -> UseCaseFuture<'a, Decision> {
        Box::pin(async move { Ok(decision) })
    }

    fn consequence(
        &self,
        _mission: &Mission,
        _checkpoint: &Checkpoint,
        _decision: &Decision,
    ) -> String {
        String::new()
    }

    fn plan(&self, _caller: Actor, wanted: StartMission) -> UseCaseFuture<'_, PlannedMission> {
        Box::pin(async move {
            if wanted.mission == "unheard_of" {
                return Err(AppError::new(
                    ErrorKind::BadInput,
                    "ADJ-6101",
                    "no such mission",
                    "Take another.",
                ));
            }
            let tasks = wanted
                .objective
                .split_whitespace()
                .enumerate()
                .map(|(at, word)| {
                    let key = TaskKey::new(format!("q{at}")).unwrap();
                    let before = at
                        .checked_sub(1)
                        .map(|at| TaskKey::new(format!("q{at}")).unwrap());
                    Task::new(key, work(word)).after(before)
                });
            let plan = Plan {
                objective: wanted.objective.clone(),
                autonomy: wanted.autonomy,
                ..Plan::new("Questions", tasks.collect())
            };
            Ok(PlannedMission {
                plan,
                tools: self.registry.table(),
                left_out: Vec::new(),
            })
        })
    }

    fn tools(&self, _caller: &Actor) -> Value {
        let tools = self.registry.manifests().map(|manifest| {
            let mut told = serde_json::to_value(manifest).unwrap();
            told["permitted"] = true.into();
            told
        });
        json!({ "tools": tools.collect::<Vec<Value>>() })
    }

    fn has_tool(&self, tool: &ToolId) -> bool {
        self.registry.get(tool.as_str()).is_some()
    }

    fn model_routes(&self, model: &ModelId, _plan: &Plan) -> Result<ToolTable, AppError> {
        let told = format!("{model} has no price");
        Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-3067",
            told,
            "Take another.",
        ))
    }

    fn knowledge_bases(&self) -> UseCaseFuture<'_, Value> {
        let house = json!({ "name": "house", "documents": 1, "passages": 3, "bytes": 12 });
        Box::pin(async move { Ok(json!({ "knowledge_bases": [house] })) })
    }

    fn documents(&self, base: String) -> UseCaseFuture<'_, Value> {
        Box::pin(async move {
            if base != "house" {
                return Err(no_base(&base));
            }
            let paper = json!({
                "source": "a.md", "title": null, "kind": "note", "date": null, "passages": 3,
                "bytes": 12,
            });
            Ok(json!({ "name": base, "documents": [paper] }))
        })
    }

    fn search(&self, base: String, query: String, most: u32) -> UseCaseFuture<'_, Value> {
        Box::pin(async move {
            if base != "house" {
                return Err(no_base(&base));
            }
            let passages = (1..=most).map(|rank| {
                let text = format!("{query} {rank}");
                json!({ "rank": rank, "address": "kb:house/a.md#0-9", "source": "a.md", "text": text, "score": 0.5 })
            });
            let passages: Vec<Value> = passages.collect();
            Ok(json!({ "searched": 3, "note": null, "passages": passages }))
        })
    }

    fn report_text(
        &self,
        mission: &Mission,
        outputs: &[(TaskKey, Value)],
        outgoing: &mut Outgoing,
    ) -> Option<String> {
        let mut last = outputs.last()?.1.clone();
        if self.may_leave(mission, &last).is_err() {
            return Some("withheld".to_owned());
        }
        redact_json(outgoing, &mut last);
        Some(format!("The last answer was: {}.\n", last["verdict"].as_str()?).repeat(20))
    }

    fn may_leave(&self, mission: &Mission, output: &Value) -> Result<(), AppError> {
        Release::new(mission, &[]).value(output).map(|_| ())
    }

    fn outgoing_policy(&self) -> OutgoingPolicy {
        OutgoingPolicy::default()
    }

    fn report(&self, mission: MissionId, format: ReportFormat) -> UseCaseFuture<'_, WrittenReport> {
        Box::pin(async move {
            Ok(WrittenReport {
                bytes: format!("{mission} as {}", format.extension()).into_bytes(),
                media_type: "text/plain",
            })
        })
    }
}

/// Mel is told without personal data, Ann with it.
fn answer_links(base: &str) -> Vec<AnswerLink> {
    let link = |channel: &str, person: &str, roles: &[&str], content| AnswerLink {
        base: PublicUrl::parse(base).unwrap(),
        key: AnswerKey::of_master(&"5e".repeat(32)),
        tenant: TenantId::new("acme").unwrap(),
        channel: ChannelName::new(channel).unwrap(),
        person: AgentId::new(person).unwrap(),
        address: format!("{person}@example.org"),
        roles: roles.iter().map(|role| Role::new(*role).unwrap()).collect(),
        content,
    };
    vec![
        link("mail", "mel", &["finance"], Content::Redacted),
        link("own", "ann", &[], Content::Whole),
    ]
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::reopened(Arc::new(TempDir::new().unwrap())).await
    }

    /// Another server on a folder that one has left.
    pub(crate) async fn reopened(folder: Arc<TempDir>) -> Self {
        Self::serving(folder, None, Config::default()).await
    }

    /// Whoever starts a mission does not settle such questions in it.
    pub(crate) async fn with_four_eyes(four_eyes: Vec<CheckpointType>) -> Self {
        let config = Config {
            four_eyes,
            ..Config::default()
        };
        Self::serving(Arc::new(TempDir::new().unwrap()), None, config).await
    }

    /// With a certificate of its own, which its clients know.
    pub(crate) async fn encrypted() -> Self {
        let folder = Arc::new(TempDir::new().unwrap());
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let (chain, key) = (folder.path().join("tls.pem"), folder.path().join("tls.key"));
        std::fs::write(&chain, made.cert.pem()).unwrap();
        std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        let tls = Tls::read(&chain, &key).unwrap();
        assert!(Tls::read(&key, &chain).is_err(), "the wrong way round");
        let tls = Some((tls, made.cert.pem()));
        Self::serving(folder, tls, Config::default()).await
    }

    async fn serving(folder: Arc<TempDir>, tls: Option<(Tls, String)>, config: Config) -> Self {
        let store = SqliteStore::open(folder.path().join("adjutant.db"), Access::Host).unwrap();
        let clock = Clock::system();
        let files = folder.path().join("files");
        let settings = ToolSettings::new(files, Arc::new(move || clock.now()));
        let registry = Arc::new(Registry::builtin(settings).unwrap());
        let use_cases: Arc<dyn UseCases> = Arc::new(Questions {
            registry: Arc::clone(&registry),
        });
        let vault = Vault::new(MasterKey::parse(&"5e".repeat(32)).unwrap());
        let host = Host::new(store, vault, Performer::new(Arc::clone(&registry)), config);
        host.carry_on();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let base = format!("{scheme}://{}", listener.local_addr().unwrap());
        let mut client = Client::builder().no_proxy();
        if let Some((_, certificate)) = &tls {
            let known = Certificate::from_pem(certificate.as_bytes()).unwrap();
            client = client.tls_certs_only([known]);
        }
        let logged: Arc<Mutex<Vec<String>>> = Arc::default();
        let lines = Arc::clone(&logged);
        let links = answer_links(&base);
        let parts = Parts {
            host: host.clone(),
            tenant: TenantId::new("acme").unwrap(),
            use_cases: Arc::clone(&use_cases),
            token: Token::new(AgentId::new("ann").unwrap(), Vec::new(), TOKEN),
            answer_links: links.clone(),
            limits: start_limits(),
            names: Vec::new(),
            tls: tls.map(|(tls, _)| tls),
            callers: Callers::Direct,
            spans_dropped: None,
            log: Some(Arc::new(move |line| {
                lines.lock().unwrap().push(format!("{line:?}"));
            })),
        };
        // Another test may have done it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (stop, stopping) = watch::channel(false);
        let server = tokio::spawn(serve(listener, parts, stopping));
        Self {
            folder,
            base,
            client: client.build().unwrap(),
            host,
            registry,
            use_cases,
            links,
            logged,
            stop,
            server,
        }
    }

    /// Serves another tenant of the same store, to whoever has this token.
    pub(crate) async fn neighbour(&self, tenant: TenantId, who: &str, token: &str) -> Neighbour {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let parts = Parts {
            host: self.host.clone(),
            tenant,
            use_cases: Arc::clone(&self.use_cases),
            token: Token::new(AgentId::new(who).unwrap(), Vec::new(), token),
            answer_links: self.links.clone(),
            limits: start_limits(),
            names: Vec::new(),
            tls: None,
            callers: Callers::Direct,
            spans_dropped: None,
            log: None,
        };
        let (stop, stopping) = watch::channel(false);
        let server = tokio::spawn(serve(listener, parts, stopping));
        Neighbour { base, stop, server }
    }

    pub(crate) fn link(&self, channel: &str) -> &AnswerLink {
        let mut links = self.links.iter();
        links.find(|link| link.channel.as_str() == channel).unwrap()
    }

    /// The token of the link in a mail about this question.
    pub(crate) fn answer_token(&self, channel: &str, mission: &str, number: u32) -> String {
        let url = self.link(channel).url(CheckpointId {
            mission: mission.parse().unwrap(),
            number: CheckpointNumber::new(number),
        });
        url.strip_prefix(&format!("{}/answer/", self.base))
            .unwrap()
            .to_owned()
    }

    /// A request to any server here, without a token.
    pub(crate) fn request_to(&self, base: &str, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{base}{path}"))
    }

    pub(crate) fn host(&self) -> &Host<SqliteStore> {
        &self.host
    }

    pub(crate) fn tools(&self) -> ToolTable {
        self.registry.table()
    }

    /// Stops as a signal would.
    pub(crate) async fn stop(self) -> Arc<TempDir> {
        self.stop.send(true).unwrap();
        let ended = tokio::time::timeout(Duration::from_secs(10), self.server);
        ended.await.expect("streams end").unwrap().unwrap();
        self.host.drain().await;
        self.host.store().close().await.unwrap();
        self.folder
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.base);
        self.client.request(method, url).bearer_auth(TOKEN)
    }

    pub(crate) fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        self.request_to(&self.base, method, path)
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let response = self.request(Method::GET, path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        read(response).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Response {
        let request = self.request(Method::POST, path);
        request.body(body.to_string()).send().await.unwrap()
    }

    pub(crate) async fn started(&self, objective: &str) -> String {
        let wanted = json!({ "mission": "deep_dive", "objective": objective });
        let response = self.post("/api/missions", wanted).await;
        let status = response.status();
        let told = read(response).await;
        assert_eq!(status, 201, "{objective}: {told}");
        told["mission"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn decide(&self, mission: &str, number: u32, verdict: &str) -> Response {
        let path = format!("/api/missions/{mission}/checkpoints/{number}/decision");
        self.post(&path, json!({ "verdict": verdict })).await
    }

    /// Approves the plan, so many questions and the result, each when it is asked.
    pub(crate) async fn approved(&self, mission: &str, questions: u32) {
        for number in 0..questions + 2 {
            self.asked(mission, number).await;
            let answered = self.decide(mission, number, "approve").await;
            assert_eq!(answered.status(), 200);
        }
    }

    /// Reads the mission's events until it asks this question.
    pub(crate) async fn asked(&self, mission: &str, number: u32) {
        let path = format!("/api/missions/{mission}/events");
        let request = self.request(Method::GET, &path);
        let mut events = Stream::of(request.send().await.unwrap());
        while let Some(told) = events.next().await {
            let data = &told.data["data"];
            if data["options"].is_array() && data["number"] == number {
                return;
            }
        }
        panic!("question {number} of {mission} was never asked");
    }
}

pub(crate) async fn read(response: Response) -> Value {
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

/// One event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Told {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) data: Value,
}

/// A stream that is read event by event.
pub(crate) struct Stream {
    response: Response,
    text: String,
}

impl Stream {
    pub(crate) fn of(response: Response) -> Self {
        assert_eq!(response.status(), 200);
        let kind = response.headers()["content-type"].to_str().unwrap();
        assert_eq!(kind, "text/event-stream");
        Self {
            response,
            text: String::new(),
        }
    }

    /// The next event; none when the stream has ended.
    pub(crate) async fn next(&mut self) -> Option<Told> {
        loop {
            if let Some((frame, rest)) = self.text.split_once("\n\n") {
                let (frame, rest) = (frame.to_owned(), rest.to_owned());
                self.text = rest;
                let field = |name: &str| {
                    let mut lines = frame.lines();
                    lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
                };
                match field("id") {
                    None => continue,
                    Some(id) => {
                        return Some(Told {
                            id: id.to_owned(),
                            name: field("event").unwrap().to_owned(),
                            data: serde_json::from_str(field("data").unwrap()).unwrap(),
                        });
                    }
                }
            }
            let more = tokio::time::timeout(Duration::from_secs(20), self.response.chunk());
            let more = more.await.expect("something within 20 s").ok().flatten()?;
            self.text.push_str(std::str::from_utf8(&more).unwrap());
        }
    }

    pub(crate) async fn until(&mut self, name: &str) -> Vec<Told> {
        let mut told = Vec::new();
        while let Some(event) = self.next().await {
            let is_last = event.name == name;
            told.push(event);
            if is_last {
                return told;
            }
        }
        panic!("the stream ended before `{name}`: {told:#?}");
    }

    pub(crate) async fn rest(&mut self) -> Vec<Told> {
        let mut told = Vec::new();
        while let Some(event) = self.next().await {
            told.push(event);
        }
        told
    }
}
