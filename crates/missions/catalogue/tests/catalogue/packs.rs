//! Which pack a mission gets, and what follows from it.

use adjutant_catalogue::{Attachment, Problem, StartWith, packs, plan, planning_question};
use adjutant_mission::{Autonomy, WorkSpec};
use serde_json::Value;

use crate::support::{built_in, keys, planned, start, task};

/// Missions that ask medical databases about medicine.
const MEDICAL_MISSIONS: [&str; 8] = [
    "deep_dive",
    "risk_assessment",
    "go_no_go",
    "failure_forensics",
    "signal_chasing",
    "due_diligence",
    "meeting_prep",
    "case_building",
];
/// Databases of medicine.
const MEDICAL: [&str; 4] = ["L5-PS", "L5-CT", "L5-FDA", "L5-EMA"];

/// A start that says nothing but its objective.
fn objective(text: &str) -> StartWith {
    let mut bare = start(Autonomy::Strict);
    bare.objective = text.to_owned();
    bare.attachments.clear();
    bare.documents.clear();
    bare
}

fn pack_of(start: &StartWith) -> Value {
    let plan = planned(&built_in("go_no_go"), start).plan;
    let inputs: Value = serde_json::from_str(plan.inputs.unwrap().text()).unwrap();
    inputs["pack"].clone()
}

#[test]
fn the_objective_tells_the_field() {
    for (text, expected) in [
        (
            "Should we move the booking database to another cloud?",
            "software",
        ),
        ("Is the new login server ready for deployment?", "software"),
        (
            "May the 20 mg tablet be given to patients over 80?",
            "pharma",
        ),
        ("Does the vaccine prevent infection in hospitals?", "pharma"),
        ("Should the harbour buy a third crane?", "general"),
        ("Is the trial of the new timetable a success?", "general"),
        ("Which school should be renovated first?", "general"),
        // Both fields are named, so neither stands out.
        (
            "Should the hospital replace the software that plans the dose of each patient on its server?",
            "general",
        ),
    ] {
        assert_eq!(pack_of(&objective(text))["name"], expected, "{text}");
    }
}

#[test]
fn documents_tell_it_where_the_objective_does_not() {
    let mut read = objective("Should we go on?");
    assert_eq!(pack_of(&read)["name"], "general");
    read.documents = ["Dose and tolerability", "clinical/visits.csv", "notes.txt"]
        .map(str::to_owned)
        .to_vec();
    let pack = pack_of(&read);
    assert_eq!(pack["name"], "pharma");
    let because = pack["because"].as_str().unwrap();
    assert!(
        because.contains("dose") && because.contains("clinical"),
        "{because}"
    );
    let mut attached = objective("Should we go on?");
    attached.attachments.push(Attachment {
        title: "Review".to_owned(),
        text: "After the rollback the replica and the backup of the database differ.".to_owned(),
    });
    assert_eq!(pack_of(&attached)["name"], "software");
}

#[test]
fn a_pack_that_is_asked_for_is_taken() {
    let mut asked = objective("Should we move the database to another cloud?");
    asked.inputs.insert("pack".to_owned(), "pharma".into());
    let pack = pack_of(&asked);
    assert_eq!(
        (&pack["name"], &pack["because"]),
        (&"pharma".into(), &"it was asked for".into())
    );
    asked.inputs.insert("pack".to_owned(), "softwares".into());
    let problems = plan(&built_in("go_no_go"), &asked).unwrap_err();
    assert_eq!(
        problems,
        [Problem::PackUnknown {
            name: "softwares".to_owned(),
            near: Some("software".to_owned()),
        }]
    );
    assert_eq!(
        problems[0].to_string(),
        "there is no pack `softwares`; did you mean `software`?"
    );
}

