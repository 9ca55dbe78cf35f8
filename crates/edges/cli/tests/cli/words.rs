//! Answers in words, as people give them: they change the plan, choose, and send the work back; agents read them and the
//! report shows them. What is not understood changes nothing and says so.

use adjutant_stand_ins::models::Reply;
use serde_json::Value;

use crate::world::{DOSSIER, World, read};

const OBJECTIVE: &str = "Does Velmoran 40 mg lower systolic pressure, and at which risk?";

fn started(world: &World) {
    world.keep(&DOSSIER);
    let started = world.start("deep_dive", OBJECTIVE, &["--kb", "house", "--detach"]);
    assert_eq!(started.code, 0, "{}", started.err);
}

fn asks(what: &str) -> impl Fn(&Value) -> bool {
    move |question| question["asks"] == what
}

fn number(question: &Value) -> String {
    format!("last-{}", question["number"])
}

#[test]
fn words_on_a_plan_make_a_new_plan_and_agents_read_them() {
    let world = World::without_a_model();
    started(&world);
    let up = world.place.start(&["up"]);
    let asked = world.approve_until(asks("approve_plan")).unwrap();
    let words = "Leave out the timeline. Spend at most $3. Focus on patients over 80.";
    let answer = ["decide", &number(&asked), "modify", "--note", words];
    let decided = world.place.run(&answer);
    assert_eq!(decided.code, 0, "{}", decided.err);
    for told in ["`timeline`", "left out", "$3", "over 80", "put to approval"] {
        assert!(decided.out.contains(told), "{told}: {}", decided.out);
    }
    let again = world.approve_until(asks("approve_plan")).unwrap();
    assert_ne!(again["number"], asked["number"], "a new question");
    let changed = world.of_kind("plan_changed").remove(0);
    assert_eq!(changed["patch"]["drop"][0], "timeline");
    assert_eq!(changed["patch"]["caps"]["money"], 3_000_000);
    assert_eq!(world.approve_until(|_| false), None);
    drop(up);
    let report = world.place.run(&["report", "last", "--format", "md"]).out;
    assert!(report.contains("Focus on patients over 80"), "{report}");
}

#[test]
fn words_that_are_not_understood_change_nothing_and_say_what_would_be() {
    let world = World::without_a_model();
    started(&world);
    let up = world.place.start(&["up"]);
    let asked = world.approve_until(asks("approve_plan")).unwrap();
    let words = "Somehow better, please";
    let decided = world
        .place
        .run(&["decide", &number(&asked), "modify", "--note", words]);
    assert_eq!(decided.code, 2, "{}", decided.out);
    assert!(decided.err.contains("ADJ-6149"), "{}", decided.err);
    assert!(decided.err.contains("leave out TASK"), "{}", decided.err);
    assert_eq!(world.open_questions().len(), 1);
    assert!(world.of_kind("checkpoint_guided").is_empty());
    drop(up);
}

#[test]
fn words_on_a_result_send_it_back_with_them_as_guidance() {
    let world = World::without_a_model();
    started(&world);
    let up = world.place.start(&["up"]);
    let asked = world.approve_until(asks("review_result")).unwrap();
    let words = "Say more about potassium";
    let decided = world
        .place
        .run(&["decide", &number(&asked), "modify", "--note", words]);
    assert_eq!(decided.code, 0, "{}", decided.err);
    assert!(decided.out.contains("Done again"), "{}", decided.out);
    let again = world.approve_until(asks("review_result")).unwrap();
    assert_ne!(again["number"], asked["number"], "it is reviewed again");
    let returned = world.of_kind("tasks_returned").remove(0);
    assert!(returned["reason"].as_str().unwrap().contains(words));
    assert_eq!(world.approve_until(|_| false), None);
    drop(up);
}

/// The words reach the prompts of the agents, and the expert is asked about the plan.
#[test]
fn with_a_model_the_expert_revises_the_plan_and_every_prompt_has_the_words() {
    let world = World::with_a_model(", \"offline\"", |received| Reply::Answer(read(received)));
    started(&world);
    let up = world.place.start(&["up"]);
    let asked = world.approve_until(asks("approve_plan")).unwrap();
    let before = world.received().len();
    let words = "Judge it for patients with weak kidneys";
    let decided = world
        .place
        .run(&["decide", &number(&asked), "modify", "--note", words]);
    assert_eq!(decided.code, 0, "{}", decided.err);
    let asked_expert = world.received();
    let prompt = format!("{:?}", asked_expert[before]);
    assert!(prompt.contains("wants the plan to change"), "{prompt}");
    let told = world.received().len();
    assert_eq!(world.approve_until(|_| false), None);
    drop(up);
    let prompts = world.received();
    let reading = prompts[told..].iter().map(|prompt| format!("{prompt:?}"));
    let with_words = reading.filter(|prompt| prompt.contains(words)).count();
    assert!(with_words > 3, "{with_words} of {}", prompts.len() - told);
}
