//! Who did something: a human, an agent or the system itself.

use alloc::string::String;
use core::fmt;
use serde::{Deserialize, Serialize};

use crate::{AgentId, Role};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActorKind {
    Human,
    Agent,
    System,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Actor {
    pub kind: ActorKind,
    pub id: AgentId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_behalf_of: Option<AgentId>,
}

impl Actor {
    pub fn human(id: AgentId) -> Self {
        Self {
            kind: ActorKind::Human,
            id,
            role: None,
            on_behalf_of: None,
        }
    }

    /// A host that does something of its own accord, because somebody said what is to be so.
    pub fn host(on_behalf_of: Option<AgentId>) -> Self {
        Self {
            kind: ActorKind::System,
            id: AgentId::host(),
            role: None,
            on_behalf_of,
        }
    }

    /// Whether it is they, or somebody in their name.
    pub fn acts_for(&self, who: &AgentId) -> bool {
        self.id == *who || self.on_behalf_of.as_ref() == Some(who)
    }

    pub fn is_system(&self) -> bool {
        self.kind == ActorKind::System
    }

    #[must_use]
    pub fn with_role(self, role: Role) -> Self {
        Self {
            role: Some(role),
            ..self
        }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind: &str = match self.kind {
            ActorKind::Human => "human",
            ActorKind::Agent => "agent",
            ActorKind::System => "system",
        };
        let role = self
            .role
            .as_ref()
            .map_or(String::new(), |role| alloc::format!(" ({role})"));
        write!(f, "{kind}:{}{role}", self.id)
    }
}
