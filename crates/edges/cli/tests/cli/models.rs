//! Questions to models from the command line: without a model, and with a local server that speaks a vendor's format.
//! No vendor can be reached from a test; the server stands for one, its errors included.

use adjutant_stand_ins::models::{Answer, Misbehaviour, Received, Reply, Server};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::support::Place;

const PLAN: &str = r#"
title: A harbour
tasks:
  - id: ask
    agent: extract
    with:
      question: How many quays does the harbour have?
      sources: [{id: guide, text: The harbour was opened in 1911. It has four quays.}]
  - {id: tell, after: ask, tool: noop, with: {value: "{{ask.output.findings.0.text}}"}}
"#;

fn found() -> Answer {
    let quote = json!([{ "source": "guide", "quote": "It has four quays." }]);
    let finding =
        json!({ "text": "There are four.", "kind": "fact", "evidence": quote, "confidence": 0.9 });
    Answer::new(json!({ "findings": [finding], "not_found": [], "confidence": 0.9 }).to_string())
}

/// A place whose workers ask a scripted server, and then whoever else is named.
struct Asked {
    place: Place,
    server: Server,
    _runtime: Runtime,
}

fn asked(others: &str, script: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> Asked {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Server::start(script)).unwrap();
    let place = Place::new();
    place.write("plan.yaml", PLAN);
    place.set(format!(
        "[models.providers.script]\nkind = \"compatible\"\nurl = \"{}/v1\"\n\
             [models.tiers]\nworker = [\"script/small\"{others}]\n\
             [models.prices.\"script/small\"]\ninput = \"1.00\"\noutput = \"10.00\"\n",
        server.url()
    ));
    Asked {
        place,
        server,
        _runtime: runtime,
    }
}

fn output(place: &Place, task: &str) -> Value {
    let shown = place.run(&["show", "last", "--json"]);
    let shown: Value = serde_json::from_str(&shown.out).unwrap();
    let tasks = shown["mission"]["tasks"].as_array().unwrap();
    let keys = shown["mission"]["opened"]["plan"]["tasks"]
        .as_array()
        .unwrap();
    let at = keys.iter().position(|spec| spec["key"] == task).unwrap();
    tasks[at]["output"]["inline"].clone()
}

fn events(place: &Place, name: &str) -> usize {
    let events = place.run(&["events", "last", "--json"]).out;
    events.matches(&format!("\"{name}/1\"")).count()
}

