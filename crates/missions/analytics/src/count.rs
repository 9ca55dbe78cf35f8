//! One journal as counts.

use std::collections::BTreeMap;

use adjutant_mission::{
    CorruptJournal, EndingPhase, Event, Json, Mission, MissionId, Payload, Recorded, TaskKey,
    Timestamp, Usage,
};
use serde::Serialize;
use serde_json::Value;

use crate::calls::{CallKind, Calls, UnderWay, is_useful, was_sent};
use crate::citations::Citations;
use crate::insights::is_by_agent;

/// The outputs that a journal keeps outside its events, by digest.
#[derive(Debug, Default)]
pub struct Outputs(pub BTreeMap<String, Json>);

impl Outputs {
    pub(crate) fn value(&self, payload: &Payload) -> Option<Value> {
        let json = match payload {
            Payload::Inline(json) => json,
            Payload::Blob { digest, .. } => self.0.get(digest)?,
        };
        serde_json::from_str(json.text()).ok()
    }
}

/// What the journal of a mission that has ended counts. Of a fork, only what happened after it was forked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MissionCount {
    pub mission: MissionId,
    pub ended_at: Timestamp,
    pub phase: EndingPhase,
    /// From its start, or from when it was forked, to its end.
    pub lasted_millis: u64,
    pub used: Usage,
    /// What the tasks of its plan were expected to cost, where any says.
    pub planned_micro_usd: Option<u64>,
    pub responses: Vec<Response>,
    /// Of what it handed over last.
    pub checks: CheckCount,
    /// By agent; what no agent did under the empty name.
    pub work: BTreeMap<String, WorkCount>,
}

/// A question to a person that was answered, or that nobody answered in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Response {
    pub waited_millis: u64,
    pub answered: bool,
}

/// The areas of the constitution that something was checked in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CheckCount {
    pub areas: u64,
    pub areas_passed: u64,
}

impl CheckCount {
    /// Out of the record of a check.
    fn read(record: &Value) -> Self {
        let areas = record["areas"].as_array().map_or(&[][..], Vec::as_slice);
        let passed = areas.iter().filter(|area| area["passed"] == true);
        Self {
            areas_passed: passed.count() as u64,
            areas: areas.len() as u64,
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.areas += other.areas;
        self.areas_passed += other.areas_passed;
    }
}

/// What was done by one agent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct WorkCount {
    /// Calls of tools that were sent.
    pub calls: u64,
    pub calls_succeeded: u64,
    /// Those of them whose result held something.
    pub calls_useful: u64,
    /// Questions that a model answered or failed to: those that used tokens.
    pub questions: u64,
    pub tokens: u64,
    /// What the levels of those who asked may use for so many questions.
    pub tokens_max: u64,
    pub micro_usd: u64,
    pub citations: u64,
    /// Those whose quote is in its source.
    pub citations_held: u64,
}

/// Counts a whole journal; nothing if the mission has not ended.
pub fn count_mission(
    events: &[Recorded],
    outputs: &Outputs,
) -> Result<Option<MissionCount>, CorruptJournal> {
    let mut counter = Counter::new(outputs);
    let mut mission: Option<Mission> = None;
    for recorded in events {
        let now = match mission.take() {
            None => Mission::begin(recorded)?,
            Some(mut before) => {
                before.apply(recorded)?;
                before
            }
        };
        counter.take(&now, recorded);
        mission = Some(now);
    }
    Ok(mission.and_then(|mission| counter.close(&mission)))
}

struct Counter<'a> {
    outputs: &'a Outputs,
    calls: Calls,
    citations: Citations,
    work: BTreeMap<String, WorkCount>,
    responses: Vec<Response>,
    checks: CheckCount,
}

impl<'a> Counter<'a> {
    fn new(outputs: &'a Outputs) -> Self {
        Self {
            outputs,
            calls: Calls::default(),
            citations: Citations::default(),
            work: BTreeMap::new(),
            responses: Vec::new(),
            checks: CheckCount::default(),
        }
    }

