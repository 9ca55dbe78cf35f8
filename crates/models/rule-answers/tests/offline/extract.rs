use adjutant_questions::{Extract, Extracted, FindingKind, Input, Output, Source};

use crate::dossiers::{answered, changed, harbour, velostat, without};

fn extracted(question: &str, sources: Vec<Source>) -> Extracted {
    let input = Input::Extract(Extract {
        question: question.to_owned(),
        sources,
        most: 10,
        guidance: Vec::new(),
    });
    match answered(&input) {
        Output::Extract(output) => output,
        other => panic!("{other:?}"),
    }
}

const LOWER: &str = "Does velostat lower systolic blood pressure?";

#[test]
fn the_best_answer_comes_first_with_every_source_that_agrees() {
    let found = extracted(LOWER, velostat());
    let best = &found.findings[0];
    assert!(
        best.text
            .contains("lowered systolic blood pressure by 9 mmHg"),
        "{best:?}"
    );
    let sources: Vec<_> = best.evidence.iter().map(|at| at.source.as_str()).collect();
    assert_eq!(sources.len(), 2, "{best:?}");
    assert!(sources.contains(&"north") && sources.contains(&"south"));
    assert_eq!(best.kind, FindingKind::Fact);
}

#[test]
fn the_other_side_is_told_and_costs_confidence() {
    let found = extracted(LOWER, velostat());
    let denies = found
        .findings
        .iter()
        .any(|finding| finding.text.contains("did not lower"));
    assert!(denies, "{found:?}");
    let undisputed = extracted(LOWER, without(&velostat(), "letter"));
    assert!(undisputed.findings[0].confidence > found.findings[0].confidence);
}

#[test]
fn one_source_is_less_certain_than_two() {
    let two = extracted(LOWER, without(&velostat(), "letter"));
    let one = extracted(LOWER, without(&without(&velostat(), "letter"), "south"));
    assert!(one.findings[0].confidence < two.findings[0].confidence);
    assert_eq!(one.findings[0].evidence.len(), 1);
}

#[test]
fn a_changed_source_changes_the_finding_and_a_removed_one_takes_it_away() {
    let question = "What does dredging the northern basin cost?";
    let changed = changed(&harbour(), "report", "40 million", "44 million");
    let cost = |sources| {
        let found = extracted(question, sources);
        let texts: Vec<_> = found
            .findings
            .into_iter()
            .map(|finding| finding.text)
            .collect();
        texts.join("\n")
    };
    assert!(cost(changed).contains("44 million euros"));
    let neither = without(&without(&harbour(), "report"), "study");
    assert!(!cost(neither).contains("million"));
}

#[test]
fn what_no_source_tells_is_named() {
    let found = extracted(
        "Does velostat cause liver damage in older adults?",
        velostat(),
    );
    assert!(
        found
            .not_found
            .iter()
            .any(|part| part.contains("liver damage")),
        "{found:?}"
    );
    assert!(
        !found.not_found.iter().any(|part| part.contains("velostat")),
        "{found:?}"
    );
}

#[test]
fn nothing_yields_nothing() {
    let found = extracted(LOWER, Vec::new());
    assert!(found.findings.is_empty());
    assert!(!found.not_found.is_empty());
    assert!(found.confidence.abs() < f64::EPSILON);
}

#[test]
fn what_is_said_with_reservations_is_an_interpretation() {
    let found = extracted("Does velostat lower the risk of stroke?", velostat());
    let stroke = found
        .findings
        .iter()
        .find(|at| at.text.contains("stroke"))
        .unwrap();
    assert_eq!(stroke.kind, FindingKind::Interpretation);
}

#[test]
fn every_part_of_a_question_is_answered() {
    let question = "What is known about noise, traffic growth and depth of the northern basin?";
    let found = extracted(question, harbour());
    for wanted in ["Noise at night", "rose by 12%", "7 metres deep"] {
        let told = found
            .findings
            .iter()
            .any(|finding| finding.text.contains(wanted));
        assert!(told, "{wanted}: {found:?}");
    }
    assert!(found.not_found.is_empty(), "{found:?}");
}

#[test]
fn other_forms_of_a_word_are_found() {
    let found = extracted("Should the southern basin be expanded?", harbour());
    assert!(found.findings[0].text.contains("expansion"), "{found:?}");
}

fn said(id: &str, text: &str) -> Source {
    Source {
        id: id.to_owned(),
        text: text.to_owned(),
        ..Source::default()
    }
}

#[test]
fn sources_with_other_dates_are_kept_apart() {
    let founded = vec![
        said("a", "Acme Corp was founded in 1987 by Jane Roe."),
        said("b", "Acme Corp was founded in 1989."),
    ];
    let found = extracted("Who founded Acme Corp and when?", founded);
    assert_eq!(found.findings.len(), 2, "{found:?}");
    for finding in &found.findings {
        assert_eq!(finding.evidence.len(), 1, "{finding:?}");
        assert_eq!(finding.evidence[0].quote, finding.text);
    }
    let all = found.findings.iter().map(|at| at.text.as_str());
    assert!(all.collect::<String>().contains("Jane Roe"), "{found:?}");
}

