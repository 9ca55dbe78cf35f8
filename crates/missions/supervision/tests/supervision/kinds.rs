//! Each kind of supervisor by itself.

use adjutant_mission::{Barrier, Command, Event, FailureKind, Millis, Trust, Verdict};
use adjutant_supervision::Action;
use serde_json::json;

use crate::world::{Approvals, World, chain, done, failed, is_abort, key, supervised};

fn reasons(world: &World) -> Vec<String> {
    let told = world.journal.iter().filter_map(|recorded| {
        if !World::by_supervisor(recorded) {
            return None;
        }
        match &recorded.event {
            Event::StopRequested { reason, .. } => Some(format!("abort: {reason}")),
            Event::MissionPaused { reason } => Some(format!("pause: {reason}")),
            Event::Informed { topic, .. } => Some(format!("ask: {topic}")),
            _ => None,
        }
    });
    told.collect()
}

#[test]
fn the_fourth_failed_attempt_aborts_and_the_third_does_not() {
    let plan = supervised(chain(3, 10), json!([{"kind": "rules", "name": "standard"}]));
    let mut world = World::new(plan, Approvals::InAdvance);
    for _ in 0..3 {
        world.proceed();
        let effect = world.flying.pop().unwrap();
        world.outcome(effect, failed(FailureKind::Temporary));
        assert_eq!(world.steer(), []);
    }
    world.proceed();
    let effect = world.flying.pop().unwrap();
    world.outcome(effect, failed(FailureKind::Temporary));
    let given = world.steer();
    assert_eq!(given.len(), 1);
    assert_eq!(given[0].action, Action::Abort);
    assert_eq!(given[0].by.id.as_str(), "supervisor:standard");
    assert_eq!(world.count(is_abort), 1);
    let told = reasons(&world);
    assert!(
        told[0].starts_with("abort: supervisor `standard`: more than 3 attempts failed (event "),
        "{told:?}"
    );
}

#[test]
fn the_eleventh_layer_aborts() {
    let plan = supervised(chain(13, 1), json!([{"kind": "rules", "name": "standard"}]));
    let mut world = World::new(plan, Approvals::InAdvance);
    world.perform_all(|_| done(json!({})));
    assert_eq!(reasons(&world).len(), 1);
    assert!(reasons(&world)[0].contains("more than 10 layers"));
    let completed = world.count(|event| matches!(event.event, Event::TaskCompleted { .. }));
    assert_eq!(completed, 11);
}

#[test]
fn files_that_no_task_reads_are_asked_about_in_the_inbox() {
    let plan = supervised(chain(3, 1), json!([{"kind": "rules", "name": "standard"}]));
    let mut world = World::new(plan, Approvals::Asked);
    world.proceed();
    let effect = world.flying.pop().unwrap();
    world.outcome(effect, done(json!({"files": ["data.xml"]})));
    let given = world.steer();
    assert_eq!(given.len(), 1);
    assert_eq!(given[0].action, Action::Ask);
    let open: Vec<String> = world
        .mission()
        .open_checkpoints()
        .map(|asked| asked.checkpoint.context.clone())
        .collect();
    assert_eq!(open.len(), 1);
    assert!(open[0].contains("files of a type were found that no task reads"));
    // What began in the same step ends. Nothing else starts until somebody answers; then it goes on, and the same is not asked
    // again.
    world.proceed();
    let effect = world.flying.pop().unwrap();
    world.outcome(effect, done(json!({})));
    assert_eq!(world.steer(), []);
    world.proceed();
    assert!(world.flying.is_empty());
    world.answer_all(Verdict::Approve);
    assert_eq!(world.steer(), []);
    world.proceed();
    assert_eq!(world.flying.len(), 1);
}

