//! Workflows that programs ask for in words. The suggested graph is started where it is sure enough and something like it
//! was run before. Otherwise the program chooses; its choice is kept before it hears of it, and counts once.
//!
//! **Invariant:** Words never get past a question to people: a suggested graph is checked, approved and limited exactly as
//! one that the program wrote itself.

use std::sync::Arc;
use std::time::Duration;

use adjutant_host::{AnsweredOffer, HostError, OFFER_LASTS, Offer, OfferAnswer, read_offer};
use adjutant_journal::TenantJournal;
use adjutant_mission::MissionId;
use adjutant_suggestion::Suggester;
use serde_json::{Map, Value, json};

use super::answer::Detail;
use super::caller::ProgramCaller;
use super::door::Door;
use super::graph::only_reads;
use super::offer::{Choice, Offered, Reason, declined, how_sure};
use super::outputs::{leave_out_attacks, mark_steering};
use super::service::{Configuration, Execute, PlannedWorkflow, Workflows, budget};
use super::steer::command_of;
use super::unfit;
use crate::error::{AppError, ErrorKind};
use crate::stores::AnyTenant;
use crate::suggestion::suggest;
use crate::wiring;

const ANSWERED: &str = "adjutant 2026-11 command of an answered suggestion";
/// Fields of a request that say nothing about what is chosen.
const BESIDES: [&str; 4] = ["wait_seconds", "idempotency_key", "workflow_id", "intent"];