#[test]
fn a_name_that_only_one_source_gives_is_told() {
    let founded = vec![
        said("a", "Acme Corp was founded in 1987 by Jane Roe."),
        said("b", "Acme Corp was founded in 1987."),
    ];
    let found = extracted("When was Acme Corp founded?", founded);
    let texts: Vec<_> = found.findings.iter().map(|at| at.text.as_str()).collect();
    assert!(
        texts.iter().any(|text| text.contains("Jane Roe")),
        "{found:?}"
    );
    let named = found
        .findings
        .iter()
        .find(|finding| finding.text.contains("Jane Roe"))
        .unwrap();
    assert!(
        named
            .evidence
            .iter()
            .all(|at| at.quote.contains("Jane Roe")),
        "{named:?}"
    );
}

#[test]
fn other_numbers_of_the_same_are_kept_apart() {
    let carried = vec![
        said("a", "The bridge carries 40 tonnes."),
        said("b", "The bridge carries 41 tonnes."),
    ];
    let found = extracted("How much does the bridge carry?", carried);
    assert_eq!(found.findings.len(), 2, "{found:?}");
    let denied = vec![said(
        "a",
        "The old steel road bridge over the river Tamble carries lorries. \
         The old steel road bridge over the river Tamble never carries lorries.",
    )];
    let found = extracted("Does the bridge carry lorries?", denied);
    assert_eq!(found.findings.len(), 2, "{found:?}");
}

#[test]
fn a_number_or_a_name_that_no_source_has_is_named() {
    let stored = || {
        vec![said(
            "a",
            "Warehouse number 12 stores 400 pallets of paint.",
        )]
    };
    let found = extracted("What does warehouse number 9777 store?", stored());
    assert_eq!(found.not_found, ["warehouse number 9777"], "{found:?}");
    let found = extracted("How many pallets of paint does Globex store?", stored());
    assert_eq!(found.not_found, ["Globex store"], "{found:?}");
    let found = extracted("What of Globex liver damage and paint?", stored());
    assert_eq!(found.not_found, ["Globex liver damage"], "{found:?}");
    let found = extracted("What does warehouse number 12 store?", stored());
    assert!(found.not_found.is_empty(), "{found:?}");
}

#[test]
fn findings_are_whole_sentences_where_there_are_any() {
    let mixed = vec![said(
        "a",
        "# Minutes on the Sorring bridge\n\nPresent: 21 members. Subject: Sorring bridge\n\n\
         - Is the Sorring bridge safe?\n- The Sorring bridge is graded 4 of 5.\n\n\
         no | bridge | risk\nR1 | Sorring bridge | settles\n\nClosed at 16:40.",
    )];
    let found = extracted("What is the state of the Sorring bridge?", mixed);
    let texts: Vec<_> = found.findings.iter().map(|at| at.text.as_str()).collect();
    assert_eq!(texts, ["The Sorring bridge is graded 4 of 5."]);
    assert_eq!(found.findings[0].evidence[0].quote, texts[0]);
}

#[test]
fn a_sentence_that_points_back_is_told_with_the_one_before() {
    let text =
        "The stability study of the tablet ended in March. It supports a shelf life of 18 months.";
    let found = extracted("Which shelf life is supported?", vec![said("a", text)]);
    assert_eq!(found.findings[0].text, text, "{found:?}");
    assert_eq!(found.findings[0].evidence[0].quote, text);
}

#[test]
fn a_common_word_of_the_question_alone_brings_nothing_in() {
    let mut sources = vec![said(
        "lib",
        "The cost of the reading room was paid by the town.",
    )];
    for nth in 0..6 {
        sources.push(said(
            &format!("b{nth}"),
            "The cost of the bridge was told. The bridge has a cost of its own. The cost of the pier is known.",
        ));
    }
    let found = extracted(
        "What is the state of the Sorring bridge, its three piers and its old bearings, and the cost?",
        sources,
    );
    let quoted = found.findings.iter().flat_map(|at| &at.evidence);
    let quoted: Vec<_> = quoted.map(|at| at.source.as_str()).collect();
    assert!(!quoted.contains(&"lib"), "{found:?}");
}

#[test]
fn a_document_without_any_name_of_the_question_is_not_quoted() {
    let sources = vec![
        said(
            "bridge#0-60",
            "The replacement of the Sorring bridge has a high cost.",
        ),
        said("bridge#60-99", "The replacement cost is told here."),
        said(
            "library",
            "The replacement cost of the reading room was small.",
        ),
    ];
    let found = extracted(
        "What will the replacement of the Sorring bridge cost?",
        sources,
    );
    let quoted = found.findings.iter().flat_map(|at| &at.evidence);
    let quoted: Vec<_> = quoted.map(|at| at.source.as_str()).collect();
    assert!(quoted.contains(&"bridge#60-99"), "{found:?}");
    assert!(!quoted.contains(&"library"), "{found:?}");
}

#[test]
fn the_label_before_a_sentence_is_not_told() {
    let found = extracted(
        "Who was given trimethoprim?",
        vec![said(
            "a",
            "narrative: An old man was given trimethoprim in May.",
        )],
    );
    assert_eq!(
        found.findings[0].text,
        "An old man was given trimethoprim in May."
    );
}

#[test]
fn what_is_told_of_the_asked_strength_comes_first() {
    let mut old = said(
        "old",
        "The safety of Velmoran was good, and its safety holds.",
    );
    old.title = "Safety report: Velmoran 5 mg tablets".to_owned();
    let new = said(
        "new",
        "On Velmoran 40 mg potassium was high in some patients of the trial.",
    );
    let sources = vec![old, new];
    let found = extracted("What is known of the safety of Velmoran 40 mg?", sources);
    assert!(found.findings[0].text.contains("40 mg"), "{found:?}");
}
