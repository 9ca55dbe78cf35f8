//! From a question to a model to its one outcome.

use adjutant_guard::strip_marks;
use adjutant_mission::{
    AgentWork, EffectClass, EffectId, FailureKind, Json, MicroUsd, Outcome, Payload, Provenance,
    ProviderId, Remarks, Thought, Usage,
};
use adjutant_questions::{
    Answer, Answerer, Ask, AskFailure, Asker, Input, LevelFacts, Output, ProviderZone, Purpose,
    Unanswered, signs, unfounded,
};
use adjutant_tools::Registry;
use serde_json::Value;

use crate::outcome::{before_call, fail, remarks, shorten};
use crate::protect::{
    Guarding, Looked, Masked, Origins, Protection, PseudonymKey, Redaction, look, mask, origins,
    unmark_answer, unmarked,
};
use crate::request::ResolvedInputs;
use crate::resolve::{self, Resolver};
use crate::tenant_rules::{CallFacts, CallKind, ResultFacts, RuleCheck};
use crate::thinking::{add_guidance, question_of_step};

/// Everything a question needs besides what it asks.
pub(crate) struct Asking<'a> {
    pub(crate) answerer: &'a dyn Answerer,
    pub(crate) protection: &'a Protection,
    pub(crate) resolved: &'a ResolvedInputs,
    pub(crate) without: Vec<ProviderId>,
    pub(crate) key: Option<PseudonymKey>,
    pub(crate) check: RuleCheck<'a>,
    pub(crate) class: EffectClass,
    pub(crate) registry: &'a Registry,
    /// The step of a reasoning that it is, if it is one.
    pub(crate) thought: Option<&'a Thought>,
    pub(crate) guidance: &'a [String],
    pub(crate) asker: Option<Asker>,
}

/// A question as it goes out, and what its answer is held against.
struct Prepared {
    sent: Input,
    /// The same without the guard's marks, if there are any.
    sent_unmarked: Option<Box<Input>>,
    /// As they are before pseudonyms: what quotes are looked up in. The second is there if something is fenced: as the
    /// first, but with what the guard breaks up inside its marks.
    cited: Vec<Input>,
    guarding: Guarding,
    masked: Option<Masked>,
}

impl Asking<'_> {
    pub(crate) async fn ask(self, effect: EffectId, agent: &AgentWork) -> Outcome {
        let prepared = match self.prepare(agent) {
            Ok(prepared) => prepared,
            Err(outcome) => return *outcome,
        };
        // Where there is nothing to ask about, nobody is asked.
        if let Some(output) = prepared.sent.answer_of_nothing() {
            return match Json::encode(&output.value()) {
                Ok(json) => Outcome::Done {
                    output: Payload::Inline(json),
                    usage: Usage::NONE,
                    remarks: Remarks::default(),
                },
                Err(error) => fail(FailureKind::BadOutput, error.to_string(), Usage::NONE),
            };
        }
        let mut limits = LevelFacts::of(agent.level).limits(agent.complexity);
        // A slow provider has as much time as was reserved for it.
        if let Ok(facts) = self.answerer.facts(agent) {
            limits.time_max = facts.time_limit;
        }
        let ask = Ask {
            key: effect.to_string(),
            level: agent.level,
            input: prepared.sent.clone(),
            unmarked: prepared.sent_unmarked.clone(),
            limits,
            domain: agent.domain.clone(),
            complexity: agent.complexity,
            model: agent.model.clone(),
            without: self.without,
            asker: self.asker,
        };
        match self.answerer.ask(&ask).await {
            Ok(answer) => {
                let of = ResultFacts {
                    kind: CallKind::Model,
                    tool: ask.input.purpose().name(),
                    task: self.check.task.as_str(),
                    class: self.class,
                };
                self.check.checked(prepared.answered(answer), &of)
            }
            Err(unanswered) => prepared.unanswered(unanswered),
        }
    }

    /// The question with its references resolved, looked at, and without what may not leave.
    fn prepare(&self, agent: &AgentWork) -> Result<Prepared, Box<Outcome>> {
        let unfit = |message: String| Box::new(before_call(FailureKind::BadInput, message));
        let (input, origins) = self.input(agent).map_err(unfit)?;
        let purpose = input.purpose();
        let read =
            |value: Value| Input::read(purpose, value).map_err(|error| unfit(error.to_string()));
        let mut value = input.value();
        let zone = self.answerer.zone(agent);
        let is_masked = self.protection.redaction == Redaction::On && zone == ProviderZone::Outside;
        let facts = CallFacts {
            kind: CallKind::Model,
            tool: purpose.name(),
            arguments: &value,
            class: self.class,
            cost: self
                .answerer
                .facts(agent)
                .map_or(MicroUsd::ZERO, |facts| facts.price),
            provenance: Provenance::Outside,
            task: self.check.task.as_str(),
            chosen_by_model: false,
            outside_model: zone == ProviderZone::Outside,
            pseudonyms: is_masked,
        };
        if let Some(refused) = self.check.refusal(&facts) {
            return Err(Box::new(refused));
        }
        let (guarding, mut unfenced) = match look(
            &mut value,
            &origins,
            self.protection,
            self.check.acknowledged,
        ) {
            Looked::GoOn(guarding, unfenced) => (guarding, unfenced),
            Looked::Ask(reason) => {
                let reason = shorten(reason);
                return Err(Box::new(Outcome::NeedsHuman { reason }));
            }
            Looked::Block(reason) => {
                let reason = shorten(reason);
                return Err(Box::new(Outcome::Denied { reason }));
            }
        };
        let cited = match &unfenced {
            Some(unfenced) => {
                let mut shown = value.clone();
                unmarked(&mut shown);
                vec![read(unfenced.clone())?, read(shown)?]
            }
            None => vec![read(value.clone())?],
        };
        let masked = match (is_masked, &self.key) {
            (false, _) => None,
            (true, Some(key)) => Some(mask(std::iter::once(&mut value).chain(&mut unfenced), key)),
            (true, None) => {
                let message = "the input would leave the sensitive zone, and this mission has no key for pseudonyms: \
                               use a provider inside the zone";
                return Err(unfit(message.to_owned()));
            }
        };
        Ok(Prepared {
            sent: read(value)?,
            sent_unmarked: unfenced.map(read).transpose()?.map(Box::new),
            cited,
            guarding,
            masked,
        })
    }

    /// The question's input, and where its texts come from.
    fn input(&self, agent: &AgentWork) -> Result<(Input, Origins), String> {
        question(
            agent,
            self.thought,
            self.guidance,
            self.resolved,
            self.registry,
        )
    }
}

