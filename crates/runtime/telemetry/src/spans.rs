//! From the journal's events to spans: what is under way, and what is told of it when it ends.
//!
//! Names and attributes are those of OpenTelemetry's semantic conventions for generative AI, version 1.41 (status:
//! development): `invoke_agent`, `chat {model}`, `execute_tool {tool}`. What is the product's own begins with `adjutant.`.

use std::collections::BTreeMap;

use adjutant_mission::{
    CheckpointNumber, CorruptJournal, EffectNumber, EndingPhase, Event, Failure, FailureKind,
    Mission, MissionId, Payload, Recorded, TaskKey, TaskStatus, Timestamp, Usage, Verdict, Work,
    WorkSpec,
};
use serde_json::Value;

use crate::{Attribute, Kind, Span, SpanId, Status, trace_of};

/// Longest name that is taken over from an answer: who gave it, and which model.
const NAME_CHARS_MAX: usize = 200;

/// Turns a mission's journal into spans, one event at a time and from the first one on.
#[derive(Debug, Clone, Default)]
pub struct Spans {
    tasks: BTreeMap<TaskKey, TaskSpan>,
    effects: BTreeMap<TaskKey, EffectSpan>,
}

#[derive(Debug, Clone)]
struct TaskSpan {
    id: SpanId,
    began: Timestamp,
}

#[derive(Debug, Clone)]
struct EffectSpan {
    number: EffectNumber,
    began: Timestamp,
    attempt: u16,
    work: Doing,
}

#[derive(Debug, Clone)]
enum Doing {
    Tool(String),
    Model {
        wanted: Option<String>,
        purpose: String,
        level: &'static str,
    },
    Gate,
    Mission,
}

/// How something ended, with what it used.
struct End<'a> {
    usage: Usage,
    output: Option<&'a Payload>,
    error: Option<String>,
}

impl<'a> End<'a> {
    fn well(output: Option<&'a Payload>, usage: Usage) -> Self {
        Self {
            usage,
            output,
            error: None,
        }
    }

    fn badly(kind: &str, usage: Usage) -> Self {
        Self {
            usage,
            output: None,
            error: Some(kind.to_owned()),
        }
    }
}

/// The spans of a whole journal.
pub fn spans_of(journal: &[Recorded]) -> Result<Vec<Span>, CorruptJournal> {
    let mut spans = Spans::default();
    let mut told = Vec::new();
    let mut mission: Option<Mission> = None;
    for recorded in journal {
        let now = match mission.take() {
            None => Mission::begin(recorded)?,
            Some(mut before) => {
                before.apply(recorded)?;
                before
            }
        };
        told.extend(spans.take(&now, recorded));
        mission = Some(now);
    }
    Ok(told)
}

impl Spans {
    /// The spans that end with this event, with the mission as it is after it. Events are to be given in order, each once.
    pub fn take(&mut self, mission: &Mission, recorded: &Recorded) -> Vec<Span> {
        let mut told = Vec::new();
        let at = recorded.at;
        match &recorded.event {
            Event::TaskStarted { task, effect, .. } => {
                self.begin_task(mission, task, recorded.seq, at);
                self.begin_effect(mission, *effect, at);
            }
            Event::UndoStarted { task, effect, .. } => {
                self.begin_task(mission, task, recorded.seq, at);
                self.begin_effect(mission, Some(*effect), at);
            }
            Event::TaskCompleted {
                task,
                output,
                usage,
            }
            | Event::TaskHeld {
                task,
                output,
                usage,
            } => told.extend(self.end_effect(mission, task, at, &End::well(Some(output), *usage))),
            Event::StepTaken { task, taken } => {
                let end = End::well(Some(&taken.output), taken.usage);
                told.extend(self.end_effect(mission, task, at, &end));
            }
            Event::GateJudged { task, usage, .. } | Event::Undone { task, usage } => {
                told.extend(self.end_effect(mission, task, at, &End::well(None, *usage)));
            }
            Event::AttemptFailed {
                task,
                failure,
                usage,
                ..
            }
            | Event::UndoFailed {
                task,
                failure,
                usage,
                ..
            } => {
                let end = End::badly(kind_of(failure), *usage);
                told.extend(self.end_effect(mission, task, at, &end));
            }
            Event::EffectInDoubt { effect, .. } => {
                told.extend(self.lose(mission, *effect, at, "in_doubt"));
            }
            Event::EffectLost { effect } => told.extend(self.lose(mission, *effect, at, "lost")),
            Event::EffectAbandoned { effect, .. } => {
                told.extend(self.lose(mission, *effect, at, "abandoned"));
            }
            Event::MissionForked { .. } => {
                // What was under way goes on in the mission that this one was forked from.
                self.effects.clear();
                self.tasks.clear();
            }
            Event::CheckpointDecided {
                checkpoint,
                decision,
            } => {
                let verdict = match decision.verdict {
                    Verdict::Approve => "approve",
                    Verdict::Modify => "modify",
                    Verdict::Reject => "reject",
                };
                told.extend(asked(mission, *checkpoint, at, verdict, &self.tasks));
            }
            Event::CheckpointExpired { checkpoint } => {
                told.extend(asked(mission, *checkpoint, at, "expired", &self.tasks));
            }
            Event::CheckpointWithdrawn { checkpoint, .. } => {
                told.extend(asked(mission, *checkpoint, at, "withdrawn", &self.tasks));
            }
            _ => {}
        }
        self.end_tasks(mission, at, &mut told);
        if let Event::MissionEnded(ending) = &recorded.event {
            self.end_all(mission, at, &mut told);
            told.push(root(mission, at, ending.phase));
        }
        told
    }

