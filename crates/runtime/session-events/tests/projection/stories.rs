//! Missions that between them give every type of event there is.

use crate::world::*;
use adjutant_mission::*;

/// A mission that goes well: asked for at every turn, searched for, thought through, found, reviewed.
pub(crate) fn research() -> World {
    let search = |name: &str, with: &str, of: &str| tool(name, of, with);
    let after = |task: Task, on: &[&str]| task.after(on.iter().map(|on| key(on)));
    let by = |task: Task| Task {
        by: Some(agent_id("extractor")),
        ..task
    };
    let plan = Plan {
        objective: "Is potassium a problem with Velmoran?".into(),
        agents: staff(),
        ..Plan::new(
            "Potassium under Velmoran",
            vec![
                search(
                    "articles",
                    r#"{"query":"velordrostat hyperkalaemia"}"#,
                    "L5-PS",
                ),
                search(
                    "passages",
                    r#"{"question":"potassium above 6.0"}"#,
                    "L5-RAG",
                ),
                search("news", r#"{"words":"Velmoran"}"#, "L5-NEWS"),
                after(question("endpoint"), &["articles", "passages", "news"]),
                after(by(agent("extract")), &["endpoint"]),
                after(by(thinker("weigh_up", &[Pattern::React])), &["extract"]),
            ],
        )
    };
    let mut world = World::open(plan, Vec::new());
    world.approve(0);
    world.finish("articles", done(FOUND));
    world.finish("passages", done(FOUND));
    world.finish("news", done(FOUND));
    world.approve(1);
    world.finish("extract", done(FINDINGS));
    world.think("weigh_up", &[900_000]);
    world.approve(2);
    assert_eq!(world.mission().phase(), Phase::Completed);
    world
}

/// A mission in which much goes wrong, until nobody answers any more.
pub(crate) fn trouble() -> World {
    let reserved = |task: Task| Task {
        approval: Approval::Always,
        ..task
    };
    let mut worker = agent("extract");
    worker.by = Some(agent_id("extractor"));
    worker.retry.attempts = 1;
    let plan = Plan {
        agents: staff(),
        autonomy: Autonomy::Strict,
        ..Plan::new(
            "Trouble",
            vec![
                worker,
                reserved(tool("fetch", "L5-WEB", r#"{"url":"http://a.example"}"#)),
            ],
        )
    };
    let mut world = World::open(plan, waive(&[CheckpointType::PlanApproval]));
    world.approve(0);
    world.approve(1);
    world.finish(
        "extract",
        failed(FailureKind::BadOutput, "no JSON came back"),
    );
    world.finish("fetch", failed(FailureKind::Temporary, "the site is down"));
    let patch = PlanPatch {
        add: vec![reserved(tool("sum", "L5-CALC", "{}"))],
        tools: tools(),
        ..PlanPatch::default()
    };
    let patch = Box::new(patch);
    let why = "the sum is wanted, too".into();
    world.command(Command::Replan { patch, why }).unwrap();
    world.pass(Millis::hours(25));
    assert_eq!(world.mission().phase(), Phase::Cancelled);
    world
}

/// A conclusion that is thought through again, and then put to a person who has it redone from the review.
pub(crate) fn second_thoughts() -> World {
    let plan = Plan::new(
        "Think",
        vec![thinker("think", &[Pattern::Debate, Pattern::React])],
    );
    let waived = waive(&[
        CheckpointType::PlanApproval,
        CheckpointType::SubagentApproval,
    ]);
    let mut world = World::open(plan, waived);
    world.think("think", &[600_000, 650_000, 690_000]);
    let accept = Decision {
        option: Some(OptionKey::new("accept").unwrap()),
        note: "the appendix bears it out".into(),
        ..Decision::new(Verdict::Approve)
    };
    world.decide(0, accept).unwrap();
    let redo = Decision {
        redo: vec![key("think")],
        ..Decision::new(Verdict::Modify)
    };
    world.decide(1, redo).unwrap();
    world.think("think", &[950_000]);
    world.decide(2, Decision::new(Verdict::Reject)).unwrap();
    assert_eq!(world.mission().phase(), Phase::Completed);
    world
}

/// A mission whose result the constitutional checks block, until a person overrules that.
pub(crate) fn overruled() -> World {
    let plan = Plan::new("Check", vec![tool("constitution", "constitution", "{}")]);
    let mut world = World::open(plan, waive(&[CheckpointType::PlanApproval]));
    world.finish("constitution", done(CHECKED));
    let approved = Decision {
        note: "It quotes what the inspectors found.".into(),
        change: Some(json(r#"{"overrule":["4be1f9c02a77"]}"#)),
        ..Decision::new(Verdict::Approve)
    };
    world.decide(0, approved).unwrap();
    assert_eq!(world.mission().phase(), Phase::Completed);
    world
}

pub(crate) fn all() -> Vec<World> {
    vec![research(), trouble(), second_thoughts(), overruled()]
}
