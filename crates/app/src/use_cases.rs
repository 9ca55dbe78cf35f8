//! The use cases of programs: what a server does for its callers, each in the caller's name.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use adjutant_catalogue::{Attachment, Catalogue, StartWith};
use adjutant_effects::RuleBook;
use adjutant_guard::{Action, Origin};
use adjutant_host::Host;
use adjutant_knowledge_base::KnowledgeBase;
use adjutant_mission::{
    Actor, AgentId, AgentWork, Autonomy, Checkpoint, Decision, MicroUsd, Millis, Mission,
    MissionId, ModelId, Plan, TaskKey, ToolId, ToolTable,
};
use adjutant_plans::Checker as _;
use adjutant_questions::Answerer as _;
use adjutant_store::TenantStore;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use crate::answer_in_words;
use crate::catalogue::{catalogue, catalogue_json, template};
use crate::constitution::{Release, review_answer};
use crate::context::{Context, Hosting};
use crate::error::{AppError, ErrorKind};
use crate::knowledge::{self, Embedding};
use crate::outgoing::{Outgoing, OutgoingPolicy};
use crate::pieces::count_lists;
use crate::plan_checker::PlanChecker;
use crate::planning::plan_mission;
use crate::report::{PdfWriter, ReportFormat, read_report, report_text, write_report};
use crate::rules::rule_book_or_none_start;
use crate::settings::Settings;
use crate::stores::{AnyStore, AnyTenant};
use crate::suggestion::Suggestions;
use crate::wiring;
use crate::workflow::{ProgramTools, Workflows};

/// Documents that are written at the same time: each takes a processor.
const REPORTS_AT_ONCE: usize = 2;

pub type UseCaseFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, AppError>> + Send + 'a>>;

/// A mission that a caller wants to start.
#[derive(Debug, Clone, PartialEq)]
pub struct StartMission {
    /// Of the catalogue: `deep_dive`.
    pub mission: String,
    /// The expert in the lead, in place of the mission's own.
    pub lead: Option<AgentId>,
    pub objective: String,
    pub knowledge_bases: Vec<String>,
    pub inputs: BTreeMap<String, Value>,
    /// What the caller says besides: inputs where the mission has such, and otherwise told to every agent.
    pub context: BTreeMap<String, Value>,
    pub attachments: Vec<AttachedText>,
    pub autonomy: Autonomy,
    pub budget: Option<MicroUsd>,
    /// How long its questions wait for an answer, in place of the plan's own time.
    pub checkpoint_deadline: Option<Millis>,
}

/// A text that comes with the request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttachedText {
    pub title: String,
    pub text: String,
}

#[derive(Debug, Clone)]
pub struct PlannedMission {
    pub plan: Plan,
    pub tools: ToolTable,
    /// Tasks of the template that cannot be done here, each with the reason.
    pub left_out: Vec<(String, String)>,
}

#[derive(Debug, Clone)]
pub struct WrittenReport {
    pub bytes: Vec<u8>,
    pub media_type: &'static str,
}

/// What a server has done for its callers. [`App`] does it; tests of the server put something simpler in its place.
pub trait UseCases: ProgramTools {
    /// Every mission that can be started or is announced.
    fn catalogue(&self) -> Result<Value, AppError>;

    /// The same, to tell by its plan of which type a mission is.
    fn mission_types(&self) -> Result<Catalogue, AppError>;

    fn plan(&self, caller: Actor, wanted: StartMission) -> UseCaseFuture<'_, PlannedMission>;

    /// Refuses a message in which the guard finds an attack.
    fn check_message(&self, message: &str) -> Result<(), AppError>;

    /// The decision with what its words ask for.
    fn spell_out<'a>(
        &'a self,
        caller: Actor,
        mission: &'a Mission,
        checkpoint: &'a Checkpoint,
        decision: Decision,
    ) -> UseCaseFuture<'a, Decision>;

    /// What follows from a decision, in words.
    fn consequence(
        &self,
        mission: &Mission,
        checkpoint: &Checkpoint,
        decision: &Decision,
    ) -> String;

    /// Every tool with its manifest, and whether missions of this caller may call it.
    fn tools(&self, caller: &Actor) -> Value;

    /// Whether there is such a tool, or may be once its server is back.
    fn has_tool(&self, tool: &ToolId) -> bool;

    /// What is known of the routes that a plan's questions take if this model answers them.
    fn model_routes(&self, model: &ModelId, plan: &Plan) -> Result<ToolTable, AppError>;

    fn knowledge_bases(&self) -> UseCaseFuture<'_, Value>;

    /// The documents of a knowledge base.
    fn documents(&self, base: String) -> UseCaseFuture<'_, Value>;

    /// Passages of a knowledge base, best first.
    fn search(&self, base: String, query: String, most: u32) -> UseCaseFuture<'_, Value>;

    /// The outputs of a mission's tasks as a text to be read, redacted; nothing where there is none. What the
    /// constitutional checks block is replaced by a text that says so.
    fn report_text(
        &self,
        mission: &Mission,
        outputs: &[(TaskKey, Value)],
        outgoing: &mut Outgoing,
    ) -> Option<String>;

    /// Refuses an output of a mission that the constitutional checks block.
    fn may_leave(&self, mission: &Mission, output: &Value) -> Result<(), AppError>;

    /// What is replaced in what missions hand over and tell.
    fn outgoing_policy(&self) -> OutgoingPolicy;

    fn report(&self, mission: MissionId, format: ReportFormat) -> UseCaseFuture<'_, WrittenReport>;
}