    fn take(&mut self, mission: &Mission, recorded: &Recorded) {
        match &recorded.event {
            Event::MissionOpened(opened) => {
                let inputs = opened.plan.inputs.as_ref();
                let inputs = inputs.and_then(|inputs| serde_json::from_str(inputs.text()).ok());
                if let Some(inputs) = inputs {
                    self.citations.learn(&inputs);
                }
            }
            // What was inherited is counted where it happened.
            Event::MissionForked { .. } => {
                self.calls.clear();
                self.work.clear();
                self.responses.clear();
                self.checks = CheckCount::default();
                self.citations.forget_cited();
            }
            Event::TaskStarted {
                effect: Some(effect),
                ..
            } => {
                if let Some(effect) = mission.effect(*effect) {
                    self.calls.begin(mission, &effect);
                }
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
            } => self.completed(mission, task, output, *usage),
            Event::StepTaken { task, taken } => {
                let output = self.outputs.value(&taken.output);
                if let Some(ended) = self.calls.end(task) {
                    self.succeeded(&ended, output.as_ref(), taken.usage);
                }
                if let Some(output) = output {
                    self.citations.learn(&output);
                }
            }
            Event::AttemptFailed {
                task,
                failure,
                usage,
                ..
            } => {
                if let Some(ended) = self.calls.end(task) {
                    let work = self.work.entry(ended.agent).or_default();
                    work.micro_usd = work.micro_usd.saturating_add(usage.money.0);
                    match ended.what {
                        CallKind::Tool | CallKind::Check if was_sent(failure.kind) => {
                            work.calls += 1;
                        }
                        CallKind::Question { tokens_max } => work.ask(*usage, tokens_max),
                        CallKind::Tool | CallKind::Check | CallKind::Uncounted => {}
                    }
                }
            }
            // A host that answers because somebody said so in advance is no response.
            Event::CheckpointDecided { checkpoint, .. }
                if recorded.actor.as_ref().is_some_and(|by| !by.is_system()) =>
            {
                self.responded(mission, checkpoint.index(), recorded.at, true);
            }
            Event::CheckpointExpired { checkpoint } => {
                self.responded(mission, checkpoint.index(), recorded.at, false);
            }
            _ => {}
        }
    }

    fn completed(&mut self, mission: &Mission, task: &TaskKey, output: &Payload, usage: Usage) {
        let output = self.outputs.value(output);
        let by_agent = is_by_agent(mission, task.as_str());
        if let Some(ended) = self.calls.end(task) {
            self.succeeded(&ended, output.as_ref(), usage);
            if let Some(record) = output.as_ref().filter(|_| ended.what == CallKind::Check) {
                self.checks = CheckCount::read(record);
            }
            if let Some(output) = output.as_ref().filter(|_| by_agent) {
                self.citations.note(&ended.agent, output);
            }
        }
        if let Some(output) = output.filter(|_| !by_agent) {
            self.citations.learn(&output);
        }
    }

    fn succeeded(&mut self, ended: &UnderWay, output: Option<&Value>, usage: Usage) {
        let work = self.work.entry(ended.agent.clone()).or_default();
        work.micro_usd = work.micro_usd.saturating_add(usage.money.0);
        match ended.what {
            CallKind::Tool | CallKind::Check => {
                work.calls += 1;
                work.calls_succeeded += 1;
                work.calls_useful += u64::from(output.is_some_and(is_useful));
            }
            CallKind::Question { tokens_max } => work.ask(usage, tokens_max),
            CallKind::Uncounted => {}
        }
    }

    fn responded(&mut self, mission: &Mission, place: usize, at: Timestamp, answered: bool) {
        if let Some(asked) = mission.checkpoints().get(place) {
            self.responses.push(Response {
                waited_millis: at.since(asked.opened_at).0,
                answered,
            });
        }
    }

    fn close(mut self, mission: &Mission) -> Option<MissionCount> {
        let ending = mission.ending()?;
        for (agent, held) in self.citations.checked() {
            let work = self.work.entry(agent.to_owned()).or_default();
            work.citations += 1;
            work.citations_held += u64::from(held);
        }
        let forked = mission.forked();
        let since = forked.map_or(mission.opened_at(), |forked| forked.since);
        let inherited = forked.map_or(Usage::NONE, |forked| forked.used);
        let plan = mission.plan();
        let planned = plan
            .tasks
            .iter()
            .filter_map(|task| task.estimate.as_ref()?.money);
        let planned: Vec<u64> = planned.map(|money| money.0).collect();
        Some(MissionCount {
            mission: mission.id(),
            ended_at: mission.updated_at(),
            phase: ending.phase,
            lasted_millis: mission.updated_at().since(since).0,
            used: mission.used().minus(inherited),
            planned_micro_usd: (!planned.is_empty()).then(|| {
                planned
                    .iter()
                    .fold(0_u64, |sum, one| sum.saturating_add(*one))
            }),
            responses: self.responses,
            checks: self.checks,
            work: self.work,
        })
    }
}

impl MissionCount {
    /// Adds what a sub-mission did. What it used is in what its mission used already.
    pub(crate) fn take_in(&mut self, sub_mission: &Self) {
        self.responses.extend(&sub_mission.responses);
        self.checks.add(sub_mission.checks);
        for (agent, work) in &sub_mission.work {
            self.work.entry(agent.clone()).or_default().add(work);
        }
    }
}

impl WorkCount {
    /// A question that rules answered used no tokens, and says nothing of budgets.
    fn ask(&mut self, usage: Usage, tokens_max: u64) {
        if usage.tokens > 0 {
            self.questions += 1;
            self.tokens = self.tokens.saturating_add(usage.tokens);
            self.tokens_max = self.tokens_max.saturating_add(tokens_max);
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.calls_succeeded += other.calls_succeeded;
        self.calls_useful += other.calls_useful;
        self.questions += other.questions;
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.tokens_max = self.tokens_max.saturating_add(other.tokens_max);
        self.micro_usd = self.micro_usd.saturating_add(other.micro_usd);
        self.citations += other.citations;
        self.citations_held += other.citations_held;
    }
}
