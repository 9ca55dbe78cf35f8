//! What the journals of missions know of earlier runs of delegates.

use adjutant_delegates::{RunHistory, lost_run_is_undecided};
use adjutant_journal::Vault;
use adjutant_mission::{EffectId, TenantId};
use adjutant_tools::{BoxFuture, ToolFailure};

use crate::stores::AnyStore;

/// Reads the journal of the mission that calls.
#[derive(Debug)]
pub(crate) struct JournalRuns {
    pub(crate) store: AnyStore,
    pub(crate) vault: Vault,
}

impl RunHistory for JournalRuns {
    fn has_lost_run(
        &self,
        tenant: TenantId,
        effect: EffectId,
    ) -> BoxFuture<'_, Result<bool, ToolFailure>> {
        Box::pin(async move {
            let journal = self.vault.tenant(&self.store, &tenant);
            let read = journal.read(effect.mission).await;
            let (events, _) = read.map_err(|error| {
                ToolFailure::temporary(format!(
                    "whether an earlier run was lost cannot be read from the journal: {error}"
                ))
            })?;
            Ok(lost_run_is_undecided(&events, effect.number))
        })
    }
}
