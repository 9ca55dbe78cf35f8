//! Missions that leave a trigger behind: after the approval, once, and never after a refusal; the trigger moves on with each
//! approved report and ends when a person says so.

use std::sync::Arc;

use adjutant_host::{RepeatChoice, RepeatOrder, SCHEDULE_REPEAT, Upkeep, left_by};
use adjutant_mission::*;
use adjutant_store::RecordKind;
use serde_json::{Value, json};

use crate::support::*;
use crate::triggers::{HOUR, MIDNIGHT, after_five, at_midnight, crashed, record, until, world};

fn order(repeat: RepeatChoice) -> Value {
    let schedule = Schedule::Rrule("DTSTART:20270301T030000 FREQ=DAILY;UNTIL=20270401".into());
    let order = RepeatOrder {
        repeat,
        schedule: (repeat != RepeatChoice::Not).then_some(schedule),
        zone: "UTC".into(),
        runs_max: 3,
        inputs: [("as_of".to_owned(), json!(""))].into_iter().collect(),
        told: "every day".into(),
    };
    serde_json::to_value(order).unwrap()
}

/// A mission that asks to be repeated. What it asks for comes from its inputs, as from a checkpoint.
fn repeating(repeat: RepeatChoice) -> Plan {
    let with = json!({ "order": order(repeat) }).to_string();
    Plan {
        inputs: Some(Json::parse("{\"as_of\":\"2026-01-01\",\"objective\":\"x\"}").unwrap()),
        ..Plan::new(
            "watch the weather",
            vec![call("again", SCHEDULE_REPEAT, &with, &[])],
        )
    }
}

async fn triggers(world: &World) -> Vec<(TriggerId, TriggerRecord)> {
    let records = world.host.journal(&tenant());
    let records: Vec<(String, TriggerRecord)> = records.records(RecordKind::Trigger).await.unwrap();
    records
        .into_iter()
        .map(|(id, record)| (id.parse().unwrap(), record))
        .collect()
}

fn inputs(record: &TriggerRecord) -> Value {
    let TriggerTarget::StartMission(prepared) = &record.trigger.target else {
        unreachable!("it starts a mission");
    };
    serde_json::from_str(prepared.plan.inputs.as_ref().unwrap().text()).unwrap()
}

async fn over(world: &World, mission: MissionId) -> Phase {
    world
        .wait_for(mission, |summary| summary.phase.is_ended())
        .await
        .phase
}

/// What is done when a mission has ended is done before its runner leaves.
async fn settled(world: World) -> Arc<tempfile::TempDir> {
    world.host.drain().await;
    crashed(world).await
}

#[tokio::test]
async fn an_approved_mission_leaves_one_trigger_that_starts_it_again_and_moves_on() {
    let first = world(at_midnight());
    let mission = first.open(repeating(RepeatChoice::AsStarted)).await;
    assert_eq!(over(&first, mission).await, Phase::Completed);
    let folder = settled(first).await;

    let again = World::with(Arc::clone(&folder), at_midnight());
    let [(id, left)] = <[_; 1]>::try_from(triggers(&again).await).unwrap();
    assert_eq!(
        inputs(&left),
        json!({
            "as_of": "", "objective": "x", "follows": mission.to_string(), "left_by": mission.to_string(),
        })
    );
    assert_eq!(
        (left.trigger.repeat_max, left.trigger.made_by.id.as_str()),
        (Some(3), "ann")
    );
    assert_eq!(left.state.next_at, Some(Timestamp(MIDNIGHT + 3 * HOUR)));
    let TriggerTarget::StartMission(prepared) = &left.trigger.target else {
        unreachable!("it starts a mission")
    };
    assert_eq!(left_by(id, prepared), Some(mission));
    let other = adjutant_host::new_trigger_id(Timestamp(MIDNIGHT)).unwrap();
    assert_eq!(
        left_by(other, prepared),
        None,
        "whoever copies the inputs is not left by it"
    );
    // A host that starts looks for what a crash left undone, and leaves nothing twice.
    again.host.carry_on();
    again.host.drain().await;
    assert_eq!(triggers(&again).await.len(), 1);
    let folder = crashed(again).await;

    let later = World::with(folder, after_five());
    later.host.carry_on();
    let state = until(&later, id, |state| state.fired == 1).await;
    let second = adjutant_host::mission_of_fire(id, state.last_fired.unwrap());
    assert_eq!(over(&later, second).await, Phase::Completed);
    later.host.drain().await;
    let left = record(&later, id).await;
    assert_eq!(
        inputs(&left)["follows"],
        second.to_string(),
        "the next one goes on from this report"
    );
    assert_eq!(inputs(&left)["left_by"], mission.to_string());
    assert_eq!(
        triggers(&later).await.len(),
        1,
        "a repetition leaves no trigger of its own"
    );
}

