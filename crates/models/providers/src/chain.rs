//! Which models a question goes to, first to last.

use adjutant_mission::{AgentLevel, AgentWork, Complexity, DomainId, ModelId};
use adjutant_questions::{Ask, AskFailure, LevelFacts};

use crate::settings::Chains;

/// What decides who is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route<'a> {
    pub level: AgentLevel,
    pub domain: Option<&'a DomainId>,
    pub complexity: Complexity,
    /// This model and no other.
    pub model: Option<&'a ModelId>,
}

impl<'a> From<&'a Ask> for Route<'a> {
    fn from(ask: &'a Ask) -> Self {
        Self {
            level: ask.level,
            domain: ask.domain.as_ref(),
            complexity: ask.complexity,
            model: ask.model.as_ref(),
        }
    }
}

impl<'a> From<&'a AgentWork> for Route<'a> {
    fn from(work: &'a AgentWork) -> Self {
        Self {
            level: work.level,
            domain: work.domain.as_ref(),
            complexity: work.complexity,
            model: work.model.as_ref(),
        }
    }
}

impl Chains {
    /// The named model alone; else the chain of the field, else of the complexity, else of the tier, else offline.
    pub(crate) fn of<'a>(&'a self, route: &Route<'a>) -> Result<Vec<&'a str>, AskFailure> {
        if let Some(model) = route.model {
            return Ok(vec![model.as_str()]);
        }
        let tier = LevelFacts::of(route.level).tier;
        let by_domain = route
            .domain
            .and_then(|domain| self.domains.get(&(domain.clone(), tier)));
        let chain = by_domain
            .or_else(|| self.complexity.get(&(route.complexity, tier)))
            .or_else(|| self.tiers.get(&tier));
        let Some(chain) = chain else {
            return Ok(vec![crate::OFFLINE]);
        };
        if chain.is_empty() {
            return Err(AskFailure::NoModel {
                tier: tier.name().to_owned(),
            });
        }
        Ok(chain.iter().map(String::as_str).collect())
    }
}

#[cfg(test)]
#[path = "chain_tests.rs"]
mod tests;
