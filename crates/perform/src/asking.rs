//! From a question to a model to its one outcome.

use adjutant_ask::{Answerer, Ask, AskFailure, Input, LevelFacts, Purpose};
use adjutant_mission::{
    AgentWork, EffectId, FailureKind, Json, Outcome, Payload, ProviderId, Usage,
};
use serde_json::Value;

use crate::performer::{Known, before_call, fail, remarks};
use crate::resolve::{self, Resolver};

pub(crate) async fn ask(
    answerer: &dyn Answerer,
    effect: EffectId,
    agent: &AgentWork,
    known: &Known,
    without: Vec<ProviderId>,
) -> Outcome {
    let input = match input(agent, known) {
        Ok(input) => input,
        Err(message) => return before_call(FailureKind::BadInput, message),
    };
    let ask = Ask {
        key: effect.to_string(),
        level: agent.level,
        input,
        limits: LevelFacts::of(agent.level).limits(),
        domain: agent.domain.clone(),
        complexity: agent.complexity,
        model: agent.model.clone(),
        without,
    };
    match answerer.ask(&ask).await {
        Ok(answer) => {
            let result = answer.result();
            let usage = Usage {
                money: answer.cost,
                tokens: answer.tokens.total(),
            };
            match Json::encode(&result) {
                Ok(json) => Outcome::Done {
                    output: Payload::Inline(json),
                    usage,
                    remarks: remarks(&result),
                },
                Err(error) => fail(FailureKind::BadOutput, error.to_string(), usage),
            }
        }
        Err(unanswered) => {
            let usage = Usage {
                money: unanswered.cost,
                tokens: unanswered.tokens.total(),
            };
            match unanswered.failure {
                // What was used up is told; a later time alone would hide it.
                AskFailure::Busy { until, .. } if usage == Usage::NONE => {
                    Outcome::Deferred { until }
                }
                failure => fail(failure.kind(), failure.to_string(), usage),
            }
        }
    }
}

/// The question's input with every reference resolved, of the shape its purpose has.
fn input(agent: &AgentWork, known: &Known) -> Result<Input, String> {
    let purpose = Purpose::of_name(agent.purpose.as_str())
        .ok_or_else(|| format!("there is no purpose `{}`", agent.purpose))?;
    let text = agent.with.text();
    let mut with: Value =
        serde_json::from_str(text).map_err(|error| format!("its input cannot be read: {error}"))?;
    if resolve::may_refer(text) {
        Resolver::new(known.inputs.as_ref(), &known.outputs)
            .resolve(&mut with)
            .map_err(|message| format!("its input: {message}"))?;
    }
    Input::read(purpose, with).map_err(|error| error.to_string())
}