#[test]
fn no_medical_database_is_asked_about_software() {
    for id in MEDICAL_MISSIONS {
        let template = built_in(id);
        for (text, asks) in [
            (
                "Should we move the booking database to another cloud?",
                false,
            ),
            ("Should the harbour buy a third crane?", false),
            ("May the 20 mg tablet be given to patients over 80?", true),
        ] {
            let start = objective(text);
            let planned = planned(&template, &start);
            let mut called = Vec::new();
            for task in &planned.plan.tasks {
                match &task.work {
                    WorkSpec::Tool(call) => called.push(call.tool.to_string()),
                    WorkSpec::Agent(work) => {
                        let offered = work.reasoning.iter().flat_map(|at| &at.tools);
                        called.extend(offered.map(ToString::to_string));
                    }
                    _ => {}
                }
            }
            let medical = called.iter().any(|tool| MEDICAL.contains(&tool.as_str()));
            assert_eq!(medical, asks, "{id}: {text}");
            let question = planning_question(&template, &start);
            let offered = question
                .available
                .iter()
                .any(|it| MEDICAL.contains(&it.as_str()));
            assert_eq!(offered, asks, "{id}: {text}");
        }
        let software = planned(&template, &objective("Is the server software secure?"));
        let left = software
            .left_out
            .iter()
            .find(|left| left.task.as_str() == "literature");
        assert_eq!(
            left.unwrap().why,
            "the pack `software` does not ask PubMed Search"
        );
        assert!(keys(&software.plan).contains(&"report"));
    }
}

#[test]
fn criteria_and_questions_are_those_of_the_pack() {
    let start = objective("Should we move the booking database to another cloud?");
    let go_no_go = planned(&built_in("go_no_go"), &start).plan;
    let inputs: Value = serde_json::from_str(go_no_go.inputs.as_ref().unwrap().text()).unwrap();
    let names = |list: &Value| -> Vec<String> {
        let items = list.as_array().unwrap().iter();
        items
            .map(|at| at["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let wanted = ["Function", "Reliability", "Security", "Cost", "Feasibility"];
    assert_eq!(names(&inputs["pack"]["criteria"]), wanted);
    assert_eq!(names(&inputs["pack"]["scored_by"]), wanted);
    assert_eq!(inputs["checklist"][0]["key"], "function");
    for key in ["read_criteria", "decision"] {
        let WorkSpec::Tool(call) = &task(&go_no_go, key).work else {
            panic!("a tool");
        };
        let with: Value = serde_json::from_str(call.with.text()).unwrap();
        assert_eq!(with["usual"], "{{inputs.pack.criteria}}");
    }
    let whole = serde_json::to_string(&inputs).unwrap().to_lowercase();
    assert!(
        !whole.contains("efficacy") && !whole.contains("placebo"),
        "{whole}"
    );
    let risks = planned(&built_in("risk_assessment"), &start).plan;
    let inputs: Value = serde_json::from_str(risks.inputs.unwrap().text()).unwrap();
    assert_eq!(inputs["areas"][0]["name"], "availability");
    let dive = planned(&built_in("deep_dive"), &start).plan;
    let inputs: Value = serde_json::from_str(dive.inputs.unwrap().text()).unwrap();
    assert_eq!(inputs["compare"][1], "the present system");
    assert_eq!(inputs["criteria"][0], "function");
    assert_eq!(inputs["checklist"][2]["wants"], "what failed and how often");
}

#[test]
fn every_pack_is_whole() {
    let all = packs();
    let names: Vec<&str> = all.iter().map(|pack| pack.name.as_str()).collect();
    assert_eq!(names, ["general", "pharma", "software"]);
    for pack in &all {
        assert!(
            pack.criteria.len() > 2 && pack.needed.len() > 2,
            "{}",
            pack.name
        );
        assert!(
            pack.questions.len() > 2 && pack.areas.len() > 2,
            "{}",
            pack.name
        );
        assert!(
            pack.databases.iter().all(|tool| tool.starts_with("L5-")),
            "{}",
            pack.name
        );
    }
}