#[test]
fn where_plan_questions_are_waived_the_mission_is_paused_instead_of_asking_nobody() {
    let plan = supervised(chain(3, 1), json!([{"kind": "rules", "name": "standard"}]));
    let mut world = World::new(plan, Approvals::InAdvance);
    world.proceed();
    let effect = world.flying.pop().unwrap();
    world.outcome(effect, done(json!({"files": ["data.xml"]})));
    let given: Vec<Action> = world.steer().iter().map(|given| given.action).collect();
    assert_eq!(given, [Action::Ask, Action::Pause]);
    assert!(world.mission().is_paused());
    let told = reasons(&world);
    assert!(told[1].contains("no task reads"), "{told:?}");
    // A person says go on: that is the answer.
    assert!(world.command(Command::Resume));
    assert_eq!(world.steer(), []);
    assert!(!world.mission().is_paused());
}

#[test]
fn a_crash_between_the_question_and_the_pause_loses_neither() {
    let plan = supervised(chain(3, 1), json!([{"kind": "rules", "name": "standard"}]));
    let mut world = World::new(plan, Approvals::InAdvance);
    world.proceed();
    let effect = world.flying.pop().unwrap();
    world.outcome(effect, done(json!({"files": ["data.xml"]})));
    let ask = world.own.next().unwrap();
    assert_eq!(world.deliver(&ask), Ok(true));
    world.restart();
    let given: Vec<Action> = world.steer().iter().map(|given| given.action).collect();
    assert_eq!(given, [Action::Pause]);
    world.restart();
    assert_eq!(world.steer(), []);
}

#[test]
fn a_reason_that_is_gone_is_no_reason() {
    let when = "mission.blocked > 0";
    let plan = supervised(
        chain(2, 1),
        json!([{"kind": "rules", "name": "r", "rules": [
            {"name": "stuck", "when": when, "then": "pause", "because": "it is stuck"}
        ]}]),
    );
    let mut world = World::new(plan, Approvals::Asked);
    world.proceed();
    let effect = world.flying.pop().unwrap();
    world.outcome(effect, failed(FailureKind::Permanent));
    assert!(world.own.next().is_some());
    world.answer_all(Verdict::Approve);
    assert_eq!(world.own.next(), None, "the task is tried again");
}

#[test]
fn a_pause_waits_until_the_mission_is_not_paused_by_a_person() {
    let when = "mission.errors > 0";
    let plan = supervised(
        chain(2, 3),
        json!([{"kind": "rules", "name": "r", "rules": [
            {"name": "any", "when": when, "then": "pause", "because": "look at it"}
        ]}]),
    );
    let mut world = World::new(plan, Approvals::InAdvance);
    world.proceed();
    let pause = Command::Pause {
        reason: "lunch".into(),
    };
    assert!(world.command(pause));
    let effect = world.flying.pop().unwrap();
    world.outcome(effect, failed(FailureKind::Temporary));
    assert_eq!(world.steer(), [], "it is paused already");
    assert!(world.command(Command::Resume));
    assert_eq!(world.steer().len(), 1, "what was decided is not lost");
    assert!(world.command(Command::Resume));
    assert_eq!(world.steer(), [], "and comes once");
}

#[test]
fn a_panel_needs_two_and_security_vetoes() {
    let rules =
        |when: &str, then: &str| json!([{"name": "r", "when": when, "then": then, "because": "b"}]);
    let board = |security: &str, performance: &str, cost: &str| {
        json!([{"kind": "panel", "name": "board", "members": [
            {"name": "security", "veto": true, "rules": rules(security, "abort")},
            {"name": "performance", "rules": rules(performance, "abort")},
            {"name": "cost", "rules": rules(cost, "pause")},
        ]}])
    };
    let (yes, no) = ("mission.errors > 0", "mission.errors > 1000");
    for (declared, expected) in [
        (board(no, no, no), None),
        (board(no, yes, no), None),
        (board(no, no, yes), None),
        // Two want at least a pause.
        (board(no, yes, yes), Some(Action::Pause)),
        (board(yes, no, no), Some(Action::Abort)),
        (board(yes, yes, yes), Some(Action::Abort)),
    ] {
        let mut world = World::new(
            supervised(chain(2, 3), declared.clone()),
            Approvals::InAdvance,
        );
        world.proceed();
        let effect = world.flying.pop().unwrap();
        world.outcome(effect, failed(FailureKind::Temporary));
        let given = world.steer();
        assert_eq!(
            given.first().map(|given| given.action),
            expected,
            "{declared}"
        );
        if expected.is_some() {
            let told = &reasons(&world)[0];
            for member in ["security", "performance", "cost"] {
                assert!(told.contains(member), "every vote is told: {told}");
            }
        }
    }
}