#[test]
fn without_a_model_the_answer_says_so_and_cites() {
    let place = Place::new();
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../examples/ask-models.yaml"
    );
    let ran = place.run(&["run", example, "--yes"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let shown = place.run(&["show", "last"]).out;
    assert!(shown.contains("No language model was used"), "{shown}");
    let section = output(&place, "section");
    assert_eq!(section["answered_by"]["model"], "offline");
    assert!(
        section["text"].as_str().unwrap().contains("9 mmHg"),
        "{section}"
    );
    let doubts = output(&place, "doubts");
    assert_eq!(doubts["objections"][0]["kind"], "contradicted", "{doubts}");
    let gaps = output(&place, "gaps");
    assert_eq!(gaps["points"][0]["found"], "no", "{gaps}");
    assert!(place.run(&["verify", "--all"]).out.contains("whole"));
}

#[test]
fn a_model_answers_and_is_paid() {
    let asked = asked("", |_| Reply::Answer(found()));
    let place = &asked.place;
    let ran = place.run(&["run", "plan.yaml", "--yes"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let answer = output(place, "ask");
    let by = &answer["answered_by"];
    assert_eq!(
        (&by["model"], &by["provider"]),
        (&json!("small"), &json!("script"))
    );
    assert_eq!(by["tokens"], json!({ "input": 100, "output": 20 }));
    assert_eq!(
        by["cost"],
        json!(300),
        "100 tokens at $1 and 20 at $10 a million"
    );
    assert_eq!(by["prompt"]["version"], "4");
    assert_eq!(output(place, "tell"), json!("There are four."));
    let budget = place.run(&["budget", "show", "--json"]).out;
    assert!(budget.contains(r#""money":300"#), "{budget}");
    let sent = &asked.server.received()[0];
    assert_eq!(sent.body["model"], "small");
    let tested = place.run(&["models", "test"]);
    assert_eq!(tested.code, 0, "{}", tested.out);
    assert!(tested.out.contains("✓ script/small"), "{}", tested.out);
}

#[test]
fn an_answer_lost_in_a_crash_is_paid_in_full_and_asked_anew() {
    let asked = asked("", |received| match received.number {
        1 => Reply::Misbehave(Misbehaviour::Stall, found()),
        _ => Reply::Answer(found()),
    });
    let place = &asked.place;
    let ran = place.run(&["run", "plan.yaml", "--yes", "--detach"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let up = place.start(&["up"]);
    while asked.server.received().is_empty() {
        std::thread::yield_now();
    }
    up.kill();
    let up = place.start(&["up"]);
    up.until("completed");
    drop(up);
    assert_eq!(events(place, "effect_lost"), 1);
    assert_eq!(events(place, "effect_in_doubt"), 0);
    assert_eq!(asked.server.received().len(), 2);
    let prices = place.run(&["models", "prices", "--json"]).out;
    let held = prices.lines().find(|line| line.contains("\"L4\"")).unwrap();
    let held: Value = serde_json::from_str(held).unwrap();
    let held = held["question_max"]["money"].as_u64().unwrap();
    let budget = place.run(&["budget", "show", "--json"]).out;
    assert!(
        budget.contains(&format!("\"money\":{}", held + 300)),
        "{held} in {budget}"
    );
    assert!(place.run(&["verify", "--all"]).out.contains("whole"));
}

#[test]
fn a_question_that_does_not_fit_the_budget_is_not_sent() {
    let asked = asked("", |_| Reply::Answer(found()));
    let place = &asked.place;
    let capped = PLAN.replace(
        "title: A harbour",
        "title: A harbour\ncaps: {money: $0.01}\non_failure: give_up",
    );
    place.write("plan.yaml", capped);
    let ran = place.run(&["run", "plan.yaml", "--yes"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(
        ran.out
            .contains("would exceed the mission's limit on money"),
        "{}",
        ran.out
    );
    assert_eq!(asked.server.received().len(), 0);
}

#[test]
fn a_stopped_provider_is_passed_over_and_without_another_the_mission_waits() {
    let asked = asked(", \"offline\"", |_| Reply::Answer(found()));
    let place = &asked.place;
    let stopped = place.run(&["stop", "provider", "script", "--reason", "it is dear"]);
    assert_eq!(stopped.code, 0, "{}", stopped.err);
    let listed = place.run(&["models", "list"]).out;
    assert!(listed.contains("script is stopped"), "{listed}");
    let ran = place.run(&["run", "plan.yaml", "--yes"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(output(place, "ask")["answered_by"]["model"], "offline");
    assert_eq!(asked.server.received().len(), 0);
    let alone = std::fs::read_to_string(place.home().join("adjutant.toml")).unwrap();
    place.set(alone.replace(", \"offline\"", ""));
    let ran = place.run(&["run", "plan.yaml", "--yes", "--detach"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let up = place.start(&["up"]);
    up.until("paused");
    assert!(place.run(&["show", "last"]).out.contains("it is dear"));
    let allowed = place.run(&["allow", "provider", "script"]);
    assert_eq!(allowed.code, 0, "{}", allowed.err);
    up.until("completed");
    assert_eq!(asked.server.received().len(), 1);
}

#[test]
fn what_a_question_is_likely_to_cost_is_less_than_the_most_it_may() {
    let asked = asked("", |_| Reply::Answer(found()));
    let told = asked
        .place
        .run(&["run", "plan.yaml", "--dry-run", "--json"])
        .out;
    let told: Value = serde_json::from_str(&told).unwrap();
    let ask = &told["forecast"]["tasks"][0];
    let (likely, most) = (
        ask["cost"].as_u64().unwrap(),
        ask["cost_max"].as_u64().unwrap(),
    );
    assert!(likely > 0 && likely * 3 < most, "{ask}");
    let told = asked.place.run(&["run", "plan.yaml", "--dry-run"]).out;
    assert!(told.contains("with half the maximum length"), "{told}");
    assert_eq!(asked.server.received().len(), 0);
}

#[test]
fn a_question_that_asks_for_nothing_is_refused_before_it_runs() {
    let place = Place::new();
    place.write(
        "plan.yaml",
        "title: T\ntasks:\n- id: ask\n  agent: extract\n  with:\n    question: ''\n    most: 0\n    \
         sources:\n    - {id: a, text: x}\n    - {id: a, text: y}\n\
         - id: other\n  agent: {purpose: extract, model: far/away}\n  \
         with: {question: Which?, sources: []}\n",
    );
    let checked = place.run(&["plan", "check", "plan.yaml"]);
    assert_ne!(checked.code, 0);
    let told = format!("{}{}", checked.out, checked.err);
    for wanted in [
        "plan.yaml:6:15: tasks[0].with.question: `question` is empty",
        "plan.yaml:7:11: tasks[0].with.most: `most` is 0",
        "plan.yaml:10:12: tasks[0].with.sources[1].id: two sources have the id `a`",
        "tasks[1].agent: no model is available for this L4 task: `far/away` is none",
    ] {
        assert!(told.contains(wanted), "{wanted}\n{told}");
    }
}

#[test]
fn a_fork_asks_another_model() {
    let asked = asked("", |_| Reply::Answer(found()));
    let place = &asked.place;
    assert_eq!(place.run(&["run", "plan.yaml", "--yes"]).code, 0);
    let journal = place.run(&["events", "last", "--json"]).out;
    let before = journal
        .lines()
        .position(|line| line.contains("execution_started"))
        .unwrap();
    let at = (before + 1).to_string();
    let first = place.run(&["list", "--all", "--json"]).out;
    let first: Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    let first = first["mission"].as_str().unwrap();
    let unknown = place.run(&["fork", first, "--at", &at, "--set", "model=nobody/large"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("ADJ-3067"), "{}", unknown.err);
    let forked = place.run(&["fork", first, "--at", &at, "--set", "model=offline"]);
    assert_eq!(forked.code, 0, "{}", forked.err);
    let up = place.start(&["up"]);
    up.until("completed");
    drop(up);
    assert_eq!(output(place, "ask")["answered_by"]["model"], "offline");
    assert_eq!(
        asked.server.received().len(),
        1,
        "the fork did not ask the first model"
    );
}

#[test]
fn prompts_are_shown_rendered_and_replaced() {
    let place = Place::new();
    let input = json!({ "question": "Why?", "sources": [] });
    place.write("question.json", input.to_string());
    let rendered = place.run(&["prompt", "render", "extract", "--input", "question.json"]);
    assert_eq!(rendered.code, 0, "{}", rendered.err);
    assert!(rendered.out.contains("Question: Why?"), "{}", rendered.out);
    let prompts = place.home().join("prompts");
    std::fs::create_dir_all(&prompts).unwrap();
    let own = "version: mine\n\n--- system\nBe brief.\n\n--- user\n{{ question }}\n";
    std::fs::write(prompts.join("extract.md"), own).unwrap();
    let shown = place.run(&["prompt", "show", "extract"]);
    assert!(shown.out.starts_with("version: mine"), "{}", shown.out);
    std::fs::write(prompts.join("extract.md"), "nothing").unwrap();
    let broken = place.run(&["prompt", "show"]);
    assert_eq!(broken.code, 2);
    assert!(broken.err.contains("ADJ-6072"), "{}", broken.err);
    for (arguments, code) in [
        (&["prompt", "show", "dream"][..], "ADJ-6073"),
        (&["models", "test", "a b"], "ADJ-6074"),
    ] {
        std::fs::remove_file(prompts.join("extract.md")).ok();
        let ran = place.run(arguments);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains(code), "{}", ran.err);
    }
}

#[test]
fn a_model_without_its_key_is_told_of_and_others_answer() {
    let place = Place::new();
    place.write("plan.yaml", PLAN);
    place.set(
        r#"
[models.providers.vendor]
kind = "openai"
url = "http://127.0.0.1:9"
key_env = "NO_SUCH_KEY"
[models.tiers]
worker = ["vendor/m", "offline"]
[models.prices."vendor/m"]
price = "free"
"#,
    );
    let ran = place.run(&["run", "plan.yaml", "--yes"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.contains("note[ADJ-6075]") && ran.err.contains("NO_SUCH_KEY is not set"),
        "{}",
        ran.err
    );
}
