//! A mission of one question, asked in the caller's name: for use cases that need an answer before they go on.

use adjutant_catalogue::RosterAgent;
use adjutant_host::new_mission_id;
use adjutant_mission::{
    AgentId, AgentLevel, AgentSpec, AgentWork, ApprovalSource, Caps, Complexity, EndingPhase, Json,
    MicroUsd, Mission, MissionId, Plan, PurposeId, Reasoning, Scope, Start, Task, TaskKey,
    Timestamp, ToolCall, ToolId, Waivers, WorkSpec,
};
use adjutant_plans::Checker as _;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::constitution::TOOL as CHECK;
use crate::context::{Context, Hosting};
use crate::error::{AppError, ErrorKind};
use crate::mission_record::MissionRecord;
use crate::read_only_store::ReadOnlyStore;
use crate::wait_for_mission::run_to_rest;
use crate::wiring;
use crate::words::short;

/// What is asked, and of whom.
#[derive(Debug)]
pub struct Question<'a> {
    pub title: String,
    pub objective: String,
    pub by: AgentSpec,
    pub purpose: &'a str,
    pub input: &'a Value,
    pub reasoning: Option<Reasoning>,
    /// The most it may cost.
    pub money: Option<MicroUsd>,
    /// The finished mission that it is about.
    pub about: Option<MissionId>,
    /// When it is listed as opened, if not now: what is asked about a mission on its way stands before it in lists.
    pub listed_at: Option<Timestamp>,
}

/// The input of a plan that names the mission a question is about.
const ABOUT: &str = "about";

/// The mission that a question was about, if this was one.
pub fn mission_asked_about(mission: &Mission) -> Option<MissionId> {
    let inputs = mission.plan().inputs.as_ref()?;
    inputs.at(&[ABOUT.into()])?.to_plain_text().parse().ok()
}

/// Whether a plan asks one question, and is no mission of its own.
pub fn is_single_question(plan: &Plan) -> bool {
    let asks = |inputs: &Json| inputs.at(&[ASKED.into()]).is_some();
    let (Some(first), true) = (plan.tasks.first(), plan.tasks.len() <= TASKS_MAX) else {
        return false;
    };
    let is_rest_checks = plan.tasks.iter().skip(1).all(is_check_task);
    first.key.as_str() == KEY && is_rest_checks && plan.inputs.as_ref().is_some_and(asks)
}

/// The input of a plan that is asked with. The question's own text may contain anything, documents included, and is
/// referred to: a plan's arguments are read as templates, its inputs are not.
const ASKED: &str = "asked";

const KEY: &str = "answer";
/// The question, and the check of its answer.
const TASKS_MAX: usize = 2;

/// The task that checks what another one gives against the constitution.
fn check_of(task: &str) -> Result<Task, AppError> {
    let with = json!({ "answer": format!("{{{{{task}.output}}}}") });
    let call = ToolCall {
        tool: ToolId::new(CHECK).map_err(|error| defect(&error))?,
        with: Json::encode(&with).map_err(|error| defect(&error))?,
    };
    let key = |name: &str| TaskKey::new(name).map_err(|error| defect(&error));
    let check = Task::new(key(CHECK)?, WorkSpec::Tool(call));
    Ok(check.after([key(task)?]))
}

fn is_check_task(task: &Task) -> bool {
    matches!(&task.work, WorkSpec::Tool(call) if call.tool.as_str() == CHECK)
}

impl Question<'_> {
    fn plan(self) -> Result<Plan, AppError> {
        let work = AgentWork {
            level: self.by.level,
            purpose: PurposeId::new(self.purpose).map_err(|error| defect(&error))?,
            with: Json::encode(&references_to(self.input)).map_err(|error| defect(&error))?,
            domain: None,
            complexity: Complexity::default(),
            model: None,
            reasoning: self.reasoning.map(Box::new),
        };
        let key = TaskKey::new(KEY).map_err(|error| defect(&error))?;
        let task = Task {
            by: Some(self.by.id.clone()),
            ..Task::new(key, WorkSpec::Agent(Box::new(work)))
        };
        let mut inputs = json!({ ASKED: self.input });
        if let Some(about) = self.about {
            inputs[ABOUT] = about.to_string().into();
        }
        Ok(Plan {
            objective: self.objective,
            inputs: Some(Json::encode(&inputs).map_err(|error| defect(&error))?),
            caps: Caps {
                money: self.money,
                ..Caps::default()
            },
            agents: vec![self.by],
            ..Plan::new(self.title, vec![task])
        })
    }

    /// Asks it, and gives the answer. The mission is in the list like any other.
    pub async fn ask(self, context: Context<'_>) -> Result<Answered, AppError> {
        match self.try_ask(context).await? {
            Asked::Answered(answered) => Ok(*answered),
            Asked::Unanswered { mission, why } => Err(AppError::new(
                ErrorKind::NotGood,
                "ADJ-6113",
                format!("no answer: {why}"),
                format!("`adjutant show {}` shows its progress.", short(mission)),
            )),
        }
    }

    /// The same where the caller can do without an answer.
    pub async fn try_ask(self, context: Context<'_>) -> Result<Asked, AppError> {
        let listed_at = self.listed_at.unwrap_or_else(|| wiring::clock().now());
        let is_handed_over = self.about.is_some();
        let mut plan = self.plan()?;
        // An answer about a finished mission goes to a person, like its report, so its check is recorded too.
        let permitted = context.checker.permitted_tools(context.caller);
        if is_handed_over && permitted.iter().any(|tool| tool.as_str() == CHECK) {
            plan.tasks.push(check_of(KEY)?);
        }
        ask_in_mission(context, plan, listed_at).await
    }
}

