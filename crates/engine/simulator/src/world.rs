//! The outside world: performs effects, remembers what really happened, and answers well, badly, late,
//! twice or not yet. The ground truth of laws 1 to 3.

mod thinking;

use std::collections::{BTreeMap, BTreeSet};

use adjutant_mission::{
    Effect, EffectNumber, Event, Failure, FailureKind, GateVerdict, Json, MicroUsd, Millis, Move,
    Outcome, Payload, Ppm, Recorded, Remarks, TaskKey, Timestamp, ToolId, ToolTable, Usage, Work,
};

use crate::coverage::{Coverage, CoverageItem};
use crate::laws::{Broken, Held, Law};
use crate::random::Random;
use crate::reference_model::ReferenceModel;
use crate::scene::Temper;

/// What the durable journal says about effects; survives crashes, because the journal does.
#[derive(Debug, Default)]
pub(crate) struct Durable {
    current: BTreeMap<TaskKey, EffectNumber>,
    owed: BTreeSet<EffectNumber>,
    announced: BTreeSet<EffectNumber>,
    settled: BTreeSet<EffectNumber>,
}

impl Durable {
    pub(crate) fn note(&mut self, recorded: &Recorded) {
        match &recorded.event {
            Event::TaskStarted {
                task,
                effect: Some(effect),
                ..
            }
            | Event::UndoStarted { task, effect, .. } => {
                self.current.insert(task.clone(), *effect);
                self.owed.insert(*effect);
            }
            Event::EffectStarted { effect } => {
                self.announced.insert(*effect);
            }
            Event::EffectDeferred { effect, .. } => {
                self.announced.remove(effect);
            }
            Event::EffectInDoubt { effect, .. }
            | Event::EffectLost { effect }
            | Event::EffectAbandoned { effect, .. } => {
                self.settled.insert(*effect);
            }
            Event::TaskCompleted { task, .. }
            | Event::TaskHeld { task, .. }
            | Event::AttemptFailed { task, .. }
            | Event::TaskSkipped { task, .. }
            | Event::Undone { task, .. }
            | Event::UndoFailed { task, .. }
            | Event::TaskRequeued { task }
            | Event::StepTaken { task, .. }
            | Event::GateJudged { task, .. } => self.settled.extend(self.current.remove(task)),
            _ => {}
        }
    }

    /// Once effects that were announced and have no outcome yet.
    pub(crate) fn unanswered(&self) -> impl Iterator<Item = EffectNumber> {
        self.announced.difference(&self.settled).copied()
    }
}

#[derive(Debug)]
struct Performed {
    effect: Effect,
    /// How often it really took place.
    times: u32,
    given: Vec<Outcome>,
}

#[derive(Debug)]
pub(crate) struct World {
    random: Random,
    tools: ToolTable,
    known: Vec<ToolId>,
    performed: BTreeMap<EffectNumber, Performed>,
    /// The steps of reasonings that were asked for: of which task, begun at which event, and which of its steps.
    asked: BTreeMap<(TaskKey, u64, u16), Move>,
    pub(crate) calm: bool,
}

impl World {
    pub(crate) fn new(seed: u64, tools: ToolTable) -> Self {
        Self {
            random: Random::new(seed, 3),
            known: tools.keys().cloned().collect(),
            tools,
            performed: BTreeMap::new(),
            asked: BTreeMap::new(),
            calm: false,
        }
    }

    /// What must hold of an effect by all that the journal says, before anybody performs it.
    pub(crate) fn laws_of_thought(&mut self, effect: &Effect, model: &ReferenceModel) -> Held {
        thinking::law_6_only_what_was_offered(effect, model)?;
        self.law_3_a_thought_goes_on(effect, model)
    }

    /// Performs an effect and says what will be reported, and when.
    pub(crate) fn perform(
        &mut self,
        now: Timestamp,
        effect: &Effect,
        durable: &Durable,
        temper: &Temper,
        coverage: &mut Coverage,
    ) -> Result<Vec<(Timestamp, Outcome)>, Broken> {
        law_1_it_was_durable_first(effect, durable)?;
        self.law_2_same_id_same_effect(effect)?;
        law_3_it_was_not_answered_before(now, effect, durable)?;
        let outcome = self.outcome(now, effect, temper);
        let happens = !matches!(
            outcome,
            Outcome::Deferred { .. } | Outcome::Denied { .. } | Outcome::NeedsHuman { .. }
        );
        let number = effect.id.number;
        let performed = self.performed.entry(number).or_insert_with(|| Performed {
            effect: effect.clone(),
            times: 0,
            given: Vec::new(),
        });
        performed.times += u32::from(happens);
        if performed.times > 1 {
            coverage.mark(CoverageItem::EffectPerformedAgain);
            if effect.class.is_announced() {
                let what = format!(
                    "announced effect {number} took place {} times",
                    performed.times
                );
                return Err(Broken::new(Law::OneOutcome, what));
            }
        }
        Ok(self.reports(now, effect, outcome, temper, coverage))
    }