/// An installation with a host in this process.
#[derive(Debug)]
pub struct App {
    settings: Settings,
    checker: PlanChecker,
    suggestions: Suggestions,
    host: Host<AnyStore>,
    /// Asks for the vectors of questions, where the settings name somebody.
    embedding: Option<Embedding>,
    write_pdf: PdfWriter,
    rules: RuleBook,
    report_turns: Arc<Semaphore>,
}

impl App {
    pub async fn new(
        settings: Settings,
        host: Host<AnyStore>,
        write_pdf: PdfWriter,
    ) -> Result<Self, AppError> {
        Ok(Self {
            checker: PlanChecker::new(&settings).await?,
            rules: rule_book_or_none_start(&settings),
            embedding: Embedding::of(&settings)?,
            settings,
            suggestions: Suggestions::default(),
            host,
            write_pdf,
            report_turns: Arc::new(Semaphore::new(REPORTS_AT_ONCE)),
        })
    }

    /// The documents, in the host's own store: a request opens none.
    fn knowledge(&self) -> KnowledgeBase<'_, AnyTenant> {
        self.host.knowledge(&self.settings.tenant)
    }

    pub(crate) fn workflows(&self) -> Workflows<'_> {
        Workflows::here(&self.settings, &self.checker, &self.suggestions, &self.host)
    }

    fn context<'a>(&'a self, caller: &'a Actor) -> Context<'a> {
        Context {
            settings: &self.settings,
            checker: &self.checker,
            caller,
            hosting: Hosting::Here(&self.host),
        }
    }

    async fn plan_for(
        &self,
        caller: &Actor,
        wanted: StartMission,
    ) -> Result<PlannedMission, AppError> {
        let base = self.knowledge();
        Box::pin(plan_wanted(self.context(caller), &base, wanted)).await
    }
}

impl UseCases for App {
    fn catalogue(&self) -> Result<Value, AppError> {
        Ok(catalogue_json(&catalogue(&self.settings)?))
    }

    fn mission_types(&self) -> Result<Catalogue, AppError> {
        catalogue(&self.settings)
    }

    fn plan(&self, caller: Actor, wanted: StartMission) -> UseCaseFuture<'_, PlannedMission> {
        Box::pin(async move { Box::pin(self.plan_for(&caller, wanted)).await })
    }

    fn check_message(&self, message: &str) -> Result<(), AppError> {
        let limits = adjutant_guard::Limits::default();
        let inspected = adjutant_guard::inspect(message, Origin::Person, &limits);
        let action = self
            .settings
            .protection
            .guard
            .action(Origin::Person, &inspected);
        match action {
            None | Some(Action::Log | Action::Fence) => Ok(()),
            Some(Action::Ask | Action::Block) => Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-6150",
                "the message looks like an attempt to steer the agents, not like a task",
                "Rephrase it. `adjutant guard` shows what was found; `[guard.person]` in the settings decides what is refused.",
            )),
        }
    }

    fn spell_out<'a>(
        &'a self,
        caller: Actor,
        mission: &'a Mission,
        checkpoint: &'a Checkpoint,
        decision: Decision,
    ) -> UseCaseFuture<'a, Decision> {
        Box::pin(async move {
            let context = self.context(&caller);
            let spelled =
                answer_in_words::spell_out(context, mission, checkpoint, decision).await?;
            let journal = self.host.journal(&self.settings.tenant);
            review_answer(&journal, mission.id(), checkpoint, spelled).await
        })
    }

    fn consequence(
        &self,
        mission: &Mission,
        checkpoint: &Checkpoint,
        decision: &Decision,
    ) -> String {
        answer_in_words::consequence(&self.settings, mission, checkpoint, decision)
    }

    fn tools(&self, caller: &Actor) -> Value {
        let tools = self.checker.registry().manifests().map(|manifest| {
            let mut tool = serde_json::to_value(manifest).unwrap_or_default();
            tool["permitted"] = self.checker.may_call(caller, &manifest.id).into();
            tool
        });
        let tools: Vec<Value> = tools.collect();
        json!({ "tools": tools })
    }

    fn has_tool(&self, tool: &ToolId) -> bool {
        // A tool of an MCP server that is away may be there again.
        self.settings.mcp.may_have(tool.as_str())
            || self.checker.registry().get(tool.as_str()).is_some()
    }

    fn model_routes(&self, model: &ModelId, plan: &Plan) -> Result<ToolTable, AppError> {
        model_routes(&self.settings, model, plan)
    }

    fn knowledge_bases(&self) -> UseCaseFuture<'_, Value> {
        Box::pin(async move { knowledge::list_bases(&self.knowledge()).await })
    }

    fn documents(&self, base: String) -> UseCaseFuture<'_, Value> {
        Box::pin(async move { knowledge::list_documents(&self.knowledge(), &base).await })
    }

    fn search(&self, base: String, query: String, most: u32) -> UseCaseFuture<'_, Value> {
        Box::pin(async move {
            let embedding = self.embedding.as_ref();
            knowledge::search(&self.knowledge(), embedding, base, query, most).await
        })
    }

    fn report_text(
        &self,
        mission: &Mission,
        outputs: &[(TaskKey, Value)],
        outgoing: &mut Outgoing,
    ) -> Option<String> {
        report_text(mission, outputs, outgoing)
    }

    fn may_leave(&self, mission: &Mission, output: &Value) -> Result<(), AppError> {
        Release::new(mission, &[]).value(output).map(|_| ())
    }

    fn outgoing_policy(&self) -> OutgoingPolicy {
        self.settings.outgoing
    }

    fn report(&self, mission: MissionId, format: ReportFormat) -> UseCaseFuture<'_, WrittenReport> {
        let turns = Arc::clone(&self.report_turns);
        let journal = self.host.journal(&self.settings.tenant);
        let write_pdf = self.write_pdf;
        let policy = self.settings.outgoing;
        let rules = self.rules.clone();
        Box::pin(async move {
            let turn = turns.acquire_owned().await;
            // Writing a document takes a while, and others are served meanwhile.
            let handle = Handle::current();
            let written = tokio::task::spawn_blocking(move || {
                // The caller may have left: the turn ends with the work.
                let _turn = turn;
                let (document, made) =
                    handle.block_on(read_report(&journal, mission, policy, &rules))?;
                write_report(format, &document, &made, write_pdf)
            });
            match written.await {
                Ok(written) => Ok(WrittenReport {
                    bytes: written?,
                    media_type: format.media_type(),
                }),
                Err(error) => Err(AppError::new(
                    ErrorKind::Internal,
                    "ADJ-6108",
                    format!("the document cannot be written: {error}"),
                    "Use another format.",
                )),
            }
        })
    }
}

