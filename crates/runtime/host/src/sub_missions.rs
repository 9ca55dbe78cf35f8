//! Sub-missions: starting the mission that a task is, waiting for its end, and ending it with its parent.
//!
//! Nothing is kept of it but the two journals. The child's id follows from the effect, so whatever is cut off is simply
//! done again: a child that is there is waited for, one that has ended gives its outcome.
//!
//! **Invariant:** A child's id follows from its parent's effect. So whatever was cut off between the two is done again
//! and leads to the same child; a parent that stops ends its children first.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use adjutant_effects::{MissionRules, ResolvedInputs, RuleSet};
use adjutant_mission::{
    Actor, AgentId, Approvers, Autonomy, CheckpointType, Command, CommandId, Delivery, EffectId,
    EndingPhase, Failure, FailureKind, Json, Mission, MissionId, Outcome, Parent, Payload, Phase,
    Scope, Start, SubMission, TenantId, ToolTable,
};
use adjutant_store::{Store, TenantStore};
use serde_json::{Map, Value, json};

use crate::shared::Shared;
use crate::{Host, HostError};

/// How long a stop of the host, or a lost piece of news, may go unnoticed.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// What a child takes from its parent.
#[derive(Debug)]
pub(crate) struct ParentContext {
    pub(crate) tenant: TenantId,
    pub(crate) scope: Scope,
    pub(crate) tools: ToolTable,
    pub(crate) approvals: Vec<adjutant_mission::ApprovalSource>,
    pub(crate) began_by: Vec<AgentId>,
    pub(crate) four_eyes: Vec<CheckpointType>,
    pub(crate) approvers: BTreeMap<CheckpointType, Approvers>,
    pub(crate) autonomy: Autonomy,
    pub(crate) constraints: Vec<String>,
    pub(crate) depth: u8,
    pub(crate) rules: Vec<Arc<RuleSet>>,
}

impl ParentContext {
    pub(crate) fn of(parent: &Mission, rules: &MissionRules) -> Self {
        let opened = parent.opened();
        Self {
            tenant: opened.scope.tenant.clone(),
            scope: opened.scope.clone(),
            tools: parent.tools().clone(),
            approvals: opened.approvals.clone(),
            began_by: parent.beginners(),
            four_eyes: parent.plan().four_eyes.clone(),
            approvers: parent.plan().approvers.clone(),
            autonomy: parent.plan().autonomy,
            constraints: parent.plan().constraints.clone(),
            depth: opened.parent.map_or(0, |parent| parent.depth),
            rules: rules.sets().to_vec(),
        }
    }
}

/// Runs a sub-mission to its end, or ends it; comes back early only when the host stops.
pub(crate) async fn perform<S: Store>(
    shared: Arc<Shared<S>>,
    parent: ParentContext,
    effect: EffectId,
    sub: SubMission,
    ends: bool,
    resolved: ResolvedInputs,
) -> Outcome {
    let host = Host::of(Arc::clone(&shared));
    let (tenant, child) = (parent.tenant.clone(), MissionId::of_effect(effect));
    let mut news = host.subscribe();
    let begun = match ends {
        true => end(&host, &tenant, child).await,
        false => begin(&host, parent, effect, child, sub, resolved).await,
    };
    match begun {
        Ok(None) => {}
        Ok(Some(outcome)) => return outcome,
        Err(error) => return failed(&error),
    }
    loop {
        match ended(&host, &tenant, child).await {
            Ok(Some(outcome)) => return outcome,
            Ok(None) => {}
            Err(error) => return failed(&error),
        }
        if !shared.may_perform() {
            let until = shared.clock.now();
            return Outcome::Deferred { until };
        }
        let heard = async {
            while let Ok(committed) = news.recv().await {
                if committed.mission == child {
                    return;
                }
            }
        };
        // News may be lost; then it is seen when looked for.
        let _ = tokio::time::timeout(LOOK_EVERY, heard).await;
    }
}

