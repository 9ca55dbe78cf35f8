//! How agents reason: rounds, steps, thoughts, and the phases between steps that the machine decides.

use std::collections::BTreeMap;

use adjutant_mission::{
    AgentLevel, Assessment, CallPath, Move, Pattern, Payload, PhaseRecord, Ppm, ReactPhase,
    Reasoning, Signs, StepKind, StepTaken, TaskKey, TaskState, Thought, Usage, WorkSpec, phase_of,
    react_phases,
};
use serde_json::{Value, json};

use crate::EventType;
use crate::event::{Told, blob_of, ppm, share, stored};
use crate::findings::collect;
use crate::sources;

/// Sources that one step lists.
const EVIDENCE_MAX: usize = 50;
/// Titles of what a call found that its step names.
const TITLES_MAX: usize = 3;
const ONE_PERCENT_PPM: u32 = 10_000;

/// The trains of thought under way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Thinking {
    trains: BTreeMap<TaskKey, Train>,
}

#[derive(Debug, Clone, Default)]
struct Train {
    /// How many steps it has.
    steps: usize,
    phases_told: usize,
    round: Option<Round>,
    /// The conclusion that is being drawn.
    conclusion: Option<Move>,
    /// How sure of itself the conclusion is that the task ends with.
    sure: Option<Ppm>,
    /// The confidence that was stated last.
    stated: Option<Ppm>,
}

#[derive(Debug, Clone)]
struct Round {
    pattern: Pattern,
    iteration: u16,
    steps: u16,
    confidence: Option<Ppm>,
}

/// Whether a round was thought to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Finished,
    CutShort,
}

impl Thinking {
    /// A step is to be taken: another round begins with it, or the conclusion.
    pub(crate) fn step_begins(&mut self, told: &mut Told<'_>, task: &TaskKey, thought: &Thought) {
        let train = self.trains.entry(task.clone()).or_default();
        let step = &thought.step;
        let now = (step.pattern, step.iteration);
        if step.kind == StepKind::Conclude {
            train.conclusion = Some(step.clone());
            return train.end_round(told, task, End::Finished);
        }
        let same = train.round.as_ref();
        if same.is_some_and(|round| (round.pattern, round.iteration) == now) {
            return;
        }
        train.end_round(told, task, End::Finished);
        train.round = Some(Round {
            pattern: step.pattern,
            iteration: step.iteration,
            steps: 0,
            confidence: None,
        });
        let reasoning = reasoning_of(told, task).map(|(reasoning, ..)| reasoning);
        let data = json!({
            "task_id": task,
            "agent_id": told.doer(task),
            "pattern": step.pattern.name(),
            "iteration": step.iteration,
            "iterations_max": reasoning.map(|reasoning| reasoning.max_iterations),
        });
        told.tell(EventType::IterationStart, data);
    }

    pub(crate) fn step_taken(&mut self, told: &mut Told<'_>, task: &TaskKey, taken: &StepTaken) {
        let train = self.trains.entry(task.clone()).or_default();
        let number = train.steps;
        train.steps += 1;
        if taken.step.kind == StepKind::Conclude {
            train.conclusion = None;
        } else if let Some(round) = &mut train.round {
            round.steps += 1;
            round.confidence = taken.signs.sure.or(round.confidence);
        }
        tell_thought(told, task, number, taken);
        let phases = phases(told, task);
        let new = phases.get(train.phases_told..).unwrap_or_default();
        train.phases_told = phases.len();
        let mut is_told = !new
            .iter()
            .any(|phase| phase.step.map(usize::from) == Some(number));
        if is_told {
            train.tell_step(told, task, number, taken, None);
        }
        for phase in new {
            match phase.step {
                Some(step) if usize::from(step) == number && !is_told => {
                    is_told = true;
                    train.tell_step(told, task, number, taken, Some(phase));
                }
                _ => train.tell_phase(told, task, phase),
            }
        }
    }

    pub(crate) fn assessed(
        &mut self,
        told: &mut Told<'_>,
        task: &TaskKey,
        assessment: &Assessment,
        then: &impl serde::Serialize,
    ) {
        let data = json!({
            "task_id": task,
            "agent_id": told.doer(task),
            "confidence": share(Some(assessment.composite)),
            "confidence_ppm": assessment.composite,
            "sure_ppm": assessment.sure,
            "rules_ppm": assessment.rules,
            "support_ppm": assessment.support,
            "threshold": share(Some(assessment.threshold)),
            "threshold_ppm": assessment.threshold,
            "then": stored(then),
        });
        told.tell(EventType::ConfidenceUpdate, data);
        if let Some(train) = self.trains.get_mut(task) {
            train.sure = Some(assessment.sure);
        }
    }