#[tokio::test]
async fn what_a_crash_kept_from_being_left_is_left_by_the_next_host() {
    let first = world(at_midnight());
    let mission = first.open(repeating(RepeatChoice::AsStarted)).await;
    over(&first, mission).await;
    let folder = settled(first).await;
    let again = World::with(folder, at_midnight());
    let (id, _) = triggers(&again).await.remove(0);
    let dropped = again
        .host
        .journal(&tenant())
        .drop_record(RecordKind::Trigger, &id.to_string())
        .await;
    dropped.unwrap();
    again.host.carry_on();
    while triggers(&again).await.is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(triggers(&again).await[0].0, id);
}

#[tokio::test]
async fn a_rejected_review_an_earned_level_and_a_refused_choice_leave_nothing() {
    let world = world(at_midnight());
    let mission = world
        .open_with(repeating(RepeatChoice::AsStarted), Vec::new())
        .await;
    for verdict in [Verdict::Approve, Verdict::Reject] {
        let open = |summary: &Summary| summary.checkpoints_open > 0;
        world.wait_for(mission, open).await;
        let (folded, _) = world.host.journal(&tenant()).load(mission).await.unwrap();
        let number = folded.open_checkpoints().next().unwrap().checkpoint.number;
        let decide = Command::Decide {
            checkpoint: number,
            decision: Decision::new(verdict),
        };
        let decided = world
            .host
            .command(&tenant(), mission, world.command_id(), ann(), decide)
            .await;
        decided.unwrap();
    }
    over(&world, mission).await;
    let earned = vec![ApprovalSource::EarnedLevel {
        agent: AgentId::new("team").unwrap(),
        level: 5,
    }];
    let unseen = world
        .open_with(repeating(RepeatChoice::AsStarted), earned)
        .await;
    let refused = world.open(repeating(RepeatChoice::Not)).await;
    over(&world, refused).await;
    world.host.drain().await;
    assert!(triggers(&world).await.is_empty(), "{unseen}");
}

#[tokio::test]
async fn a_run_that_a_trigger_started_can_end_it() {
    let world = world(at_midnight());
    let target = TriggerTarget::StartMission(Box::new(
        world
            .start(repeating(RepeatChoice::Not), waive_all())
            .into(),
    ));
    let id = crate::triggers::add(
        &world,
        crate::triggers::trigger(&world, crate::triggers::hourly(), target),
    )
    .await;
    let folder = crashed(world).await;
    let later = World::with(folder, after_five());
    later.host.carry_on();
    let state = until(&later, id, |state| state.ended.is_some()).await;
    assert!(
        matches!(state.ended, Some((_, TriggerEnd::Cancelled { .. }))),
        "{state:?}"
    );
}

#[tokio::test]
async fn whoever_has_only_a_revoked_token_leaves_nothing() {
    let world = world(at_midnight());
    let key = adjutant_host::AccessKey {
        who: AgentId::new("ann").unwrap(),
        role: adjutant_host::AccessRole::Operator,
        decides_for: Vec::new(),
        hash: String::new(),
        made_at: Timestamp(MIDNIGHT - HOUR),
        made_by: AgentId::new("root").unwrap(),
        expires_at: None,
        revoked_at: Some(Timestamp(MIDNIGHT - HOUR / 2)),
    };
    let give = Upkeep::GiveAccess {
        id: "a1b2c3d4e5f6".into(),
        key: Box::new(key),
    };
    world.host.upkeep(&tenant(), give).await.unwrap();
    let mission = world.open(repeating(RepeatChoice::AsStarted)).await;
    over(&world, mission).await;
    world.host.drain().await;
    assert!(triggers(&world).await.is_empty());
}
