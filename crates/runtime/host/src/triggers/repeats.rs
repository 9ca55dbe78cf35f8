//! Missions that are repeated: once a report is approved, the mission leaves the trigger behind that its plan asks for. A later
//! run moves that trigger on to its own report, or ends it.
//!
//! **Invariant:** A trigger is left only by a mission whose result a person approved, and by each mission at most once: its id
//! follows from the mission. It starts the same plan with the same approvals, and has a last day and a number of runs.

use adjutant_mission::{
    Actor, ActorKind, ApprovalSource, CheckpointType, Closed, Delivery, Json, Millis, Missed,
    Mission, MissionId, Payload, Phase, Prepared, Schedule, TenantId, Timestamp, Trigger,
    TriggerEnd, TriggerId, TriggerTarget, Verdict, WorkSpec,
};
use adjutant_store::{ListOrder, ListQuery, RecordKind, Store, TenantStore};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ids::trigger_left_by;
use crate::{AccessKey, Host, HostError, Upkeep};

/// The tool whose result asks for it.
pub const SCHEDULE_REPEAT: &str = "schedule_repeat";
/// Inputs of a repetition: the mission whose report it goes on from, and the one that left the trigger.
pub const FOLLOWS: &str = "follows";
const LEFT_BY: &str = "left_by";
const NAME_CHARS_MAX: usize = 200;
/// A crash between the end of a mission and its trigger happened in the last day in which anything happened.
const CAUGHT_UP: Millis = Millis::hours(24);
const PAGE: u32 = 500;

/// What a mission asks for, as the tool gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatOrder {
    pub repeat: RepeatChoice,
    /// Nothing if it is not to be repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Schedule>,
    #[serde(default)]
    pub zone: String,
    #[serde(default)]
    pub runs_max: u32,
    /// Inputs that a repetition has in place of the mission's own.
    #[serde(default)]
    pub inputs: Map<String, Value>,
    /// In words.
    #[serde(default)]
    pub told: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RepeatChoice {
    /// As the mission was started: a run that a trigger started leaves the trigger as it is.
    AsStarted,
    /// By this schedule, in place of the trigger that started it.
    Anew,
    /// Not any more.
    Not,
}

/// The mission that left a trigger, if one did. An input of that name proves nothing: the trigger's id has to follow from it.
pub fn left_by(trigger: TriggerId, prepared: &Prepared) -> Option<MissionId> {
    let inputs: Value = serde_json::from_str(prepared.plan.inputs.as_ref()?.text()).ok()?;
    let mission: MissionId = inputs.get(LEFT_BY)?.as_str()?.parse().ok()?;
    (trigger_left_by(mission) == trigger).then_some(mission)
}

/// What the plan of a mission that has ended asks for.
fn order(mission: &Mission) -> Option<RepeatOrder> {
    let asks = |work: &WorkSpec| matches!(work, WorkSpec::Tool(call) if call.tool.as_str() == SCHEDULE_REPEAT);
    let mut tasks = mission.tasks().filter(|(task, _)| asks(&task.work));
    let (_, state) = tasks.next()?;
    match state.output.as_ref()? {
        Payload::Inline(output) => {
            let mut output: Value = serde_json::from_str(output.text()).ok()?;
            serde_json::from_value(output.get_mut("data")?.take()).ok()
        }
        Payload::Blob { .. } => None,
    }
}

/// The person who approved the result, there or in advance.
fn approver(mission: &Mission) -> Option<Actor> {
    if mission.ending()?.delivery != Delivery::Delivered {
        return None;
    }
    let mut reviews = mission
        .checkpoints()
        .iter()
        .rev()
        .filter(|state| state.checkpoint.checkpoint_type == CheckpointType::FinalReview);
    let decided = reviews.find_map(|state| match &state.closed {
        Some(Closed::Decided { by, decision }) if decision.verdict == Verdict::Approve => {
            Some(by.clone())
        }
        _ => None,
    });
    let waived = || {
        let sources = mission.opened().approvals.iter();
        let mut waivers = sources.filter_map(|source| match source {
            ApprovalSource::Waiver { by, types } => {
                types.0.contains(&CheckpointType::FinalReview).then_some(by)
            }
            ApprovalSource::EarnedLevel { .. } => None,
        });
        waivers.next().map(|by| Actor::human(by.clone()))
    };
    decided
        .or_else(waived)
        .filter(|by| by.kind == ActorKind::Human)
}

