//! The models as missions know them: what a question that goes some way may use, and its answer.

use adjutant_mission::{AgentWork, EffectClass, Provenance, ProviderId, ToolFacts};
use adjutant_questions::{Answerer, Answering, Ask, AskFailure, LevelFacts, ProviderZone};

use crate::models::provider_of;
use crate::{AskOptions, Models, Route};

impl Answerer for Models {
    fn facts(&self, agent: &AgentWork) -> Result<ToolFacts, AskFailure> {
        let limits = LevelFacts::of(agent.level).limits(agent.complexity);
        let route = Route::from(agent);
        let bound = self.bound(&route, limits)?;
        Ok(ToolFacts {
            class: EffectClass::Paid,
            price: bound.money,
            tokens: bound.tokens,
            time_limit: self.time_max(&route, limits)?,
            // An answer is made of what was asked with.
            provenance: Some(Provenance::Own),
        })
    }

    fn providers(&self, agent: &AgentWork) -> Vec<ProviderId> {
        let names = self.asked(&Route::from(agent)).unwrap_or_default();
        names
            .into_iter()
            .filter_map(|name| ProviderId::new(provider_of(name)).ok())
            .collect()
    }

    fn zone(&self, agent: &AgentWork) -> ProviderZone {
        let names = self.asked(&Route::from(agent)).unwrap_or_default();
        let zones = names
            .into_iter()
            .map(|name| self.zone_of(provider_of(name)));
        zones.max().unwrap_or(ProviderZone::Inside)
    }

    fn ask<'a>(&'a self, ask: &'a Ask) -> Answering<'a> {
        Box::pin(Models::ask(self, ask, AskOptions::default()))
    }
}
