//! The workflows that a tenant has run to their end, as their journals have them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use adjutant_catalogue::{Catalogue, mission_type};
use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{Mission, MissionId, Phase, Plan, WorkSpec};
use adjutant_store::{ListOrder, ListQuery, Retention, TenantStore};
use adjutant_suggestion::{PastWorkflow, WorkflowOutcome};
use futures::{StreamExt as _, stream};

use super::template_graphs::plan_graph;
use crate::error::AppError;
use crate::single_question::is_single_question;
use crate::words::short;

const PAGE: u32 = 1_000;
/// The newest missions that are learned from.
const MISSIONS_MAX: usize = 10_000;
/// Missions that are read at the same time.
const AT_ONCE: usize = 8;

/// Missions that were read before: the journal of one that has ended does not change until it is erased.
#[derive(Debug, Default)]
pub(super) struct PastMissions(Mutex<BTreeMap<MissionId, Option<Arc<PastWorkflow>>>>);

impl PastMissions {
    /// Every workflow that completed or failed and can still be read, newest first.
    pub(super) async fn ended<T: TenantStore>(
        &self,
        journal: &TenantJournal<T>,
        catalogue: &Catalogue,
    ) -> Result<Vec<(MissionId, Arc<PastWorkflow>)>, AppError> {
        let ids = ended_missions(journal).await?;
        let known = self.known(&ids);
        let new: Vec<MissionId> = ids
            .iter()
            .filter(|id| !known.contains_key(id))
            .copied()
            .collect();
        let mut read = stream::iter(new)
            .map(|id| async move { (id, journal.load(id).await) })
            .buffered(AT_ONCE);
        let mut all = known;
        while let Some((id, loaded)) = read.next().await {
            let workflow = match loaded {
                Ok((mission, _)) => workflow_of(&mission, catalogue).map(Arc::new),
                Err(JournalError::Store(error)) => return Err(error.into()),
                // Its key is gone, or it does not add up: it can teach nothing.
                Err(_) => None,
            };
            all.insert(id, workflow);
        }
        let found = ids
            .iter()
            .filter_map(|id| Some((*id, all.get(id)?.clone()?)));
        let found = found.collect();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = all;
        Ok(found)
    }

    /// Those of these missions that were read before. What is no longer listed is forgotten.
    fn known(&self, ids: &[MissionId]) -> BTreeMap<MissionId, Option<Arc<PastWorkflow>>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = ids
            .iter()
            .filter_map(|id| Some((*id, kept.get(id)?.clone())));
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

/// What a mission teaches: nothing if it is a single question, or the work of agents, which no graph of tools repeats.
fn workflow_of(mission: &Mission, catalogue: &Catalogue) -> Option<PastWorkflow> {
    let plan = mission.plan();
    if is_single_question(plan) || mission_type(plan, catalogue).is_some() || !is_of_tools(plan) {
        return None;
    }
    let outcome = match mission.phase() {
        Phase::Completed => WorkflowOutcome::Completed,
        Phase::Failed => WorkflowOutcome::Failed,
        _ => return None,
    };
    let intent = match plan.objective.trim() {
        "" => plan.title.clone(),
        objective => objective.to_owned(),
    };
    Some(PastWorkflow {
        id: short(mission.id()).to_string(),
        intent,
        graph: plan_graph(plan),
        outcome,
    })
}

fn is_of_tools(plan: &Plan) -> bool {
    let is_call = |work: &WorkSpec| matches!(work, WorkSpec::Tool(_));
    let others = |work: &WorkSpec| matches!(work, WorkSpec::Agent(_) | WorkSpec::Mission(_));
    plan.tasks.iter().any(|task| is_call(&task.work))
        && !plan.tasks.iter().any(|task| others(&task.work))
}
