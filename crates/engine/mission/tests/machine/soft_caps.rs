//! Soft caps ask or turn to the cheaper way; accounts say no, and what they refused did not happen.

use adjutant_mission::{EffectNumber, *};

use crate::support::*;

fn soft(soft_caps: SoftCaps, tasks: Vec<Task>) -> Plan {
    Plan {
        soft_caps,
        ..Plan::new("soft", tasks)
    }
}

fn turns(turns: u64) -> SoftCaps {
    SoftCaps {
        turns: Some(turns),
        ..SoftCaps::default()
    }
}

fn two() -> Vec<Task> {
    vec![tool("a", "dear", &[]), tool("b", "dear", &["a"])]
}

/// Answers the one open question.
fn say(world: &mut World, verdict: Verdict) {
    let asked = world.mission().open_checkpoints().next().unwrap();
    let number = asked.checkpoint.number.get();
    world.decide(number, verdict).unwrap();
}

#[test]
fn a_yes_goes_past_the_mark_and_is_asked_for_once() {
    let mut tasks = two();
    tasks.push(tool("c", "pure", &["b"]));
    let mut world = World::started(soft(turns(1), tasks));
    world.finish("a", done("1"));
    assert!(world.running().is_empty());
    assert_eq!(world.phase(), Phase::AwaitingHuman);
    say(&mut world, Verdict::Approve);
    assert_eq!(world.running(), ["b"]);
    world.finish("b", done("1"));
    assert_eq!(world.running(), ["c"], "one yes is enough");
}

#[test]
fn a_no_or_silence_keeps_what_there_is() {
    for silent in [false, true] {
        let mut world = World::started(soft(turns(1), two()));
        world.finish("a", done("1"));
        if silent {
            world.pass(Millis::hours(25));
        } else {
            say(&mut world, Verdict::Reject);
        }
        assert_eq!(world.status("b"), TaskStatus::Ready, "it never ran");
        assert!(
            world.mission().open_checkpoints().count() == 1,
            "the review of the rest"
        );
    }
}

#[test]
fn past_the_mark_the_cheaper_way_is_taken_at_once() {
    let mut tasks = two();
    tasks[1].alternative = Some(call("pure"));
    let mut plan = soft(turns(1), tasks);
    plan.on_soft_cap = OnSoftCap::Degrade;
    let mut world = World::started(plan);
    world.finish("a", done("1"));
    assert_eq!(world.flying[0].work, Work::CallTool(call("pure")));
}

#[test]
fn one_dear_try_asks_for_that_task_alone() {
    let ceiling = SoftCaps {
        money_per_turn: Some(MicroUsd(500)),
        ..SoftCaps::default()
    };
    let tasks = vec![tool("a", "pure", &[]), tool("b", "dear", &["a"])];
    let mut world = World::started(soft(ceiling, tasks));
    world.finish("a", done("1"));
    let asked = world.mission().open_checkpoints().next().unwrap();
    let about = Asks::PassSoftCap {
        task: Some(key("b")),
    };
    assert_eq!(asked.checkpoint.asks, about);
    say(&mut world, Verdict::Approve);
    assert_eq!(world.running(), ["b"]);
}

fn refusal(charge: usize, kind: CapKind) -> AccountRefusal {
    AccountRefusal {
        charge,
        account: AccountKey {
            owner: AccountOwner::Tenant,
            window: Window::Day,
            from: Timestamp(0),
        },
        resource: Resource::Money,
        cap: 5,
        kind,
    }
}

#[test]
fn an_account_that_refuses_the_dear_way_may_allow_the_other() {
    let mut task = tool("a", "dear", &[]);
    task.alternative = Some(call("pure"));
    let plan = Plan::new("charged", vec![task]);
    let (now, id) = (Timestamp(1_000), CommandId::from_bits(1));
    let mut driver = Driver::open(now, &ann(), id, start(plan, waive_all())).unwrap();
    driver.redecide_without(None, refusal(0, CapKind::Hard));
    driver.saved();
    let works: Vec<Work> = driver
        .take_effects(now)
        .into_iter()
        .map(|effect| effect.work)
        .collect();
    assert_eq!(works, [Work::CallTool(call("pure"))]);
}

#[test]
fn what_an_account_refuses_did_not_happen() {
    let now = Timestamp(1_000);
    let tasks = vec![tool("a", "pure", &[]), tool("b", "dear", &[])];
    let mut driver = Driver::open(
        now,
        &ann(),
        CommandId::from_bits(1),
        start(Plan::new("charged", tasks), waive_all()),
    )
    .unwrap();
    assert_eq!(driver.charges().len(), 2);
    // Before anything is saved, the opening itself is decided again.
    assert_eq!(
        driver.redecide_without(None, refusal(1, CapKind::Hard)),
        vec![]
    );
    assert_eq!(
        driver.mission().task("a").unwrap().1.status,
        TaskStatus::Running
    );
    assert_eq!(
        driver.mission().task("b").unwrap().1.status,
        TaskStatus::Blocked
    );
    assert_eq!(driver.charges().len(), 1);
    assert_eq!(driver.mission().reserved(), Usage::NONE);
    let folded = Mission::fold(driver.unsaved()).unwrap();
    assert_eq!(
        folded.passport().unwrap(),
        driver.mission().passport().unwrap()
    );
    driver.saved();
    assert!(driver.charges().is_empty());

    // Later an outcome is not lost with the start that was refused, and a yes to a soft cap is carried along.
    driver.take_effects(now);
    let stored = driver.mission().clone();
    let checkpoint = stored.open_checkpoints().next().unwrap().checkpoint.number;
    let retry = Decision {
        option: Some(OptionKey::new("retry").unwrap()),
        ..Decision::new(Verdict::Approve)
    };
    let decide = Input::Command {
        id: CommandId::from_bits(2),
        by: ann(),
        command: Command::Decide {
            checkpoint,
            decision: retry,
        },
    };
    let outcome = Input::Outcome {
        effect: EffectNumber::new(0),
        outcome: done("7"),
    };
    driver.input(now, &outcome).unwrap();
    driver.input(now, &decide).unwrap();
    assert_eq!(driver.charges().len(), 2, "one settled, one reserved");
    assert_eq!(
        driver.redecide_without(Some(stored), refusal(1, CapKind::Soft)),
        vec![]
    );
    assert_eq!(
        driver.mission().output("a"),
        Some(&Payload::Inline(json("7")))
    );
    let asked = driver.mission().open_checkpoints().next().unwrap();
    assert_eq!(asked.checkpoint.asks, Asks::PassSoftCap { task: None });
    let yes = Input::Command {
        id: CommandId::from_bits(3),
        by: ann(),
        command: Command::Decide {
            checkpoint: asked.checkpoint.number,
            decision: Decision::new(Verdict::Approve),
        },
    };
    driver.saved();
    driver.input(now, &yes).unwrap();
    let reserved: Vec<bool> = driver
        .charges()
        .iter()
        .map(|charge| charge.past_soft)
        .collect();
    assert_eq!(reserved, [true]);
}