    /// A task came to its result. If that is a conclusion, the journal has no step of its own for it.
    pub(crate) fn concluded(&mut self, told: &mut Told<'_>, task: &TaskKey, output: &Payload) {
        let Some(train) = self.trains.get_mut(task) else {
            return;
        };
        let Some((step, sure)) = train.conclusion.take().zip(train.sure.take()) else {
            return;
        };
        let taken = StepTaken {
            step,
            signs: Signs {
                sure: Some(sure),
                ..Signs::default()
            },
            output: output.clone(),
            usage: Usage::NONE,
        };
        let number = train.steps;
        train.tell_step(told, task, number, &taken, None);
    }

    /// Lets go of the trains of thought that are over: their tasks ended, began anew, or are done in another way.
    pub(crate) fn settle(&mut self, told: &mut Told<'_>) {
        let over = |task: &TaskKey, train: &Train| match told.mission.task(task.as_str()) {
            None => true,
            Some((_, state)) => {
                let anew = state.steps.len() < train.steps;
                told.mission.ending().is_some() || is_over(state) || anew
            }
        };
        let over: Vec<TaskKey> = self
            .trains
            .iter()
            .filter(|(task, train)| over(task, train))
            .map(|(task, _)| task.clone())
            .collect();
        for task in over {
            if let Some(mut train) = self.trains.remove(&task) {
                train.end_round(told, &task, End::CutShort);
            }
        }
    }
}

fn is_over(state: &TaskState) -> bool {
    state.status.is_ended() || state.way == CallPath::Alternative
}

impl Train {
    fn end_round(&mut self, told: &mut Told<'_>, task: &TaskKey, end: End) {
        let Some(round) = self.round.take() else {
            return;
        };
        let data = json!({
            "task_id": task,
            "agent_id": told.doer(task),
            "pattern": round.pattern.name(),
            "iteration": round.iteration,
            "steps": round.steps,
            "confidence": share(round.confidence),
            "confidence_ppm": ppm(round.confidence),
            "finished": end == End::Finished,
        });
        told.tell(EventType::IterationComplete, data);
    }

    fn tell_step(
        &mut self,
        told: &mut Told<'_>,
        task: &TaskKey,
        number: usize,
        taken: &StepTaken,
        record: Option<&PhaseRecord>,
    ) {
        let step = &taken.step;
        let phase = phase_of(taken);
        let stated = record
            .and_then(|record| record.confidence)
            .or(taken.signs.sure);
        let answer = told.held(&taken.output);
        let content = text_of(&answer).unwrap_or_else(|| without_words(step.kind, &answer));
        let mut passages = Vec::new();
        collect(&answer, &mut passages);
        let mut evidence: Vec<&str> = passages.iter().map(|(source, _)| *source).collect();
        evidence.sort_unstable();
        evidence.dedup();
        evidence.truncate(EVIDENCE_MAX);
        let data = json!({
            "task_id": task,
            "agent_id": told.doer(task),
            "step": number,
            "pattern": step.pattern.name(),
            "kind": step.kind.name(),
            "role": step.role.name(),
            "iteration": step.iteration,
            "phase": place_of(phase),
            "phase_name": phase.name(),
            "holds": record.map(|record| record.holds),
            "content": content,
            "confidence": self.confidence(stated),
            "confidence_ppm": ppm(stated),
            "evidence": evidence,
            "blob": blob_of(&taken.output),
        });
        told.tell(EventType::ReasoningStep, data);
    }

    /// A phase that the machine decided, or that there was nothing to do in.
    fn tell_phase(&mut self, told: &mut Told<'_>, task: &TaskKey, record: &PhaseRecord) {
        let data = json!({
            "task_id": task,
            "agent_id": told.doer(task),
            "step": record.step,
            "pattern": Pattern::React.name(),
            "kind": null,
            "role": null,
            "iteration": record.iteration,
            "phase": place_of(record.phase),
            "phase_name": record.phase.name(),
            "holds": record.holds,
            "content": decided(record),
            "confidence": self.confidence(record.confidence),
            "confidence_ppm": ppm(record.confidence),
            "evidence": [],
            "blob": null,
        });
        told.tell(EventType::ReasoningStep, data);
    }

