use adjutant_questions::Source;
use adjutant_reports::{
    AskedCriterion, Compose, CriteriaFrom, CriterionOf, Decide, Decision, DecisionTable, Kind,
    UsualCriterion, Verdict, decision, document, judge,
};
use serde_json::json;

use crate::dossier::{all_text, changed, source, sources};

fn decided(sources: Vec<Source>) -> DecisionTable {
    decision(Decide {
        objective: "Should CAIRN-3 go ahead?".to_owned(),
        sources,
        ..Decide::default()
    })
}

fn criterion<'t>(table: &'t DecisionTable, name: &str) -> &'t CriterionOf {
    table.criteria.iter().find(|at| at.name == name).unwrap()
}

#[test]
fn criteria_weights_and_thresholds_are_the_boards() {
    let table = decided(sources());
    assert_eq!(table.criteria_from, CriteriaFrom::Source);
    let told: Vec<(&str, f64, bool)> = table
        .criteria
        .iter()
        .map(|at| (at.name.as_str(), at.weight, at.must))
        .collect();
    let wanted = [
        ("Efficacy", 30.0, true),
        ("Safety", 25.0, true),
        ("Regulatory path", 15.0, false),
        ("Funding", 15.0, false),
        ("Manufacturing", 10.0, false),
        ("Patents", 5.0, false),
    ];
    assert_eq!(told, wanted);
    let safety = criterion(&table, "Safety");
    assert_eq!(
        safety.evidence[0].source,
        "board/board-minutes-2026-07-09.md"
    );
    assert!(safety.threshold.contains("no more than 3 %"));
}

#[test]
fn a_missed_must_stops_it_and_only_that_turns_it() {
    let table = decided(sources());
    let safety = criterion(&table, "Safety");
    assert_eq!(safety.verdict, Verdict::Missed, "{safety:#?}");
    let efficacy = criterion(&table, "Efficacy");
    assert_eq!(efficacy.verdict, Verdict::Met, "{efficacy:#?}");
    assert_eq!(
        efficacy.measured.as_ref().unwrap().value,
        "7.3 mmHg, lower bound 4 mmHg",
        "the threshold asks for both"
    );
    let funding = criterion(&table, "Funding");
    assert_eq!(
        funding.measured.as_ref().unwrap().value,
        "28 %",
        "{funding:#?}"
    );
    assert_eq!(funding.verdict, Verdict::Missed);
    assert_eq!(table.decision, Decision::NoGo);
    let safe = table
        .would_change
        .iter()
        .find(|at| at.criterion == "Safety")
        .unwrap();
    assert!(
        safe.changes && safe.then == Decision::Conditional,
        "{safe:?}"
    );
    let funds = table
        .would_change
        .iter()
        .find(|at| at.criterion == "Funding")
        .unwrap();
    assert!(!funds.changes && funds.then == Decision::NoGo, "{funds:?}");
}

#[test]
fn the_report_and_the_laboratory_are_both_shown() {
    let table = decided(sources());
    let about = |at: &&adjutant_reports::Contradiction| at.about.starts_with("Safety");
    let kept = table.contradictions.iter().find(about).unwrap();
    let sides: Vec<&str> = kept.sides.iter().map(|at| at.text.as_str()).collect();
    assert!(sides.iter().any(|at| at.contains("3.8 %")), "{sides:?}");
    assert!(sides.contains(&"5 / 106 = 4.7 %"), "{sides:?}");
    let laboratory = kept
        .sides
        .iter()
        .find(|at| at.text.contains("4.7"))
        .unwrap();
    assert_eq!(laboratory.evidence.len(), 5, "one row for each patient");
}

#[test]
fn another_number_in_a_source_is_another_verdict() {
    let all = changed("board/finance-memo-2026-08-31.txt", "(28 %)", "(78 %)");
    let table = decided(all);
    assert_eq!(criterion(&table, "Funding").verdict, Verdict::Met);
    let all = changed(
        "board/board-minutes-2026-07-09.md",
        "no more than 3 %",
        "no more than 9 %",
    );
    let table = decided(all);
    assert_eq!(criterion(&table, "Safety").verdict, Verdict::Met);
    assert_ne!(table.decision, Decision::NoGo);
}