/// Opens the child unless it is there already.
async fn begin<S: Store>(
    host: &Host<S>,
    parent: ParentContext,
    effect: EffectId,
    child: MissionId,
    sub: SubMission,
    resolved: ResolvedInputs,
) -> Result<Option<Outcome>, HostError> {
    let mut plan = sub.plan;
    // Whoever wrote the inner plan does not loosen what the outer one asks for.
    for kind in parent.four_eyes {
        if !plan.four_eyes.contains(&kind) {
            plan.four_eyes.push(kind);
        }
    }
    plan.approvers.extend(parent.approvers);
    plan.autonomy = plan.autonomy.min(parent.autonomy);
    plan.constraints.splice(0..0, parent.constraints);
    match adjutant_effects::resolve_sub_mission_inputs(
        plan.inputs.as_ref(),
        sub.with.as_ref(),
        &resolved,
    ) {
        Ok(inputs) => plan.inputs = inputs,
        Err(message) => return Ok(Some(failure(FailureKind::BadInput, message))),
    }
    let start = Start {
        mission: child,
        scope: parent.scope,
        plan,
        tools: parent.tools,
        approvals: parent.approvals,
        parent: Some(Parent {
            effect,
            depth: parent.depth.saturating_add(1),
            sandbox: sub.sandbox,
        }),
        began_by: parent.began_by,
    };
    let command = CommandId::from_bits(child.bits());
    let opened = host.open_under(Actor::host(None), command, start, &parent.rules);
    opened.await?;
    Ok(None)
}

/// Aborts the child; one that never began is done with.
async fn end<S: Store>(
    host: &Host<S>,
    tenant: &TenantId,
    child: MissionId,
) -> Result<Option<Outcome>, HostError> {
    if host.journal(tenant).store().row(child).await?.is_none() {
        let message = "the sub-mission had not begun".to_owned();
        return Ok(Some(failure(FailureKind::Permanent, message)));
    }
    let abort = Command::Abort {
        reason: "the mission it belongs to is stopping".to_owned(),
        undo: false,
    };
    let command = CommandId::from_bits(!child.bits());
    match host
        .command(tenant, child, command, Actor::host(None), abort)
        .await
    {
        // It has ended, or is about to: that is all that is wanted.
        Ok(()) | Err(HostError::Refused(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What a child that has ended gives its parent.
async fn ended<S: Store>(
    host: &Host<S>,
    tenant: &TenantId,
    child: MissionId,
) -> Result<Option<Outcome>, HostError> {
    let journal = host.journal(tenant);
    let row = journal.store().row(child).await?;
    let is_over = |phase: Phase| phase.is_ended();
    if !row.is_some_and(|row| is_over(row.summary.phase)) {
        return Ok(None);
    }
    let (mission, cursor) = journal.load(child).await?;
    let Some(ending) = mission.ending() else {
        return Ok(None);
    };
    let usage = mission.used();
    if ending.phase != EndingPhase::Completed || ending.delivery != Delivery::Delivered {
        let how = match ending.phase {
            EndingPhase::Completed => "was not approved",
            EndingPhase::Failed => "failed",
            EndingPhase::Cancelled => "was cancelled",
        };
        let colon = if ending.reason.is_empty() { "" } else { ": " };
        let message = format!("sub-mission {child} {how}{colon}{}", ending.reason);
        let kind = FailureKind::Permanent;
        return Ok(Some(Outcome::Failed {
            failure: Failure { kind, message },
            usage,
        }));
    }
    let mut answers = Map::new();
    for task in mission.last_tasks() {
        let output = match mission.output(task.as_str()) {
            None => continue,
            Some(Payload::Inline(json)) => json.clone(),
            Some(Payload::Blob { digest, .. }) => match digest.parse() {
                Ok(digest) => {
                    let found = journal.output(&cursor.seal, child, digest).await?;
                    found.unwrap_or_else(Json::null)
                }
                Err(_) => Json::null(),
            },
        };
        let value = serde_json::from_str(output.text()).unwrap_or(Value::Null);
        answers.insert(task.to_string(), value);
    }
    let answer = match answers.len() {
        1 => answers
            .into_iter()
            .next()
            .map_or(Value::Null, |(_, value)| value),
        _ => Value::Object(answers),
    };
    let output = json!({ "mission": child.to_string(), "answer": answer });
    Ok(Some(match Json::encode(&output) {
        Ok(output) => Outcome::done(Payload::Inline(output), usage),
        Err(error) => failure(FailureKind::BadOutput, error.to_string()),
    }))
}

fn failed(error: &HostError) -> Outcome {
    let kind = match error {
        HostError::Refused(_) => FailureKind::Permanent,
        HostError::Rules(_) => FailureKind::Denied,
        HostError::Supervisors(_) => FailureKind::Permanent,
        _ => FailureKind::Temporary,
    };
    failure(kind, format!("the sub-mission: {}", error.chain()))
}

fn failure(kind: FailureKind, message: String) -> Outcome {
    Outcome::Failed {
        failure: Failure { kind, message },
        usage: adjutant_mission::Usage::NONE,
    }
}