impl Workflows<'_> {
    /// Starts what an intent asks for, or offers it.
    pub(super) async fn run_intent(
        &self,
        caller: &ProgramCaller,
        wanted: Execute,
        asked: Value,
        wait: Duration,
    ) -> Result<Value, AppError> {
        let config = wanted.config.clone().unwrap_or_default();
        budget(self.settings.workflows.budget, config.max_cost)?;
        let max_cost = config.max_cost;
        let told = Box::pin(self.start_or_offer(caller, wanted, config, asked, wait)).await?;
        Ok(self.with_budget_note(told, max_cost))
    }

    async fn start_or_offer(
        &self,
        caller: &ProgramCaller,
        wanted: Execute,
        config: Configuration,
        asked: Value,
        wait: Duration,
    ) -> Result<Value, AppError> {
        let door = self.door().await?;
        let key = wanted.idempotency_key.as_deref();
        let mission = self.mission_for(&door, caller, key, asked).await?;
        let journal = door.journal(self.settings).await?;
        if self.is_open(&door, mission).await? {
            return self
                .answer(caller, &door, mission, wait, Detail::WithResults)
                .await;
        }
        if let Some(offer) = read_offer(&journal, mission).await? {
            return told_again(&offer);
        }
        let suggester = self.suggester(caller, &journal).await?;
        let suggested = suggest(&suggester, &wanted.intent)?;
        let reason = match suggested.ail_required {
            Some(reason) => Reason::Decide(reason),
            None => {
                let tasks = json!(suggested.graph.tasks);
                match self.planned(caller, &suggested.intent, &config, &tasks) {
                    Ok(planned) => {
                        self.open(&door, caller, mission, planned).await?;
                        let answer = self.answer(caller, &door, mission, wait, Detail::WithResults);
                        let mut told = answer.await?;
                        told["suggested"] = how_sure(&suggested);
                        return Ok(told);
                    }
                    Err(error) => Reason::DoesNotFit(error),
                }
            }
        };
        let until = wiring::clock().now().plus(OFFER_LASTS);
        let mut offered = Offered::new(mission, &suggested, &reason, config, until);
        // Servers of others describe the arguments of their tools themselves.
        let guard = &self.settings.protection.guard;
        mark_steering(guard, &mut offered.told["missing"]);
        // What is done again may hold words of others.
        leave_out_attacks(guard, &mut offered.told["suggested_dag"]);
        let offer = Offer {
            mission,
            to: caller.person.clone(),
            until,
            content: Some(content(&offered)?),
            answer: None,
        };
        door.keep_offer(self.settings, offer).await?;
        // The same request may arrive twice at once: both get the suggestion that was kept.
        match read_offer(&journal, mission).await? {
            Some(offer) => told_again(&offer),
            None => Ok(offered.told),
        }
    }

    /// Does what a program chose to do with a suggestion.
    pub(super) async fn choose(
        &self,
        caller: &ProgramCaller,
        wanted: Execute,
        asked: Value,
        wait: Duration,
    ) -> Result<Value, AppError> {
        let (Some(id), Some(choice)) = (&wanted.workflow_id, wanted.choice) else {
            return Err(misplaced(
                "`workflow_id` and `choice` belong together",
                "To answer a suggestion, send both; to start a workflow, send `intent` or `tasks`.",
            ));
        };
        let mission: MissionId = id.parse().map_err(|_| {
            unfit(
                "ADJ-6221",
                "`workflow_id` must be the id of a suggestion",
                "Use the workflow_id of the answer `ail_required`.",
            )
        })?;
        check_fields(&wanted, choice)?;
        let door = self.door().await?;
        let journal = door.journal(self.settings).await?;
        let is_started = self.is_open(&door, mission).await?;
        let Some(offer) = read_offer(&journal, mission).await? else {
            return Err(match is_started {
                true => {
                    let choice = "another choice".to_owned();
                    HostError::OfferAnswered { choice }.into()
                }
                false => HostError::OfferUnknown(mission).into(),
            });
        };
        if offer.to != caller.person {
            return Err(HostError::OfferOfAnother.into());
        }
        let answer = OfferAnswer {
            choice: choice.name().to_owned(),
            digest: digest(choice, asked),
        };
        // Where it was answered before, only whether this is the same answer is of interest.
        let is_over = is_started || offer.answer.is_some() || choice == Choice::Abort;
        let max_cost = match &wanted.config {
            Some(config) => config.max_cost,
            None => offered(&offer).ok().and_then(|kept| kept.config.max_cost),
        };
        let planned = match is_over {
            true => None,
            false => Some(self.planned_choice(caller, &offer, &wanted, choice)?),
        };
        self.close(&door, caller, mission, answer, planned).await?;
        match choice {
            Choice::Abort => Ok(declined(mission)),
            _ => {
                let answer = self.answer(caller, &door, mission, wait, Detail::WithResults);
                let told = answer.await?;
                Ok(self.with_budget_note(told, max_cost))
            }
        }
    }

    /// Declines a suggestion: the same as the choice `abort`.
    pub(super) async fn decline(
        &self,
        door: &Door<'_>,
        caller: &ProgramCaller,
        mission: MissionId,
    ) -> Result<Value, AppError> {
        let answer = OfferAnswer {
            choice: Choice::Abort.name().to_owned(),
            digest: digest(Choice::Abort, Value::Null),
        };
        self.close(door, caller, mission, answer, None).await?;
        Ok(declined(mission))
    }

    async fn close(
        &self,
        door: &Door<'_>,
        caller: &ProgramCaller,
        mission: MissionId,
        answer: OfferAnswer,
        planned: Option<PlannedWorkflow>,
    ) -> Result<(), AppError> {
        if planned.is_some() {
            self.count_start(door, caller, mission).await?;
        }
        let command = command_of(ANSWERED, caller, mission, &answer.digest);
        let given = AnsweredOffer {
            mission,
            person: caller.person.clone(),
            answer,
            start: planned.map(|planned| Box::new(self.start_of(mission, planned))),
        };
        door.answer_offer(self.settings, caller.as_program(), command, given)
            .await
    }

    fn planned_choice(
        &self,
        caller: &ProgramCaller,
        offer: &Offer,
        wanted: &Execute,
        choice: Choice,
    ) -> Result<PlannedWorkflow, AppError> {
        if !offer.is_open(wiring::clock().now()) {
            return Err(HostError::OfferUnknown(offer.mission).into());
        }
        let offered = offered(offer)?;
        let tasks = match (choice, &wanted.tasks) {
            (Choice::ManualDag, Some(tasks)) => tasks.clone(),
            (Choice::AgentDelegation, _) => offered.as_agent(|tool| {
                let known = self.checker.registry().get(tool);
                known.is_some_and(|known| only_reads(known.manifest().class))
            }),
            _ => {
                let none = Map::new();
                let values = wanted.values.as_ref().unwrap_or(&none);
                json!(offered.completed(values)?.tasks)
            }
        };
        let config = wanted.config.as_ref().unwrap_or(&offered.config);
        self.planned(caller, &offered.intent, config, &tasks)
    }

    /// The suggestion with this id, if one waits for this caller.
    pub(super) async fn offer_to(
        &self,
        journal: &TenantJournal<AnyTenant>,
        caller: &ProgramCaller,
        workflow_id: &str,
    ) -> Result<Option<Offer>, AppError> {
        let Ok(mission) = workflow_id.parse::<MissionId>() else {
            return Ok(None);
        };
        if journal.summary(mission).await?.is_some() {
            return Ok(None);
        }
        let offer = read_offer(journal, mission).await?;
        Ok(offer.filter(|offer| offer.to == caller.person))
    }

    /// The index that suggestions for this caller are made of.
    pub(super) async fn suggester(
        &self,
        caller: &ProgramCaller,
        journal: &TenantJournal<AnyTenant>,
    ) -> Result<Arc<Suggester>, AppError> {
        let (registry, by) = (self.checker.registry(), caller.as_program());
        self.suggestions
            .suggester(self.settings, registry, &by, Some(journal))
            .await
    }
}

