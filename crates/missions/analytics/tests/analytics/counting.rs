//! What one journal counts.

use std::collections::BTreeMap;

use adjutant_analytics::{
    CheckCount, MissionCount, Outputs, Response, WorkCount, count_mission, insights,
};
use adjutant_mission::*;

use crate::world::*;

const FOUND: &str = r#"{"sources":[{"id":"PMID:1","title":"A trial","text":"Potassium rose\n in  four patients."}]}"#;
const EMPTY: &str = r#"{"sources":[],"total":0}"#;
const FINDINGS: &str = r#"{"findings":[
  {"text":"It rose.","evidence":[{"source":"PMID:1","quote":"Potassium rose in four"}]},
  {"text":"It fell.","evidence":[{"source":"PMID:1","quote":"Potassium fell"}]},
  {"text":"It rose.","evidence":[{"source":"PMID:2","quote":"Potassium rose in four"}]}]}"#;

fn count(world: &World) -> MissionCount {
    let counted = count_mission(&world.journal, &Outputs::default()).unwrap();
    counted.expect("it has ended")
}

fn research() -> World {
    let extract = agent("extract").after(["found", "empty", "sum"].map(key));
    World::open(plan(vec![
        tool("found", "L5-PS"),
        tool("empty", "L5-RAG"),
        tool("sum", "L5-CALC"),
        extract,
    ]))
}

#[test]
fn calls_questions_citations_and_responses_are_counted_once() {
    let mut world = research();
    world.approve_after(0, Millis(90_000));
    world.finish("found", failed(FailureKind::Temporary));
    world.pass(Millis::seconds(120));
    world.finish("found", done(FOUND, used(100, 0)));
    world.finish("empty", done(EMPTY, used(100, 0)));
    world.finish("sum", done("42", Usage::NONE));
    assert_eq!(
        count_mission(&world.journal, &Outputs::default()).unwrap(),
        None,
        "it is under way"
    );
    world.finish("extract", done(FINDINGS, used(2_000, 3_000)));
    let reviewed_from = world.now;
    world.approve_after(1, Millis(30_000));
    let counted = count(&world);
    assert_eq!(counted.phase, EndingPhase::Completed);
    assert_eq!(counted.used, used(2_200, 3_000));
    assert_eq!(counted.lasted_millis, world.now.since(MORNING).0);
    assert!(counted.ended_at > reviewed_from);
    let waited = |waited_millis| Response {
        waited_millis,
        answered: true,
    };
    assert_eq!(counted.responses, [waited(90_000), waited(30_000)]);
    let worker = WorkCount {
        calls: 4,
        calls_succeeded: 3,
        calls_useful: 2,
        questions: 1,
        tokens: 3_000,
        tokens_max: 4_000,
        micro_usd: 2_200,
        citations: 3,
        citations_held: 1,
    };
    assert_eq!(
        counted.work,
        BTreeMap::from([("worker".to_owned(), worker)])
    );
    let found = insights(&world.journal, &Outputs::default()).unwrap();
    let found: Vec<(u32, &str)> = found.iter().map(|it| (it.number, &*it.text)).collect();
    assert_eq!(found, [(1, "It rose."), (2, "It fell.")]);
}

/// Of what is handed over, the last check counts, also if it found more than the one before.
#[test]
fn of_constitutional_checks_the_last_one_counts() {
    const KEPT: &str = r#"{"areas":[{"area":"medical_safety","passed":true},{"area":"bias_mitigation","passed":true}]}"#;
    const BROKEN: &str = r#"{"areas":[{"area":"medical_safety","passed":true},{"area":"bias_mitigation","passed":false}]}"#;
    let again = tool("again", "constitution").after([key("check")]);
    let mut world = World::open(plan(vec![tool("check", "constitution"), again]));
    world.approve_after(0, Millis(1));
    world.finish("check", done(KEPT, Usage::NONE));
    world.finish("again", done(BROKEN, Usage::NONE));
    let mut fork = world.fork();
    world.approve_after(1, Millis(1));
    let counted = count(&world);
    let of_two = |areas_passed| CheckCount {
        areas: 2,
        areas_passed,
    };
    assert_eq!(counted.checks, of_two(1));
    assert_eq!(
        counted.work["worker"].calls_succeeded, 2,
        "they are calls too"
    );
    fork.approve_after(1, Millis(1));
    let checked_before = count(&fork).checks;
    assert_eq!(checked_before, CheckCount::default());
}

#[test]
fn a_question_that_rules_answered_says_nothing_of_budgets() {
    let mut world = World::open(plan(vec![agent("extract")]));
    world.approve_after(0, Millis(1));
    world.finish("extract", done(FINDINGS, Usage::NONE));
    world.approve_after(1, Millis(1));
    let work = count(&world).work["worker"];
    assert_eq!((work.questions, work.tokens, work.tokens_max), (0, 0, 0));
}

#[test]
fn a_question_that_nobody_answers_waited_until_its_deadline() {
    let mut world = World::open(plan(vec![agent("extract")]));
    world.pass(Millis::hours(25));
    let counted = count(&world);
    assert_eq!(counted.phase, EndingPhase::Cancelled);
    let [unanswered] = counted.responses.as_slice() else {
        unreachable!("one question was asked");
    };
    assert!(!unanswered.answered);
    assert!(unanswered.waited_millis >= Millis::hours(24).0);
}

#[test]
fn what_was_refused_before_it_was_sent_is_no_failed_call() {
    let mut task = tool("found", "L5-PS");
    task.retry.attempts = 1;
    let mut world = World::open(plan(vec![task, tool("sum", "L5-CALC")]));
    world.approve_after(0, Millis(1));
    world.finish(
        "found",
        Outcome::Denied {
            reason: "not here".into(),
        },
    );
    world.finish("sum", done("1", Usage::NONE));
    // Nobody says what to do about it, and nobody reviews what is left.
    world.pass(Millis::hours(25));
    world.pass(Millis::hours(25));
    let work = count(&world).work["worker"];
    assert_eq!((work.calls, work.calls_succeeded), (1, 1));
}

#[test]
fn a_fork_counts_what_happened_after_it_was_forked() {
    let mut world = research();
    world.approve_after(0, Millis(90_000));
    world.finish("found", done(FOUND, used(100, 0)));
    world.finish("empty", done(EMPTY, used(100, 0)));
    world.finish("sum", done("42", Usage::NONE));
    let mut fork = world.fork();
    let forked_at = fork.now;
    fork.finish("extract", done(FINDINGS, used(2_000, 3_000)));
    fork.approve_after(1, Millis(30_000));
    let counted = count(&fork);
    assert_eq!(counted.used, used(2_000, 3_000));
    assert_eq!(counted.lasted_millis, fork.now.since(forked_at).0);
    assert_eq!(counted.responses.len(), 1);
    let work = counted.work["worker"];
    assert_eq!((work.calls, work.questions), (0, 1));
    // What it cites was found before it was forked, and is there all the same.
    assert_eq!((work.citations, work.citations_held), (3, 1));
    assert_eq!(fork.mission().used(), used(2_200, 3_000));
}
