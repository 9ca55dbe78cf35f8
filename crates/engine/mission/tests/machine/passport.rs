//! The passport, and journals that cannot be.

use crate::support::*;
use adjutant_mission::{CheckpointNumber, EffectNumber, LayerNumber, *};

fn journal() -> Vec<Recorded> {
    let plan = Plan::new(
        "journal",
        vec![tool("a", "pure", &[]), tool("b", "once", &["a"])],
    );
    let mut world = World::waived(plan);
    world.finish("a", done("1"));
    world.finish("b", done("2"));
    world.journal
}

/// What folding says of the journal whose event `seq` was replaced.
fn with(seq: u64, event: Event) -> String {
    let mut journal = journal();
    let at = seq as usize - 1;
    journal.truncate(at + 1);
    journal[at].event = event;
    Mission::fold(&journal).unwrap_err().to_string()
}

#[test]
fn a_passport_reads_back_and_the_mission_goes_on_from_it() {
    let mut world = World::started(Plan::new(
        "half",
        vec![tool("a", "pure", &[]), human("b", &["a"])],
    ));
    world.finish("a", done("1"));
    let mission = Mission::from_passport(&world.passport()).unwrap();
    world.driver = Driver::resume(world.now, mission);
    world.decide(0, Verdict::Approve).unwrap();
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn a_passport_of_another_version_is_not_used() {
    let world = World::started(Plan::new("v", vec![human("a", &[])]));
    let version = |version| format!("{{\"passport\":{version},");
    let newer = String::from_utf8(world.passport()).unwrap().replacen(
        &version(PASSPORT_VERSION),
        &version(PASSPORT_VERSION + 1),
        1,
    );
    let error = Mission::from_passport(newer.as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "the passport has another version");
}

#[test]
fn every_prefix_of_a_journal_folds() {
    let journal = journal();
    for length in 1..=journal.len() {
        let mission = Mission::fold(&journal[..length]).unwrap();
        assert_eq!(mission.seq(), length as u64);
        assert!(mission.indexes_hold());
    }
}

#[test]
fn a_journal_that_is_empty_or_begins_in_the_middle_is_refused() {
    let say = |journal: &[Recorded]| Mission::fold(journal).unwrap_err().to_string();
    assert_eq!(
        say(&[]),
        "event 0 does not follow from the events before it: the journal is empty"
    );
    assert_eq!(
        say(&journal()[1..]),
        "event 2 does not follow from the events before it: a journal must begin with the opening of the mission"
    );
    let mut late = journal()[..1].to_vec();
    late[0].seq = 2;
    assert_eq!(
        say(&late),
        "event 2 does not follow from the events before it: a journal must begin with event 1"
    );
}

#[test]
fn a_gap_a_repeated_event_and_swapped_events_are_refused() {
    for seq in 2..journal().len() {
        let mut gap = journal();
        gap.remove(seq - 1);
        assert_eq!(Mission::fold(&gap).unwrap_err().seq, seq as u64 + 1);
        let mut repeated = journal();
        repeated.insert(seq, repeated[seq - 1].clone());
        assert_eq!(Mission::fold(&repeated).unwrap_err().seq, seq as u64);
        let mut swapped = journal();
        swapped.swap(seq - 1, seq);
        assert_eq!(Mission::fold(&swapped).unwrap_err().seq, seq as u64 + 1);
    }
}

#[test]
fn an_event_after_the_end_is_refused() {
    let mut journal = journal();
    let mut last = journal[journal.len() - 1].clone();
    last.seq += 1;
    journal.push(last);
    let error = Mission::fold(&journal).unwrap_err();
    assert_eq!(error.why, "the mission had ended");
}

#[test]
fn events_that_cannot_follow_are_refused_with_the_reason() {
    let why = |text: &str| format!("event 5 does not follow from the events before it: {text}");
    let started = |task: &str, effect: u32| Event::TaskStarted {
        task: key(task),
        effect: Some(EffectNumber::new(effect)),
        attempt: 1,
        reserved: Usage::NONE,
    };
    let open = |number| {
        let mut world = World::open(Plan::new("o", vec![human("a", &[])]), Vec::new());
        let event = world.journal.remove(1).event;
        let Event::CheckpointOpened(mut checkpoint) = event else {
            panic!("the plan is asked about");
        };
        checkpoint.number = CheckpointNumber::new(number);
        Event::CheckpointOpened(checkpoint)
    };
    let refused = [
        (
            journal().remove(0).event,
            "a mission can be opened only once",
        ),
        (started("nobody", 0), "there is no task `nobody`"),
        (started("a", 1), "task `a` was running"),
        (started("b", 1), "task `b` was waiting"),
        (Event::ExecutionStarted {}, "the mission was executing"),
        (Event::MissionResumed {}, "it changes nothing"),
        (
            Event::LayerPassed {
                layer: LayerNumber::new(u32::MAX),
            },
            "layer 0 was expected",
        ),
        (
            Event::TaskReleased { task: key("a") },
            "task `a` was running",
        ),
        (
            Event::TaskRequeued { task: key("a") },
            "task `a` was running",
        ),
        (
            Event::TaskCompleted {
                task: key("b"),
                output: Payload::Inline(json("1")),
                usage: Usage::NONE,
            },
            "task `b` was waiting",
        ),
        (
            Event::GateJudged {
                task: key("b"),
                verdict: GateVerdict::Valid,
                reason: String::new(),
                usage: Usage::NONE,
                then: AfterVerdict::Pass,
            },
            "task `b` was waiting",
        ),
        (
            Event::TaskSkipped {
                task: key("a"),
                reason: String::new(),
            },
            "task `a` was running",
        ),
        (
            Event::TasksReturned {
                tasks: vec![key("a")],
                reason: String::new(),
            },
            "task `a` is running",
        ),
        (
            Event::ToolCallApproved {
                task: key("a"),
                call: None,
            },
            "task `a` was running",
        ),
        (
            Event::EffectStarted {
                effect: EffectNumber::new(7),
            },
            "effect 7 is not outstanding",
        ),
        (open(3), "checkpoint 0 was expected"),
        (
            Event::CheckpointExpired {
                checkpoint: CheckpointNumber::new(0),
            },
            "checkpoint 0 is not open",
        ),
        (
            Event::MissionEnded(Ending {
                phase: EndingPhase::Completed,
                delivery: Delivery::Delivered,
                reason: String::new(),
            }),
            "the mission was executing",
        ),
    ];
    for (event, text) in refused {
        assert_eq!(with(5, event), why(text));
    }
}

#[test]
fn an_effect_is_started_once_and_put_in_doubt_once() {
    let effect = journal()
        .iter()
        .position(|recorded| matches!(recorded.event, Event::EffectStarted { .. }))
        .unwrap();
    let mut twice = journal()[..=effect].to_vec();
    let mut again = twice[effect].clone();
    again.seq += 1;
    twice.push(again.clone());
    let error = Mission::fold(&twice).unwrap_err();
    assert_eq!(error.why, "effect 1 was already started");

    again.event = Event::EffectInDoubt {
        effect: EffectNumber::new(1),
        reason: String::new(),
    };
    let last = twice.len() - 1;
    twice[last] = again.clone();
    assert!(Mission::fold(&twice).is_ok());
    again.seq += 1;
    twice.push(again);
    let error = Mission::fold(&twice).unwrap_err();
    assert_eq!(error.why, "effect 1 is not outstanding");
}

#[test]
fn a_decision_nobody_made_is_refused() {
    let mut world = World::open(Plan::new("o", vec![human("a", &[])]), Vec::new());
    world.decide(0, Verdict::Approve).unwrap();
    let mut journal = world.journal;
    journal[2].actor = None;
    let error = Mission::fold(&journal).unwrap_err();
    assert_eq!(error.why, "a decision needs an actor");
}
