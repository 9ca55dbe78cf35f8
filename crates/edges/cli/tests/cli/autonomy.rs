//! What people are asked under each autonomy, and what a no or silence comes to, at every kind of question.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::world::{DOSSIER, World};

const KINDS: [&str; 5] = [
    "plan_approval",
    "subagent_approval",
    "tool_approval",
    "critical_decision",
    "final_review",
];

/// What was asked: of which kind, and about which task.
type Asked = BTreeSet<(String, String)>;

fn asked(world: &World) -> Asked {
    let opened = world.of_kind("checkpoint_opened").into_iter();
    let named = opened.map(|question| {
        let kind = question["kind"].as_str().unwrap().to_owned();
        let about = question["asks"].as_object();
        let task = about.and_then(|about| about.values().next()?["task"].as_str());
        (kind, task.unwrap_or_default().to_owned())
    });
    named.collect()
}

fn kinds(asked: &Asked) -> BTreeSet<&str> {
    asked.iter().map(|(kind, _)| kind.as_str()).collect()
}

/// Everything that a mission asks under an autonomy, if everything is answered with yes.
fn questions(autonomy: &str) -> Asked {
    let world = World::without_a_model();
    world.keep(&DOSSIER);
    let more = ["--kb", "house", "--autonomy", autonomy, "--detach"];
    let started = world.start("go_no_go", "Should Velmoran 40 mg go on?", &more);
    assert_eq!(started.code, 0, "{}", started.err);
    let up = world.place.start(&["up"]);
    assert_eq!(world.approve_until(|_| false), None);
    drop(up);
    let ending = world.ending().unwrap();
    assert_eq!(
        (&ending["phase"], &ending["delivery"]),
        (&"completed".into(), &"delivered".into())
    );
    asked(&world)
}

/// Whoever starts a mission does not get around a rule by choosing what it asks.
#[test]
fn a_rule_keeps_the_questions_of_a_mission_that_wants_to_ask_less() {
    let world = World::without_a_model();
    world.keep(&DOSSIER);
    let start = || {
        let more = ["--kb", "house", "--autonomy", "permissive", "--dry-run"];
        let told = world.start("go_no_go", "Should Velmoran 40 mg go on?", &more);
        assert_eq!(told.code, 0, "{}", told.err);
        told.err
    };
    let settings = world.place.home().join("adjutant.toml");
    let without = std::fs::read_to_string(&settings).unwrap_or_default();
    let left_out = "skipped: recommendation (";
    assert!(start().contains(left_out));
    for rule in ["autonomy = 'balanced'", "four_eyes = ['critical_decision']"] {
        world.place.set(format!("{without}\n[rules]\n{rule}\n"));
        let told = start();
        assert!(!told.contains(left_out), "{rule}: {told}");
    }
}

#[test]
fn the_three_autonomies_ask_what_they_say_and_nothing_else() {
    let (strict, balanced, permissive) = (
        questions("strict"),
        questions("balanced"),
        questions("permissive"),
    );
    assert_eq!(kinds(&strict), BTreeSet::from(KINDS));
    assert_eq!(
        kinds(&balanced),
        BTreeSet::from(["plan_approval", "critical_decision", "final_review"])
    );
    assert_eq!(
        kinds(&permissive),
        BTreeSet::from(["plan_approval", "final_review"])
    );
    // A laxer autonomy asks the same questions of the kinds it asks at all.
    for laxer in [&balanced, &permissive] {
        let of_its_kinds = strict
            .iter()
            .filter(|(kind, _)| kinds(laxer).contains(kind.as_str()));
        assert_eq!(
            of_its_kinds.collect::<Vec<_>>(),
            laxer.iter().collect::<Vec<_>>()
        );
    }
}

/// One question of each kind, in the order of [`KINDS`], and something done before the first.
const FIVE: &str = r#"
title: Five questions
autonomy: strict
strategy: sequential
checkpoint_deadline: DEADLINE
tasks:
  - {id: begin, tool: noop, with: {value: 1}}
  - id: think
    after: begin
    agent: extract
    with:
      question: How many quays does the harbour have?
      sources: [{id: guide, text: The harbour has four quays.}]
  - id: write
    after: think
    tool: write_file
    with: {path: quays.txt, text: four}
  - {id: choose, after: write, human: Is four enough?}
  - {id: last, after: choose, tool: noop, with: {value: 2}}
"#;

/// How a no is said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum No {
    Aloud,
    BySilence,
}

/// Long enough to answer what comes before on a busy machine, short enough to wait for.
const SHORT_DEADLINE: &str = "10s";

