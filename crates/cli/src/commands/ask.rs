//! `adjutant ask`: an answer out of what a finished mission found.

use adjutant_host::control::Request;
use adjutant_host::{Performs, new_command_id, new_mission_id};
use adjutant_mission::{
    AgentId, AgentLevel, AgentSpec, AgentWork, Complexity, EndingPhase, Json, Mission, Pattern,
    Plan, Ppm, PurposeId, Reasoning, Scope, Start, Task, TaskKey, Waivers, WorkSpec,
};
use adjutant_plans::Checker as _;
use serde_json::{Value, json};

use super::compare::read;
use crate::args::Ask;
use crate::engine::Engine;
use crate::failure::{Exit, Failure};
use crate::find;
use crate::live::{Follow, Patience, Showing};
use crate::output;
use crate::reading::Reading;
use crate::settings::Settings;
use crate::view::{Line, Tone, short, tell, wrap};
use crate::wiring::{self, Known};

/// Sources of a finished mission that a question about it is answered from.
const SOURCES_MAX: usize = 40;
/// How a question about a finished mission is thought through.
const FOLLOW_UP_ITERATIONS: u16 = 2;

pub(super) async fn run(settings: &Settings, ask: Ask) -> Result<Exit, Failure> {
    if ask.question.trim().is_empty() {
        return Err(Failure::new(
            Exit::BadInput,
            "ADJ-6111",
            "the question is empty",
            "Say in a sentence what you want to know or decide.",
        ));
    }
    follow_up(settings, &ask).await
}

