//! One effect on its way: everything it needs, taken along when it is handed out, so that the mission can go on meanwhile.
//!
//! It changes nothing of the mission: its outcome goes back to the runner.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_effects::{
    Asker, INPUTS, MissionRules, Origin, PreparedEffect, PseudonymKey, Request, ResolvedInputs,
    step_name,
};
use adjutant_journal::{JournalError, MissionSeal, TenantJournal};
use adjutant_mission::{
    Effect, Failure, FailureKind, Json, Millis, Mission, MissionId, Outcome, Payload, TenantId,
    Usage, Work,
};
use adjutant_store::{Store, TenantStore};

use crate::effect_context;
use crate::shared::Shared;
use crate::sub_missions::{self, ParentContext};

pub(crate) struct EffectRun<S> {
    shared: Arc<Shared<S>>,
    tenant: TenantId,
    mission: MissionId,
    seal: MissionSeal,
    effect: PreparedEffect,
    /// What its references point at, as far as it is in memory.
    payloads: Vec<(String, Payload)>,
    origins: BTreeMap<String, Origin>,
    acknowledged_warnings: Vec<String>,
    asker: Option<Asker>,
    rules: MissionRules,
    /// For a sub-mission.
    parent: Option<ParentContext>,
}

impl<S: Store> EffectRun<S> {
    pub(crate) fn new(
        shared: Arc<Shared<S>>,
        mission: &Mission,
        seal: MissionSeal,
        effect: Effect,
    ) -> Self {
        let acknowledged_warnings = effect_context::acknowledged_warnings(mission, &effect);
        let asker = effect_context::asker(mission, &effect);
        let rules = shared.rules.of_mission(mission);
        let is_sub_mission = matches!(effect.work, Work::RunMission { .. });
        let effect = PreparedEffect::from(effect);
        let payloads = referenced_payloads(mission, &effect);
        Self {
            shared,
            tenant: mission.opened().scope.tenant.clone(),
            mission: mission.id(),
            seal,
            origins: effect_context::origins(mission, &payloads),
            effect,
            payloads,
            acknowledged_warnings,
            asker,
            parent: is_sub_mission.then(|| ParentContext::of(mission, &rules)),
            rules,
        }
    }

    pub(crate) async fn perform(self) -> Outcome {
        let Self {
            shared,
            tenant,
            seal,
            ..
        } = self;
        let journal = shared.vault.tenant(&shared.store, &tenant);
        let fetched = fetch_blobs(&journal, &seal, self.mission, self.payloads).await;
        let mut resolved = match fetched {
            Ok(resolved) => resolved,
            Err(failed) => return failed,
        };
        // Stopped since it was handed out: it is not sent, and comes up again.
        if let Some(deferred) = deferred_by_a_stop(&shared, &tenant, self.effect.effect()) {
            return deferred;
        }
        if let Some(parent) = self.parent {
            return run_sub_mission(shared, parent, self.effect.into_effect(), resolved).await;
        }
        let counted = shared.tallies.take(&shared, &tenant, self.effect.effect());
        if let Err(outcome) = counted.await {
            return outcome;
        }
        shared
            .performer
            .wait_for_lease(self.effect.effect().class)
            .await;
        // Counting waits for the store, and the lease for a former host: a stop may have come in the meantime.
        if let Some(deferred) = deferred_by_a_stop(&shared, &tenant, self.effect.effect()) {
            return deferred;
        }
        resolved.origins = self.origins;
        let request = Request {
            without: shared.stops.providers(&tenant),
            tenant,
            effect: self.effect,
            resolved,
            pseudonyms: seal.pseudonym_key().map(PseudonymKey),
            acknowledged_warnings: self.acknowledged_warnings,
            asker: self.asker,
            rules: self.rules,
        };
        shared.performer.perform(request).await
    }
}

fn deferred_by_a_stop<S: Store>(
    shared: &Shared<S>,
    tenant: &TenantId,
    effect: &Effect,
) -> Option<Outcome> {
    let stopped = shared.stops.of(tenant, effect, &shared.performer);
    stopped.map(|_| Outcome::Deferred {
        until: shared.clock.now().plus(Millis(1)),
    })
}

async fn run_sub_mission<S: Store>(
    shared: Arc<Shared<S>>,
    parent: ParentContext,
    effect: Effect,
    resolved: ResolvedInputs,
) -> Outcome {
    match effect.work {
        Work::RunMission { sub, ends } => {
            // A sub-mission's own runner performs effects: without a box the future would contain itself.
            let run = sub_missions::perform(shared, parent, effect.id, *sub, ends, resolved);
            Box::pin(run).await
        }
        Work::CallTool(_) | Work::AskModel(_) | Work::EvaluateGate(_) => failed(
            FailureKind::Permanent,
            "the effect is not a sub-mission".to_owned(),
        ),
    }
}

/// What the effect's references point at, as far as it is in memory.
fn referenced_payloads(mission: &Mission, effect: &PreparedEffect) -> Vec<(String, Payload)> {
    let outputs = effect.referenced_tasks().into_iter().filter_map(|task| {
        let output = mission.output(&task)?.clone();
        Some((task, output))
    });
    let inputs = mission
        .plan()
        .inputs
        .clone()
        .map(|inputs| (INPUTS.into(), Payload::Inline(inputs)));
    let thought = effect.effect().thought.iter();
    let earlier = thought.flat_map(|thought| &thought.earlier);
    let earlier = earlier.map(|step| (step_name(step.number), step.output.clone()));
    outputs.chain(inputs).chain(earlier).collect()
}

/// Fetches what is kept as a blob. If one is missing the effect fails rather than guesses.
async fn fetch_blobs<T: TenantStore>(
    journal: &TenantJournal<T>,
    seal: &MissionSeal,
    mission: MissionId,
    payloads: Vec<(String, Payload)>,
) -> Result<ResolvedInputs, Outcome> {
    let mut complete = ResolvedInputs::default();
    for (name, payload) in payloads {
        let json = match payload {
            Payload::Inline(json) => json,
            Payload::Blob { digest, .. } => fetch(journal, seal, mission, &digest).await?,
        };
        if name == INPUTS {
            complete.inputs = Some(json);
        } else {
            complete.outputs.insert(name, json);
        }
    }
    Ok(complete)
}

async fn fetch<T: TenantStore>(
    journal: &TenantJournal<T>,
    seal: &MissionSeal,
    mission: MissionId,
    digest: &str,
) -> Result<Json, Outcome> {
    let missing = || {
        let message = format!("blob {digest} is not in the store");
        failed(FailureKind::Permanent, message)
    };
    let parsed = digest.parse().map_err(|_| missing())?;
    match journal.output(seal, mission, parsed).await {
        Ok(found) => found.ok_or_else(missing),
        Err(error @ JournalError::Store(_)) => {
            Err(failed(FailureKind::Temporary, error.to_string()))
        }
        Err(error) => Err(failed(FailureKind::Permanent, error.to_string())),
    }
}

pub(crate) fn failed(kind: FailureKind, message: String) -> Outcome {
    Outcome::Failed {
        failure: Failure { kind, message },
        usage: Usage::NONE,
    }
}