/// The suggestion as it was first answered, while it waits; afterwards, how it ended.
pub(super) fn told_again(offer: &Offer) -> Result<Value, AppError> {
    match &offer.answer {
        Some(answer) if answer.choice == Choice::Abort.name() => Ok(declined(offer.mission)),
        Some(_) => {
            let choice = "another choice".to_owned();
            Err(HostError::OfferAnswered { choice }.into())
        }
        None if offer.is_open(wiring::clock().now()) => Ok(offered(offer)?.told),
        None => Err(HostError::OfferUnknown(offer.mission).into()),
    }
}

/// What was kept, as this program keeps it.
fn offered(offer: &Offer) -> Result<Offered, AppError> {
    let content = offer.content.clone().unwrap_or_default();
    // It was kept by another version of the program, in which it was something else.
    serde_json::from_value(content).map_err(|_| HostError::OfferUnknown(offer.mission).into())
}

fn content(offered: &Offered) -> Result<Value, AppError> {
    serde_json::to_value(offered).map_err(|error| {
        AppError::new(
            ErrorKind::Internal,
            "ADJ-6083",
            error.to_string(),
            "This is a defect of Adjutant; please report it.",
        )
    })
}

fn check_fields(wanted: &Execute, choice: Choice) -> Result<(), AppError> {
    let may_have_tasks = choice == Choice::ManualDag;
    if may_have_tasks && wanted.tasks.is_none() {
        return Err(misplaced(
            "the choice `manual_dag` needs `tasks`",
            "Find tools with search_tools and send the graph of tasks.",
        ));
    }
    if !may_have_tasks && wanted.tasks.is_some() {
        return Err(misplaced(
            "`tasks` belong to the choice `manual_dag`",
            "Choose `manual_dag`, or leave `tasks` out.",
        ));
    }
    if choice != Choice::ExecuteSuggested && wanted.values.is_some() {
        return Err(misplaced(
            "`values` belong to the choice `execute_suggested`",
            "Choose `execute_suggested`, or leave `values` out.",
        ));
    }
    Ok(())
}

pub(super) fn misplaced(message: &str, help: &str) -> AppError {
    unfit("ADJ-6260", message, help)
}

/// Distinguishes one answer from another. Two ways of declining are the same answer.
fn digest(choice: Choice, mut asked: Value) -> String {
    if choice == Choice::Abort {
        asked = json!({ "choice": choice.name() });
    }
    if let Some(fields) = asked.as_object_mut() {
        for name in BESIDES {
            fields.remove(name);
        }
    }
    // Objects are sorted by their fields, so the same answer is the same text.
    blake3::hash(asked.to_string().as_bytes())
        .to_hex()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_the_same_whoever_waits_how_long_and_another_one_with_other_values() {
        let once = json!({ "workflow_id": "msn_1", "choice": "manual_dag", "tasks": [1], "wait_seconds": 3 });
        let again = json!({ "tasks": [1], "choice": "manual_dag", "workflow_id": "msn_1" });
        let other = json!({ "tasks": [2], "choice": "manual_dag", "workflow_id": "msn_1" });
        let digest_of = |asked: &Value| digest(Choice::ManualDag, asked.clone());
        assert_eq!(digest_of(&once), digest_of(&again));
        assert_ne!(digest_of(&once), digest_of(&other));
        let words = json!({ "choice": "abort", "config": { "max_cost": 1 } });
        assert_eq!(
            digest(Choice::Abort, words),
            digest(Choice::Abort, Value::Null)
        );
    }
}
