//! Which mission a question is worded for.

use adjutant_questions::{Input, OfferedMission, Output, Route, Routed};
use adjutant_rule_answers::{answer, routed_missions, routing_signs};

fn offered(id: &str, name: &str, about: &str) -> OfferedMission {
    OfferedMission {
        id: id.to_owned(),
        name: name.to_owned(),
        about: about.to_owned(),
        category: String::new(),
    }
}

fn all_known() -> Vec<OfferedMission> {
    routed_missions()
        .map(|id| offered(id, "", "Something useful."))
        .collect()
}

fn routed(question: &str, missions: Vec<OfferedMission>) -> Routed {
    let question = question.to_owned();
    match answer(&Input::Route(Route { question, missions })) {
        Output::Route(routed) => routed,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_choice_names_the_words_that_led_to_it_as_they_are_written() {
    let question = "WHY did the kiln explode last week?";
    let routed = routed(question, all_known());
    assert_eq!(routed.mission.as_deref(), Some("failure_forensics"));
    assert!(routed.confidence >= 0.6, "{routed:?}");
    assert_eq!(routed.others.len(), 2);
    let quoted: Vec<&str> = routed.because.split('"').skip(1).step_by(2).collect();
    assert!(!quoted.is_empty(), "{routed:?}");
    for part in quoted {
        assert!(question.contains(part), "{part}: {routed:?}");
    }
}

#[test]
fn where_the_wanted_mission_is_not_offered_no_other_becomes_surer() {
    let question = "Tell me when the price of copper falls below 8,000";
    let best = routed(question, all_known());
    assert_eq!(best.mission.as_deref(), Some("trigger_monitoring"));
    let mut missions = all_known();
    missions.retain(|mission| mission.id != "trigger_monitoring");
    let without = routed(question, missions);
    assert!(without.confidence < 0.2, "{without:?}");
}

#[test]
fn a_mission_of_ones_own_is_known_by_its_name() {
    let own = || {
        offered(
            "audit_reply",
            "Audit Reply",
            "An answer to the findings of an auditor.",
        )
    };
    let mut missions = all_known();
    missions.push(own());
    let wanted = routed(
        "Write the audit reply for the Leeds office",
        missions.clone(),
    );
    assert_eq!(wanted.mission.as_deref(), Some("audit_reply"), "{wanted:?}");
    let other = routed("Why did the kiln explode last week?", missions);
    assert_eq!(other.mission.as_deref(), Some("failure_forensics"));
    // Alone it is offered too, but never for nothing.
    let alone = routed("Why did the kiln explode last week?", vec![own()]);
    assert_eq!(alone.mission, None, "{alone:?}");
}

#[test]
fn a_question_for_a_fact_or_without_a_wish_is_sure_of_no_mission() {
    for question in [
        "How many pupils are in class 7b?",
        "Who signed the lease?",
        "oak tables",
        "42",
        "",
        "?!",
        "🦀 🦀 🦀",
    ] {
        let routed = routed(question, all_known());
        assert!(routed.confidence < 0.6, "{question}: {routed:?}");
    }
    let long = "the lease ".repeat(20_000);
    assert!(routed(&long, all_known()).confidence < 0.6);
}

#[test]
fn a_cue_is_heard_over_other_words_and_in_other_forms() {
    let has = |question: &str, sign: &str| {
        let signs = routing_signs(question);
        signs.iter().any(|(name, _)| name == sign)
    };
    // `pull .. out of`
    assert!(has(
        "Pulling all dates out of the letters",
        "phrase collect"
    ));
    assert!(has(
        "pull all of the very many old dates out of it",
        "w pull"
    ));
    assert!(!has(
        "pull one two three four five six out of it",
        "phrase collect"
    ));
    assert!(has("by 2031", "b by #year"));
    assert!(has("by 20", "b by #"));
    // A name within a sentence says nothing by its letters, one that begins it is read as a word.
    assert!(has("Should Bristol wait", "b should @"));
    assert!(has("we don’t know", "w don't"));
}