#[test]
fn a_panel_passes_a_layer_only_where_the_plan_says_so() {
    let board = |passes: bool| json!([{"kind": "panel", "name": "board", "passes_layers": passes}]);
    for passes in [false, true] {
        let mut plan = supervised(chain(2, 1), board(passes));
        plan.barrier = Barrier::Ask;
        let mut world = World::new(plan, Approvals::Asked);
        world.proceed();
        let effect = world.flying.pop().unwrap();
        world.outcome(effect, done(json!({})));
        world.steer();
        let passed = world.count(|event| matches!(event.event, Event::LayerPassed { .. }));
        assert_eq!(passed, usize::from(passes));
        if passes {
            let decided = world
                .journal
                .iter()
                .find_map(|recorded| match &recorded.event {
                    Event::CheckpointDecided { decision, .. } if !decision.note.is_empty() => {
                        Some((recorded.actor.clone().unwrap(), decision.note.clone()))
                    }
                    _ => None,
                });
            let (actor, note) = decided.unwrap();
            assert_eq!(actor.id.as_str(), "ann", "only people pass layers");
            assert!(
                note.starts_with("supervisor `board`: continue by majority"),
                "{note}"
            );
        }
    }
}

#[test]
fn what_came_to_a_stand_for_a_passing_reason_is_tried_again_so_often_and_not_more() {
    let plan = supervised(
        chain(2, 1),
        json!([{"kind": "background", "name": "nightly", "retries": 2}]),
    );
    let mut world = World::new(plan, Approvals::Asked);
    for round in 0..3 {
        world.proceed();
        let effect = world.flying.pop().unwrap();
        world.outcome(effect, failed(FailureKind::Temporary));
        let given: Vec<Action> = world.steer().iter().map(|given| given.action).collect();
        let expected: &[Action] = if round < 2 { &[Action::Retry] } else { &[] };
        assert_eq!(given, expected, "round {round}");
        // However often the process is killed, it is counted right.
        world.restart();
        assert_eq!(world.steer(), []);
    }
    assert_eq!(
        world.mission().open_checkpoints().count(),
        1,
        "now it is a person's"
    );
}

#[test]
fn what_failed_for_good_is_not_tried_again() {
    let plan = supervised(
        chain(2, 1),
        json!([{"kind": "background", "name": "nightly"}]),
    );
    for kind in [
        FailureKind::Permanent,
        FailureKind::Denied,
        FailureKind::NeedsHuman,
        FailureKind::BadInput,
    ] {
        let mut world = World::new(plan.clone(), Approvals::Asked);
        world.proceed();
        let effect = world.flying.pop().unwrap();
        world.outcome(effect, failed(kind));
        assert_eq!(world.steer(), [], "{kind:?}");
    }
}