/// Answers a question out of what a mission found.
async fn follow_up(settings: &Settings, ask: &Ask) -> Result<Exit, Failure> {
    let reading = Reading::expect(settings).await?;
    let id = find::mission(reading.store(), &ask.about).await?;
    let done = read(&reading, id).await?;
    let (mut sources, mut found) = (Vec::new(), Vec::new());
    for (_, state) in done.mission.tasks() {
        let Some(output) = state.output.as_ref().and_then(|output| done.output(output)) else {
            continue;
        };
        for source in output["sources"].as_array().into_iter().flatten() {
            let is_new = !sources.iter().any(|had: &Value| had["id"] == source["id"]);
            if is_new && source["id"].is_string() && source["text"].is_string() {
                sources.push(plain(source));
            }
        }
        found.extend(
            output["summary"]
                .as_str()
                .map(|text| format!("It was concluded: {text}")),
        );
    }
    if sources.is_empty() {
        return Err(Failure::new(
            Exit::BadInput,
            "ADJ-6112",
            format!(
                "mission {} found nothing that a question could be answered from",
                short(id)
            ),
            "Ask a mission that looked something up, or start another with `adjutant ask`.",
        ));
    }
    sources.truncate(SOURCES_MAX);
    let input = json!({ "question": ask.question, "sources": sources, "guidance": found });
    let reasoning = Reasoning {
        patterns: vec![Pattern::ChainOfThought],
        max_iterations: FOLLOW_UP_ITERATIONS,
        confidence_threshold: Ppm(0),
        tools: Vec::new(),
    };
    let task = question(
        "answer",
        "conclude",
        AgentLevel::L2,
        &input,
        Some(reasoning),
    )?;
    let lead = done
        .mission
        .plan()
        .agents
        .iter()
        .find(|agent| agent.level == AgentLevel::L2);
    let lead = match lead {
        Some(lead) => AgentSpec {
            started_by: None,
            ..lead.clone()
        },
        None => agent("L2-expert", AgentLevel::L2, "Expert", None)?,
    };
    let name = lead.id.as_str().to_owned();
    let title = format!("A question about {}", done.mission.plan().title);
    let plan = Plan {
        objective: ask.question.clone(),
        agents: vec![lead],
        ..Plan::new(title, vec![by(task, &name)?])
    };
    let known = Known::new(settings).await?;
    let (mission, answer) = answered(settings, plan, "answer", &known).await?;
    if ask.json.json {
        output::line(
            &json!({ "mission": mission.id(), "about": id, "answer": answer }).to_string(),
        )?;
        return Ok(Exit::Ok);
    }
    let width = output::size().0.min(100) - 2;
    let json = Json::encode(&answer).map_err(|error| defect(&error))?;
    let mut lines = Vec::new();
    if let Some(told) = tell(&json) {
        for line in &told.lines {
            let parts = wrap(line, width - 4).into_iter().enumerate();
            lines.extend(parts.map(|(at, part)| {
                Line::new()
                    .plain(if at == 0 { "  · " } else { "    " })
                    .plain(part)
            }));
        }
        lines.push(Line::new());
        lines.push(Line::of(Tone::Dim, format!(" {}", told.by)));
    }
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

/// A source as questions take it.
fn plain(source: &Value) -> Value {
    let mut kept = serde_json::Map::new();
    for name in ["id", "title", "text", "published"] {
        if let Some(value) = source.get(name).filter(|value| value.is_string()) {
            kept.insert(name.to_owned(), value.clone());
        }
    }
    Value::Object(kept)
}

/// Runs a mission of one question without showing it, and gives what came of it. It stands in the list like any other.
async fn answered(
    settings: &Settings,
    plan: Plan,
    task: &str,
    known: &Known,
) -> Result<(Mission, Value), Failure> {
    let now = wiring::clock().now();
    let id = new_mission_id(now)?;
    let start = Start {
        mission: id,
        scope: Scope::of(settings.tenant.clone()),
        tools: known.tools(&plan),
        plan,
        // Whoever asks has agreed to the asking; nothing else happens in it.
        approvals: vec![adjutant_mission::ApprovalSource::Waiver {
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
    let state = done.mission.task(task).map(|(_, state)| state);
    let output = state.and_then(|state| done.output(state.output.as_ref()?));
    match output.filter(|_| completed) {
        Some(output) => Ok((mission, output)),
        None => {
            let failure = state.and_then(|state| state.failure.as_ref());
            let why = failure.map_or("it did not come to an end".to_owned(), |why| {
                why.message.clone()
            });
            Err(Failure::new(
                Exit::NotGood,
                "ADJ-6113",
                format!("nobody answered: {why}"),
                format!("`adjutant show {}` shows how far it came.", short(id)),
            ))
        }
    }
}

fn question(
    key: &str,
    purpose: &str,
    level: AgentLevel,
    input: &Value,
    reasoning: Option<Reasoning>,
) -> Result<Task, Failure> {
    let work = AgentWork {
        level,
        purpose: PurposeId::new(purpose).map_err(|error| defect(&error))?,
        with: Json::encode(input).map_err(|error| defect(&error))?,
        domain: None,
        complexity: Complexity::default(),
        model: None,
        reasoning: reasoning.map(Box::new),
    };
    let key = TaskKey::new(key).map_err(|error| defect(&error))?;
    Ok(Task::new(key, WorkSpec::Agent(Box::new(work))))
}

fn by(task: Task, agent: &str) -> Result<Task, Failure> {
    let by = Some(AgentId::new(agent).map_err(|error| defect(&error))?);
    Ok(Task { by, ..task })
}

fn agent(
    id: &str,
    level: AgentLevel,
    name: &str,
    tokens_lifetime: Option<u64>,
) -> Result<AgentSpec, Failure> {
    Ok(AgentSpec {
        id: AgentId::new(id).map_err(|error| defect(&error))?,
        level,
        name: name.to_owned(),
        started_by: None,
        tokens_lifetime,
    })
}

fn defect(error: &dyn std::fmt::Display) -> Failure {
    Failure::new(
        Exit::Trouble,
        "ADJ-6083",
        error.to_string(),
        "This is a defect of Adjutant: report it.",
    )
}
