//! Questions: which mission serves them, what the answers turned out to be worth, and what programs are told meanwhile.

use adjutant_stand_ins::models::{Answer, Reply};
use serde_json::{Value, json};

use crate::support::Place;
use crate::world::{self, DOSSIER, World};

fn with_document() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.path().join("papers")).unwrap();
    for (name, text) in [
        (
            "trial.md",
            "# Trial\n\nThe drug lowered blood pressure by 9 mmHg. Harm was rare: 2 of 400 patients fainted.\n",
        ),
        (
            "letter.md",
            "# Letter\n\nIn our clinic the drug did not lower blood pressure. The cost was 40 dollars a month.\n",
        ),
        (
            "agency.md",
            "# Agency\n\nThe agency accepts blood pressure as an endpoint and asks for 1,000 patients.\n",
        ),
    ] {
        place.write(&format!("papers/{name}"), text);
    }
    let added = place.run(&["kb", "add", "papers", "-n", "papers"]);
    assert_eq!(added.code, 0, "{}", added.err);
    // Nobody outside is asked.
    place.set(
        "[tools]\ndeny = ['L5-PS', 'L5-CT', 'L5-FDA', 'L5-EMA', 'L5-PT', 'L5-NEWS', 'L5-WEB']\n",
    );
    place
}

/// A place with a Go/No-Go on those documents that has come to its end.
fn with_decision() -> Place {
    let place = with_document();
    let objective = "Should we go on with the drug?";
    let started = place.run(&[
        "mission", "start", "go_no_go", objective, "--kb", "papers", "--yes",
    ]);
    assert_eq!(started.code, 0, "{}", started.err);
    place
}

/// A Go/No-Go on the dossier, opened and left to whoever carries it on.
fn with_question(more: &[&str]) -> World {
    let world = World::without_a_model();
    world.keep(&DOSSIER);
    let arguments = [&["--kb", "house", "--detach"], more].concat();
    let started = world.start("go_no_go", "Should Velmoran 40 mg go on?", &arguments);
    assert_eq!(started.code, 0, "{}", started.err);
    world
}

#[test]
fn a_question_starts_the_mission_that_serves_it_and_says_why() {
    let place = with_document();
    let asked = place.run(&[
        "ask",
        "Should we go on with the drug?",
        "--kb",
        "papers",
        "--yes",
    ]);
    assert_eq!(asked.code, 0, "{}\n{}", asked.out, asked.err);
    assert!(asked.out.contains("Go/No-Go"), "{}", asked.out);
    assert!(asked.out.contains("\"Should we"), "{}", asked.out);
    let report = place.run(&["report", "last"]);
    assert_eq!(report.code, 0, "{}", report.err);

    // What it came to is judged, and the judgement counted.
    let rated = place.run(&["rate", "last", "right", "--note", "the board agreed"]);
    assert_eq!(rated.code, 0, "{}", rated.err);
    let again = place.run(&["rate", "last", "wrong"]);
    assert_eq!(again.code, 0, "{}", again.err);
    let half = place.run(&["rate", "last", "0.5", "--task", "case_for"]);
    assert_eq!(half.code, 0, "{}", half.err);
    let told = place.run(&["rate", "--json"]);
    let table: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(table["all"]["count"], 2, "a later judgement replaces");
    assert_eq!(table["by_kind"]["conclude"]["count"], 2);
    assert_eq!(place.run(&["rate", "last", "perhaps"]).code, 2);
    let unknown = place.run(&["rate", "last", "right", "--task", "nobody"]);
    assert!(unknown.err.contains("ADJ-6117"), "{}", unknown.err);

    // From five outcomes on they stand beside the confidence.
    assert!(!place.run(&["show", "last"]).out.contains("so far meant"));
    for task in ["case_against", "stated_criteria", "figures"] {
        let rated = place.run(&["rate", "last", "right", "--task", task]);
        assert_eq!(rated.code, 0, "{}", rated.err);
    }
    assert!(place.run(&["show", "last"]).out.contains("so far meant"));
    assert!(
        place
            .run(&["report", "last"])
            .out
            .contains("5 outcomes known")
    );

    // What is erased takes what was said of it along.
    let id = place.run(&["list", "--json"]);
    let newest: Value = serde_json::from_str(id.out.lines().next().unwrap()).unwrap();
    let id = newest["id"]
        .as_str()
        .or(newest["mission"].as_str())
        .unwrap();
    let erased = place.run(&["erase", id, "--yes"]);
    assert_eq!(erased.code, 0, "{}", erased.err);
    let told = place.run(&["rate", "--json"]);
    let table: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(table["all"]["count"], 0);
}

