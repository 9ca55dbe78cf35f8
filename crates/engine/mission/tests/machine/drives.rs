//! Random missions driven at random: the world checks the indexes, the fold and the passport each step.

use crate::support::*;
use DependencyKind::{FinishToFinish, FinishToStart, StartToFinish, StartToStart};
use adjutant_mission::*;
use proptest::prelude::*;
use proptest::strategy::Strategy;

const KINDS: [DependencyKind; 4] = [FinishToStart, StartToStart, FinishToFinish, StartToFinish];
const CLASSES: [&str; 4] = ["pure", "idempotent", "once", "dear"];

fn task(n: usize, dice: &[u8]) -> Task {
    let name = format!("t{n}");
    let mut task = match dice[0] % 6 {
        0 => human(&name, &[]),
        1 if n > 0 => {
            let mut gate = gate(&name, "t0", &[]);
            if let WorkSpec::Gate(spec) = &mut gate.work {
                spec.return_to = None;
                spec.rules[0].verdict = GateVerdict::Fatal;
            }
            gate
        }
        die => tool(&name, CLASSES[usize::from(die) % 4], &[]),
    };
    for on_task in 0..n {
        let die = usize::from(dice[1 + on_task]);
        if die.is_multiple_of(3) {
            let lag = u64::from(dice[0] % 2) * 700;
            task.after
                .push(on(&format!("t{on_task}"), KINDS[die / 3 % 4], lag));
        }
    }
    if matches!(task.work, WorkSpec::Tool(_)) && dice[0].is_multiple_of(5) {
        task.approval = Approval::Always;
    }
    if dice[0].is_multiple_of(7) {
        task.caps.wall_time = Some(Millis(2_500));
    }
    if dice[0].is_multiple_of(4) {
        task.resources = vec![ResourceKey::new("db").unwrap()];
    }
    task
}

fn plan() -> impl Strategy<Value = Plan> {
    let dice = proptest::collection::vec(any::<u8>(), 7);
    (proptest::collection::vec(dice, 1..6), any::<[u8; 5]>()).prop_map(|(dice, settings)| {
        use adjutant_mission::Strategy::{ContinueOnBlock, ParallelSafe, Sequential};
        let tasks = dice.iter().enumerate().map(|(n, dice)| task(n, dice));
        Plan {
            strategy: [Sequential, ContinueOnBlock, ParallelSafe][usize::from(settings[0]) % 3],
            barrier: [Barrier::None, Barrier::Wait, Barrier::Ask][usize::from(settings[1]) % 3],
            on_failure: [OnFailure::Ask, OnFailure::GiveUp][usize::from(settings[2]) % 2],
            autonomy: [Autonomy::Strict, Autonomy::Balanced][usize::from(settings[3]) % 2],
            concurrency: u16::from(settings[4] % 3) + 1,
            ..Plan::new("random", tasks.collect())
        }
    })
}

/// One thing that may happen. Commands that do not fit are refused, and that is checked too.
fn act(world: &mut World, what: u8, which: usize) {
    let open: Vec<u32> = world
        .mission()
        .open_checkpoints()
        .map(|state| state.checkpoint.number.get())
        .collect();
    let flying = world
        .running()
        .get(which % 8)
        .map(|name| (*name).to_owned());
    match (what % 16, flying, open.get(which % 3)) {
        (0..=5, Some(task), _) => {
            let gate = world.mission().task(&task).unwrap().0.work.clone();
            let outcome = match (gate, which % 4) {
                (_, 1) => failed(FailureKind::Temporary),
                (_, 2) => broken(),
                (WorkSpec::Gate(_), _) => judged(GateVerdict::Valid),
                _ => done("1"),
            };
            world.finish(&task, outcome);
        }
        (6..=9, _, Some(&number)) => {
            let mut decision = Decision::new([Verdict::Approve, Verdict::Modify][which % 2]);
            let asked = &world.checkpoint(number as usize).checkpoint;
            decision.option = asked
                .options
                .get(which % 2)
                .map(|option| option.key.clone());
            if asked.asks == Asks::ReviewResult && which % 2 == 1 {
                decision.redo = vec![key("t0")];
            }
            let _ = world.answer(number, decision);
        }
        (10, _, Some(&number)) => {
            let _ = world.decide(number, Verdict::Reject);
        }
        (11, ..) => world.crash(),
        (12, ..) => {
            let pause = Command::Pause {
                reason: String::new(),
            };
            let command = if world.mission().is_paused() {
                Command::Resume
            } else {
                pause
            };
            let _ = world.command(ann(), command);
        }
        (13, Some(task), _) => {
            let until = world.now.plus(Millis(300));
            world.finish(&task, Outcome::Deferred { until });
        }
        (14, ..) if which.is_multiple_of(16) => {
            let reason = String::from("enough");
            let _ = world.command(
                ann(),
                Command::Abort {
                    reason,
                    undo: false,
                },
            );
        }
        _ => world.pass(Millis(500)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn random_missions_keep_their_indexes_and_never_stall(
        plan in plan(),
        acts in proptest::collection::vec((any::<u8>(), any::<usize>()), 0..60),
    ) {
        prop_assume!(plan.problems(&tools()).is_empty());
        let mut world = World::open(plan, waive(&[CheckpointType::PlanApproval]));
        for (what, which) in acts {
            act(&mut world, what, which);
        }
        if world.mission().is_paused() && world.mission().ending().is_none() {
            let _ = world.command(ann(), Command::Resume);
        }
        for _ in 0..200 {
            if world.mission().ending().is_some() {
                break;
            }
            let flying = world.running().first().map(|name| (*name).to_owned());
            match (flying, world.driver.wake_at()) {
                (Some(task), _) => {
                    let work = &world.mission().task(&task).unwrap().0.work;
                    let outcome = match work {
                        WorkSpec::Gate(_) => judged(GateVerdict::Valid),
                        _ => done("1"),
                    };
                    world.finish(&task, outcome);
                }
                (None, Some(at)) => world.pass(at.since(world.now)),
                (None, None) => prop_assert!(false, "nothing moves: {:?}", world.since(0)),
            }
        }
        prop_assert!(world.mission().ending().is_some(), "it never ends: {:?}", world.since(0));
    }
}
