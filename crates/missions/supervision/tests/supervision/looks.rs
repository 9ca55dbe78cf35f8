//! A supervisor that has a model look.

use adjutant_mission::{Approval, Event, FailureKind, TaskStatus, WorkSpec};
use adjutant_supervision::{Action, check};
use serde_json::{Value, json};

use crate::world::{Approvals, World, chain, done, failed, is_abort, supervised};

fn eye(more: Value) -> Value {
    let mut eye =
        json!({"kind": "model", "name": "eye", "question": "Does a result contradict another?"});
    for (field, value) in more.as_object().unwrap() {
        eye[field] = value.clone();
    }
    json!([eye])
}

fn flags(severity: &str) -> Value {
    json!({
        "summary": "One thing.",
        "flags": [
            {"what": "The doses differ.", "kind": "warning", "severity": severity, "because": "5 mg, 10 mg", "evidence": []}
        ],
        "not_found": [], "confidence": 0.8,
    })
}

/// Performs what is owed, the tasks of the plan first, and answers every look with this. Returns what the supervisors did.
fn run(world: &mut World, layers: usize, answer: &Value) -> Vec<Action> {
    let mut given = Vec::new();
    for _ in 0..layers {
        world.proceed();
        let flying = std::mem::take(&mut world.flying);
        for effect in flying {
            let is_look = is_look(world, effect);
            let output = if is_look { answer.clone() } else { json!({}) };
            world.outcome(effect, done(output));
            given.extend(world.steer().iter().map(|intent| intent.action));
        }
    }
    given
}

fn is_look(world: &World, effect: adjutant_mission::EffectNumber) -> bool {
    world.mission().tasks().any(|(task, state)| {
        state.effect == Some(effect) && task.key.as_str().starts_with("watch_eye_")
    })
}

fn looks(world: &World) -> Vec<String> {
    let all = world.mission().tasks();
    all.filter(|(task, _)| matches!(task.work, WorkSpec::Agent(_)))
        .map(|(task, state)| format!("{} {:?}", task.key, state.status))
        .collect()
}

#[test]
fn a_model_looks_at_each_layer_and_what_it_flags_pauses_the_mission() {
    let plan = supervised(chain(4, 1), eye(json!({"then": "pause"})));
    let mut world = World::new(plan, Approvals::InAdvance);
    let given = run(&mut world, 2, &flags("high"));
    assert_eq!(given, [Action::Look, Action::Pause]);
    assert!(world.mission().is_paused());
    let told = world
        .journal
        .iter()
        .find_map(|recorded| match &recorded.event {
            Event::MissionPaused { reason } => Some(reason.clone()),
            _ => None,
        });
    let told = told.unwrap();
    assert!(
        told.starts_with("supervisor `eye`: a model flagged: The doses differ (event "),
        "{told}"
    );
    // The look is a task of the mission, asked by the person's plan and approved with it.
    let (look, _) = world.mission().task("watch_eye_1").unwrap();
    assert_eq!(look.approval, Approval::default());
    let WorkSpec::Agent(work) = &look.work else {
        panic!("{look:?}");
    };
    let with: Value = serde_json::from_str(work.with.text()).unwrap();
    assert_eq!(with["sources"][0]["text"], "Output: {{t0.output}}");
}

#[test]
fn nothing_grave_stops_nothing_and_the_last_layer_is_not_looked_at() {
    let plan = supervised(chain(4, 1), eye(json!({"from": "high", "then": "abort"})));
    let mut world = World::new(plan, Approvals::InAdvance);
    let given = run(&mut world, 8, &flags("moderate"));
    assert!(
        given.iter().all(|action| *action == Action::Look),
        "{given:?}"
    );
    assert_eq!(world.count(is_abort), 0);
    let looks = looks(&world);
    assert!((1..=3).contains(&looks.len()), "{looks:?}");
    assert!(
        looks.iter().all(|look| look.ends_with("Completed")),
        "{looks:?}"
    );
    assert!(world.mission().ending().is_some());
}

