//! A process that is killed in the middle of a thought, for every way to think: it goes on from that very step, and what
//! was answered is not asked again.

use adjutant_stand_ins::models::{Misbehaviour, Received, Reply};
use serde_json::Value;

use crate::world::{World, read};

/// Four sources, so that there is something left to say for a while.
const SOURCES: &str = r#"
      sources:
        - id: guide
          title: Guide to the harbour
          text: The harbour of Ostrey was opened in 1911. The harbour has four quays for freight. Quay three of the harbour is closed for repair.
        - id: paper
          title: Harbour Gazette
          text: The harbour of Ostrey handled 410 ships last year. Freight in the harbour has fallen since the railway came.
        - id: minutes
          title: Minutes of the council
          text: The council will deepen the harbour next spring. The freight quays are not deep enough for large ships.
        - id: letter
          title: Letter of the pilot
          text: A pilot is needed for large ships in the harbour. The current at the freight quays is strong.
"#;

fn walk(pattern: &str, script: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> World {
    let world = World::with_a_model("", script);
    world.place.write("plan.yaml", plan(pattern));
    world
}

fn questions(world: &World) -> Vec<Value> {
    let received = world.received().into_iter();
    received.map(|request| request.body).collect()
}

/// Every step that was taken, in order: what was asked, and what its answer came to.
fn steps(world: &World) -> Vec<(Value, Value)> {
    let taken = world.of_kind("step_taken").into_iter();
    taken
        .map(|mut event| {
            (
                event["taken"]["step"].take(),
                event["taken"]["signs"].take(),
            )
        })
        .collect()
}

fn plan(pattern: &str) -> String {
    format!(
        "title: Think\nagents:\n  - {{id: L2-lead, level: L2, name: Lead}}\n  \
         - {{id: L4-DE, level: L4, name: Worker, started_by: L2-lead}}\n\
         tasks:\n  - id: look\n    by: L4-DE\n    agent:\n      purpose: conclude\n      \
         reasoning: {{patterns: [{pattern}], max_iterations: 2, tools: [L5-RAG]}}\n    with:\n      \
         question: How many freight quays does the harbour have for large ships?{SOURCES}"
    )
}

fn goes_on_from_every_step(pattern: &str) {
    let calm = walk(pattern, |received| Reply::Answer(read(received)));
    let ran = calm.place.run(&["run", "plan.yaml", "--yes"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let (whole, calm) = (questions(&calm), steps(&calm));
    assert!(whole.len() > 2, "{} questions", whole.len());
    let calls = calm
        .iter()
        .filter(|(step, _)| step["kind"] == "call")
        .count();
    assert_eq!(calls, usize::from(pattern == "react"));

    // Every question is left unanswered the first time it comes, and the process dies while it waits.
    let world = walk(pattern, |received| match received.number % 2 {
        1 => Reply::Misbehave(Misbehaviour::Stall, read(received)),
        _ => Reply::Answer(read(received)),
    });
    let ran = world.place.run(&["run", "plan.yaml", "--yes", "--detach"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for answered in 0..whole.len() {
        let up = world.place.start(&["up"]);
        world.wait_for(2 * answered + 1);
        up.kill();
    }
    let up = world.place.start(&["up"]);
    up.until("completed");
    up.signal("-INT");
    assert_eq!(up.end().0, Some(0));

    let asked = questions(&world);
    for (at, pair) in asked.chunks(2).enumerate() {
        assert_eq!(
            pair,
            [whole[at].clone(), whole[at].clone()],
            "{pattern}: question {}",
            at + 1
        );
    }
    assert_eq!(asked.len(), 2 * whole.len());
    assert_eq!(
        steps(&world),
        calm,
        "numbered and linked as if nothing had happened"
    );
    assert_eq!(world.of_kind("effect_lost").len(), whole.len());
    assert_eq!(world.of_kind("effect_in_doubt").len(), 0);
    assert_eq!(world.of_kind("task_completed").len(), 1);
    assert_eq!(world.place.run(&["verify", "--all"]).code, 0);
}

macro_rules! patterns {
    ($($pattern:ident)*) => {
        $(
            #[test]
            fn $pattern() {
                goes_on_from_every_step(stringify!($pattern));
            }
        )*

        #[test]
        fn no_pattern_is_left_out() {
            let tested = [$(stringify!($pattern)),*];
            let all = adjutant_mission::Pattern::ALL.map(adjutant_mission::Pattern::name);
            assert_eq!(tested, all);
        }
    };
}

patterns! {
    chain_of_thought
    tree_of_thought
    react
    reflection
    mcts
    debate
    decomposition
    analogical
    adversarial
    socratic
    pedagogical
}
