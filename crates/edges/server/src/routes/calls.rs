//! What the world was asked for by a mission, call by call, read from its journal.

use std::collections::BTreeMap;

use adjutant_mission::{
    CorruptJournal, Effect, EffectNumber, Event, Json, Mission, Payload, Recorded, TaskKey,
    Timestamp, Usage, Work,
};
use adjutant_session_events::{rfc3339, tool_name};
use serde::Serialize;
use serde_json::{Value, json};

/// One call of a tool, question to a model, judgement of a gate or sub-mission.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Call {
    id: String,
    kind: &'static str,
    /// The tool, or the way a question takes.
    what: Option<String>,
    task: TaskKey,
    by: Option<String>,
    attempt: u16,
    /// It takes back what its task did.
    undo: bool,
    started_at: String,
    duration_ms: Option<u64>,
    outcome: &'static str,
    trouble: Option<Value>,
    used: Used,
    /// Of calls of tools: whose tool it is, what went in, and what came out if the journal has it.
    tool_id: Option<String>,
    tool_name: Option<String>,
    input: Option<Value>,
    output: Option<Value>,
    /// Where the output is if it is not here.
    blob: Option<Value>,
    #[serde(skip)]
    since: Timestamp,
    #[serde(skip)]
    reserved: Usage,
}

/// Both at all times, also where they are nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
struct Used {
    money: u64,
    tokens: u64,
}

impl From<Usage> for Used {
    fn from(usage: Usage) -> Self {
        Self {
            money: usage.money.0,
            tokens: usage.tokens,
        }
    }
}

/// Whether a call does what its task is for, or takes it back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    Do,
    Undo,
}

#[derive(Default)]
struct Calls {
    all: Vec<Call>,
    /// By task: each has one at a time.
    under_way: BTreeMap<TaskKey, (EffectNumber, usize)>,
}

/// The calls of a journal, in the order in which they began. Those under way have no duration yet.
pub(super) fn calls_of(journal: &[Recorded]) -> Result<Vec<Call>, CorruptJournal> {
    let mut calls = Calls::default();
    let mut folded: Option<Mission> = None;
    for recorded in journal {
        let now = match folded.take() {
            None => Mission::begin(recorded)?,
            Some(mut before) => {
                before.apply(recorded)?;
                before
            }
        };
        calls.take(&now, recorded);
        folded = Some(now);
    }
    Ok(calls.all)
}

impl Calls {
    fn take(&mut self, mission: &Mission, recorded: &Recorded) {
        let at = recorded.at;
        match &recorded.event {
            Event::TaskStarted {
                effect: Some(effect),
                reserved,
                ..
            } => self.begin(mission, *effect, at, *reserved, Aim::Do),
            Event::UndoStarted {
                effect, reserved, ..
            } => self.begin(mission, *effect, at, *reserved, Aim::Undo),
            Event::TaskCompleted {
                task,
                output,
                usage,
            }
            | Event::TaskHeld {
                task,
                output,
                usage,
            } => {
                self.give(task, output);
                self.end(task, at, "done", *usage, None);
            }
            Event::GateJudged { task, usage, .. } | Event::Undone { task, usage } => {
                self.end(task, at, "done", *usage, None);
            }
            Event::StepTaken { task, taken } => {
                self.give(task, &taken.output);
                self.end(task, at, "done", taken.usage, None);
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
            } => self.end(task, at, "failed", *usage, Some(json!(failure))),
            // Only a person can say what became of it: until then it stays open.
            Event::EffectInDoubt { effect, reason } => {
                if let Some((_, place)) = self.find(*effect)
                    && let Some(call) = self.all.get_mut(place)
                {
                    call.outcome = "in_doubt";
                    call.trouble = Some(json!({ "message": reason }));
                }
            }
            Event::EffectAbandoned { effect, reason } => {
                self.lose(*effect, at, "abandoned", Some(json!({ "message": reason })));
            }
            Event::EffectLost { effect } => self.lose(*effect, at, "lost", None),
            // What was under way then was under way in the other mission.
            Event::MissionForked { .. } => {
                for (_, (_, place)) in std::mem::take(&mut self.under_way) {
                    self.close(place, at, "left_behind", Usage::NONE, None);
                }
            }
            _ => {}
        }
    }