#[test]
fn nothing_to_go_by_is_no_decision() {
    let table = decided(Vec::new());
    assert_eq!(
        (table.decision, table.criteria_from),
        (Decision::NotPossible, CriteriaFrom::Assumed)
    );
    assert!(table.because[0].contains("No source addresses any criterion"));
    let one = decided(vec![source(
        "memo",
        "2024-01-01",
        "The effect was superior and significant on the primary endpoint.",
    )]);
    assert_eq!(one.decision, Decision::NotPossible);
    assert!(
        one.because.iter().any(|at| at.contains("Only 1 source")),
        "{:?}",
        one.because
    );
}

#[test]
fn given_criteria_go_before_those_of_sources() {
    let table = decision(Decide {
        criteria: vec![AskedCriterion {
            name: "Shelf life".to_owned(),
            weight: 1.0,
            threshold: "shelf life of at least 24 months".to_owned(),
            must: true,
        }],
        sources: sources(),
        ..Decide::default()
    });
    assert_eq!(table.criteria_from, CriteriaFrom::Given);
    assert_eq!(table.criteria.len(), 1);
    assert_eq!(
        table.criteria[0].verdict,
        Verdict::Missed,
        "{:#?}",
        table.criteria[0]
    );
}

fn written(table: &DecisionTable, sources: &[Source]) -> adjutant_document_model::Document {
    let mut pieces = serde_json::Map::new();
    pieces.insert("decision".to_owned(), json!(table));
    document(
        Kind::GoNoGo,
        Compose {
            outline: None,
            title: "CAIRN-3".to_owned(),
            objective: "Should CAIRN-3 go ahead?".to_owned(),
            pieces,
            offline: true,
            sources: sources.to_vec(),
        },
    )
}

#[test]
fn the_document_holds_and_opens_with_the_decision() {
    let sources = sources();
    let made = written(&decided(sources.clone()), &sources);
    let judged = judge(&made, &sources);
    assert!(judged.passed, "{:#?}", judged.feedback);
    let adjutant_document_model::Block::Callout(first) = &made.summary[0] else {
        panic!("{:?}", made.summary[0]);
    };
    assert_eq!(first.title, "No go");
    let text = all_text(&made);
    for part in [
        "5 / 106 = 4.7 %",
        "28 %",
        "yes: go with conditions",
        "decision_tree",
    ] {
        assert!(text.contains(part), "{part} is missing");
    }
}

#[test]
fn a_document_without_sources_says_so_and_passes() {
    let made = written(&decided(Vec::new()), &[]);
    let judged = judge(&made, &[]);
    assert!(judged.passed, "{:#?}", judged.feedback);
    assert!(all_text(&made).contains("No decision is possible"));
}

#[test]
fn a_newer_value_of_another_product_is_not_gone_by() {
    let ours =
        "title: Trial report\n\nThe tablet lowered systolic pressure by 3 mmHg against placebo.\n";
    let theirs = "title: Zephrane files tavodrostat\n\nTavodrostat lowered systolic pressure by 8.6 mmHg against placebo.\n";
    let decided = |objective: &str| {
        decision(Decide {
            objective: objective.to_owned(),
            criteria: vec![AskedCriterion {
                name: "Efficacy".to_owned(),
                weight: 1.0,
                threshold: "effect on systolic pressure of at least 5 mmHg".to_owned(),
                must: true,
            }],
            sources: vec![
                source("report", "2025-01-01", ours),
                source("news", "2026-06-18", theirs),
            ],
            ..Decide::default()
        })
    };
    let measured = |table: &DecisionTable| {
        let criterion = criterion(table, "Efficacy");
        criterion.measured.as_ref().map(|at| at.value.clone())
    };
    let about_ours = decided("Should Velmoran go on?");
    assert_eq!(measured(&about_ours).as_deref(), Some("3 mmHg"));
    assert_eq!(criterion(&about_ours, "Efficacy").verdict, Verdict::Missed);
    // Where it is the other that is asked about, the newest holds.
    let about_theirs = decided("Should we buy tavodrostat from Zephrane?");
    assert_eq!(measured(&about_theirs).as_deref(), Some("8.6 mmHg"));
}

#[test]
fn half_of_a_threshold_is_not_met_by_the_other_half() {
    let interval = "(95% CI 4.0 to 10.6; p<0.0001)";
    let efficacy = |to: &str| {
        let table = decided(changed("clinical/cairn-2-study-report.pdf", interval, to));
        criterion(&table, "Efficacy").clone()
    };
    let without = efficacy("(p<0.0001)");
    assert_eq!(without.verdict, Verdict::Unclear, "{without:#?}");
    assert!(
        without.because.contains("no source gives its lower bound"),
        "{}",
        without.because
    );
    let too_wide = efficacy("(95% CI 1.0 to 13.6; p<0.0001)");
    assert_eq!(too_wide.verdict, Verdict::Missed, "{too_wide:#?}");
}

