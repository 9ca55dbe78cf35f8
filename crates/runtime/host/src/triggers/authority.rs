//! Whether whoever made a trigger may do what it does, as if they did it themselves now. Asked when a trigger is added, and
//! before each fire.

use adjutant_mission::{MissionId, TenantId, Trigger, TriggerTarget};
use adjutant_store::{RecordKind, Store, TenantStore};

use super::TriggerError;
use crate::{AccessKey, Host, HostError};

/// Refuses for good if they may not.
pub(super) async fn check<S: Store>(
    host: &Host<S>,
    tenant: &TenantId,
    trigger: &Trigger,
) -> Result<(), HostError> {
    let by = match &trigger.made_with {
        None => trigger.made_by.clone(),
        Some(name) => {
            let key: Option<AccessKey> = host
                .journal(tenant)
                .record(RecordKind::Access, name)
                .await?;
            let now = host.clock().now();
            let key = key.filter(|key| key.is_valid(now));
            let key = key.ok_or(TriggerError::KeyInvalid)?;
            if !key.role.may_steer() {
                return Err(TriggerError::RoleTooLow(key.role).into());
            }
            key.actor()
        }
    };
    match &trigger.target {
        TriggerTarget::StartMission(prepared) => host.check_tools(tenant, &by, &prepared.plan),
        TriggerTarget::InformMission { .. } => Ok(()),
    }
}

/// Whether an error says that they may not, and not merely not now.
pub(super) fn holds(error: &HostError) -> bool {
    matches!(
        error,
        HostError::ToolsNotPermitted { .. }
            | HostError::Trigger(TriggerError::KeyInvalid | TriggerError::RoleTooLow(_))
    )
}

/// Counts a mission that a trigger starts among those of the owner of the key it was made with. The owner of the
/// installation starts as many as they like, here as on the machine.
pub(super) async fn count<S: Store>(
    host: &Host<S>,
    tenant: &TenantId,
    trigger: &Trigger,
    mission: MissionId,
) -> Result<(), HostError> {
    // What was opened before a crash was counted then.
    if trigger.made_with.is_none() || host.store().tenant(tenant).row(mission).await?.is_some() {
        return Ok(());
    }
    // What may not be opened at all is not counted each time it is tried.
    host.may_open(tenant).await?;
    let who = trigger.made_by.id.as_str();
    host.count_start(tenant, who, mission, host.shared().starts)
        .await?;
    Ok(())
}
