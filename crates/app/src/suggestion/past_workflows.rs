//! The workflows that a tenant has run to their end, as their journals have them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_catalogue::{Catalogue, mission_type};
use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{
    Delivery, Dependency, DependencyKind, Millis, Mission, MissionId, Phase, Plan, Task, WorkSpec,
};
use adjutant_store::{ListOrder, ListQuery, Retention, TenantStore};
use adjutant_suggestion::{Covers, PastWorkflow, WorkflowOutcome};
use futures::{StreamExt as _, stream};
use tokio::time::Instant;

use super::template_graphs::plan_graph;
use crate::catalogue::catalogue;
use crate::error::AppError;
use crate::settings::Settings;
use crate::single_question::is_single_question;
use crate::words::short;
use crate::workflow::UNTITLED;

const PAGE: u32 = 1_000;
/// The newest missions that are learned from.
const MISSIONS_MAX: usize = 10_000;
/// Missions that are read at the same time.
const AT_ONCE: usize = 8;

/// How long one call reads journals that were not read before. The next call goes on where it stopped.
const READING_MAX: Duration = Duration::from_secs(5);

/// Missions that were read before: the journal of one that has ended does not change until it is erased.
#[derive(Debug, Default)]
pub(super) struct PastMissions(Mutex<Read>);

#[derive(Debug, Default)]
struct Read {
    /// What each mission teaches, if anything.
    all: BTreeMap<MissionId, Option<Arc<PastWorkflow>>>,
    /// Where the tenant's events ended when all its missions had been read, and what they teach together.
    whole: Option<(u64, Arc<Past>)>,
}

/// The workflows that ended, newest first, each with its mission.
#[derive(Debug, Default)]
pub(super) struct Past {
    pub(super) missions: Vec<MissionId>,
    pub(super) workflows: Vec<Arc<PastWorkflow>>,
}

impl PastMissions {
    /// Every workflow that completed or failed and can still be read.
    pub(super) async fn ended<T: TenantStore>(
        &self,
        journal: &TenantJournal<T>,
        settings: &Settings,
    ) -> Result<Arc<Past>, AppError> {
        // Read first: what happens from here on is looked at next time.
        let newest = journal.store().newest().await?;
        if let Some(past) = self.whole(newest) {
            return Ok(past);
        }
        let ids = ended_missions(journal).await?;
        let mut all = self.known(&ids);
        let is_new = |id: &&MissionId| !all.contains_key(*id);
        let new: Vec<MissionId> = ids.iter().filter(is_new).copied().collect();
        let mut reads_all = true;
        if !new.is_empty() {
            let catalogue = catalogue(settings)?;
            let until = Instant::now() + READING_MAX;
            let mut read = stream::iter(new)
                .map(|id| async move { (id, journal.load(id).await) })
                .buffered(AT_ONCE);
            while let Some((id, loaded)) = read.next().await {
                let workflow = match loaded {
                    Ok((mission, _)) => workflow_of(&mission, &catalogue).map(Arc::new),
                    Err(JournalError::Store(error)) => return Err(error.into()),
                    // Its key is gone, or it does not add up: it can teach nothing.
                    Err(_) => None,
                };
                all.insert(id, workflow);
                if Instant::now() >= until {
                    reads_all = false;
                    break;
                }
            }
        }
        let mut past = Past::default();
        for id in ids {
            if let Some(Some(workflow)) = all.get(&id) {
                past.missions.push(id);
                past.workflows.push(Arc::clone(workflow));
            }
        }
        let past = Arc::new(past);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.all = all;
        kept.whole = reads_all.then(|| (newest, Arc::clone(&past)));
        Ok(past)
    }

    /// What was read, if nothing has happened since.
    fn whole(&self, newest: u64) -> Option<Arc<Past>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, past) = kept.whole.as_ref()?;
        (*at == newest).then(|| Arc::clone(past))
    }

    /// Those of these missions that were read before. What is no longer listed is forgotten.
    fn known(&self, ids: &[MissionId]) -> BTreeMap<MissionId, Option<Arc<PastWorkflow>>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = ids
            .iter()
            .filter_map(|id| Some((*id, kept.all.get(id)?.clone())));
        known.collect()
    }
}

/// The missions that completed or failed and were neither erased nor pruned, newest first.
async fn ended_missions<T: TenantStore>(
    journal: &TenantJournal<T>,
) -> Result<Vec<MissionId>, AppError> {
    let mut ids = Vec::new();
    let mut past = None;
    while ids.len() < MISSIONS_MAX {
        let query = ListQuery {
            phases: Some(vec![Phase::Completed, Phase::Failed]),
            limit: PAGE,
            order: ListOrder::NewestFirst,
            past,
        };
        let page = journal.store().list(query).await?;
        past = page.last().map(|row| row.summary.mission);
        let is_last = page.len() < PAGE as usize;
        let readable = page
            .into_iter()
            .filter(|row| !matches!(row.kept, Retention::Erased | Retention::Pruned));
        ids.extend(readable.map(|row| row.summary.mission));
        if is_last {
            break;
        }
    }
    ids.truncate(MISSIONS_MAX);
    Ok(ids)
}

/// What a mission teaches: nothing if it is a single question. The work of agents is no graph of tools that can be repeated.
fn workflow_of(mission: &Mission, catalogue: &Catalogue) -> Option<PastWorkflow> {
    let plan = mission.plan();
    // What follows what in missions of the catalogue, their templates tell.
    if is_single_question(plan) || mission_type(plan, catalogue).is_some() {
        return None;
    }
    let covers = covers(plan)?;
    let ending = mission.ending();
    let is_draft = ending.is_some_and(|ending| ending.delivery == Delivery::Draft);
    let outcome = match mission.phase() {
        Phase::Completed if !is_draft => WorkflowOutcome::Completed,
        Phase::Failed => WorkflowOutcome::Failed,
        // A result that nobody approved speaks neither for its tools nor against them.
        _ => return None,
    };
    let intent = match plan.objective.trim() {
        // Nobody said what it was for.
        "" if plan.title == UNTITLED => return None,
        "" => plan.title.clone(),
        objective => objective.to_owned(),
    };
    Some(PastWorkflow {
        id: short(mission.id()).to_string(),
        intent,
        graph: plan_graph(plan),
        outcome,
        covers,
    })
}

/// How much of a mission its calls are; nothing without any, and beside other work only if several calls tell an order.
fn covers(plan: &Plan) -> Option<Covers> {
    let is_call = |task: &&Task| matches!(task.work, WorkSpec::Tool(_));
    let calls = plan.tasks.iter().filter(is_call).count();
    let is_whole = plan.tasks.iter().all(is_plain_call);
    match (calls, is_whole) {
        (0, _) | (1, false) => None,
        (_, false) => Some(Covers::ToolsOnly),
        (_, true) => Some(Covers::Whole),
    }
}

/// Whether a task is a plain tool call. A graph of calls has no agents, people or gates, and without them a repeat would be
/// different work.
fn is_plain_call(task: &Task) -> bool {
    let is_plain =
        |on: &Dependency| on.kind == DependencyKind::default() && on.lag == Millis::default();
    matches!(task.work, WorkSpec::Tool(_)) && task.after.iter().all(is_plain)
}

#[cfg(test)]
#[path = "past_workflows_tests.rs"]
mod tests;