    /// A task is under way from its first try to its end, whatever happens in between.
    fn begin_task(&mut self, mission: &Mission, task: &TaskKey, seq: u64, at: Timestamp) {
        self.tasks.entry(task.clone()).or_insert_with(|| TaskSpan {
            id: SpanId::of(mission.id(), &format!("task {task} {seq}")),
            began: at,
        });
    }

    fn begin_effect(&mut self, mission: &Mission, number: Option<EffectNumber>, at: Timestamp) {
        let Some(effect) = number.and_then(|number| mission.effect(number)) else {
            return;
        };
        let work = match &effect.work {
            Work::CallTool(call) => Doing::Tool(call.tool.to_string()),
            Work::AskModel(asked) => Doing::Model {
                wanted: asked.model.as_ref().map(|model| model.as_str().to_owned()),
                purpose: asked.purpose.to_string(),
                level: asked.level.name(),
            },
            Work::EvaluateGate(_) => Doing::Gate,
            Work::RunMission { .. } => Doing::Mission,
        };
        let span = EffectSpan {
            number: effect.id.number,
            began: at,
            attempt: effect.attempt,
            work,
        };
        self.effects.insert(effect.task, span);
    }

    fn lose(
        &mut self,
        mission: &Mission,
        effect: EffectNumber,
        at: Timestamp,
        kind: &str,
    ) -> Option<Span> {
        let mut under_way = self.effects.iter();
        let task = under_way
            .find(|(_, span)| span.number == effect)
            .map(|(task, _)| task.clone())?;
        self.end_effect(mission, &task, at, &End::badly(kind, Usage::NONE))
    }

    fn end_effect(
        &mut self,
        mission: &Mission,
        task: &TaskKey,
        at: Timestamp,
        end: &End<'_>,
    ) -> Option<Span> {
        let effect = self.effects.remove(task)?;
        let parent = self.tasks.get(task).map(|task| task.id);
        Some(effect_span(mission, task, &effect, parent, at, end))
    }

    fn end_tasks(&mut self, mission: &Mission, at: Timestamp, told: &mut Vec<Span>) {
        self.tasks.retain(|key, span| {
            let Some((spec, state)) = mission.task(key.as_str()) else {
                return false;
            };
            let undoing = self.effects.contains_key(key);
            if !state.status.is_ended() || undoing {
                return true;
            }
            let mut attributes = own(mission);
            attributes.push(("adjutant.task.key", key.as_str().into()));
            attributes.push(("adjutant.task.kind", kind_of_work(&spec.work).into()));
            attributes.push(("adjutant.task.status", state.status.name().into()));
            attributes.push(("adjutant.task.attempt", u64::from(state.attempt).into()));
            if let Some(agent) = &spec.by {
                attributes.push(("gen_ai.agent.id", agent.as_str().into()));
            }
            let status = match state.status {
                TaskStatus::Failed => Status::Error("failed".to_owned()),
                _ => Status::Unset,
            };
            told.push(Span {
                trace: trace_of(mission.id()),
                id: span.id,
                parent: Some(SpanId::of_mission(mission.id())),
                link: None,
                name: format!("task {key}"),
                kind: Kind::Internal,
                began: span.began,
                ended: at,
                status,
                attributes,
            });
            false
        });
    }

