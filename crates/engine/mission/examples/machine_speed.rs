//! How fast the machine is, as a small table. `cargo run --release -p adjutant-mission --example machine_speed`
#![expect(
    clippy::unwrap_used,
    reason = "a measurement stops where it is surprised"
)]

use std::time::{Duration, Instant};

use adjutant_mission::*;

fn key(n: usize) -> TaskKey {
    TaskKey::new(format!("task_{n}")).unwrap()
}

fn tool(n: usize, with: &str, after: impl IntoIterator<Item = usize>) -> Task {
    let call = ToolCall {
        tool: ToolId::new("look").unwrap(),
        with: Json::parse(with).unwrap(),
    };
    Task::new(key(n), WorkSpec::Tool(call)).after(after.into_iter().map(key))
}

fn tools() -> ToolTable {
    let facts = ToolFacts {
        class: EffectClass::Pure,
        price: MicroUsd(5),
        tokens: 0,
        time_limit: Millis::ZERO,
        provenance: None,
    };
    [(ToolId::new("look").unwrap(), facts)].into()
}

fn chain(count: usize) -> Plan {
    let task = |n: usize| tool(n, "{}", n.checked_sub(1));
    Plan::new("chain", (0..count).map(task).collect())
}

/// Layers of `width`, each task after ten of the layer before.
fn grid(count: usize, width: usize) -> Plan {
    let task = |n: usize| {
        let before = (n / width).checked_sub(1).map(|layer| layer * width);
        let after = before.map(|first| (0..width.min(10)).map(move |k| first + (n + k) % width));
        tool(n, "{}", after.into_iter().flatten())
    };
    Plan::new("grid", (0..count).map(task).collect())
}

/// A chain in which each task refers to the task `far` before it.
fn referring(count: usize, far: usize) -> Plan {
    let task = |n: usize| match n.checked_sub(far) {
        Some(on) => tool(
            n,
            &format!("\"{{{{task_{on}.output.x}}}}\""),
            n.checked_sub(1),
        ),
        None => tool(n, "{}", n.checked_sub(1)),
    };
    Plan::new("referring", (0..count).map(task).collect())
}

fn open(plan: Plan) -> Driver {
    let by = AgentId::new("ann").unwrap();
    let start = Start {
        mission: MissionId::from_bits(7),
        scope: Scope::of(TenantId::new("acme").unwrap()),
        plan,
        tools: tools(),
        approvals: vec![ApprovalSource::Waiver {
            by: by.clone(),
            types: Waivers::all(),
        }],
        parent: None,
        began_by: Vec::new(),
    };
    let command = CommandId::from_bits(1);
    Driver::open(Timestamp(0), &Actor::human(by), command, start).unwrap()
}

/// Runs a mission to its end. Gives its journal, and how long the machine itself took for it.
fn run(plan: Plan) -> (Vec<Recorded>, Duration) {
    let mut driver = open(plan);
    let mut journal = Vec::new();
    let outcome = Outcome::done(
        Payload::Inline(Json::parse(r#"{"title":"found","pages":12}"#).unwrap()),
        Usage {
            money: MicroUsd(3),
            tokens: 40,
        },
    );
    let began = Instant::now();
    let mut now = Timestamp(0);
    while driver.mission().ending().is_none() {
        journal.extend_from_slice(driver.unsaved());
        driver.saved();
        for effect in driver.take_effects(now) {
            now = now.plus(Millis(1));
            let (effect, outcome) = (effect.id.number, outcome.clone());
            let input = Input::Outcome { effect, outcome };
            driver.input(now, &input).unwrap();
        }
    }
    journal.extend_from_slice(driver.unsaved());
    (journal, began.elapsed())
}

/// The best of several tries: what the machine can do when nobody disturbs it.
fn best(mut measured: impl FnMut()) -> Duration {
    let timed = |_| {
        let began = Instant::now();
        measured();
        began.elapsed()
    };
    (0..5).map(timed).min().unwrap()
}

fn per_second(count: usize, took: Duration) -> String {
    format!("{:>9.0} /s", count as f64 / took.as_secs_f64())
}

fn folding(name: &str, plan: Plan, times: usize) {
    let (journal, _) = run(plan);
    let encoded: Vec<_> = journal
        .iter()
        .map(|event| event.encode().unwrap())
        .collect();
    let first = Mission::begin(&journal[0]).unwrap();
    let rest = &journal[1..];
    let mut fresh: Vec<Mission> = Vec::new();
    let mut apply = Duration::MAX;
    for _ in 0..5 {
        fresh.clear();
        fresh.resize_with(times, || first.clone());
        let began = Instant::now();
        for mission in &mut fresh {
            rest.iter().for_each(|event| mission.apply(event).unwrap());
        }
        apply = apply.min(began.elapsed());
    }
    let read = best(|| {
        for _ in 0..times {
            let mut mission = first.clone();
            for (seq, bytes) in (2..).zip(&encoded[1..]) {
                mission
                    .apply(&Recorded::decode(seq, bytes).unwrap())
                    .unwrap();
            }
        }
    });
    let events = rest.len() * times;
    let passport = fresh[0].passport().unwrap().len();
    let tasks = fresh[0].plan().tasks.len();
    println!(
        "{name:<28} apply {}   decode+apply {}   passport {:>5} bytes a task",
        per_second(events, apply),
        per_second(events, read),
        passport / tasks
    );
}

fn validating(name: &str, plan_of: impl Fn(usize) -> Plan) {
    let tools = tools();
    print!("validate {name:<28}");
    for count in [100, 1_000, 10_000] {
        let plan = plan_of(count);
        assert!(plan.problems(&tools).is_empty());
        let took = best(|| assert!(plan.problems(&tools).is_empty()));
        print!("  {count:>6}: {:>8.2} ms", took.as_secs_f64() * 1e3);
    }
    println!();
}

fn stepping(name: &str, plan_of: impl Fn(usize) -> Plan) {
    print!("step     {name:<28}");
    for count in [100, 1_000, 10_000] {
        let best = (0..5).map(|_| run(plan_of(count)).1).min().unwrap();
        let each = best.as_secs_f64() * 1e6 / count as f64;
        print!("  {count:>6}: {each:>8.2} µs");
    }
    println!();
}

fn main() {
    folding("20-task chain, 500 times", chain(20), 500);
    folding("10,000-task chain", chain(10_000), 1);
    folding("100 layers of 100, 10 deps", grid(10_000, 100), 1);
    println!();
    validating("chain", chain);
    validating("grid, 10 deps each", |count| grid(count, 100));
    validating("references to the task before", |count| referring(count, 1));
    validating("references 50 tasks before", |count| referring(count, 50));
    println!();
    stepping("chain, per task", chain);
    stepping("grid, per task", |count| grid(count, 100));
    stepping("all at once, per task", |count| {
        Plan::new("flat", (0..count).map(|n| tool(n, "{}", None)).collect())
    });
}