    /// An effect that was about to be sent when its host stood still. Nobody hears what becomes of it.
    pub(crate) fn sent_by_a_former_host(&mut self, effect: &Effect) -> Held {
        let number = effect.id.number;
        let performed = self.performed.entry(number).or_insert_with(|| Performed {
            effect: effect.clone(),
            times: 0,
            given: Vec::new(),
        });
        performed.times += 1;
        if performed.times == 1 {
            return Ok(());
        }
        let what = format!("announced effect {number} was sent by two hosts");
        Err(Broken::new(Law::OneOutcome, what))
    }

    /// Remembers that the host was told this outcome.
    pub(crate) fn told(&mut self, effect: EffectNumber, outcome: &Outcome) {
        if let Some(performed) = self.performed.get_mut(&effect)
            && !performed.given.contains(outcome)
        {
            performed.given.push(outcome.clone());
        }
    }

    pub(crate) fn given(&self, effect: EffectNumber) -> &[Outcome] {
        self.performed
            .get(&effect)
            .map_or(&[], |performed| &performed.given)
    }

    fn law_2_same_id_same_effect(&self, effect: &Effect) -> Held {
        let Some(known) = self.performed.get(&effect.id.number) else {
            return Ok(());
        };
        let first = &known.effect;
        let same = first.id == effect.id
            && first.task == effect.task
            && first.attempt == effect.attempt
            && first.class == effect.class
            && first.thought == effect.thought
            && is_same(&first.work, &effect.work);
        if same {
            return Ok(());
        }
        let what = format!("effect {} was {first:?} and is now {effect:?}", effect.id);
        Err(Broken::new(Law::StableIds, what))
    }

    fn reports(
        &mut self,
        now: Timestamp,
        effect: &Effect,
        outcome: Outcome,
        temper: &Temper,
        coverage: &mut Coverage,
    ) -> Vec<(Timestamp, Outcome)> {
        let mut reports = vec![(self.later(now, temper), outcome.clone())];
        if !self.calm && self.random.percent(2) {
            coverage.mark(CoverageItem::OutcomeUnfit);
            reports.push((now, unfit(effect)));
        }
        if !self.calm && self.random.percent(temper.repeat_percent) {
            coverage.mark(CoverageItem::OutcomeRepeated);
            let deferred = matches!(outcome, Outcome::Deferred { .. });
            if deferred {
                coverage.mark(CoverageItem::DeferralRepeated);
            }
            let again = if deferred || self.random.percent(60) {
                outcome
            } else {
                self.failure()
            };
            reports.push((self.later(now, temper), again));
        }
        reports
    }

    fn later(&mut self, now: Timestamp, temper: &Temper) -> Timestamp {
        let slow = !self.calm && self.random.percent(temper.slow_percent);
        let most = match self.random.below(10) {
            _ if slow => 120_000,
            0..3 => 0,
            3..9 => 3_000,
            _ => 20_000,
        };
        now.plus(Millis(self.random.below(most + 1)))
    }

    fn outcome(&mut self, now: Timestamp, effect: &Effect, temper: &Temper) -> Outcome {
        let goes_wrong = !self.calm && self.random.percent(temper.failure_percent);
        if !self.calm && self.random.percent(temper.deferral_percent) {
            let until = now.plus(Millis(self.random.between(1, 30_000)));
            return Outcome::Deferred { until };
        }
        let usage = self.usage(effect, temper);
        match &effect.work {
            Work::EvaluateGate(_) => {
                let verdicts = [
                    GateVerdict::Repairable,
                    GateVerdict::Repairable,
                    GateVerdict::Fatal,
                    GateVerdict::Infeasible,
                ];
                let verdict = match self.random.pick(&verdicts) {
                    Some(verdict) if goes_wrong => *verdict,
                    _ => GateVerdict::Valid,
                };
                Outcome::Judged {
                    verdict,
                    reason: "as measured".into(),
                    usage,
                }
            }
            // One that is ended gives nothing any more.
            Work::RunMission { ends: true, .. } => Outcome::Failed {
                failure: Failure {
                    kind: FailureKind::Permanent,
                    message: "the sub-mission was cancelled".into(),
                },
                usage,
            },
            Work::CallTool(_) | Work::AskModel(_) | Work::RunMission { .. } if goes_wrong => {
                self.bad_outcome(usage)
            }
            Work::CallTool(_) | Work::AskModel(_) | Work::RunMission { .. } => Outcome::Done {
                output: self.payload(effect),
                usage,
                remarks: self.remarks(effect),
            },
        }
    }