/// Says yes up to the question of a kind, and no there. What is asked afterwards is approved. Gives how it ended.
fn no_at(kind: &str, no: No) -> (World, Value) {
    let world = World::without_a_model();
    let deadline = match no {
        No::Aloud => "1h",
        No::BySilence => SHORT_DEADLINE,
    };
    world
        .place
        .write("plan.yaml", FIVE.replace("DEADLINE", deadline));
    let ran = world.place.run(&["run", "plan.yaml", "--detach"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let up = world.place.start(&["up"]);
    let question = world
        .approve_until(|question| question["kind"] == kind)
        .unwrap();
    match no {
        No::Aloud => world.decide(&question, "reject"),
        No::BySilence => world.expired(&question),
    }
    // An ended mission asks nothing; one that goes on to its end asks for the final review.
    world.approve_until(|_| false);
    let ending = world.ended();
    drop(up);
    (world, ending)
}

fn completed(world: &World) -> BTreeSet<String> {
    let done = world.of_kind("task_completed").into_iter();
    done.map(|data| data["task"].as_str().unwrap().to_owned())
        .collect()
}

fn no_means_no(kind: &str, no: No) {
    let (world, ending) = no_at(kind, no);
    let reason = ending["reason"].as_str().unwrap();
    let how = match no {
        No::Aloud => "rejected by human:anna",
        No::BySilence => "not answered in time",
    };
    assert!(reason.contains(how), "{reason}");
    let place = KINDS.iter().position(|at| *at == kind).unwrap();
    let wanted: BTreeSet<String> = ["begin", "think", "write", "choose", "last"]
        .iter()
        .take(match kind {
            "plan_approval" => 0,
            "final_review" => 5,
            _ => place,
        })
        .map(|task| (*task).to_owned())
        .collect();
    assert_eq!(completed(&world), wanted, "nothing behind the no was done");
    assert_eq!(
        world.place.home().join("files/quays.txt").exists(),
        wanted.contains("write")
    );
    let end = (
        ending["phase"].as_str().unwrap(),
        ending["delivery"].as_str().unwrap(),
    );
    let asked = asked(&world);
    let shown = world.place.run(&["show", "last"]).out;
    match kind {
        "plan_approval" => {
            assert_eq!(end, ("cancelled", "nothing"));
            assert!(!kinds(&asked).contains("final_review"));
        }
        "final_review" => {
            assert_eq!(end, ("completed", "draft"));
            assert!(shown.contains("completed, draft"), "{shown}");
        }
        _ => {
            // What there is was put together, and went through the final review like everything else.
            assert_eq!(world.of_kind("synthesis_started").len(), 1);
            assert!(kinds(&asked).contains("final_review"));
            assert_eq!(end, ("completed", "delivered"));
        }
    }
    assert_eq!(world.place.run(&["verify", "--all"]).code, 0);
}

macro_rules! every_kind {
    ($($kind:ident)*) => {
        mod rejecting {
            $(
                #[test]
                fn $kind() {
                    super::no_means_no(stringify!($kind), super::No::Aloud);
                }
            )*
        }

        mod silence {
            $(
                #[test]
                fn $kind() {
                    super::no_means_no(stringify!($kind), super::No::BySilence);
                }
            )*
        }
    };
}

every_kind! {
    plan_approval
    subagent_approval
    tool_approval
    critical_decision
    final_review
}

/// A mission of the catalogue up to its final review, unanswered.
fn at_its_review() -> World {
    let world = World::without_a_model();
    world.keep(&DOSSIER);
    let more = ["--kb", "house", "--detach"];
    let started = world.start(
        "risk_assessment",
        "What may go wrong with Velmoran 40 mg?",
        &more,
    );
    assert_eq!(started.code, 0, "{}", started.err);
    let up = world.place.start(&["up"]);
    world
        .approve_until(|question| question["kind"] == "final_review")
        .unwrap();
    drop(up);
    world
}

fn written(world: &World, format: &str) -> String {
    let told = world.place.run(&["report", "last", "--format", format]);
    assert_eq!(told.code, 0, "{}", told.err);
    told.out
}

fn standing(world: &World) -> Value {
    let whole: Value = serde_json::from_str(&written(world, "json")).unwrap();
    whole["made"]["standing"].clone()
}

/// How a draft is marked, by format.
const DRAFT: [(&str, &str); 2] = [
    ("md", "This document has not been reviewed or approved"),
    ("html", "Draft – not approved"),
];

#[test]
fn a_report_is_a_draft_until_somebody_has_reviewed_it_and_says_so_after_a_no() {
    let world = at_its_review();
    assert_eq!(standing(&world), "draft");
    for (format, mark) in DRAFT {
        assert!(written(&world, format).contains(mark), "{format}");
    }
    let question = world.open_questions().pop().unwrap();
    world.decide(&question, "reject");
    let up = world.place.start(&["up"]);
    assert_eq!(world.ended()["delivery"], "draft");
    drop(up);
    assert_eq!(standing(&world), "rejected");
    for (format, mark) in DRAFT {
        let text = written(&world, format);
        assert!(text.contains("rejected this document"), "{format}");
        assert!(!text.contains(mark), "{format}");
    }

    let world = at_its_review();
    let question = world.open_questions().pop().unwrap();
    world.decide(&question, "approve");
    let up = world.place.start(&["up"]);
    assert_eq!(world.ended()["delivery"], "delivered");
    drop(up);
    assert_eq!(standing(&world), "delivered");
    for (format, mark) in DRAFT {
        assert!(!written(&world, format).contains(mark), "{format}");
    }
}

#[test]
fn what_was_agreed_to_in_advance_is_delivered_and_its_report_says_that_nobody_looked() {
    let world = World::without_a_model();
    world.keep(&DOSSIER);
    let objective = "What may go wrong with Velmoran 40 mg?";
    let ran = world.start("risk_assessment", objective, &["--kb", "house", "--yes"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(world.of_kind("checkpoint_opened").is_empty());
    assert_eq!(world.ending().unwrap()["delivery"], "delivered");
    let whole: Value = serde_json::from_str(&written(&world, "json")).unwrap();
    let decisions = whole["made"]["decisions"].as_array().unwrap();
    let review = decisions
        .iter()
        .find(|at| at["question"] == "Final review")
        .unwrap();
    assert_eq!(review["answer"], "approved in advance, not reviewed");
    assert_eq!(review["by"], "anna");
    assert!(written(&world, "md").contains("approved in advance, not reviewed"));
}