#[test]
fn silence_is_asked_about_once() {
    let plan = supervised(
        chain(2, 1),
        json!([{"kind": "background", "name": "nightly", "quiet_minutes": 60}]),
    );
    let mut world = World::new(plan, Approvals::Asked);
    world.proceed();
    let at = world.own.look_at().unwrap();
    assert_eq!(at, world.mission().updated_at().plus(Millis(3_600_000)));
    world.own.look(at.plus(Millis(0)));
    assert_eq!(world.own.look_at(), None, "it has looked");
    world.now = at;
    let given: Vec<Action> = world.steer().iter().map(|given| given.action).collect();
    assert_eq!(given, [Action::Ask]);
    assert_eq!(world.mission().open_checkpoints().count(), 1);
    assert_eq!(world.own.look_at(), None, "a person is asked");
    world.own.look(at.plus(Millis(86_400_000)));
    assert_eq!(world.steer(), []);
    assert!(world.mission().task("t0").is_some());
    assert_eq!(world.mission().tasks().next().unwrap().0.key, key("t0"));
}

#[test]
fn the_strongest_comes_first_and_an_abort_tells_what_else_was_wanted() {
    let rule = |name: &str, then: &str| json!({"name": name, "when": "mission.errors > 0", "then": then, "because": name});
    let plan = supervised(
        chain(2, 3),
        json!([
            {"kind": "rules", "name": "a", "rules": [rule("weak", "ask")]},
            {"kind": "rules", "name": "b", "rules": [rule("middle", "pause")]},
            {"kind": "rules", "name": "c", "rules": [rule("strong", "abort")]},
        ]),
    );
    let mut world = World::new(plan, Approvals::Asked);
    world.proceed();
    let effect = world.flying.pop().unwrap();
    world.outcome(effect, failed(FailureKind::Temporary));
    let intent = world.own.next().unwrap();
    assert_eq!(intent.action, Action::Abort);
    world.steer();
    let told = &reasons(&world)[0];
    assert!(
        told.contains("strong") && told.contains("weak") && told.contains("middle"),
        "{told}"
    );
}

#[test]
fn without_an_abort_the_weaker_ones_follow_the_stronger() {
    let rule = |name: &str, then: &str| json!({"name": name, "when": "mission.errors > 0", "then": then, "because": name});
    let plan = supervised(
        chain(2, 3),
        json!([
            {"kind": "rules", "name": "a", "rules": [rule("weak", "ask")]},
            {"kind": "rules", "name": "b", "rules": [rule("middle", "pause")]},
        ]),
    );
    let mut world = World::new(plan, Approvals::Asked);
    world.proceed();
    let effect = world.flying.pop().unwrap();
    world.outcome(effect, failed(FailureKind::Temporary));
    let given: Vec<Action> = world.steer().iter().map(|given| given.action).collect();
    assert_eq!(given, [Action::Pause, Action::Ask]);
}

#[test]
fn what_somebody_else_tells_the_mission_is_no_question_of_a_supervisor() {
    let plan = supervised(chain(2, 3), json!([{"kind": "rules", "name": "standard"}]));
    let mut world = World::new(plan, Approvals::InAdvance);
    let inform = Command::Inform {
        topic: "supervisor `standard`: files of a type were found".into(),
        trust: Trust::Untrusted,
        body: adjutant_mission::Json::parse("{}").unwrap(),
    };
    assert!(world.command(inform));
    assert_eq!(world.steer(), []);
    assert!(!world.mission().is_paused());
}

#[test]
fn nobody_waits_for_a_command_that_the_mission_does_not_take() {
    let rule =
        json!({"name": "one", "when": "mission.errors > 0", "then": "pause", "because": "one"});
    let plan = supervised(
        chain(2, 4),
        json!([{"kind": "rules", "name": "limits", "rules": [rule]}]),
    );
    let mut world = World::new(plan, Approvals::Asked);
    world.proceed();
    let effect = world.flying.pop().unwrap();
    assert!(world.command(Command::Pause {
        reason: "lunch".into()
    }));
    world.outcome(effect, failed(FailureKind::Temporary));
    let sees = |world: &World| world.fold(world.journal.len());
    assert!(sees(&world).next().is_some(), "it wants a pause");
    assert!(!sees(&world).is_about_to_act(world.now));
    assert!(world.command(Command::Resume));
    assert!(sees(&world).is_about_to_act(world.now));
}