#[test]
fn a_question_that_is_not_clear_starts_nothing() {
    let place = with_document();
    let vague = place.run(&["ask", "How stable is the drug?"]);
    assert_eq!(vague.code, 3, "{}", vague.err);
    assert!(vague.err.contains("ADJ-6114"), "{}", vague.err);
    // A subject alone does not say what is wanted of it.
    for unfit in ["blood pressure", "the canteen"] {
        let unfit = place.run(&["ask", unfit]);
        assert_eq!(unfit.code, 3, "{}", unfit.err);
        assert!(
            unfit.err.contains("was not started: the confidence"),
            "{}",
            unfit.err
        );
    }
    let listed = place.run(&["list", "--json"]);
    let titles = listed
        .out
        .matches("Which mission fits the question")
        .count();
    assert_eq!(titles, listed.out.lines().count(), "{}", listed.out);
}

#[test]
fn a_question_for_a_fact_is_answered_out_of_the_documents() {
    let place = with_document();
    let question = "How many patients does the agency ask for?";
    let asked = place.run(&["ask", question, "--kb", "papers"]);
    assert_eq!(asked.code, 0, "{}", asked.err);
    assert!(
        asked.out.contains("asks for 1,000 patients."),
        "{}",
        asked.out
    );
    assert!(asked.out.contains("kb:papers/"), "{}", asked.out);
    let told = place.run(&["ask", question, "--kb", "papers", "--json"]);
    let told: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(told["answer"]["found"], true, "{told}");
    let address = told["answer"]["passages"][0]["address"].as_str().unwrap();
    let shown = place.run(&["kb", "show", address]);
    assert!(shown.out.contains("1,000 patients"), "{}", shown.out);
    let unknown = "Which colour has the tablet of Nordwind?";
    let unknown = place.run(&["ask", unknown, "--kb", "papers"]);
    assert_eq!(unknown.code, 0, "{}", unknown.err);
    assert!(unknown.out.contains("No clear answer"), "{}", unknown.out);
    assert!(unknown.out.contains("Nordwind"), "{}", unknown.out);
    // A question for a mission is answered directly too if that is what is wanted.
    let risky = "What risks are there for patients?";
    let risky = place.run(&["ask", risky, "--direct"]);
    assert_eq!(risky.code, 0, "{}", risky.err);
    assert!(risky.out.contains("2 of 400 patients"), "{}", risky.out);
    let nowhere = place.run(&["ask", question, "--kb", "nowhere"]);
    assert!(nowhere.err.contains("ADJ-6106"), "{}", nowhere.err);
    let empty = place.run(&["list", "--json"]).out;
    assert_eq!(empty, "", "no mission was started");
}

#[test]
fn under_four_eyes_rules_choose_the_mission() {
    let place = with_document();
    place.set("[rules]\nfour_eyes = ['final_review', 'plan_approval']\n");
    let objective = "Should we go on with the drug?";
    let asked = place.run(&["ask", objective, "--kb", "papers", "--dry-run"]);
    assert_eq!(asked.code, 0, "{}", asked.err);
    assert!(asked.out.contains("fixed rules"), "{}", asked.out);
    assert_eq!(place.run(&["list", "--json"]).out, "", "nobody is asked");
}

#[test]
fn programs_are_told_of_a_mission_in_their_own_words() {
    let place = with_decision();
    let told = place.run(&["events", "last", "--session"]);
    let events: Vec<Value> = told
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let first = events.first().unwrap();
    assert_eq!(first["type"], "plan_created");
    assert_eq!(events.last().unwrap()["type"], "complete");
    for expected in [
        "agent_started",
        "reasoning_step",
        "confidence_update",
        "tool_result",
    ] {
        assert!(
            events.iter().any(|event| event["type"] == expected),
            "{expected}"
        );
    }
}