    /// Some results are less sure of themselves than others, and some come as a surprise.
    fn remarks(&mut self, effect: &Effect) -> Remarks {
        let sure = self.random.below(1_000_000) as u32;
        let remarks = Remarks {
            confidence: self.random.percent(15).then_some(Ppm(sure)),
            surprise: self.random.percent(3).then(|| "not what it was".into()),
            gist: None,
            signs: None,
        };
        // Now and then whoever performs a step reads nothing out of its answer.
        let Some(thought) = effect.thought.as_ref().filter(|_| self.random.percent(96)) else {
            return remarks;
        };
        let signs = thinking::signs(&mut self.random, thought, &self.known);
        Remarks {
            signs: Some(Box::new(signs)),
            ..remarks
        }
    }

    fn payload(&mut self, effect: &Effect) -> Payload {
        let number = effect.id.number;
        if self.random.percent(10) {
            return Payload::Blob {
                digest: format!("b3:{number}"),
                bytes: 70_000,
                shown: BTreeMap::new(),
            };
        }
        let text = format!(r#"{{"effect":{number},"draw":{}}}"#, self.random.below(100));
        Payload::Inline(Json::parse(&text).unwrap_or_else(|_| Json::null()))
    }

    fn bad_outcome(&mut self, usage: Usage) -> Outcome {
        match self.random.below(10) {
            0 => Outcome::Denied {
                reason: "not on the list".into(),
            },
            1 => Outcome::NeedsHuman {
                reason: "a form must be signed".into(),
            },
            _ => match self.failure() {
                Outcome::Failed { failure, .. } => Outcome::Failed { failure, usage },
                other => other,
            },
        }
    }

    fn failure(&mut self) -> Outcome {
        let kinds = [
            FailureKind::Temporary,
            FailureKind::Temporary,
            FailureKind::Temporary,
            FailureKind::TimedOut,
            FailureKind::BadOutput,
            FailureKind::Permanent,
            FailureKind::BadInput,
        ];
        let kind = kinds[self.random.below(kinds.len() as u64) as usize];
        Outcome::Failed {
            failure: Failure {
                kind,
                message: "it broke".into(),
            },
            usage: Usage::NONE,
        }
    }

    /// Never more money than the tool's price; more tokens than it may use where the world is not honest.
    fn usage(&mut self, effect: &Effect, temper: &Temper) -> Usage {
        let of = |callee| {
            let facts = self.tools.get(callee);
            facts.map_or((0, 0), |facts| (facts.price.0, facts.tokens))
        };
        let (price, tokens) = match &effect.work {
            Work::CallTool(call) => of(&call.tool),
            Work::AskModel(agent) => of(&agent.route()),
            Work::EvaluateGate(_) => (0, 0),
            Work::RunMission { sub, .. } => (
                sub.plan.caps.money.map_or(0, |cap| cap.0),
                sub.plan.caps.tokens.unwrap_or(0),
            ),
        };
        let tokens = if temper.uses_tokens {
            self.random.below(60)
        } else {
            tokens
        };
        Usage {
            money: MicroUsd(if self.random.percent(50) {
                price
            } else {
                self.random.below(price + 1)
            }),
            tokens,
        }
    }
}

/// A sub-mission that is ended is still the one that was begun.
fn is_same(first: &Work, now: &Work) -> bool {
    match (first, now) {
        (Work::RunMission { sub: first, .. }, Work::RunMission { sub: now, .. }) => first == now,
        (first, now) => first == now,
    }
}

fn unfit(effect: &Effect) -> Outcome {
    match effect.work {
        Work::EvaluateGate(_) => Outcome::done(Payload::Inline(Json::null()), Usage::NONE),
        Work::CallTool(_) | Work::AskModel(_) | Work::RunMission { .. } => Outcome::Judged {
            verdict: GateVerdict::Valid,
            reason: String::new(),
            usage: Usage::NONE,
        },
    }
}

/// Law 1: what an effect depends on is durable before the effect is performed.
fn law_1_it_was_durable_first(effect: &Effect, durable: &Durable) -> Held {
    let number = effect.id.number;
    if !durable.owed.contains(&number) {
        let what = format!("effect {number} is performed and its start is not in the journal");
        return Err(Broken::new(Law::DurableFirst, what));
    }
    if effect.class.is_announced() && !durable.announced.contains(&number) {
        let what = format!("effect {number} is sent without a durable announcement");
        return Err(Broken::new(Law::DurableFirst, what));
    }
    Ok(())
}

/// Law 3: a recorded answer is never asked for again, and a deferred effect waits for its time.
fn law_3_it_was_not_answered_before(now: Timestamp, effect: &Effect, durable: &Durable) -> Held {
    let number = effect.id.number;
    if durable.settled.contains(&number) {
        let what = format!("effect {number} is performed although its outcome is recorded");
        return Err(Broken::new(Law::OneOutcome, what));
    }
    if effect.not_before.is_some_and(|at| at > now) {
        let what = format!("effect {number} is performed before the time it was deferred to");
        return Err(Broken::new(Law::OneOutcome, what));
    }
    Ok(())
}
