//! Layers: what happens between one and the next.

use crate::support::*;
use adjutant_mission::*;

fn layered(barrier: Barrier) -> Plan {
    Plan {
        barrier,
        ..Plan::new(
            "layers",
            vec![
                tool("a", "pure", &[]),
                tool("slow", "pure", &[]),
                tool("b", "pure", &["a"]),
                tool("c", "pure", &["b"]),
            ],
        )
    }
}

#[test]
fn without_a_barrier_the_next_layer_starts_as_soon_as_it_can() {
    let mut world = World::started(layered(Barrier::None));
    world.finish("a", done("1"));
    assert_eq!(world.running(), ["b", "slow"]);
}

#[test]
fn wait_lets_a_layer_end_as_a_whole() {
    let mut world = World::started(layered(Barrier::Wait));
    world.finish("a", done("1"));
    assert_eq!(world.running(), ["slow"]);
    world.finish("slow", done("1"));
    world.finish("b", done("1"));
    world.finish("c", done("1"));
    assert_eq!(
        world.tale(),
        [
            "task_started a",
            "task_started slow",
            "task_completed a",
            "task_completed slow",
            "layer_passed 0",
            "task_started b",
            "task_completed b",
            "layer_passed 1",
            "task_started c",
            "task_completed c",
            "synthesis_started",
            "checkpoint_waived",
            "mission_ended: Completed, Delivered"
        ]
    );
}

#[test]
fn ask_waits_for_continue_between_layers() {
    let mut world = World::started(layered(Barrier::Ask));
    assert_eq!(
        world.refused(|world| world.command(ann(), Command::Continue)),
        (
            "ADJ-2002",
            "`continue` is not possible now: the mission is not waiting between layers".into()
        )
    );
    world.finish("a", done("1"));
    world.finish("slow", done("1"));
    assert_eq!(world.phase(), Phase::AwaitingHuman);
    assert_eq!(
        world.open_questions(),
        ["Layer 1 is done. Continue with the next?"]
    );
    let mark = world.mark();
    world.command(ann(), Command::Continue).unwrap();
    assert_eq!(
        world.since(mark),
        ["checkpoint_decided", "layer_passed 0", "task_started b"]
    );
    world.finish("b", done("1"));
    world.decide(1, Verdict::Approve).unwrap();
    assert_eq!(world.running(), ["c"]);
    world.finish("c", done("1"));
    assert_eq!(
        world.phase(),
        Phase::Completed,
        "the last layer is not asked about"
    );
}

#[test]
fn a_layer_takes_no_arguments_and_a_no_synthesises_what_exists() {
    let mut world = World::started(layered(Barrier::Ask));
    world.finish("a", done("1"));
    world.finish("slow", done("1"));
    assert_eq!(
        world.refused_code(|world| world.answer(0, modify("{}"))),
        "ADJ-2018"
    );
    let mark = world.mark();
    world.decide(0, Verdict::Reject).unwrap();
    assert_eq!(
        world.since(mark),
        [
            "checkpoint_decided",
            "stop_requested: Synthesize",
            "synthesis_started",
            "checkpoint_opened: result_ready"
        ]
    );
}

#[test]
fn an_agent_cannot_say_continue() {
    let mut world = World::started(layered(Barrier::Ask));
    world.finish("a", done("1"));
    world.finish("slow", done("1"));
    let agent = actor(ActorKind::Agent);
    assert_eq!(
        world.refused_code(|world| world.command(agent, Command::Continue)),
        "ADJ-2013"
    );
}

#[test]
fn waived_layers_pass_by_themselves_and_say_so() {
    let mut world = World::waived(layered(Barrier::Ask));
    world.finish("a", done("1"));
    let mark = world.mark();
    world.finish("slow", done("1"));
    assert_eq!(
        world.since(mark),
        [
            "task_completed slow",
            "checkpoint_waived",
            "layer_passed 0",
            "task_started b"
        ]
    );
}

#[test]
fn a_layer_left_out_as_a_whole_does_not_stand_in_the_way() {
    let mut world = World::started(Plan {
        strategy: Strategy::ContinueOnBlock,
        on_failure: OnFailure::GiveUp,
        ..layered(Barrier::Wait)
    });
    world.finish("a", broken());
    world.finish("slow", done("1"));
    assert_eq!(world.phase(), Phase::Completed);
}

#[test]
fn tasks_bound_to_each_other_share_a_layer_so_no_barrier_locks_them_out() {
    let left = Task {
        after: vec![on("right", DependencyKind::FinishToFinish, 0)],
        ..tool("left", "pure", &[])
    };
    let right = Task {
        after: vec![on("left", DependencyKind::StartToStart, 0)],
        ..tool("right", "pure", &[])
    };
    let tasks = vec![
        left,
        right,
        tool("x", "pure", &[]),
        tool("y", "pure", &["x"]),
        tool("c", "pure", &["left", "y"]),
        tool("d", "pure", &["c"]),
    ];
    let mut world = World::started(Plan {
        barrier: Barrier::Wait,
        ..Plan::new("bound", tasks)
    });
    for name in ["left", "right", "x", "y", "c", "d"] {
        world.finish(name, done("1"));
    }
    assert_eq!(world.phase(), Phase::Completed);
}
