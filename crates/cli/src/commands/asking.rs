//! A mission of one question, asked without showing it: for commands that need an answer before they go on.

use adjutant_catalogue::RosterAgent;
use adjutant_host::control::Request;
use adjutant_host::{Performs, new_command_id, new_mission_id};
use adjutant_mission::{
    AgentId, AgentLevel, AgentSpec, AgentWork, ApprovalSource, Caps, Complexity, EndingPhase, Json,
    MicroUsd, Mission, MissionId, Plan, PurposeId, Reasoning, Scope, Start, Task, TaskKey, Waivers,
    WorkSpec,
};
use adjutant_plans::Checker as _;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::compare::read;
use crate::engine::Engine;
use crate::failure::{Exit, Failure};
use crate::live::{Follow, Patience, Showing};
use crate::reading::Reading;
use crate::settings::Settings;
use crate::view::short;
use crate::wiring::{self, Known};

/// What is asked, and of whom.
pub(super) struct Question<'a> {
    pub(super) title: String,
    pub(super) objective: String,
    pub(super) by: AgentSpec,
    pub(super) purpose: &'a str,
    pub(super) input: &'a Value,
    pub(super) reasoning: Option<Reasoning>,
    /// The most it may cost.
    pub(super) money: Option<MicroUsd>,
    /// The finished mission that it is about.
    pub(super) about: Option<MissionId>,
}

/// The input of a plan that names the mission a question is about.
const ABOUT: &str = "about";

/// The mission that a question was about, if this was one.
pub(super) fn asked_about(mission: &Mission) -> Option<MissionId> {
    let inputs = mission.plan().inputs.as_ref()?;
    inputs.at(&[ABOUT.into()])?.to_plain_text().parse().ok()
}

const KEY: &str = "answer";

impl Question<'_> {
    fn plan(self) -> Result<Plan, Failure> {
        let work = AgentWork {
            level: self.by.level,
            purpose: PurposeId::new(self.purpose).map_err(|error| defect(&error))?,
            with: Json::encode(self.input).map_err(|error| defect(&error))?,
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
        let inputs = self.about.map(|about| json!({ ABOUT: about.to_string() }));
        let inputs = inputs.map(|inputs| Json::encode(&inputs)).transpose();
        Ok(Plan {
            objective: self.objective,
            inputs: inputs.map_err(|error| defect(&error))?,
            caps: Caps {
                money: self.money,
                ..Caps::default()
            },
            agents: vec![self.by],
            ..Plan::new(self.title, vec![task])
        })
    }

    /// Asks it, and gives what came of it. The mission stands in the list like any other.
    pub(super) async fn ask(self, settings: &Settings, known: &Known) -> Result<Answered, Failure> {
        match self.try_ask(settings, known).await? {
            Asked::Answered(answered) => Ok(*answered),
            Asked::Nobody { mission, why } => Err(Failure::new(
                Exit::NotGood,
                "ADJ-6113",
                format!("nobody answered: {why}"),
                format!("`adjutant show {}` shows how far it came.", short(mission)),
            )),
        }
    }

    /// The same for whoever can do without an answer.
    pub(super) async fn try_ask(
        self,
        settings: &Settings,
        known: &Known,
    ) -> Result<Asked, Failure> {
        let plan = self.plan()?;
        asked(settings, plan, known).await
    }
}

pub(super) enum Asked {
    Answered(Box<Answered>),
    Nobody { mission: MissionId, why: String },
}

/// What came of a question.
pub(super) struct Answered {
    pub(super) mission: Mission,
    pub(super) answer: Value,
}

impl Answered {
    /// The answer itself, without who gave it.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        let mut bare = self.answer.clone();
        if let Some(fields) = bare.as_object_mut() {
            fields.remove("answered_by");
        }
        serde_json::from_value(bare).map_err(|error| defect(&error))
    }

    /// Who gave it.
    pub(super) fn by(&self) -> String {
        let by = &self.answer["answered_by"];
        by["model"].as_str().unwrap_or_default().to_owned()
    }
}

/// Somebody of the roster who is asked alone.
pub(super) fn alone(agent: &RosterAgent) -> Result<AgentSpec, Failure> {
    Ok(AgentSpec {
        id: AgentId::new(agent.id).map_err(|error| defect(&error))?,
        level: agent.level,
        name: agent.name.to_owned(),
        started_by: None,
        tokens_lifetime: Some(agent.tokens_lifetime()),
    })
}

/// Somebody who leads, where nobody of the roster is known to.
pub(super) fn an_expert() -> Result<AgentSpec, Failure> {
    Ok(AgentSpec {
        id: AgentId::new("L2-expert").map_err(|error| defect(&error))?,
        level: AgentLevel::L2,
        name: "Expert".to_owned(),
        started_by: None,
        tokens_lifetime: None,
    })
}

async fn asked(settings: &Settings, plan: Plan, known: &Known) -> Result<Asked, Failure> {
    let now = wiring::clock().now();
    let id = new_mission_id(now)?;
    let start = Start {
        mission: id,
        scope: Scope::of(settings.tenant.clone()),
        tools: known.tools(&plan),
        plan,
        // Whoever asks has agreed to the asking; nothing else happens in it.
        approvals: vec![ApprovalSource::Waiver {
            by: settings.me.clone(),
            types: Waivers::all(),
        }],
        parent: None,
    };
    let engine = Engine::reach(settings, Performs::Effects).await?;
    let open = Request::Open {
        by: settings.actor(None),
        command: new_command_id(now)?,
        start: Box::new(start),
    };
    if let Err(failure) = engine.request(open).await {
        let _ = engine.close().await;
        return Err(failure);
    }
    let follow = Follow {
        settings,
        engine: &engine,
        mission: id,
        patience: Patience::UntilItWaits,
        showing: Showing::Quiet,
    };
    let followed = follow.run().await;
    engine.close().await?;
    let mission = followed?.mission;
    let completed = mission
        .ending()
        .is_some_and(|ending| ending.phase == EndingPhase::Completed);
    let reading = Reading::expect(settings).await?;
    let done = read(&reading, id).await?;
    let state = done.mission.task(KEY).map(|(_, state)| state);
    let output = state.and_then(|state| done.output(state.output.as_ref()?));
    match output.filter(|_| completed) {
        Some(answer) => Ok(Asked::Answered(Box::new(Answered { mission, answer }))),
        None => {
            let failure = state.and_then(|state| state.failure.as_ref());
            let why = failure.map_or("it did not come to an end".to_owned(), |why| {
                why.message.clone()
            });
            Ok(Asked::Nobody { mission: id, why })
        }
    }
}

pub(super) fn defect(error: &dyn std::fmt::Display) -> Failure {
    Failure::new(
        Exit::Trouble,
        "ADJ-6083",
        error.to_string(),
        "This is a defect of Adjutant: report it.",
    )
}