    /// With the mission everything is over, whatever was left undone.
    fn end_all(&mut self, mission: &Mission, at: Timestamp, told: &mut Vec<Span>) {
        let left: Vec<TaskKey> = self.effects.keys().cloned().collect();
        for task in left {
            let end = End::badly("abandoned", Usage::NONE);
            told.extend(self.end_effect(mission, &task, at, &end));
        }
        self.end_tasks(mission, at, told);
        self.tasks.clear();
    }
}

fn own(mission: &Mission) -> Vec<(&'static str, Attribute)> {
    let id = Attribute::Text(mission.id().to_string());
    vec![("adjutant.mission.id", id)]
}

fn root(mission: &Mission, at: Timestamp, phase: EndingPhase) -> Span {
    let id = mission.id();
    let (phase, status) = match phase {
        EndingPhase::Completed => ("completed", Status::Unset),
        EndingPhase::Failed => ("failed", Status::Error("failed".to_owned())),
        EndingPhase::Cancelled => ("cancelled", Status::Unset),
    };
    let used = mission.used();
    let mut attributes = own(mission);
    attributes.extend([
        ("gen_ai.operation.name", "invoke_agent".into()),
        ("gen_ai.provider.name", "adjutant".into()),
        ("gen_ai.conversation.id", Attribute::Text(id.to_string())),
        ("adjutant.mission.phase", phase.into()),
        (
            "adjutant.mission.tasks",
            (mission.tasks().count() as u64).into(),
        ),
        ("adjutant.cost.micro_usd", used.money.0.into()),
        ("adjutant.tokens", used.tokens.into()),
    ]);
    if let Status::Error(kind) = &status {
        attributes.push(("error.type", kind.as_str().into()));
    }
    let parent = mission.opened().parent.as_ref().map(|parent| parent.effect);
    Span {
        trace: trace_of(id),
        id: SpanId::of_mission(id),
        parent: None,
        link: parent.map(|of| {
            let span = SpanId::of_effect(of.mission, of.number);
            (trace_of(of.mission), span)
        }),
        name: "invoke_agent adjutant".to_owned(),
        kind: Kind::Internal,
        began: mission.opened_at(),
        ended: at,
        status,
        attributes,
    }
}

/// The time that a question waited for its answer. Silence is no failure of the span: it is an answer.
fn asked(
    mission: &Mission,
    number: CheckpointNumber,
    at: Timestamp,
    verdict: &str,
    tasks: &BTreeMap<TaskKey, TaskSpan>,
) -> Option<Span> {
    let state = mission.checkpoints().get(number.index())?;
    let checkpoint = &state.checkpoint;
    let task = checkpoint.asks.task();
    let parent = task.and_then(|task| tasks.get(task)).map(|task| task.id);
    let mut attributes = own(mission);
    attributes.extend([
        ("adjutant.checkpoint.number", u64::from(number.get()).into()),
        (
            "adjutant.checkpoint.trigger",
            checkpoint.trigger.as_str().into(),
        ),
        ("adjutant.checkpoint.verdict", verdict.into()),
    ]);
    if let Some(role) = &checkpoint.role {
        attributes.push(("adjutant.checkpoint.role", role.as_str().into()));
    }
    Some(Span {
        trace: trace_of(mission.id()),
        id: SpanId::of(mission.id(), &format!("checkpoint {number}")),
        parent: Some(parent.unwrap_or(SpanId::of_mission(mission.id()))),
        link: None,
        name: format!("human_decision {}", checkpoint.trigger),
        kind: Kind::Internal,
        began: state.opened_at,
        ended: at,
        status: Status::Unset,
        attributes,
    })
}