/// The tasks whose results were looked at, look by look.
fn looked_at(world: &World) -> Vec<String> {
    let all = world.mission().tasks();
    let looks = all.filter(|(task, _)| matches!(task.work, WorkSpec::Agent(_)));
    looks
        .flat_map(|(task, _)| task.after.iter().map(|on| on.task.to_string()))
        .collect()
}

#[test]
fn each_result_is_looked_at_once_and_the_result_under_review_by_nobody() {
    let plan = supervised(chain(4, 1), eye(json!({"looks": 9})));
    let mut world = World::new(plan, Approvals::Asked);
    run(&mut world, 8, &flags("low"));
    let seen = looked_at(&world);
    let mut once = seen.clone();
    once.sort();
    once.dedup();
    assert_eq!(seen, once);
    assert!(
        seen.len() > 1 && !seen.contains(&"t3".to_owned()),
        "{seen:?}"
    );
    assert!(world.mission().ending().is_none(), "a person reviews it");
}

#[test]
fn it_looks_no_more_often_than_it_may() {
    let plan = supervised(chain(9, 1), eye(json!({"looks": 2})));
    let mut world = World::new(plan, Approvals::InAdvance);
    run(&mut world, 18, &flags("low"));
    assert_eq!(looks(&world).len(), 2);
    assert!(world.mission().ending().is_some());
}

#[test]
fn an_answer_that_cannot_be_read_is_no_leave_to_go_on() {
    for answer in [
        json!("all good, please continue"),
        json!({"flags": "none"}),
        json!(null),
    ] {
        let plan = supervised(chain(4, 1), eye(json!({"then": "pause"})));
        let mut world = World::new(plan, Approvals::InAdvance);
        let given = run(&mut world, 2, &answer);
        assert_eq!(given, [Action::Look, Action::Pause], "{answer}");
    }
}

#[test]
fn a_look_that_fails_is_a_persons_to_decide_about_like_any_task() {
    let plan = supervised(chain(4, 1), eye(json!({})));
    let mut world = World::new(plan, Approvals::Asked);
    world.proceed();
    let first = world.flying.pop().unwrap();
    world.outcome(first, done(json!({})));
    assert_eq!(world.steer().len(), 1);
    world.proceed();
    let flying = std::mem::take(&mut world.flying);
    let look = flying
        .into_iter()
        .find(|effect| is_look(&world, *effect))
        .unwrap();
    world.outcome(look, failed(FailureKind::Permanent));
    assert_eq!(world.steer(), []);
    let (_, state) = world.mission().task("watch_eye_1").unwrap();
    assert_eq!(state.status, TaskStatus::Blocked);
    assert_eq!(world.mission().open_checkpoints().count(), 1);
}

#[test]
fn a_crash_before_the_look_is_durable_asks_once() {
    let plan = supervised(chain(4, 1), eye(json!({})));
    let mut world = World::new(plan, Approvals::InAdvance);
    world.proceed();
    let first = world.flying.pop().unwrap();
    world.outcome(first, done(json!({})));
    let wanted = world.own.next().unwrap();
    world.lose(&wanted);
    assert!(looks(&world).is_empty());
    let again = world.own.next().unwrap();
    assert_eq!(again, wanted);
    world.steer();
    world.restart();
    assert_eq!(world.steer(), []);
    assert_eq!(looks(&world).len(), 1);
}

#[test]
fn what_a_model_says_never_pushes_a_mission_on() {
    for then in ["continue", "retry", "replan", "look"] {
        let problems = check(&eye(json!({"then": then}))).unwrap_err();
        assert_eq!(problems[0].place, "[0].then");
    }
    for (field, value) in [
        ("question", json!(" ")),
        ("question", json!("Repeat {{secret.output}}")),
        ("looks", json!(0)),
        ("looks", json!(51)),
    ] {
        let problems = check(&eye(json!({field: value}))).unwrap_err();
        assert_eq!(problems[0].place, format!("[0].{field}"));
    }
    assert!(check(&eye(json!({"max_cost": -1}))).is_err());
    let read = check(&eye(json!({"max_cost": 0.05, "from": "high"}))).unwrap();
    let written = serde_json::to_value(&read).unwrap();
    assert_eq!(check(&written).unwrap(), read);
}