/// Plans a mission of the catalogue for the caller, who may name documents of this knowledge base.
pub(crate) async fn plan_wanted<T: TenantStore>(
    context: Context<'_>,
    base: &KnowledgeBase<'_, T>,
    wanted: StartMission,
) -> Result<PlannedMission, AppError> {
    let settings = context.settings;
    let catalogue = catalogue(settings)?;
    let mut template = template(&catalogue, &wanted.mission)?.clone();
    if let Some(lead) = &wanted.lead {
        template = template.led_by(lead);
    }
    let mut inputs = wanted.inputs;
    let mut constraints = Vec::new();
    for (name, value) in wanted.context {
        match template
            .inputs
            .iter()
            .any(|input| input.name.as_str() == name)
        {
            true => {
                inputs.insert(name, value);
            }
            false => constraints.push(format!("{name}: {}", plain(&value))),
        }
    }
    let there = base.namespaces().await?;
    knowledge::check_named(&there, &wanted.knowledge_bases)?;
    let attachments = wanted.attachments.into_iter().map(|attached| Attachment {
        title: attached.title,
        text: attached.text,
    });
    let objective = wanted.objective.trim().to_owned();
    let lists = count_lists(settings, base, &wanted.knowledge_bases, &objective).await?;
    let start = StartWith {
        objective,
        lists,
        inputs,
        documents: knowledge::titles(&there, &wanted.knowledge_bases),
        namespaces: wanted.knowledge_bases,
        attachments: attachments.collect(),
        autonomy: settings.at_least(wanted.autonomy),
        four_eyes: settings.four_eyes.clone(),
        money: wanted.budget,
        tools: context.checker.permitted_tools(context.caller),
    };
    let mut planned = plan_mission(context, &template, start).await?;
    planned.plan.constraints.extend(constraints);
    let left_out = planned.left_out.into_iter();
    Ok(PlannedMission {
        tools: context.checker.tools(&planned.plan),
        plan: planned.plan,
        left_out: left_out
            .map(|left| (left.task.to_string(), left.why))
            .collect(),
    })
}

/// A value as people write it: text without quotes.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// What is known of the routes that a plan's questions take if this model answers them.
pub fn model_routes(
    settings: &Settings,
    model: &ModelId,
    plan: &Plan,
) -> Result<ToolTable, AppError> {
    let models = wiring::models(settings)?;
    let mut tools = ToolTable::new();
    for agent in plan.agents() {
        let agent = AgentWork {
            model: Some(model.clone()),
            ..agent.clone()
        };
        let facts = models.facts(&agent).map_err(|failure| {
            let help = "See `adjutant models list` and `adjutant models prices`.";
            AppError::new(ErrorKind::BadInput, "ADJ-3067", failure.to_string(), help)
        })?;
        tools.insert(agent.route(), facts);
    }
    Ok(tools)
}
