//! What workers find by rules: hypotheses, causes, flags, scenarios; and what they must not take for one.

use adjutant_questions::{
    CauseDirection, CausePair, CauseStrength, CitationIssueKind, FlagKind, FlagSeverity,
    Hypothesis, Input, Output, Purpose, RaisedFlag, Scenario, ScenarioCase,
};
use serde_json::{Value, json};

use crate::dossiers::answered;

/// A mill whose wheel stopped, in three invented documents.
fn mill() -> Value {
    json!([
        { "id": "log#1", "title": "The miller's log", "text":
            "The wheel stopped at noon because the sluice was jammed. The jam was not caused by ice. \
             The miller suspects that the grate had been left open.\n\n\
             It is unclear whether the grate had been cleaned in autumn. \
             The new grate led to a reduction in driftwood." },
        { "id": "report", "title": "The engineer's report", "text":
            "The stop of the wheel was due to a jammed sluice. Worn bearings may have contributed to the noise. \
             The water level exceeded the mark on the wall. The survey of the dam was missed. \
             The repair of the lock must be paid by 3 May 2021. The crack in the axle has been repaired and was no failure of the smith. \
             If the dam breaks, the lower village is flooded. The dam is measured every week. \
             The mill can be sold unless the council objects to the sale. \
             In the worst case the mill stands still for two summers. A new axle costs between 40 and 65 crowns." },
        { "id": "letter", "title": "A letter", "text":
            "The flood caused serious damage to the bank. No damage to the house was found. \
             If you find this letter, please return it to the miller." },
    ])
}

fn ask(purpose: Purpose, question: &str, sources: Value) -> Output {
    let mut with = json!({ "question": question, "sources": sources, "most": 12 });
    if matches!(purpose, Purpose::Flag | Purpose::Scenarios) {
        with["today"] = json!("2021-06-01");
    }
    answered(&Input::read(purpose, with).unwrap())
}

fn causes() -> Vec<CausePair> {
    match ask(Purpose::Causes, "Why did the wheel stop?", mill()) {
        Output::Causes(found) => found.causes,
        other => panic!("{other:?}"),
    }
}

fn hypotheses() -> Vec<Hypothesis> {
    match ask(Purpose::Hypothesize, "Why did the wheel stop?", mill()) {
        Output::Hypothesize(found) => found.hypotheses,
        other => panic!("{other:?}"),
    }
}

fn flags() -> Vec<RaisedFlag> {
    match ask(Purpose::Flag, "What may go wrong at the mill?", mill()) {
        Output::Flag(found) => found.flags,
        other => panic!("{other:?}"),
    }
}

