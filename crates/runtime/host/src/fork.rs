//! Forking: a new mission from another one's journal.

use adjutant_mission::{
    Actor, CommandId, Driver, Fork, ForkChange, MissionId, TenantId, fork_point,
};
use adjutant_store::{Store, TenantStore};
use serde::{Deserialize, Serialize};

use crate::{Host, HostError};

/// Which mission to fork, where, and into which. The id is chosen by whoever asks, so that asking twice forks once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForkRequest {
    pub mission: MissionId,
    pub of: MissionId,
    /// The last event that it inherits.
    pub at: u64,
    pub changes: Vec<ForkChange>,
}

impl<S: Store> Host<S> {
    /// Forks a mission. When this returns, all of the fork is durable: there is never half of one.
    pub async fn fork(
        &self,
        tenant: &TenantId,
        by: Actor,
        command: CommandId,
        request: ForkRequest,
    ) -> Result<MissionId, HostError> {
        let ForkRequest {
            mission,
            of,
            at,
            changes,
        } = request;
        if self.shared().is_draining() {
            return Err(HostError::Draining);
        }
        let journal = self.journal(tenant);
        if journal.store().row(mission).await?.is_some() {
            return Ok(mission);
        }
        self.may_open(tenant).await?;
        let (mut events, _) = journal.read(of).await?;
        let stood = fork_point(&events, at)?;
        events.truncate(at as usize);
        self.check_tools(tenant, &by, stood.plan())?;
        self.shared().rules.fork(&stood, &by)?;
        let (title, subjects) = (&stood.plan().title, &stood.scope().subjects);
        let cursor = journal.begin(mission, title, subjects).await?;
        let inherited = journal.inherit(of, events, &cursor.seal).await?;
        let fork = Fork {
            mission,
            of,
            inherited: inherited.events,
            changes,
        };
        let driver = Driver::fork(self.clock().now(), &by, command, fork)?;
        let tenant = tenant.clone();
        self.begin(tenant, driver, cursor, inherited.blobs).await
    }
}
