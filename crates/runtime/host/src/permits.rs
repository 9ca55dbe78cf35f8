//! What the operator permits of tools: asked when a plan comes in, and before a limited tool is called.
//!
//! A call is counted, durably, before it is made. One that is cut off by a crash is made and counted again: a limit may
//! be kept too strictly then, and is never passed.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use adjutant_mission::{
    Actor, ActorKind, Command, Effect, Failure, FailureKind, Outcome, Plan, TenantId, ToolId,
    Usage, Work,
};
use adjutant_store::{RecordKind, Store};
use adjutant_tools::{OverLimit, Tally};
use tokio::sync::Mutex;

use crate::shared::Shared;
use crate::{Host, HostError};

impl<S: Store> Host<S> {
    /// Whether somebody may have the tools called that a plan names. What the host opens by itself was asked for by a
    /// person before.
    pub(crate) fn check_tools(
        &self,
        tenant: &TenantId,
        by: &Actor,
        plan: &Plan,
    ) -> Result<(), HostError> {
        if by.kind != ActorKind::Human {
            return Ok(());
        }
        let refusals = self
            .shared()
            .performer
            .registry()
            .refusals(tenant, by, plan);
        match refusals.is_empty() {
            true => Ok(()),
            false => Err(HostError::ToolsNotPermitted {
                told: refusals.join("; "),
            }),
        }
    }

    /// The same, of what a command puts into a plan. Class, price and provenance of its tools are set as they are
    /// registered, whatever the caller says they are.
    pub(crate) fn check_change(
        &self,
        tenant: &TenantId,
        by: &Actor,
        command: &mut Command,
    ) -> Result<(), HostError> {
        let patch = match command {
            Command::Replan { patch, .. } => Some(patch),
            Command::Decide { decision, .. } => decision.patch.as_mut(),
            _ => None,
        };
        let Some(patch) = patch else { return Ok(()) };
        let tasks = patch.add.iter().chain(&patch.change).cloned().collect();
        let change = Plan::new("change", tasks);
        patch.tools = self.shared().performer.table(&change);
        self.check_tools(tenant, by, &change)
    }
}

/// One tally, once it was read. Locked while a call is counted.
type Slot = Arc<Mutex<Option<Tally>>>;

/// Counting waits for the store, so each tally has a lock of its own: a call waits only for calls of the same tool by the
/// same tenant.
#[derive(Debug, Default)]
pub(crate) struct Tallies {
    slots: std::sync::Mutex<HashMap<(TenantId, ToolId), Slot>>,
}

impl Tallies {
    fn slot(&self, tenant: &TenantId, tool: &ToolId) -> Slot {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(slots.entry((tenant.clone(), tool.clone())).or_default())
    }

    /// Counts a call of a tool that has limits; the outcome is why it is not made now.
    pub(crate) async fn take<S: Store>(
        &self,
        shared: &Shared<S>,
        tenant: &TenantId,
        effect: &Effect,
    ) -> Result<(), Outcome> {
        let Work::CallTool(call) = &effect.work else {
            return Ok(());
        };
        let registry = shared.performer.registry();
        let Some(limit) = registry.permissions().limit(tenant, &call.tool) else {
            return Ok(());
        };
        let Some(registered) = registry.get(call.tool.as_str()) else {
            return Ok(());
        };
        let uncounted = |why: String| Outcome::Failed {
            failure: Failure {
                kind: FailureKind::Temporary,
                message: format!(
                    "the call of `{}` cannot be checked against its limit: {why}",
                    call.tool
                ),
            },
            usage: Usage::NONE,
        };
        let journal = shared.vault.tenant(&shared.store, tenant);
        let slot = self.slot(tenant, &call.tool);
        let mut counted = slot.lock().await;
        let mut tally = match &*counted {
            Some(tally) => tally.clone(),
            None => {
                let kept = journal.record(RecordKind::Tally, call.tool.as_str()).await;
                kept.map_err(|error| uncounted(error.to_string()))?
                    .unwrap_or_default()
            }
        };
        let price = registered.manifest().price;
        match tally.take(shared.clock.now(), &limit, price) {
            Ok(()) => {}
            Err(OverLimit::Wait { until }) => return Err(Outcome::Deferred { until }),
            Err(OverLimit::Spent { told }) => {
                let reason = format!("`{}` has reached its limit: {told}", call.tool);
                return Err(Outcome::Denied { reason });
            }
        }
        journal
            .put_record(RecordKind::Tally, call.tool.as_str(), &tally)
            .await
            .map_err(|error| uncounted(error.to_string()))?;
        *counted = Some(tally);
        Ok(())
    }
}
