//! Whoever answers questions.

use std::future::Future;
use std::pin::Pin;

use adjutant_mission::{AgentLevel, AgentWork, MicroUsd, ProviderId, ToolFacts};
use serde::{Deserialize, Serialize};

use crate::{Answer, Ask, AskFailure, LevelFacts, Tokens};

pub type Answering<'a> = Pin<Box<dyn Future<Output = Result<Answer, Unanswered>> + Send + 'a>>;

/// A question without an answer, and what it used up all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{failure}")]
pub struct Unanswered {
    pub failure: AskFailure,
    pub tokens: Tokens,
    pub cost: MicroUsd,
}

impl From<AskFailure> for Unanswered {
    /// Nothing was sent, so nothing was used up.
    fn from(failure: AskFailure) -> Self {
        Self {
            failure,
            tokens: Tokens::default(),
            cost: MicroUsd::ZERO,
        }
    }
}

/// Whether a provider belongs to the house: what it is told stays inside, or leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderZone {
    Inside,
    Outside,
}

/// Answers nothing.
#[derive(Debug, Clone, Copy)]
pub struct Nobody;

impl Answerer for Nobody {
    fn facts(&self, agent: &AgentWork) -> Result<ToolFacts, AskFailure> {
        Err(nobody(agent.level))
    }

    fn providers(&self, _: &AgentWork) -> Vec<ProviderId> {
        Vec::new()
    }

    fn zone(&self, _: &AgentWork) -> ProviderZone {
        ProviderZone::Inside
    }

    fn ask<'a>(&'a self, ask: &'a Ask) -> Answering<'a> {
        Box::pin(std::future::ready(Err(nobody(ask.level).into())))
    }
}

fn nobody(level: AgentLevel) -> AskFailure {
    let tier = LevelFacts::of(level).tier.name().to_owned();
    AskFailure::NoModel { tier }
}

pub trait Answerer: Send + Sync {
    /// What a question that goes this way may cost and take at most, or why it cannot be asked.
    fn facts(&self, agent: &AgentWork) -> Result<ToolFacts, AskFailure>;

    /// Whose models may be asked by a question that goes this way.
    fn providers(&self, agent: &AgentWork) -> Vec<ProviderId>;

    /// Outside if any of those whose models may be asked is.
    fn zone(&self, agent: &AgentWork) -> ProviderZone;

    /// Dropping the future ends whatever it began, as far as that can be ended.
    fn ask<'a>(&'a self, ask: &'a Ask) -> Answering<'a>;
}