#[test]
fn where_a_model_leads_the_expert_is_asked_for_the_plan_first() {
    let world = World::with_a_model("", |received| {
        let mut answer: Value = serde_json::from_str(&world::read(received).text).unwrap();
        if let Some(steps) = answer.get_mut("steps").and_then(Value::as_array_mut) {
            steps.retain(|step| step["key"] != "doubts");
            for step in steps {
                let after = step["after"].as_array_mut().unwrap();
                after.retain(|key| key != "doubts");
            }
            answer["left_out"] = json!([{ "key": "doubts", "reason": "Nobody asked for it." }]);
        }
        Reply::Answer(Answer::new(answer.to_string()))
    });
    world.keep(&DOSSIER);
    let more = ["--kb", "house", "--budget", "5.00", "--detach"];
    let started = world.start("go_no_go", "Should Velmoran 40 mg go on?", &more);
    assert_eq!(started.code, 0, "{}", started.err);
    assert!(
        started.err.contains("planned by the Decision Advisor"),
        "{}",
        started.err
    );
    assert!(
        started
            .err
            .contains("the expert leaves it out: Nobody asked for it."),
        "{}",
        started.err
    );
    let opened = world.of_kind("mission_opened").remove(0);
    let tasks = opened["plan"]["tasks"].as_array().unwrap();
    let has = |key: &str| tasks.iter().find(|task| task["key"] == key);
    assert!(has("doubts").is_none(), "it was left out");
    let title = has("weighing").unwrap()["title"].as_str().unwrap();
    assert_eq!(title, "Weigh both cases (as planned)");
    // What planning cost comes off the budget.
    let cap = opened["plan"]["caps"]["money"].as_u64().unwrap();
    assert!(cap < 5_000_000, "{cap}");

    // A question is routed by the model, too.
    let asked = world
        .place
        .run(&["ask", "Should we stop?", "--kb", "house", "--dry-run"]);
    assert!(asked.out.contains("90 % sure · small"), "{}", asked.out);
}

#[test]
fn a_model_that_cannot_plan_leaves_the_template_as_it_is() {
    let world = World::with_a_model("", |_| Reply::Answer(Answer::new("I would rather not.")));
    world.keep(&DOSSIER);
    let more = ["--kb", "house", "--budget", "5.00", "--detach"];
    let started = world.start("go_no_go", "Should Velmoran 40 mg go on?", &more);
    assert_eq!(started.code, 0, "{}", started.err);
    assert!(
        started.err.contains("the steps stay as they are"),
        "{}",
        started.err
    );
}

#[test]
fn a_reviewer_puts_another_text_in_the_place_of_the_draft() {
    let world = with_question(&["--autonomy", "permissive"]);
    let up = world.place.start(&["up"]);
    let review = |question: &Value| question["kind"] == "final_review";
    let first = world.approve_until(review).unwrap();
    let text = "The board may reconsider this in spring.";
    world.place.write("mine.md", text);
    let id = format!("last-{}", first["number"]);
    let wrong = world
        .place
        .run(&["decide", &id, "modify", "--text", "sources=@mine.md"]);
    assert!(wrong.err.contains("ADJ-6118"), "{}", wrong.err);
    let changed = world
        .place
        .run(&["decide", &id, "modify", "--text", "draft=@mine.md"]);
    assert_eq!(changed.code, 0, "{}", changed.err);
    let second = world
        .approve_until(|question| review(question) && question["number"] != first["number"])
        .unwrap();
    world.decide(&second, "approve");
    assert_eq!(world.ended()["delivery"], "delivered");
    drop(up);
    let report = world.place.run(&["report", "last"]).out;
    assert!(report.contains(text), "{report}");
    assert!(
        !report.contains("This document has not been reviewed"),
        "{report}"
    );
}

#[test]
fn what_an_agent_thought_can_be_looked_at() {
    let place = with_decision();
    let told = place.run(&["show", "last", "--reasoning", "case_against"]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.out.contains("adversarial, attack"), "{}", told.out);
    let all = place.run(&["show", "last", "--reasoning"]);
    assert!(all.out.contains("The case for it"), "{}", all.out);
    let none = place.run(&["show", "last", "--reasoning", "sources"]);
    assert!(none.err.contains("ADJ-6119"), "{}", none.err);
    let report = place.run(&["report", "last"]).out;
    assert!(
        report.contains("This document has not been reviewed"),
        "{report}"
    );
}

#[test]
fn what_was_found_before_a_no_is_still_put_together() {
    let world = with_question(&[]);
    let up = world.place.start(&["up"]);
    let asked = world
        .approve_until(|question| question["asks"]["do_human_task"]["task"] == "recommendation");
    let asked = asked.unwrap();
    let words = asked["question"].as_str().unwrap();
    assert!(!words.contains("see task"), "it cannot be read: {words}");
    world.decide(&asked, "reject");
    assert_eq!(world.approve_until(|_| false), None);
    drop(up);
    let report = world.place.run(&["report", "last"]);
    assert_eq!(report.code, 0, "{}", report.err);
    assert!(report.out.contains("Cut short"), "{}", report.out);
    assert!(
        report.out.contains("a question was rejected by human:anna"),
        "{}",
        report.out
    );
    assert!(report.out.contains("7.3 mmHg"), "{}", report.out);
}
