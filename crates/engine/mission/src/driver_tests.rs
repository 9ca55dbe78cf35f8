#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use super::*;
use crate::{
    AgentId, ApprovalSource, CheckpointType, Command, Human, MissionId, Phase, Plan, Scope, Stop,
    Task, TaskKey, TenantId, Waivers, WorkSpec,
};

const NOW: Timestamp = Timestamp(1_000);

fn ann() -> Actor {
    Actor::human(AgentId::new("ann").unwrap())
}

/// Four questions in a row, all answered in advance: everything follows from the opening.
fn waived_questions() -> Driver {
    let keys = ["a", "b", "c", "d"].map(|key| TaskKey::new(key).unwrap());
    let task = |(n, key): (usize, &TaskKey)| {
        let human = Human {
            question: "Go on?".into(),
            kind: CheckpointType::CriticalDecision,
            options: Vec::new(),
            recommend: None,
            on_modify: None,
            because: "".into(),
            role: None,
            approvers: None,
            deadline: None,
        };
        let before = n.checked_sub(1).map(|before| keys[before].clone());
        Task::new(key.clone(), WorkSpec::Human(human)).after(before)
    };
    let tasks = keys.iter().enumerate().map(task).collect();
    let start = Start {
        mission: MissionId::from_bits(7),
        scope: Scope::of(TenantId::new("acme").unwrap()),
        plan: Plan::new("Questions", tasks),
        tools: Default::default(),
        approvals: vec![ApprovalSource::Waiver {
            by: AgentId::new("ann").unwrap(),
            types: Waivers::all(),
        }],
        parent: None,
        began_by: Vec::new(),
    };
    let mut opening = Mission::open(start).unwrap().events.into_iter();
    let first = Recorded {
        seq: 1,
        at: NOW,
        actor: None,
        cause: None,
        zone: Zone::Sensitive,
        event: opening.next().unwrap(),
    };
    Driver::of(Mission::begin(&first).unwrap())
}

fn command(id: u128, command: Command) -> Input {
    Input::Command {
        id: CommandId::from_bits(id),
        by: ann(),
        command,
    }
}

fn pauses(driver: &Driver) -> usize {
    let recorded = driver.unsaved().iter();
    recorded
        .filter(|recorded| matches!(recorded.event, Event::MissionPaused { .. }))
        .count()
}

#[test]
fn too_many_steps_from_one_input_pause_the_mission_with_a_code_and_nothing_is_lost() {
    let mut driver = waived_questions();
    driver.follow_up_at_most(3, NOW);
    assert_eq!(driver.fault(), None);
    let Some(Event::MissionPaused { reason }) = driver.unsaved().last().map(|last| &last.event)
    else {
        unreachable!("the limit was reached in silence: {:?}", driver.unsaved());
    };
    assert!(
        reason.starts_with("ADJ-1119: more than 3 steps"),
        "{reason}"
    );
    assert!(driver.mission().is_paused());
    assert!(!driver.mission().is_stopped(), "a person is to resume it");
    driver.proceed(NOW);
    assert_eq!(pauses(&driver), 1, "it stays where it is");

    driver.saved();
    driver.input(NOW, &command(1, Command::Resume)).unwrap();
    assert_eq!(driver.mission().phase(), Phase::Completed);
}

#[test]
fn as_many_steps_as_allowed_are_no_reason_to_pause() {
    let mut whole = waived_questions();
    let steps = (0..).take_while(|_| {
        let step = whole.mission.decide(NOW, &Input::Proceed).unwrap();
        let goes_on = !step.events.is_empty();
        whole.record(NOW, None, None, step);
        goes_on
    });
    let steps = steps.count();
    assert!(steps > 4);
    let mut driver = waived_questions();
    driver.follow_up_at_most(steps, NOW);
    assert_eq!(pauses(&driver), 0);
    assert_eq!(driver.mission().phase(), Phase::Completed);
    let mut driver = waived_questions();
    driver.follow_up_at_most(steps - 1, NOW);
    assert_eq!(pauses(&driver), 1);
}

#[test]
fn where_a_pause_would_not_help_it_is_a_fault_that_refuses_everything() {
    let mut driver = waived_questions();
    let stop = Event::StopRequested {
        into: Stop::Cancel,
        reason: "enough".into(),
        undo: false,
    };
    let events = vec![stop];
    driver.record(NOW, None, None, Step { events });
    driver.follow_up_at_most(0, NOW);
    assert!(driver.fault().is_some());
    assert!(driver.unsaved().is_empty());
    let refused = driver.input(NOW, &command(1, Command::Resume));
    assert!(refused.is_err());
    driver.proceed(NOW);
    assert!(driver.unsaved().is_empty(), "nothing more is recorded");
}