/// A question's input with every reference resolved, of the shape its purpose has; and where its texts come from.
pub(crate) fn question(
    agent: &AgentWork,
    thought: Option<&Thought>,
    guidance: &[String],
    resolved: &ResolvedInputs,
    registry: &Registry,
) -> Result<(Input, Origins), String> {
    let text = agent.with.text();
    let mut with: Value =
        serde_json::from_str(text).map_err(|error| format!("its input cannot be read: {error}"))?;
    let mut from = Origins::default();
    if resolve::may_refer(text) {
        from = origins(&with, &resolved.origins);
        Resolver::new(resolved.inputs.as_ref(), &resolved.outputs)
            .resolve(&mut with)
            .map_err(|message| format!("its input: {message}"))?;
    }
    let (purpose, mut with) = match thought {
        Some(thought) => question_of_step(thought, &with, resolved, registry, &mut from)?,
        None => {
            let purpose = Purpose::of_name(agent.purpose.as_str())
                .ok_or_else(|| format!("unknown purpose `{}`", agent.purpose))?;
            (purpose, with)
        }
    };
    add_guidance(purpose, &mut with, guidance);
    let input = Input::read(purpose, with).map_err(|error| error.to_string())?;
    Ok((input, from))
}

impl Prepared {
    fn answered(&self, answer: Answer) -> Outcome {
        let usage = Usage {
            money: answer.cost,
            tokens: answer.tokens.total(),
        };
        let bad = |message: String| fail(FailureKind::BadOutput, message, usage);
        let (answer, cited) = match self.taken_back(answer) {
            Ok(taken_back) => taken_back,
            Err(message) => return bad(message),
        };
        let mut result = answer.result();
        if let Some(by) = result.get_mut("answered_by") {
            self.guarding.record(by);
            if let Some(masked) = &self.masked {
                masked.record(by);
            }
        }
        match Json::encode(&result) {
            Ok(json) => Outcome::Done {
                output: Payload::Inline(json),
                usage,
                remarks: Remarks {
                    signs: Some(Box::new(signs(&answer.output, cited))),
                    ..remarks(&result)
                },
            },
            Err(error) => bad(error.to_string()),
        }
    }

    /// The answer with what pseudonyms stand for, and without the guard's marks; its quotes are looked up once more.
    /// Says too in which form of the question they were found.
    fn taken_back(&self, mut answer: Answer) -> Result<(Answer, &Input), String> {
        let mut value = answer.output.value();
        if let Some(masked) = &self.masked {
            masked.restore_all(&mut value);
            answer.text = masked.restore(&answer.text);
            for left_out in &mut answer.left_out {
                left_out.source = masked.restore(&left_out.source);
            }
        }
        if self.sent_unmarked.is_some() {
            let cited: Vec<&Input> = self.cited.iter().collect();
            unmark_answer(&mut value, &cited);
            answer.text = strip_marks(&answer.text);
        }
        let invalid =
            |wrong: String| format!("the answer of {} is not valid: {wrong}", answer.provider);
        answer.output = Output::read(answer.output.purpose(), value)
            .map_err(|error| invalid(error.to_string()))?;
        let mut wrong = Vec::new();
        for cited in &self.cited {
            wrong = unfounded(cited, &answer.output);
            if wrong.is_empty() {
                return Ok((answer, cited));
            }
        }
        Err(invalid(wrong.join("; ")))
    }

    fn unanswered(&self, unanswered: Unanswered) -> Outcome {
        let usage = Usage {
            money: unanswered.cost,
            tokens: unanswered.tokens.total(),
        };
        match unanswered.failure {
            // What was used up is told; a later time alone would hide it.
            AskFailure::Busy { until, .. } if usage == Usage::NONE => Outcome::Deferred { until },
            failure => {
                let message = failure.to_string();
                let message = match &self.masked {
                    Some(masked) => masked.restore(&message),
                    None => message,
                };
                fail(failure.kind(), message + &self.guarding.told(), usage)
            }
        }
    }
}