/// The fields of a question, each as a reference to the input of that name.
fn references_to(input: &Value) -> Value {
    let fields = input.as_object().into_iter().flatten();
    let fields = fields.map(|(name, _)| {
        (
            name.clone(),
            format!("{{{{inputs.{ASKED}.{name}}}}}").into(),
        )
    });
    Value::Object(fields.collect())
}

#[derive(Debug)]
pub enum Asked {
    Answered(Box<Answered>),
    Unanswered { mission: MissionId, why: String },
}

/// What came of a question.
#[derive(Debug)]
pub struct Answered {
    pub mission: Mission,
    pub answer: Value,
}

impl Answered {
    /// The answer itself, without who gave it.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, AppError> {
        let mut bare = self.answer.clone();
        if let Some(fields) = bare.as_object_mut() {
            fields.remove("answered_by");
        }
        serde_json::from_value(bare).map_err(|error| defect(&error))
    }

    /// Who gave it.
    pub fn by(&self) -> String {
        let by = &self.answer["answered_by"];
        by["model"].as_str().unwrap_or_default().to_owned()
    }
}

/// Somebody of the roster who is asked alone.
pub fn lone_agent(agent: &RosterAgent) -> Result<AgentSpec, AppError> {
    Ok(AgentSpec {
        id: AgentId::new(agent.id).map_err(|error| defect(&error))?,
        level: agent.level,
        name: agent.name.to_owned(),
        started_by: None,
        tokens_lifetime: Some(agent.tokens_lifetime()),
    })
}

/// Somebody who leads, where nobody of the roster is known to.
pub fn unnamed_expert() -> Result<AgentSpec, AppError> {
    Ok(AgentSpec {
        id: AgentId::new("L2-expert").map_err(|error| defect(&error))?,
        level: AgentLevel::L2,
        name: "Expert".to_owned(),
        started_by: None,
        tokens_lifetime: None,
    })
}

async fn ask_in_mission(
    context: Context<'_>,
    plan: Plan,
    listed_at: Timestamp,
) -> Result<Asked, AppError> {
    let tenant = &context.settings.tenant;
    let id = new_mission_id(listed_at)?;
    let start = Start {
        mission: id,
        scope: Scope::of(tenant.clone()),
        tools: context.checker.tools(&plan),
        plan,
        // The caller agreed to the question by asking for its result; nothing else happens in this mission.
        approvals: vec![ApprovalSource::Waiver {
            by: context.caller.id.clone(),
            types: Waivers::all(),
        }],
        parent: None,
        began_by: Vec::new(),
    };
    let mission = run_to_rest(context, start).await?;
    let completed = mission
        .ending()
        .is_some_and(|ending| ending.phase == EndingPhase::Completed);
    let record = match context.hosting {
        Hosting::Here(host) => MissionRecord::read(&host.journal(tenant), id).await?,
        Hosting::Reached => {
            let store = ReadOnlyStore::expect(context.settings).await?;
            MissionRecord::read(&store.journal, id).await?
        }
    };
    let state = record.mission.task(KEY).map(|(_, state)| state);
    let output = state.and_then(|state| record.output(state.output.as_ref()?));
    match output.filter(|_| completed) {
        Some(answer) => Ok(Asked::Answered(Box::new(Answered { mission, answer }))),
        None => {
            let failure = state.and_then(|state| state.failure.as_ref());
            let why = failure.map_or("it did not finish".to_owned(), |why| why.message.clone());
            Ok(Asked::Unanswered { mission: id, why })
        }
    }
}

pub fn defect(error: &dyn std::fmt::Display) -> AppError {
    AppError::new(
        ErrorKind::Internal,
        "ADJ-6083",
        error.to_string(),
        "This is a defect of Adjutant; please report it.",
    )
}

#[cfg(test)]
#[path = "single_question_tests.rs"]
mod tests;
