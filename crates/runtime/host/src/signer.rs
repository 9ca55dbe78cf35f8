//! Signs where journals stand: every so often, and before the host stops. What has moved since the last time is
//! remembered here, so that signing costs nothing where nothing happens.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_journal::{JournalError, SigningKey};
use adjutant_mission::{MissionId, TenantId};
use adjutant_store::{ChainHead, Store};

use crate::shared::Shared;

type Moved = HashMap<TenantId, HashMap<MissionId, ChainHead>>;

#[derive(Debug)]
pub(crate) struct Signer {
    key: Arc<SigningKey>,
    every: Duration,
    moved: Mutex<Moved>,
}

impl Signer {
    pub(crate) fn new(key: Arc<SigningKey>, every: Duration) -> Self {
        Self {
            key,
            every,
            moved: Mutex::default(),
        }
    }

    pub(crate) fn key(&self) -> &SigningKey {
        &self.key
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Moved> {
        self.moved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A mission's journal now ends here.
    pub(crate) fn moved(&self, tenant: &TenantId, mission: MissionId, head: ChainHead) {
        let mut moved = self.lock();
        match moved.get_mut(tenant) {
            Some(missions) => {
                missions.insert(mission, head);
            }
            None => {
                moved.insert(tenant.clone(), [(mission, head)].into());
            }
        }
    }
}

/// Signs now and then, until the host stops.
pub(crate) async fn run<S: Store>(shared: Arc<Shared<S>>) {
    let Some(signer) = &shared.signer else { return };
    let mut all_signed = false;
    loop {
        tokio::time::sleep(signer.every).await;
        if shared.is_draining() {
            return;
        }
        // What could not be signed is signed the next time.
        let _ = sign_moved(&shared).await;
        // A host that was killed left journals behind that only a look at each of them finds.
        all_signed = all_signed || sign_all(&shared, signer).await.is_ok();
    }
}

async fn sign_all<S: Store>(shared: &Shared<S>, signer: &Signer) -> Result<(), JournalError> {
    for tenant in shared.store.tenants().await? {
        let journal = shared.vault.tenant(&shared.store, &tenant);
        journal.attest_all(&signer.key, shared.clock.now()).await?;
    }
    Ok(())
}

/// Signs where the registers of records stand, of every tenant.
async fn sign_records<S: Store>(shared: &Shared<S>, signer: &Signer) -> Result<(), JournalError> {
    for tenant in shared.store.tenants().await? {
        let journal = shared.vault.tenant(&shared.store, &tenant);
        let at = shared.clock.now();
        journal.attest_records(&signer.key, at).await?;
    }
    Ok(())
}

/// Signs all that has moved since the last time.
pub(crate) async fn sign_moved<S: Store>(shared: &Shared<S>) -> Result<(), JournalError> {
    let Some(signer) = &shared.signer else {
        return Ok(());
    };
    let moved = std::mem::take(&mut *signer.lock());
    for (tenant, missions) in moved {
        let stand: Vec<(MissionId, ChainHead)> = missions.into_iter().collect();
        let journal = shared.vault.tenant(&shared.store, &tenant);
        let signed = journal
            .attest(&signer.key, shared.clock.now(), &stand)
            .await;
        if let Err(error) = signed {
            let mut waiting = signer.lock();
            let missions = waiting.entry(tenant).or_default();
            for (mission, head) in stand {
                missions.entry(mission).or_insert(head);
            }
            return Err(error);
        }
    }
    sign_records(shared, signer).await
}
