//! What is stopped is kept back and sent by nobody; the host pauses the mission, and only it resumes what it paused.

use crate::support::*;
use adjutant_mission::*;

fn host() -> Actor {
    actor(ActorKind::System)
}

fn stop() -> Command {
    Command::Pause {
        reason: "stopped: tool `once`".into(),
    }
}

fn calls(effect: &Effect, tool: &str) -> bool {
    matches!(&effect.work, Work::CallTool(call) if call.tool.as_str() == tool)
}

/// Holds calls of a tool, as a host does before it hands out anything.
fn hold(world: &mut World, tool: &str) -> usize {
    let held = world.driver.hold(world.now, |effect| calls(effect, tool));
    world.settle();
    held
}

fn release(world: &mut World) {
    assert_eq!(world.driver.hold(world.now, |_| false), 0);
    world.settle();
}

#[test]
fn a_held_effect_is_neither_announced_nor_sent_and_comes_out_when_it_is_let_go() {
    let tasks = vec![
        tool("a", "pure", &[]),
        tool("b", "once", &[]),
        tool("c", "once", &["a"]),
    ];
    let plan = Plan::new("two tools", tasks);
    let mut driver = Driver::open(
        Timestamp(1_000),
        &ann(),
        CommandId::from_bits(0),
        start(plan, waive_all()),
    )
    .unwrap();
    driver.saved();
    assert_eq!(driver.hold(Timestamp(1_000), |of| calls(of, "once")), 1);
    let out = driver.take_effects(Timestamp(1_000));
    assert_eq!(out.len(), 1, "only the call of the other tool");
    assert!(driver.unsaved().is_empty(), "nothing is announced");
    assert_eq!(driver.rest(Timestamp(1_000)), Rest::Busy, "that call runs");
    let effect = out[0].id.number;
    let outcome = done("1");
    let outcome = Input::Outcome { effect, outcome };
    driver.input(Timestamp(1_001), &outcome).unwrap();
    driver.saved();
    assert_eq!(driver.hold(Timestamp(1_001), |of| calls(of, "once")), 2);
    assert!(driver.take_effects(Timestamp(1_001)).is_empty());
    assert_eq!(driver.rest(Timestamp(1_001)), Rest::Until(None));
    assert_eq!(driver.hold(Timestamp(1_002), |_| false), 0);
    assert!(driver.take_effects(Timestamp(1_002)).is_empty());
    driver.saved();
    assert_eq!(driver.take_effects(Timestamp(1_002)).len(), 2);
}

#[test]
fn what_was_announced_and_not_sent_is_taken_back_so_that_no_doubt_is_left() {
    let plan = Plan::new("one", vec![tool("a", "once", &[])]);
    let opening = start(plan, waive_all());
    let now = Timestamp(1_000);
    let mut driver = Driver::open(now, &ann(), CommandId::from_bits(0), opening).unwrap();
    let mut journal = driver.unsaved().to_vec();
    driver.saved();
    assert!(driver.take_effects(now).is_empty(), "announced first");
    journal.extend_from_slice(driver.unsaved());
    driver.saved();
    assert_eq!(driver.hold(now, |_| true), 1);
    journal.extend_from_slice(driver.unsaved());
    driver.saved();
    let folded = Mission::fold(&journal).unwrap();
    let mut again = Driver::resume(now, folded);
    assert!(again.unsaved().is_empty(), "nothing is in doubt");
    assert_eq!(again.hold(now, |_| false), 0);
    let later = now.plus(Millis(1));
    assert!(again.take_effects(later).is_empty(), "announced anew");
    again.saved();
    assert_eq!(again.take_effects(later).len(), 1);
}

#[test]
fn what_is_under_way_when_its_tool_is_stopped_runs_on() {
    let tasks = vec![tool("a", "once", &[]), tool("b", "once", &["a"])];
    let mut world = World::waived(Plan::new("chain", tasks));
    assert_eq!(world.running(), ["a"]);
    assert_eq!(hold(&mut world, "once"), 0);
    world.command(host(), stop()).unwrap();
    world.finish("a", done("1"));
    assert!(world.running().is_empty());
    assert_eq!(world.status("b"), TaskStatus::Ready, "nothing new starts");
    release(&mut world);
    world.command(host(), Command::Resume).unwrap();
    world.finish("b", done("2"));
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn a_mission_that_its_host_stopped_is_not_due_whatever_it_owes() {
    let mut world = World::started(Plan::new("one", vec![tool("a", "pure", &[])]));
    assert_eq!(world.mission().summary().wake_at, Some(Timestamp(0)));
    world.command(ann(), stop()).unwrap();
    assert!(!world.mission().is_stopped());
    assert_eq!(world.mission().summary().wake_at, Some(Timestamp(0)));
    world.command(ann(), Command::Resume).unwrap();
    world.command(host(), stop()).unwrap();
    assert!(world.mission().is_stopped());
    assert_eq!(world.mission().summary().wake_at, None);
    world.command(host(), Command::Resume).unwrap();
    assert_eq!(world.mission().summary().wake_at, Some(Timestamp(0)));
}

#[test]
fn a_person_may_pause_what_is_stopped_and_then_it_is_theirs() {
    let mut world = World::started(Plan::new("one", vec![tool("a", "pure", &[])]));
    world.command(host(), stop()).unwrap();
    let again = world.refused_code(|world| world.command(host(), stop()));
    assert_eq!(again, "ADJ-2002");
    let lunch = Command::Pause {
        reason: "lunch".into(),
    };
    world.command(ann(), lunch.clone()).unwrap();
    assert!(!world.mission().is_stopped());
    let pause = world.mission().pause().unwrap();
    assert_eq!(
        (pause.by.clone(), pause.reason.as_str()),
        (Some(ann()), "lunch")
    );
    let again = world.refused_code(|world| world.command(host(), stop()));
    assert_eq!(again, "ADJ-2002");
    let again = world.refused_code(|world| world.command(bob(), lunch));
    assert_eq!(again, "ADJ-2002");
    world.command(bob(), Command::Resume).unwrap();
    assert_eq!(world.mission().pause(), None);
}

#[test]
fn a_mission_taken_up_in_a_stopped_tenant_is_paused_before_anything_follows() {
    let tasks = vec![tool("a", "pure", &[]), tool("b", "pure", &["a"])];
    let mut world = World::started(Plan::new("chain", tasks));
    world.finish("a", failed(FailureKind::Temporary));
    let folded = Mission::fold(&world.journal).unwrap();
    let first = Input::Command {
        id: CommandId::from_bits(99),
        by: host(),
        command: stop(),
    };
    let later = world.now.plus(Millis::hours(1));
    let driver = Driver::resume_to(later, folded, &first);
    let names: Vec<&str> = driver.unsaved().iter().map(|of| of.event.name()).collect();
    assert_eq!(names, ["mission_paused/1"]);
    let plain = Driver::resume(later, Mission::fold(&world.journal).unwrap());
    assert_eq!(plain.unsaved()[0].event.name(), "task_started/1");
}
