use adjutant_ask::{Extract, Extracted, FindingKind, Input, Output, Source};

use crate::dossiers::{answered, changed, harbour, velostat, without};

fn extracted(question: &str, sources: Vec<Source>) -> Extracted {
    let input = Input::Extract(Extract {
        question: question.to_owned(),
        sources,
        most: 10,
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
