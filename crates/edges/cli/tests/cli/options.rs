//! Every option that a mission of the catalogue offers changes its report: each is chosen once, with everything else as
//! recommended, and the reports are compared.

use serde_json::Value;

use crate::world::{DOSSIER, World};

/// What is written into the note with each answer. It names a criterion of the dossier, so that it can change one.
const NOTE: &str = "Supply: weight 60";

/// A mission up to its end, with every checkpoint as recommended but the one that is named.
fn report_with(mission: &str, chosen: Option<(&str, &str)>) -> (Value, Vec<(String, Vec<String>)>) {
    let world = World::without_a_model();
    world.keep(&DOSSIER);
    let objective = "May Velmoran 40 mg for high blood pressure go on?";
    let started = world.start(mission, objective, &["--kb", "house", "--detach"]);
    assert_eq!(started.code, 0, "{}", started.err);
    let up = world.place.start(&["up"]);
    if let Some((task, option)) = chosen {
        let is_it = |question: &Value| question["asks"]["do_human_task"]["task"] == task;
        let question = world.approve_until(is_it).unwrap();
        let id = format!("last-{}", question["number"]);
        let answer = ["decide", &id, "approve", "--option", option, "--note", NOTE];
        let decided = world.place.run(&answer);
        assert_eq!(decided.code, 0, "{}", decided.err);
    }
    assert_eq!(world.approve_until(|_| false), None);
    drop(up);
    let mut document = world.document();
    // That the answer is listed is no consequence.
    document["sections"]
        .as_array_mut()
        .unwrap()
        .retain(|section| section["heading"] != "Decisions made by people");
    let opened = world.of_kind("checkpoint_opened").into_iter();
    let offered = opened.filter_map(|question| {
        let task = question["asks"]["do_human_task"]["task"]
            .as_str()?
            .to_owned();
        let options = question["options"].as_array()?.iter();
        let keys = options.filter_map(|option| Some(option["key"].as_str()?.to_owned()));
        Some((task, keys.collect()))
    });
    (document, offered.collect())
}

fn every_option_changes_the_report(mission: &str, checkpoints: usize) {
    let (as_recommended, offered) = report_with(mission, None);
    let offered: Vec<_> = offered
        .into_iter()
        .filter(|(_, options)| !options.is_empty())
        .collect();
    assert_eq!(offered.len(), checkpoints, "{offered:?}");
    for (task, options) in offered {
        let mut reports = Vec::new();
        for option in &options {
            reports.push(report_with(mission, Some((&task, option))).0);
        }
        for (at, report) in reports.iter().enumerate() {
            let same = reports.iter().filter(|other| *other == report).count();
            assert_eq!(same, 1, "`{}` at `{task}` changes nothing", options[at]);
        }
        let recommended = reports.iter().filter(|report| **report == as_recommended);
        assert!(recommended.count() <= 1);
    }
}

#[test]
fn of_a_deep_dive() {
    every_option_changes_the_report("deep_dive", 1);
}

#[test]
fn of_a_risk_assessment() {
    every_option_changes_the_report("risk_assessment", 2);
}

#[test]
fn of_a_go_no_go() {
    every_option_changes_the_report("go_no_go", 2);
}
