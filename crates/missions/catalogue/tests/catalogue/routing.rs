//! Questions as people ask them, and the mission that serves each, without a model.

use adjutant_catalogue::{MISSIONS, load};
use adjutant_questions::{Input, OfferedMission, Output, Purpose, Route, Routed};

fn routed(question: &str) -> Routed {
    let catalogue = load(None);
    let offered = catalogue.entries.iter().map(|entry| {
        let facts = entry.facts.unwrap();
        OfferedMission {
            id: entry.id.clone(),
            name: entry.name.clone(),
            about: entry.about().to_owned(),
            category: facts.category.name().to_owned(),
        }
    });
    let route = Route {
        question: question.to_owned(),
        missions: offered.collect(),
    };
    assert_eq!(Input::Route(route.clone()).purpose(), Purpose::Route);
    match adjutant_rule_answers::answer(&Input::Route(route)) {
        Output::Route(routed) => routed,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_mission_is_reached_by_a_question_that_is_meant_for_it() {
    let asked = [
        (
            "deep_dive",
            "What is known of bempedoic acid in statin-intolerant patients?",
        ),
        (
            "knowledge_harvest",
            "Collect everything written on cold-chain packaging and compile it.",
        ),
        (
            "gap_discovery",
            "Where are the gaps in the evidence on paediatric dosing?",
        ),
        (
            "expert_onboarding",
            "I am new to oncology and need to get up to speed.",
        ),
        (
            "critique",
            "What is wrong with the argument in this protocol?",
        ),
        (
            "benchmark",
            "Benchmark our trial start-up times against the best.",
        ),
        (
            "risk_assessment",
            "What can go wrong with the switch to the new supplier?",
        ),
        (
            "feasibility_check",
            "Is it possible to enrol 400 patients by March? Is that realistic?",
        ),
        (
            "decision_framing",
            "How should we decide on the second source, and who decides?",
        ),
        (
            "option_exploration",
            "Which options are there for the unused plant?",
        ),
        (
            "trade_off_analysis",
            "What are the pros and cons of a fixed dose?",
        ),
        ("go_no_go", "Should we start phase 3 with Velmoran 40 mg?"),
        (
            "failure_forensics",
            "Why did the batch fail? Find the root cause.",
        ),
        (
            "signal_chasing",
            "Is the cluster of rashes a signal or noise?",
        ),
        (
            "due_diligence",
            "We want to acquire Norvik Labs: do the due diligence.",
        ),
        (
            "pattern_mining",
            "Which patterns keep recurring in our deviation reports?",
        ),
        (
            "horizon_scanning",
            "What is coming in gene therapy in the next five years?",
        ),
        (
            "competitive_watch",
            "What are our competitors doing in heart failure?",
        ),
        (
            "trigger_monitoring",
            "Tell me when the agency publishes a new guideline.",
        ),
        ("get_unstuck", "We are stuck with the dissolution method."),
        (
            "alternative_finding",
            "Is there an alternative to magnesium stearate?",
        ),
        (
            "path_finding",
            "Draw a roadmap with milestones to approval.",
        ),
        (
            "meeting_prep",
            "Prepare me for the meeting with the agency on Tuesday.",
        ),
        (
            "case_building",
            "Build a business case for the second line.",
        ),
    ];
    assert_eq!(asked.len(), MISSIONS.len());
    for (mission, question) in asked {
        let routed = routed(question);
        assert_eq!(
            routed.mission.as_deref(),
            Some(mission),
            "{question}: {routed:?}"
        );
        assert!(
            routed.because.contains('"'),
            "{question}: {}",
            routed.because
        );
    }
}

#[test]
fn what_is_not_clear_is_not_called_clear() {
    let clear = routed("Should we go ahead with the launch?");
    assert!(clear.confidence >= 0.6, "{clear:?}");
    let torn = routed("Should we worry about the risks, and which options are there?");
    assert!(torn.confidence < clear.confidence, "{torn:?}");
    assert!(!torn.others.is_empty());
    let nothing = routed("Velmoran 40 mg tablets");
    assert_eq!(nothing.mission, None, "{nothing:?}");
    assert!(nothing.confidence < 0.6);
}

#[test]
fn the_learned_table_knows_the_missions_of_the_catalogue_and_no_others() {
    let mut known: Vec<&str> = adjutant_rule_answers::routed_missions().collect();
    let mut missions: Vec<&str> = MISSIONS.iter().map(|mission| mission.id).collect();
    known.sort_unstable();
    missions.sort_unstable();
    assert_eq!(known, missions);
}