fn scenarios() -> Vec<Scenario> {
    let question = "How could it turn out with the mill?";
    match ask(Purpose::Scenarios, question, mill()) {
        Output::Scenarios(found) => found.scenarios,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_cause_that_two_documents_state_is_one_pair_with_both() {
    let causes = causes();
    let of = |word: &str| {
        let mut all = causes
            .iter()
            .filter(|one| one.cause.split(' ').any(|at| at.starts_with(word)));
        (all.next().unwrap(), all.count())
    };
    let (jam, more) = of("jam");
    assert_eq!(
        (jam.strength, more),
        (CauseStrength::Stated, 0),
        "{causes:?}"
    );
    assert_eq!(jam.evidence.len(), 2, "{jam:?}");
    assert_eq!(of("ice").0.strength, CauseStrength::Denied);
    assert_eq!(of("bearings").0.strength, CauseStrength::Suspected);
    assert_eq!(of("grate").0.direction, CauseDirection::Lowers);
    let strengths: Vec<CauseStrength> = causes.iter().map(|one| one.strength).collect();
    assert!(strengths.is_sorted_by(|a, b| a >= b), "surest first");
}

#[test]
fn a_hypothesis_can_be_tested_and_what_is_ruled_out_is_none() {
    let all = hypotheses();
    let has = |words: &str| all.iter().any(|one| one.statement.contains(words));
    assert!(has("because sluice was jammed"), "{all:?}");
    assert!(has("suspects that the grate had been left open"));
    assert!(
        has("The grate had been cleaned in autumn"),
        "what is left open"
    );
    assert!(!has(" ice"), "what is ruled out is no hypothesis: {all:?}");
    for one in &all {
        for text in [&one.would_support, &one.would_refute, &one.test] {
            assert!(!text.is_empty());
        }
        assert_ne!(one.would_support, one.would_refute);
        assert!(
            (0.0..0.7).contains(&one.confidence),
            "a hypothesis is not sure"
        );
    }
}

#[test]
fn a_flag_has_its_kind_its_severity_and_the_words_that_say_so() {
    let flags = flags();
    let of = |words: &str| {
        let found = flags.iter().find(|one| one.what.contains(words));
        found.unwrap_or_else(|| panic!("{words}: {flags:?}"))
    };
    let kinds = [
        ("the mark on the wall", FlagKind::LimitExceeded),
        ("survey of the dam", FlagKind::DeadlineMissed),
        ("repair of the lock", FlagKind::DeadlineMissed),
        ("damage to the bank", FlagKind::Harm),
    ];
    for (words, kind) in kinds {
        assert_eq!(of(words).kind, kind, "{words}");
    }
    assert_eq!(of("damage to the bank").severity, FlagSeverity::High);
    assert!(of("damage to the bank").because.contains("“serious”"));
    assert_eq!(of("survey of the dam").severity, FlagSeverity::Moderate);
    assert!(of("repair of the lock").because.contains("3 May 2021"));
    let told = |words: &str| flags.iter().any(|one| one.what.contains(words));
    assert!(!told("axle has been repaired"), "what was solved is over");
    assert!(!told("No damage"), "what is denied is none");
    assert!(!told("dam breaks"), "what would be is for scenarios");
    assert!(flags.is_sorted_by(|a, b| a.severity >= b.severity));
}

#[test]
fn no_date_has_passed_without_a_day_to_hold_it_against() {
    let with =
        json!({ "question": "What may go wrong at the mill?", "sources": mill(), "most": 12 });
    let Output::Flag(found) = answered(&Input::read(Purpose::Flag, with).unwrap()) else {
        panic!("flags");
    };
    assert!(found.flags.iter().all(|one| !one.what.contains("lock")));
}

#[test]
fn a_scenario_has_its_condition_its_outcome_and_a_sign() {
    let all = scenarios();
    let of = |words: &str| {
        let found = all.iter().find(|one| one.name.contains(words));
        found.unwrap_or_else(|| panic!("{words}: {all:?}"))
    };
    let flood = of("If the dam breaks");
    assert_eq!(flood.case, ScenarioCase::Alternative);
    assert_eq!(flood.outcomes[0].text, "The lower village is flooded");
    assert!(!flood.early_signs.is_empty());
    assert_eq!(
        of("Unless the council objects").outcomes[0].text,
        "The mill can be sold"
    );
    let worst = all
        .iter()
        .find(|one| one.case == ScenarioCase::Worst)
        .unwrap();
    assert!(
        worst.conditions[0].text.contains("two summers"),
        "{worst:?}"
    );
    let range = of("Range: 40 and 65 crowns");
    assert_eq!(range.outcomes[1].text, "At the high end: 65 crowns");
    assert!(
        !all.iter().any(|one| one.name.contains("this letter")),
        "no word to the reader"
    );
}

#[test]
fn what_says_nothing_of_it_gives_nothing_and_says_so() {
    let sources =
        json!([{ "id": "a", "text": "The mill stands by the river. It has two floors." }]);
    for purpose in [
        Purpose::Hypothesize,
        Purpose::Causes,
        Purpose::Flag,
        Purpose::Scenarios,
    ] {
        let output = ask(purpose, "Why did the wheel stop?", sources.clone());
        assert_eq!(output.as_findings(), Some(Vec::new()), "{output:?}");
        let value = output.value();
        assert_eq!(value["not_found"], json!(["Why did the wheel stop?"]));
        assert!(output.confidence() < 0.3);
    }
}

fn archive() -> Value {
    let plan = "The lock is repaired in spring. The wheel is replaced in summer. The miller pays for the wheel. \
                The council pays for the lock and for the wall beside it.";
    json!([
        { "id": "kb:plan-v1#1-9", "title": "Repair plan, version 1", "published": "2020-01-05", "text": plan },
        { "id": "kb:plan-v2#1-9", "title": "Repair plan, version 2", "published": "2020-03-01", "text":
            "Minutes of 1 March. The lock is repaired in autumn. The council has agreed to the repair. \
             It was a long meeting. Nobody objected to the plan of the repair." },
        { "id": "kb:plan-v2#10-12", "title": "Repair plan, version 2", "published": "2020-03-01", "text":
            "The wheel costs 65 crowns." },
        { "id": "copy", "title": "", "text": plan },
    ])
}

#[test]
fn a_document_is_told_in_its_own_words_with_what_is_known_of_it() {
    let with = json!({ "about": "the repair of the lock", "sources": archive(),
        "documents": [{ "source": "copy", "genre": "transcript", "standing": "current" }] });
    let Output::Summarize(told) = answered(&Input::read(Purpose::Summarize, with).unwrap()) else {
        panic!("documents");
    };
    assert_eq!(told.documents.len(), 3, "passages of one document are one");
    let second = &told.documents[1];
    assert_eq!(second.version.as_deref(), Some("version 2"));
    assert_eq!(second.kind.as_deref(), Some("plan"));
    assert_eq!(second.date.as_deref(), Some("2020-03-01"));
    let said: Vec<&str> = second
        .sentences
        .iter()
        .map(|at| at.quote.as_str())
        .collect();
    assert!(
        said.iter().any(|text| text.contains("repaired in autumn")),
        "{said:?}"
    );
    assert!(
        !said.iter().any(|text| text.contains("It was")),
        "what points back stands for nothing"
    );
    assert!(said.len() <= 3);
    let copy = &told.documents[2];
    assert_eq!(
        (copy.kind.as_deref(), copy.date.as_deref()),
        (Some("transcript"), None)
    );
}

#[test]
fn what_is_wrong_with_citations_is_told_by_kind() {
    let finding = |text: &str, evidence: &[(&str, &str)]| {
        let evidence: Vec<Value> = evidence
            .iter()
            .map(|(source, quote)| json!({ "source": source, "quote": quote }))
            .collect();
        json!({ "text": text, "kind": "fact", "confidence": 0.8, "evidence": evidence })
    };
    let findings = json!([
        finding(
            "The wheel costs 65.",
            &[("kb:plan-v2#10-12", "The wheel costs 65 crowns.")]
        ),
        finding(
            "The wheel is made of oak.",
            &[("kb:plan-v2#10-12", "The wheel is made of oak.")]
        ),
        finding(
            "The miller pays.",
            &[
                ("kb:plan-v1#1-9", "The miller pays for the wheel."),
                ("copy", "The miller pays for the wheel."),
            ]
        ),
    ]);
    let ask = |findings: Value| {
        let with = json!({ "findings": findings, "sources": archive() });
        match answered(&Input::read(Purpose::Cite, with).unwrap()) {
            Output::Cite(found) => found.issues,
            other => panic!("{other:?}"),
        }
    };
    let issues = ask(findings.clone());
    let of = |kind: CitationIssueKind| issues.iter().filter(move |one| one.kind == kind);
    let claims = |kind: CitationIssueKind| -> Vec<&str> {
        of(kind).filter_map(|one| one.claim.as_deref()).collect()
    };
    assert_eq!(
        claims(CitationIssueKind::QuoteNotFound),
        ["The wheel is made of oak."]
    );
    assert_eq!(
        claims(CitationIssueKind::SingleSource),
        ["The wheel costs 65."]
    );
    let newer = of(CitationIssueKind::Superseded).next().unwrap();
    assert_eq!(
        (newer.source.as_str(), newer.other.as_deref()),
        ("kb:plan-v1#1-9", Some("kb:plan-v2#1-9"))
    );
    let double = of(CitationIssueKind::Duplicate).next().unwrap();
    assert_eq!(double.other.as_deref(), Some("copy"));
    for kind in [
        CitationIssueKind::NoDate,
        CitationIssueKind::NoTitle,
        CitationIssueKind::NoAddress,
    ] {
        let sources: Vec<&str> = of(kind).map(|one| one.source.as_str()).collect();
        assert_eq!(sources, ["copy"], "{kind:?}");
    }
    assert!(
        ask(json!([findings])).len() == issues.len(),
        "lists of findings are read too"
    );
}
