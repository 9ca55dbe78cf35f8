//! Agents: a persistent identity ([`crate::AgentId`]), its run in one mission, and the run's sessions; and what a
//! task asks of one: a question to a model.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use serde::{Deserialize, Serialize};

use crate::{AgentId, DomainId, Json, MissionId, ModelId, PurposeId, Reasoning, ToolId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AgentLevel {
    L1,
    L2,
    L3,
    L4,
    L5,
}

impl AgentLevel {
    pub const ALL: [Self; 5] = [Self::L1, Self::L2, Self::L3, Self::L4, Self::L5];

    /// Law 6: who may start whom. Nobody skips a level.
    pub fn may_start(self, other: Self) -> bool {
        use AgentLevel::{L1, L2, L3, L4, L5};
        matches!(
            (self, other),
            (L1, L2) | (L2, L3 | L4) | (L3, L4) | (L4, L5)
        )
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::L1 => "L1",
            Self::L2 => "L2",
            Self::L3 => "L3",
            Self::L4 => "L4",
            Self::L5 => "L5",
        }
    }
}

/// An agent as a plan knows it. Who it is outlives the mission; what it does here is its run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentSpec {
    pub id: AgentId,
    pub level: AgentLevel,
    pub name: String,
    /// Who starts it, and whom it turns to when it cannot go on. Only an L1 or L2 is started by the mission itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_by: Option<AgentId>,
    /// What all its questions in this mission may use together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_lifetime: Option<u64>,
}

/// What an agent is asked to do: one question to a model, or as many as its reasoning takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentWork {
    pub level: AgentLevel,
    pub purpose: PurposeId,
    /// The question's input, possibly with `{{task.output…}}` references in it.
    pub with: Json,
    /// The domain of the question, to select specialized models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<DomainId>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub complexity: Complexity,
    /// This model and no other; those of the level's tier if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelId>,
    /// How it thinks its way to the answer; one question if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<Box<Reasoning>>,
}

impl AgentWork {
    /// Which models may be asked, as the table of tools calls it: questions that go the same way cost the same at most.
    pub fn route(&self) -> ToolId {
        let mut route = format!("ask:{}", self.level.name());
        let mut add = |kind: char, name: &str| {
            route.push('.');
            route.push(kind);
            route.push(':');
            route.push_str(&name.replace('/', ":"));
        };
        if let Some(domain) = &self.domain {
            add('d', domain.as_str());
        }
        if self.complexity != Complexity::default() {
            add('c', self.complexity.name());
        }
        if let Some(model) = &self.model {
            add('m', model.as_str());
        }
        ToolId::new(route.as_str()).unwrap_or_else(|_| ToolId::of_long(self.level.name(), &route))
    }
}

impl crate::Task {
    /// Whether an agent thinks its way to its answer step by step.
    pub fn reasons(&self) -> bool {
        matches!(&self.work, crate::WorkSpec::Agent(work) if work.reasoning.is_some())
    }
}

/// How hard a question is, for models that differ by it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Complexity {
    Simple,
    #[default]
    Ordinary,
    Complex,
}

impl Complexity {
    pub fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Ordinary => "ordinary",
            Self::Complex => "complex",
        }
    }
}

fn is_default(complexity: &Complexity) -> bool {
    *complexity == Complexity::default()
}

/// One agent at work in one mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentRun {
    pub agent: AgentId,
    pub level: AgentLevel,
    pub mission: MissionId,
    pub number: u32,
}

/// One context window of a run; a new one begins when the old is full or stale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSession {
    pub run: AgentRun,
    pub number: u32,
}
