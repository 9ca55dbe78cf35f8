//! The models as missions know them: what a question that goes some way may use, and its answer.

use adjutant_ask::{Answerer, Answering, Ask, AskFailure, LevelFacts};
use adjutant_mission::{AgentWork, EffectClass, ToolFacts};

use crate::{AskOptions, Models, Route};

impl Answerer for Models {
    fn facts(&self, agent: &AgentWork) -> Result<ToolFacts, AskFailure> {
        let limits = LevelFacts::of(agent.level).limits();
        let bound = self.bound(&Route::from(agent), limits)?;
        Ok(ToolFacts {
            class: EffectClass::Paid,
            price: bound.money,
            tokens: bound.tokens,
            time_limit: limits.time_max,
        })
    }

    fn ask<'a>(&'a self, ask: &'a Ask) -> Answering<'a> {
        Box::pin(Models::ask(self, ask, AskOptions::default()))
    }
}