#[test]
fn what_was_seen_of_another_strength_is_no_evidence() {
    let mut all = sources();
    all.push(source(
        "literature/letter.txt",
        "2026-09-01",
        "Velmoran 5 mg twice daily lowered 24-hour systolic pressure by 2 mmHg (95% CI 1.0 to 3.0).",
    ));
    let table = decision(Decide {
        objective: "Should CAIRN-3 begin with Velmoran 40 mg?".to_owned(),
        sources: all,
        ..Decide::default()
    });
    let efficacy = criterion(&table, "Efficacy");
    assert_eq!(efficacy.verdict, Verdict::Met, "{efficacy:#?}");
    let said = efficacy.supports.iter().chain(&efficacy.opposes);
    assert!(said.into_iter().all(|at| !at.text.contains("5 mg twice")));
}

#[test]
fn what_nobody_knows_is_not_scored() {
    let asked = |name: &str, threshold: &str| AskedCriterion {
        name: name.to_owned(),
        weight: 1.0,
        threshold: threshold.to_owned(),
        must: false,
    };
    let sources = vec![
        source(
            "a",
            "2024-01-01",
            "The measured load of the crane was 44 tonnes.",
        ),
        source(
            "b",
            "2024-02-01",
            "The load of the crane reached 44 tonnes again.",
        ),
        source(
            "c",
            "2024-03-01",
            "At the third test the load of the crane was 44 tonnes.",
        ),
    ];
    let table = decision(Decide {
        criteria: vec![
            asked("Load of the crane", "load of the crane at least 40 tonnes"),
            asked("Noise", "noise of at most 60 months"),
        ],
        sources: sources.clone(),
        ..Decide::default()
    });
    let (load, noise) = (&table.criteria[0], &table.criteria[1]);
    assert_eq!(
        (load.verdict, load.score),
        (Verdict::Met, Some(100.0)),
        "{load:#?}"
    );
    assert_eq!(
        (noise.verdict, noise.score),
        (Verdict::Unclear, None),
        "{noise:#?}"
    );
    assert_eq!(noise.weighted, 0.0);
    assert_eq!(
        (table.score, table.weight_scored),
        (100.0, 0.5),
        "a middle score would give 75"
    );
    assert_eq!(
        table.decision,
        Decision::Conditional,
        "half of it could still be missed"
    );
    let made = written(&table, &sources);
    assert!(all_text(&made).contains("not scored"));
    let judged = judge(&made, &sources);
    assert!(judged.passed, "{:#?}", judged.feedback);
}

#[test]
fn the_usual_criteria_are_those_of_the_field() {
    let usual = [
        ("Function", "function feature"),
        ("Security", "security breach"),
    ];
    let table = decision(Decide {
        usual: usual
            .map(|(name, words)| UsualCriterion {
                name: name.to_owned(),
                words: words.to_owned(),
            })
            .to_vec(),
        sources: vec![source(
            "review",
            "2024-01-01",
            "The security review found a breach that is not closed.",
        )],
        ..Decide::default()
    });
    assert_eq!(table.criteria_from, CriteriaFrom::Assumed);
    let names: Vec<&str> = table.criteria.iter().map(|at| at.name.as_str()).collect();
    assert_eq!(names, ["Function", "Security"]);
    assert_eq!(table.criteria[1].verdict, Verdict::Missed, "{table:#?}");
    let general = decision(Decide::default());
    assert!(general.criteria.iter().all(|at| at.name != "Efficacy"));
}

#[test]
fn the_report_names_the_pack_and_why() {
    let mut pieces = serde_json::Map::new();
    pieces.insert(
        "pack".to_owned(),
        json!({"name": "software", "about": "Software", "because": "it was asked for", "criteria": []}),
    );
    for kind in [Kind::DeepDive, Kind::RiskAssessment, Kind::GoNoGo] {
        let made = document(
            kind,
            Compose {
                outline: None,
                title: "The move".to_owned(),
                pieces: pieces.clone(),
                ..Compose::default()
            },
        );
        let text = all_text(&made);
        assert!(
            text.contains("The pack “software” was used (software), because it was asked for"),
            "{text}"
        );
        let judged = judge(&made, &[]);
        assert!(judged.passed, "{:#?}", judged.feedback);
    }
}