    fn begin(
        &mut self,
        mission: &Mission,
        number: EffectNumber,
        at: Timestamp,
        reserved: Usage,
        aim: Aim,
    ) {
        let Some(effect) = mission.effect(number) else {
            return;
        };
        let by = mission.task(effect.task.as_str());
        let by = by.and_then(|(task, state)| state.doer(task));
        let (kind, what) = told(&effect);
        let call = match &effect.work {
            Work::CallTool(call) => Some(call),
            Work::AskModel(_) | Work::EvaluateGate(_) | Work::RunMission { .. } => None,
        };
        self.under_way
            .insert(effect.task.clone(), (number, self.all.len()));
        self.all.push(Call {
            id: effect.id.to_string(),
            kind,
            what,
            by: by.map(ToString::to_string),
            task: effect.task,
            attempt: effect.attempt,
            undo: aim == Aim::Undo,
            started_at: rfc3339(at),
            duration_ms: None,
            outcome: "under_way",
            trouble: None,
            used: Used::default(),
            tool_id: call.map(|call| call.tool.to_string()),
            tool_name: call.map(|call| tool_name(&call.tool).to_owned()),
            input: call.map(|call| value_of(&call.with)),
            output: None,
            blob: None,
            since: at,
            reserved,
        });
    }

    /// What a tool gave. Answers of models are with their tasks.
    fn give(&mut self, task: &TaskKey, output: &Payload) {
        let place = self.under_way.get(task).map(|(_, place)| *place);
        let Some(call) = place.and_then(|place| self.all.get_mut(place)) else {
            return;
        };
        match output {
            _ if call.tool_id.is_none() => {}
            Payload::Inline(json) => call.output = Some(value_of(json)),
            Payload::Blob { digest, bytes, .. } => {
                call.blob = Some(json!({ "digest": digest, "bytes": bytes }));
            }
        }
    }

    fn end(
        &mut self,
        task: &TaskKey,
        at: Timestamp,
        outcome: &'static str,
        usage: Usage,
        trouble: Option<Value>,
    ) {
        if let Some((_, place)) = self.under_way.remove(task) {
            self.close(place, at, outcome, usage, trouble);
        }
    }

    /// Its result will not come: what was reserved for it counts as spent.
    fn lose(
        &mut self,
        effect: EffectNumber,
        at: Timestamp,
        outcome: &'static str,
        trouble: Option<Value>,
    ) {
        let Some((task, place)) = self.find(effect) else {
            return;
        };
        let reserved = self
            .all
            .get(place)
            .map_or(Usage::NONE, |call| call.reserved);
        self.end(&task, at, outcome, reserved, trouble);
    }

    /// The task that an effect is for, and the place of its call.
    fn find(&self, effect: EffectNumber) -> Option<(TaskKey, usize)> {
        let mut under_way = self.under_way.iter();
        let found = under_way.find(|(_, (number, _))| *number == effect);
        found.map(|(task, (_, place))| (task.clone(), *place))
    }

    fn close(
        &mut self,
        place: usize,
        at: Timestamp,
        outcome: &'static str,
        usage: Usage,
        trouble: Option<Value>,
    ) {
        if let Some(call) = self.all.get_mut(place) {
            call.duration_ms = Some(at.since(call.since).0);
            call.outcome = outcome;
            call.used = usage.into();
            call.trouble = trouble;
        }
    }
}

fn value_of(json: &Json) -> Value {
    serde_json::from_str(json.text()).unwrap_or_else(|_| Value::String(json.text().to_owned()))
}

fn told(effect: &Effect) -> (&'static str, Option<String>) {
    match &effect.work {
        Work::CallTool(call) => ("tool", Some(call.tool.to_string())),
        Work::AskModel(agent) => ("model", Some(agent.route().to_string())),
        Work::EvaluateGate(_) => ("gate", None),
        Work::RunMission { .. } => ("mission", None),
    }
}
