//! What the rules in force will say to a mission, before it is started.

use adjutant_effects::{Foresight, Redaction, WhoAnswered};
use adjutant_mission::{AgentWork, Start};
use adjutant_questions::{Answerer as _, ProviderZone};

use super::rule_book;
use crate::error::AppError;
use crate::settings::Settings;
use crate::wiring;

/// A mission as it would be started under the rules in force.
#[derive(Debug)]
pub struct Foreseen {
    /// With the approvals that rules ask for.
    pub start: Start,
    /// Nothing if no rules are in force.
    pub foresight: Option<Foresight>,
}

/// Asks the rules in force about a mission and the calls of its plan. Starts and sends nothing.
pub fn foresee(settings: &Settings, mut start: Start) -> Result<Foreseen, AppError> {
    let book = rule_book(settings)?;
    let by = settings.actor(None);
    let models = wiring::models(settings)?;
    let masks = settings.protection.redaction == Redaction::On;
    let asked = |agent: &AgentWork| {
        let outside = models.zone(agent) == ProviderZone::Outside;
        WhoAnswered {
            outside,
            pseudonyms: outside && masks,
        }
    };
    let foresight = book.foresee(&start, &by, &asked);
    // If the rules refuse the start, the foresight already says so.
    let mut approved = start.clone();
    if book.start(&mut approved, &by, &[]).is_ok() {
        start = approved;
    }
    Ok(Foreseen { start, foresight })
}