/// Does what a mission that has just ended asks for. Done twice it is done once.
pub(crate) async fn settle<S: Store>(
    host: &Host<S>,
    tenant: &TenantId,
    mission: &Mission,
) -> Result<(), HostError> {
    let (Some(order), Some(by)) = (order(mission), approver(mission)) else {
        return Ok(());
    };
    // A sub-mission is a part of another: that one is repeated, if it asks for it.
    if mission.opened().parent.is_some() {
        return Ok(());
    }
    let opened_by = opened_by(host, tenant, mission.id()).await?;
    let started_by = started_by(&opened_by);
    match (order.repeat, started_by) {
        (RepeatChoice::AsStarted, Some(trigger)) => {
            go_on_from(host, tenant, trigger, mission.id()).await
        }
        (RepeatChoice::Not, Some(trigger)) => end(host, tenant, trigger, by).await,
        (RepeatChoice::Not, None) => Ok(()),
        (RepeatChoice::AsStarted | RepeatChoice::Anew, started_by) => {
            let Some(schedule) = order.schedule.clone() else {
                return Ok(());
            };
            leave(host, tenant, mission, (&order, schedule), opened_by).await?;
            match started_by {
                Some(trigger) => end(host, tenant, trigger, by).await,
                None => Ok(()),
            }
        }
    }
}

async fn opened_by<S: Store>(
    host: &Host<S>,
    tenant: &TenantId,
    mission: MissionId,
) -> Result<Option<Actor>, HostError> {
    let first = host.journal(tenant).events(mission, 1, 1).await?;
    Ok(first.into_iter().next().and_then(|recorded| recorded.actor))
}

/// The trigger that started a mission, if one did.
fn started_by(opened_by: &Option<Actor>) -> Option<TriggerId> {
    let actor = opened_by
        .as_ref()
        .filter(|actor| actor.kind == ActorKind::System)?;
    actor.id.as_str().parse().ok()
}

/// Leaves the trigger in the name of whoever started the mission: it may do what they may.
async fn leave<S: Store>(
    host: &Host<S>,
    tenant: &TenantId,
    mission: &Mission,
    (order, schedule): (&RepeatOrder, Schedule),
    opened_by: Option<Actor>,
) -> Result<(), HostError> {
    let id = trigger_left_by(mission.id());
    let record = RecordKind::Trigger;
    if host
        .store()
        .tenant(tenant)
        .records(record)
        .await?
        .iter()
        .any(|row| row.name == id.to_string())
    {
        return Ok(());
    }
    let Some(made_by) = opened_by.map(behind) else {
        return Ok(());
    };
    let mut plan = mission.plan().clone();
    let mut inputs: Map<String, Value> = plan
        .inputs
        .as_ref()
        .and_then(|inputs| serde_json::from_str(inputs.text()).ok())
        .unwrap_or_default();
    inputs.extend(order.inputs.clone());
    inputs.insert(FOLLOWS.to_owned(), mission.id().to_string().into());
    inputs.insert(LEFT_BY.to_owned(), mission.id().to_string().into());
    plan.inputs = Some(Json::encode(&inputs).map_err(adjutant_journal::JournalError::Encode)?);
    let mut tools = mission.tools().clone();
    tools.retain(|id, _| plan.uses_tool(id));
    let trigger = Trigger {
        name: plan.title.chars().take(NAME_CHARS_MAX).collect(),
        schedule,
        zone: order.zone.clone(),
        repeat_max: Some(order.runs_max.max(1)),
        cancel_on: None,
        missed: Missed::Once,
        target: TriggerTarget::StartMission(Box::new(Prepared {
            scope: mission.scope().clone(),
            plan,
            tools,
            approvals: mission.opened().approvals.clone(),
        })),
        made_with: key_of(host, tenant, &made_by).await?,
        made_by,
        made_at: host.clock().now(),
    };
    let keep = Upkeep::AddTrigger {
        id,
        trigger: Box::new(trigger),
    };
    host.upkeep(tenant, keep).await?;
    Ok(())
}

