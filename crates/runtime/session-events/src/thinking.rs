//! How agents reason: rounds, steps, thoughts, and the phases between steps that the machine decides.

use std::collections::BTreeMap;

use adjutant_mission::{
    AgentLevel, Assessment, CallPath, Move, Pattern, Payload, PhaseRecord, Ppm, ReactPhase,
    Reasoning, Signs, StepKind, StepTaken, TaskKey, TaskState, Thought, Usage, WorkSpec, phase_of,
    react_phases,
};
use serde_json::{Value, json};

use crate::EventType;
use crate::event::{Told, content_of, ppm, stored};

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
            tell_step(told, task, number, taken, None);
        }
        for phase in new {
            match phase.step {
                Some(step) if usize::from(step) == number && !is_told => {
                    is_told = true;
                    tell_step(told, task, number, taken, Some(phase));
                }
                _ => tell_phase(told, task, phase),
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
            "confidence_ppm": assessment.composite,
            "sure_ppm": assessment.sure,
            "rules_ppm": assessment.rules,
            "support_ppm": assessment.support,
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
        tell_step(told, task, train.steps, &taken, None);
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
            "confidence_ppm": ppm(round.confidence),
            "finished": end == End::Finished,
        });
        told.tell(EventType::IterationComplete, data);
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
    let (output, blob) = content_of(&taken.output);
    let data = json!({
        "task_id": task,
        "agent_id": told.doer(task),
        "step": number,
        "role": taken.step.role.name(),
        "content": text_of(&output),
        "blob": blob,
    });
    told.tell(EventType::Thinking, data);
}

fn tell_step(
    told: &mut Told<'_>,
    task: &TaskKey,
    number: usize,
    taken: &StepTaken,
    record: Option<&PhaseRecord>,
) {
    let step = &taken.step;
    let phase = (step.pattern == Pattern::React).then(|| phase_of(taken));
    let confidence = record.and_then(|record| record.confidence);
    let (output, blob) = content_of(&taken.output);
    let data = json!({
        "task_id": task,
        "agent_id": told.doer(task),
        "step": number,
        "pattern": step.pattern.name(),
        "kind": step.kind.name(),
        "role": step.role.name(),
        "iteration": step.iteration,
        "phase": phase.map(place_of),
        "phase_name": phase.map(ReactPhase::name),
        "holds": record.map(|record| record.holds),
        "content": text_of(&output),
        "confidence_ppm": ppm(confidence.or(taken.signs.sure)),
        "blob": blob,
    });
    told.tell(EventType::ReasoningStep, data);
}

/// A phase that the machine decided, or that there was nothing to do in.
fn tell_phase(told: &mut Told<'_>, task: &TaskKey, record: &PhaseRecord) {
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
        "content": null,
        "confidence_ppm": ppm(record.confidence),
        "blob": null,
    });
    told.tell(EventType::ReasoningStep, data);
}

/// The place of a phase among the seven, from 1.
fn place_of(phase: ReactPhase) -> usize {
    let before = ReactPhase::ALL.iter().take_while(|other| **other != phase);
    before.count() + 1
}

/// What a step's answer says in words: its thought, its summary or its reason; the reasons for its scores; its parts.
fn text_of(output: &Value) -> Option<String> {
    let said = ["thought", "summary", "because"].iter();
    if let Some(said) = said.filter_map(|name| output.get(name)?.as_str()).next() {
        return Some(said.to_owned());
    }
    let list = |name: &str| output.get(name).and_then(Value::as_array);
    let reasons = list("scores").into_iter().flatten();
    let reasons = reasons.filter_map(|score| score.get("because")?.as_str());
    let parts = list("parts").into_iter().flatten();
    let parts = parts.filter_map(Value::as_str);
    let lines: Vec<&str> = reasons.chain(parts).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
