//! Changes of a plan in words, without a model.

use adjutant_catalogue::{InWords, named_tasks};
use adjutant_mission::{
    Caps, Human, Json, MicroUsd, Millis, Plan, Task, TaskKey, ToolCall, ToolId, WorkSpec,
};

fn key(name: &str) -> TaskKey {
    TaskKey::new(name).unwrap()
}

fn task(name: &str, title: &str, with: &str) -> Task {
    let call = ToolCall {
        tool: ToolId::new("echo").unwrap(),
        with: Json::parse(with).unwrap(),
    };
    Task {
        title: title.into(),
        ..Task::new(key(name), WorkSpec::Tool(call))
    }
}

fn plan() -> Plan {
    let both = r#"{"lists": ["{{patents.output}}", "{{news.output}}"]}"#;
    let write = task("write", "The report", both).after([key("patents"), key("news")]);
    Plan::new(
        "Look around",
        vec![
            task("patents", "Patents and their owners", "{}"),
            task("news", "Recent press", "{}"),
            write,
        ],
    )
}

fn read(words: &str) -> InWords {
    InWords::read(&plan(), words)
}

#[test]
fn tasks_are_left_out_by_key_or_title_and_the_rest_is_mended() {
    for words in [
        "Please skip the patents.",
        "leave out patents and their owners",
        "We can do without PATENTS",
    ] {
        let said = read(words);
        assert_eq!(said.left_out, [key("patents")], "{words}");
        let (patch, left_out) = said.patch(&plan());
        assert_eq!(patch.drop, [key("patents")]);
        assert_eq!(left_out.len(), 1);
        let changed = patch.applied_to(&plan()).unwrap();
        let WorkSpec::Tool(call) = &changed.tasks[1].work else {
            panic!()
        };
        assert_eq!(call.with.text(), r#"{"lists":["{{news.output}}"]}"#);
    }
}

#[test]
fn limits_are_read_with_their_units_and_keep_the_others() {
    let mut before = plan();
    before.caps = Caps {
        tokens: Some(7),
        ..Caps::default()
    };
    let said = InWords::read(
        &before,
        "Spend at most $2.50. Finish within 2 hours; no more than 40 calls",
    );
    let caps = Caps {
        money: Some(MicroUsd(2_500_000)),
        tokens: Some(7),
        turns: Some(40),
        wall_time: Some(Millis::hours(2)),
    };
    assert_eq!(said.caps, Some(caps));
    assert!(said.not_understood.is_empty());
}

#[test]
fn what_to_look_at_becomes_a_constraint_in_the_same_words() {
    for words in ["Please focus on Europe", "Could you also look at children?"] {
        assert_eq!(read(words).constraints, [words], "{words}");
    }
    let said = read("Focus on Europe");
    assert_eq!(said.constraints, ["Focus on Europe"]);
    let (patch, _) = said.patch(&plan());
    let changed = patch.applied_to(&plan()).unwrap();
    assert_eq!(changed.constraints, ["Focus on Europe"]);
}

#[test]
fn what_could_mean_the_opposite_or_anything_is_not_understood() {
    for words in [
        "Do not drop the patents",
        "drop the weather",
        "make it better",
        "at most 5",
        "spend at most $0",
        "",
    ] {
        let said = read(words);
        let (patch, _) = said.patch(&plan());
        assert!(patch.is_empty(), "{words}: {said:?}");
        assert_eq!(said.not_understood.is_empty(), words.is_empty(), "{words}");
    }
}

#[test]
fn a_title_is_named_only_by_all_that_it_says() {
    assert_eq!(
        named_tasks(&plan(), "the recent press coverage"),
        [key("news")]
    );
    assert_eq!(named_tasks(&plan(), "press"), []);
    let human = Human {
        question: "?".into(),
        kind: adjutant_mission::CheckpointType::CriticalDecision,
        options: Vec::new(),
        recommend: None,
        on_modify: None,
        because: String::new(),
        role: None,
        approvers: None,
        deadline: None,
    };
    let common = Task {
        title: "What is the question".into(),
        ..Task::new(key("scope"), WorkSpec::Human(human))
    };
    let plan = Plan::new("p", vec![common]);
    assert_eq!(named_tasks(&plan, "what is the question?"), []);
}