fn effect_span(
    mission: &Mission,
    task: &TaskKey,
    effect: &EffectSpan,
    parent: Option<SpanId>,
    at: Timestamp,
    end: &End<'_>,
) -> Span {
    let id: MissionId = mission.id();
    let mut attributes = own(mission);
    attributes.push(("adjutant.task.key", task.as_str().into()));
    attributes.push(("adjutant.task.attempt", u64::from(effect.attempt).into()));
    let (name, kind) = match &effect.work {
        Doing::Tool(tool) => {
            let call = adjutant_mission::EffectId {
                mission: id,
                number: effect.number,
            };
            attributes.extend([
                ("gen_ai.operation.name", "execute_tool".into()),
                ("gen_ai.tool.name", tool.as_str().into()),
                ("gen_ai.tool.type", "function".into()),
                ("gen_ai.tool.call.id", Attribute::Text(call.to_string())),
            ]);
            (format!("execute_tool {tool}"), Kind::Internal)
        }
        Doing::Model {
            wanted,
            purpose,
            level,
        } => {
            let by = end.output.and_then(answered_by);
            attributes.extend([
                ("gen_ai.operation.name", "chat".into()),
                ("adjutant.purpose", purpose.as_str().into()),
                ("adjutant.agent.level", (*level).into()),
            ]);
            (
                asked_model(wanted.as_deref(), by.as_ref(), &mut attributes),
                Kind::Client,
            )
        }
        Doing::Gate => ("evaluate_gate".to_owned(), Kind::Internal),
        Doing::Mission => ("run_mission".to_owned(), Kind::Internal),
    };
    if end.usage.money.0 > 0 {
        attributes.push(("adjutant.cost.micro_usd", end.usage.money.0.into()));
    }
    if end.usage.tokens > 0 {
        attributes.push(("adjutant.tokens", end.usage.tokens.into()));
    }
    let status = match &end.error {
        None => Status::Unset,
        Some(kind) => {
            attributes.push(("error.type", kind.as_str().into()));
            Status::Error(kind.clone())
        }
    };
    Span {
        trace: trace_of(id),
        id: SpanId::of_effect(id, effect.number),
        parent: Some(parent.unwrap_or(SpanId::of_mission(id))),
        link: None,
        name,
        kind,
        began: effect.began,
        ended: at,
        status,
        attributes,
    }
}

/// What an answer says of who gave it. In a blob it is not looked for: the journal's tokens and cost are told then.
fn answered_by(output: &Payload) -> Option<Value> {
    let Payload::Inline(json) = output else {
        return None;
    };
    let output: Value = serde_json::from_str(json.text()).ok()?;
    output.get("answered_by").cloned()
}

/// What is known of the model, and the name of the span.
fn asked_model(
    wanted: Option<&str>,
    by: Option<&Value>,
    attributes: &mut Vec<(&'static str, Attribute)>,
) -> String {
    let text = |name: &str| {
        let text = by.and_then(|by| by.get(name)).and_then(Value::as_str)?;
        Some(text.chars().take(NAME_CHARS_MAX).collect::<String>())
    };
    let number = |name: &str| by.and_then(|by| by.get("tokens")?.get(name)?.as_u64());
    let answered = text("model");
    let asked = wanted.map(str::to_owned).or_else(|| answered.clone());
    let provider = text("provider").unwrap_or_else(|| "_OTHER".to_owned());
    attributes.push(("gen_ai.provider.name", Attribute::Text(provider)));
    let named = [
        ("gen_ai.request.model", asked.clone()),
        ("gen_ai.response.model", answered),
    ];
    for (key, value) in named {
        attributes.extend(value.map(|value| (key, Attribute::Text(value))));
    }
    let counted = [
        ("gen_ai.usage.input_tokens", "input"),
        ("gen_ai.usage.output_tokens", "output"),
        ("gen_ai.usage.cache_read.input_tokens", "cache_read"),
        ("gen_ai.usage.cache_creation.input_tokens", "cache_write"),
    ];
    for (key, name) in counted {
        attributes.extend(number(name).map(|value| (key, value.into())));
    }
    if let Some(finish) = text("finish") {
        attributes.push((
            "gen_ai.response.finish_reasons",
            Attribute::List(vec![finish]),
        ));
    }
    match asked {
        Some(model) => format!("chat {model}"),
        None => "chat".to_owned(),
    }
}

fn kind_of_work(work: &WorkSpec) -> &'static str {
    match work {
        WorkSpec::Tool(_) => "tool",
        WorkSpec::Agent(_) => "agent",
        WorkSpec::Human(_) => "human",
        WorkSpec::Gate(_) => "gate",
        WorkSpec::Mission(_) => "mission",
    }
}

fn kind_of(failure: &Failure) -> &'static str {
    match failure.kind {
        FailureKind::Temporary => "temporary",
        FailureKind::Permanent => "permanent",
        FailureKind::BadInput => "bad_input",
        FailureKind::BadOutput => "bad_output",
        FailureKind::TimedOut => "timed_out",
        FailureKind::OutcomeUnknown => "outcome_unknown",
        FailureKind::CapReached => "cap_reached",
        FailureKind::Denied => "denied",
        FailureKind::NeedsHuman => "needs_human",
        FailureKind::Verdict => "verdict",
    }
}