/// The person behind an actor.
fn behind(actor: Actor) -> Actor {
    match &actor.on_behalf_of {
        Some(person) => Actor::human(person.clone()),
        None => actor,
    }
}

/// Under which access token somebody acts: one that still lets them have triggers, else any they had, which then lets nothing
/// happen. Nobody with a token becomes the owner of the installation by leaving a trigger.
async fn key_of<S: Store>(
    host: &Host<S>,
    tenant: &TenantId,
    actor: &Actor,
) -> Result<Option<String>, HostError> {
    let now = host.clock().now();
    let keys: Vec<(String, AccessKey)> = host.journal(tenant).records(RecordKind::Access).await?;
    let theirs: Vec<_> = keys.iter().filter(|(_, key)| key.who == actor.id).collect();
    let fit = theirs
        .iter()
        .find(|(_, key)| key.is_valid(now) && key.role.may_steer());
    Ok(fit.or(theirs.first()).map(|(name, _)| name.clone()))
}

/// Moves a trigger on to the report of a mission that it started, unless it has come further.
async fn go_on_from<S: Store>(
    host: &Host<S>,
    tenant: &TenantId,
    trigger: TriggerId,
    mission: MissionId,
) -> Result<(), HostError> {
    host.change_trigger(tenant, trigger, |record| {
        let TriggerTarget::StartMission(prepared) = &mut record.trigger.target else {
            return Ok(());
        };
        let inputs = prepared.plan.inputs.as_ref();
        let mut inputs: Map<String, Value> = inputs
            .and_then(|inputs| serde_json::from_str(inputs.text()).ok())
            .unwrap_or_default();
        let before: Option<MissionId> = inputs
            .get(FOLLOWS)
            .and_then(Value::as_str)
            .and_then(|id| id.parse().ok());
        if before.is_none_or(|before| before < mission) {
            inputs.insert(FOLLOWS.to_owned(), mission.to_string().into());
            prepared.plan.inputs =
                Some(Json::encode(&inputs).map_err(adjutant_journal::JournalError::Encode)?);
        }
        Ok(())
    })
    .await
}

async fn end<S: Store>(
    host: &Host<S>,
    tenant: &TenantId,
    trigger: TriggerId,
    by: Actor,
) -> Result<(), HostError> {
    let now = host.clock().now();
    host.change_trigger(tenant, trigger, |record| {
        record.state.end(now, TriggerEnd::Cancelled { by });
        Ok(())
    })
    .await
}

/// Does what missions asked for that ended just before a crash. A mission that cannot be read asks for nothing.
pub(super) async fn catch_up<S: Store>(host: &Host<S>) -> Result<(), HostError> {
    for tenant in host.store().tenants().await? {
        let mut ended = just_ended(host, &tenant).await?;
        ended.sort();
        for (_, mission) in ended {
            if let Ok((folded, _)) = host.journal(&tenant).load(mission).await {
                settle(host, &tenant, &folded).await?;
            }
        }
    }
    Ok(())
}

async fn just_ended<S: Store>(
    host: &Host<S>,
    tenant: &TenantId,
) -> Result<Vec<(Timestamp, MissionId)>, HostError> {
    let (mut ended, mut past) = (Vec::new(), None);
    let store = host.store().tenant(tenant);
    loop {
        let query = ListQuery {
            phases: Some(vec![Phase::Completed]),
            limit: PAGE,
            order: ListOrder::NewestFirst,
            past,
        };
        let page = store.list(query).await?;
        past = page.last().map(|row| row.summary.mission);
        ended.extend(
            page.iter()
                .map(|row| (row.summary.updated_at, row.summary.mission)),
        );
        if page.len() < PAGE as usize {
            break;
        }
    }
    let last = ended.iter().map(|(at, _)| *at).max();
    ended.retain(|(at, _)| last.is_some_and(|last| last.since(*at) <= CAUGHT_UP));
    Ok(ended)
}