    /// How sure the agent is at this point: as it states, or else as it stated last.
    fn confidence(&mut self, stated: Option<Ppm>) -> Value {
        self.stated = stated.or(self.stated);
        share(Some(self.stated.unwrap_or(Ppm(0))))
    }
}

/// How a task's agent reasons, whether it may act, and its steps.
fn reasoning_of<'a>(
    told: &Told<'a>,
    task: &TaskKey,
) -> Option<(&'a Reasoning, bool, &'a [StepTaken])> {
    let (spec, state) = told.mission.task(task.as_str())?;
    let WorkSpec::Agent(agent) = &spec.work else {
        return None;
    };
    let over = state.taken_over.as_ref();
    let level = over.map_or(agent.level, |over| over.level);
    let reasoning = agent.reasoning.as_deref()?;
    Some((reasoning, level.may_start(AgentLevel::L5), &state.steps))
}

fn phases(told: &Told<'_>, task: &TaskKey) -> Vec<PhaseRecord> {
    match reasoning_of(told, task) {
        Some((reasoning, may_act, steps)) if reasoning.patterns.contains(&Pattern::React) => {
            react_phases(reasoning, may_act, steps)
        }
        _ => Vec::new(),
    }
}

fn tell_thought(told: &mut Told<'_>, task: &TaskKey, number: usize, taken: &StepTaken) {
    if taken.step.kind != StepKind::Think {
        return;
    }
    let data = json!({
        "task_id": task,
        "agent_id": told.doer(task),
        "step": number,
        "role": taken.step.role.name(),
        "content": text_of(&told.held(&taken.output)),
        "blob": blob_of(&taken.output),
    });
    told.tell(EventType::Thinking, data);
}

/// The place of a phase among the seven, from 1.
fn place_of(phase: ReactPhase) -> usize {
    let before = ReactPhase::ALL.iter().take_while(|other| **other != phase);
    before.count() + 1
}

/// What a phase came to that has no step: the machine decides it, or there was nothing to do.
fn decided(record: &PhaseRecord) -> String {
    let confidence = record.confidence.map(|share| share.0 / ONE_PERCENT_PPM);
    match (record.phase, record.holds, confidence) {
        (ReactPhase::Precondition, true, _) => "There is something to reason by.".to_owned(),
        (ReactPhase::Precondition, false, _) => "There is nothing to reason by.".to_owned(),
        (ReactPhase::Uncertainty, _, Some(percent)) => format!("The confidence is {percent} %."),
        (ReactPhase::Checkpoint, true, _) => "That is enough to conclude.".to_owned(),
        (ReactPhase::Checkpoint, false, _) => "That is not enough to conclude yet.".to_owned(),
        (phase, _, _) => format!("Nothing to do in the phase `{}`.", phase.name()),
    }
}

/// What a step came to whose answer has no words of its own.
fn without_words(kind: StepKind, answer: &Value) -> String {
    match (kind, sources::listed(answer)) {
        (StepKind::Call, Some([])) => "The call found nothing.".to_owned(),
        (StepKind::Call, Some(found)) => {
            let titles = found
                .iter()
                .filter_map(|source| source.get("title")?.as_str());
            let titles: Vec<&str> = titles.take(TITLES_MAX).collect();
            format!("The call found {}: {}", found.len(), titles.join("; "))
        }
        (StepKind::Call, None) => "The call gave its result.".to_owned(),
        (kind, _) => format!("The step `{}` is done.", kind.name()),
    }
}

/// What a step's answer says in words: its thought, its summary or its reason; the reasons for its scores; its parts.
fn text_of(output: &Value) -> Option<String> {
    let said = ["thought", "summary", "because"].iter();
    let mut said = said.filter_map(|name| output.get(name)?.as_str());
    if let Some(said) = said.find(|said| !said.trim().is_empty()) {
        return Some(said.to_owned());
    }
    let list = |name: &str| output.get(name).and_then(Value::as_array);
    let reasons = list("scores").into_iter().flatten();
    let reasons = reasons.filter_map(|score| score.get("because")?.as_str());
    let parts = list("parts").into_iter().flatten();
    let parts = parts.filter_map(Value::as_str);
    let lines: Vec<&str> = reasons.chain(parts).collect();
    let text = lines.join("\n");
    (!text.trim().is_empty()).then_some(text)
}
