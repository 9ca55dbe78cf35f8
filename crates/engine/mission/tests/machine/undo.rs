//! Undoing what was done: newest first, with retries, and a plain word on the rest.

use adjutant_mission::*;

use crate::support::*;

fn undoable(name: &str, after: &[&str], with: &str) -> Task {
    Task {
        undo: Some(Undo {
            tool: ToolId::new(with).unwrap(),
            with: json(&format!(r#"{{"what":"{{{{{name}.output}}}}"}}"#)),
            retry: Retry {
                attempts: 2,
                ..Retry::default()
            },
        }),
        ..tool(name, "once", after)
    }
}

fn plan() -> Plan {
    let tasks = vec![
        undoable("a", &[], "pure"),
        tool("b", "once", &["a"]),
        undoable("c", &["b"], "once"),
        tool("d", "pure", &["c"]),
    ];
    Plan::new("trip", tasks)
}

fn abort(undo: bool) -> Command {
    Command::Abort {
        reason: "changed my mind".into(),
        undo,
    }
}

/// All done but the last, which is under way.
fn nearly_done() -> World {
    let mut world = World::started(plan());
    for task in ["a", "b", "c"] {
        world.pass(Millis(10));
        world.finish(task, done("1"));
    }
    world
}

#[test]
fn what_was_done_is_undone_newest_first() {
    let mut world = nearly_done();
    world.command(ann(), abort(true)).unwrap();
    assert_eq!(world.flying.len(), 1);
    assert_eq!(world.flying[0].task, key("c"));
    assert!(matches!(&world.flying[0].work, Work::CallTool(call) if call.tool.as_str() == "once"));
    world.finish("c", done("1"));
    assert_eq!(world.flying[0].task, key("a"));
    world.finish("a", done("1"));
    let (phase, delivery, reason) = world.ending();
    assert_eq!(
        (phase, delivery),
        (EndingPhase::Cancelled, Delivery::Nothing)
    );
    assert_eq!(
        reason,
        "changed my mind; undone: c, a; not undone: b (the task has no undo)"
    );
    assert_eq!(world.mission().reserved(), Usage::NONE);
}

#[test]
fn undoing_is_tried_again_and_given_up_one_by_one() {
    let mut world = nearly_done();
    world.command(ann(), abort(true)).unwrap();
    world.finish("c", failed(FailureKind::Temporary));
    assert!(world.flying.is_empty(), "it waits a second");
    world.crash();
    world.settle();
    world.pass(Millis::seconds(1));
    assert_eq!(world.flying[0].attempt, 2);
    world.finish("c", failed(FailureKind::Temporary));
    assert_eq!(
        world.flying[0].task,
        key("a"),
        "the rest is undone all the same"
    );
    world.finish("a", done("1"));
    assert!(world.ending().2.contains("not undone: c (it broke), b"));
}

/// Law 3: what may happen only once, and may have happened, is not sent again.
#[test]
fn a_crash_while_undoing_repeats_nothing_blindly() {
    let mut world = nearly_done();
    world.command(ann(), abort(true)).unwrap();
    world.crash();
    world.settle();
    assert_eq!(world.flying[0].task, key("a"));
    world.crash();
    world.settle();
    assert_eq!(world.flying[0].task, key("a"), "pure: simply done again");
    world.finish("a", done("1"));
    assert!(
        world
            .ending()
            .2
            .contains("c (it may have been undone: the host stopped")
    );
}

#[test]
fn what_is_in_doubt_is_reported_and_not_touched() {
    let mut plan = plan();
    plan.tasks.truncate(1);
    let mut world = World::started(plan);
    world.crash();
    world.settle();
    assert_eq!(world.status("a"), TaskStatus::Blocked);
    world.command(ann(), abort(true)).unwrap();
    let report = world.mission().undo_report();
    let why = "it is not known whether it happened".into();
    assert_eq!(report, [(key("a"), UndoOutcome::NotUndone { why })]);
}

#[test]
fn nothing_is_undone_unasked_or_by_an_agent() {
    let mut world = nearly_done();
    let refused = world.refused(|world| world.command(actor(ActorKind::Agent), abort(true)));
    assert_eq!(refused.0, "ADJ-2013");
    world.command(ann(), abort(false)).unwrap();
    assert_eq!(world.ending().2, "changed my mind");
    assert!(world.mission().undo_report().is_empty());
}

#[test]
fn undoing_passes_no_cap() {
    let mut plan = plan();
    plan.caps.turns = Some(5);
    let mut world = World::started(plan);
    for task in ["a", "b", "c"] {
        world.finish(task, done("1"));
    }
    world.command(ann(), abort(true)).unwrap();
    world.finish("c", done("1"));
    assert!(
        world
            .ending()
            .2
            .contains("undone: c; not undone: b (the task has no undo), a (undoing")
    );
}

#[test]
fn a_plan_says_how_to_undo_with_what_is_there() {
    let mut plan = plan();
    plan.tasks[0].undo = Some(Undo {
        tool: ToolId::new("unheard_of").unwrap(),
        with: json(r#"{"what":"{{c.output}}"}"#),
        retry: Retry::default(),
    });
    plan.tasks.push(Task {
        undo: plan.tasks[2].undo.clone(),
        ..human("e", &["d"])
    });
    let kinds: Vec<_> = plan
        .problems(&tools())
        .into_iter()
        .map(|problem| problem.place)
        .collect();
    assert_eq!(
        kinds,
        ["tasks[0].undo.tool", "tasks[4].undo", "tasks[0].undo.with"]
    );
}

/// A fork did not do what it inherited, so it does not undo it.
#[test]
fn a_fork_undoes_only_what_it_did_itself() {
    let mut world = nearly_done();
    let (origin, at) = (mission_id(), world.mission().seq());
    let fork = MissionId::from_bits(77);
    let mut events = world.journal.clone();
    if let Event::MissionOpened(opened) = &mut events[0].event {
        opened.mission = fork;
    }
    world.now = world.now.plus(Millis::seconds(5));
    let forked = Recorded {
        seq: at + 1,
        at: world.now,
        actor: Some(ann()),
        cause: None,
        zone: Zone::Platform,
        event: Event::MissionForked {
            of: origin,
            at,
            changes: Vec::new(),
        },
    };
    events.push(forked);
    world.journal = events;
    world.crash();
    world.settle();
    world.command(ann(), abort(true)).unwrap();
    let reason = world.ending().2;
    assert!(
        reason.contains("c (it was done by the mission that this one was forked from)"),
        "{reason}"
    );
    assert!(!reason.contains("; undone"), "{reason}");
}
