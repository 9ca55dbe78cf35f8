//! A `modify` that only says something: it means what the question makes of words, or is refused. Nothing is recorded
//! that nobody reads.

use adjutant_mission::*;

use super::support::*;

fn words(note: &str) -> Decision {
    Decision {
        note: note.into(),
        ..Decision::new(Verdict::Modify)
    }
}

fn refusal(world: &mut World, decision: Decision) -> (&'static str, String) {
    world.refused(|world| world.answer(0, decision))
}

#[test]
fn words_alone_change_no_plan_and_open_no_result_again() {
    let plan = || Plan::new("one", vec![agent("a", &[])]);
    let mut world = World::open(plan(), vec![]);
    let (code, why) = refusal(&mut world, words("shorter"));
    assert_eq!(code, "ADJ-2018");
    assert!(why.contains("a plan is changed by a patch"), "{why}");
    let mut world = World::open(plan(), waive(&[CheckpointType::PlanApproval]));
    world.finish("a", done("1"));
    let (code, why) = refusal(&mut world, words("shorter"));
    assert_eq!(code, "ADJ-2018");
    assert!(why.contains("name the tasks to repeat"), "{why}");
    let again = Decision {
        redo: vec![key("a")],
        ..words("shorter")
    };
    world.answer(0, again).unwrap();
    assert_eq!(
        world.flying[0].guidance,
        ["sent back by human:ann: shorter"]
    );
}

#[test]
fn a_modify_that_says_nothing_is_no_answer() {
    let mut world = World::started(Plan::new("one", vec![human("ask", &[])]));
    let (code, why) = refusal(&mut world, words("  "));
    assert_eq!(code, "ADJ-2018");
    assert!(why.contains("must say what to change"), "{why}");
}

#[test]
fn every_agent_is_told_what_the_plan_asks_for_and_what_was_added_since() {
    let plan = Plan {
        constraints: vec!["only Europe".into()],
        ..Plan::new("two", vec![agent("a", &[]), agent("b", &["a"])])
    };
    let mut world = World::started(plan);
    assert_eq!(world.flying[0].guidance, ["only Europe"]);
    let patch = PlanPatch {
        constraints: vec!["children too".into()],
        ..PlanPatch::default()
    };
    let replan = Command::Replan {
        patch: Box::new(patch),
        why: "they matter".into(),
    };
    world.command(ann(), replan).unwrap();
    world.finish("a", done("1"));
    assert_eq!(world.flying[0].guidance, ["only Europe", "children too"]);
    let mut much = world.mission().plan().clone();
    much.constraints = vec![String::new(); limits::CONSTRAINTS_MAX + 1];
    assert_eq!(much.problems(&tools())[0].kind.code(), "ADJ-1002");
}

fn asking(change: impl FnOnce(&mut Human)) -> World {
    let ask = question("ask", &[], |human| {
        human.options = vec![option("as_it_is"), option("with_my_note")];
        change(human);
    });
    World::started(Plan::new("ask", vec![ask]))
}

fn chosen(mut world: World) -> Option<String> {
    world.answer(0, words("leave out Asia")).unwrap();
    let closed = world.checkpoint(0).closed.clone();
    let Some(Closed::Decided { decision, .. }) = closed else {
        panic!("{closed:?}")
    };
    assert_eq!(decision.note, "leave out Asia");
    decision.option.map(|option| option.to_string())
}

#[test]
fn words_choose_what_the_question_says_they_choose_or_what_is_recommended() {
    let key = |text: &str| Some(OptionKey::new(text).unwrap());
    let told = asking(|human| {
        human.recommend = key("as_it_is");
        human.on_modify = key("with_my_note");
    });
    assert_eq!(chosen(told).as_deref(), Some("with_my_note"));
    let advised = asking(|human| human.recommend = key("as_it_is"));
    assert_eq!(chosen(advised).as_deref(), Some("as_it_is"));
    let mut open = asking(|_| {});
    assert_eq!(refusal(&mut open, words("hm")).0, "ADJ-2016");
    let mut unknown = human("ask", &[]);
    if let WorkSpec::Human(human) = &mut unknown.work {
        human.on_modify = key("nowhere");
    }
    let problems = Plan::new("p", vec![unknown]).problems(&tools());
    assert_eq!(problems[0].place, "tasks[0].human.on_modify");
}

#[test]
fn words_let_an_agent_start_with_them_and_change_no_call() {
    let strict = |tasks| Plan {
        autonomy: Autonomy::Strict,
        ..Plan::new("strict", tasks)
    };
    let mut world = World::started(strict(vec![agent("a", &[])]));
    world.answer(0, words("only trials")).unwrap();
    assert_eq!(world.flying[0].guidance, ["only trials"]);
    let mut world = World::started(strict(vec![tool("a", "once", &[])]));
    let (code, why) = refusal(&mut world, words("only trials"));
    assert_eq!(code, "ADJ-2018");
    assert!(why.contains("does not read words"), "{why}");
}

#[test]
fn words_have_a_failed_agent_try_again_with_them_and_not_a_tool() {
    let mut world = World::started(Plan::new("one", vec![agent("a", &[])]));
    world.finish("a", broken());
    world.answer(0, words("ask in German")).unwrap();
    assert_eq!(world.flying[0].guidance, ["ask in German"]);
    let mut world = World::started(Plan::new("one", vec![tool("a", "pure", &[])]));
    world.finish("a", broken());
    assert_eq!(refusal(&mut world, words("again")).0, "ADJ-2018");
}
