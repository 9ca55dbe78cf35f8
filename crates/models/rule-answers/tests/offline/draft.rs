use adjutant_questions::{Draft, Drafted, Extract, Finding, FindingKind, Input, Output};

use crate::dossiers::{answered, changed, velostat, without};

fn drafted(findings: Vec<Finding>, not_found: &[&str], words_max: u16) -> Drafted {
    let input = Input::Draft(Draft {
        heading: "Blood pressure".to_owned(),
        about: "what velostat does to it".to_owned(),
        findings,
        not_found: not_found.iter().map(|part| (*part).to_owned()).collect(),
        words_max,
        guidance: Vec::new(),
    });
    match answered(&input) {
        Output::Draft(output) => output,
        other => panic!("{other:?}"),
    }
}

fn findings(sources: Vec<adjutant_questions::Source>) -> Vec<Finding> {
    let input = Input::Extract(Extract {
        question: "Does velostat lower systolic blood pressure?".to_owned(),
        sources,
        most: 6,
        guidance: Vec::new(),
    });
    match answered(&input) {
        Output::Extract(output) => output.findings,
        other => panic!("{other:?}"),
    }
}

#[test]
fn both_sides_are_told_with_their_sources() {
    let draft = drafted(findings(velostat()), &["the price"], 400);
    let first = draft.text.split("\n\n").next().unwrap();
    assert!(
        first.starts_with("Velostat lowered systolic blood pressure by 9 mmHg"),
        "{}",
        draft.text
    );
    assert!(first.contains("[1, 2]."), "{}", draft.text);
    assert!(first.contains("By contrast"), "{}", draft.text);
    assert!(
        draft
            .text
            .ends_with("Searched for and not found: the price."),
        "{}",
        draft.text
    );
    assert_eq!(draft.citations[0].quote, draft.citations[0].quote.trim());
}

#[test]
fn what_the_sources_say_is_what_is_written() {
    let changed = changed(&velostat(), "letter", "did not lower", "lowered");
    let agreed = drafted(findings(changed), &[], 400);
    assert!(!agreed.text.contains("By contrast"), "{}", agreed.text);
    let without = drafted(findings(without(&velostat(), "letter")), &[], 400);
    assert!(!without.text.contains("did not lower"));
}

#[test]
fn citation_numbers_are_those_of_the_list() {
    let draft = drafted(findings(velostat()), &[], 400);
    for number in 1..=draft.citations.len() {
        let named = draft.text.contains(&format!("[{number}"))
            || draft.text.contains(&format!(" {number}]"));
        assert!(named, "{number} in {}", draft.text);
    }
    assert!(
        !draft
            .text
            .contains(&format!("[{}]", draft.citations.len() + 1))
    );
}

#[test]
fn the_weakest_go_when_there_is_no_room_and_their_number_is_told() {
    let long = drafted(findings(velostat()), &[], 400);
    let short = drafted(findings(velostat()), &[], 40);
    assert!(short.text.split_whitespace().count() <= 40);
    assert!(long.text.len() > short.text.len());
    assert!(short.text.contains("left out for length"), "{}", short.text);
    assert!(short.text.contains("9 mmHg"), "{}", short.text);
}

#[test]
fn the_strongest_finding_is_never_cut() {
    for words_max in [0, 1, 5] {
        let tiny = drafted(findings(velostat()), &["the price"], words_max);
        assert_eq!(tiny.citations.len(), 2, "{}", tiny.text);
        assert!(
            tiny.text.starts_with("Velostat lowered") && tiny.text.ends_with("[1, 2]."),
            "{}",
            tiny.text
        );
    }
}

fn told(text: &str, confidence: f64) -> Finding {
    Finding {
        text: text.to_owned(),
        kind: FindingKind::Fact,
        evidence: vec![adjutant_questions::Evidence {
            source: "s".to_owned(),
            quote: text.to_owned(),
        }],
        confidence,
    }
}

#[test]
fn what_goes_the_other_way_is_a_contrast_and_the_strongest_comes_first() {
    let denied = "Velostat did not lower mean systolic pressure in the patients of our clinic.";
    let lowered =
        "After 12 weeks velostat lowered systolic blood pressure by 11 mmHg compared with placebo.";
    let draft = drafted(vec![told(denied, 0.4), told(lowered, 0.8)], &[], 400);
    assert_eq!(
        draft.text,
        format!(
            "{} [1]. By contrast: {} [2].",
            lowered.trim_end_matches('.'),
            denied.trim_end_matches('.')
        )
    );
    let same = drafted(vec![told(lowered, 0.8), told(lowered, 0.4)], &[], 400);
    assert!(same.text.contains("In addition"), "{}", same.text);
}

#[test]
fn interpretation_and_weakness_are_said() {
    let mut weak = findings(velostat()).remove(0);
    weak.kind = FindingKind::Interpretation;
    weak.confidence = 0.2;
    let draft = drafted(vec![weak], &[], 400);
    assert!(
        draft
            .text
            .starts_with("As an interpretation, on weak evidence: Velostat"),
        "{}",
        draft.text
    );
}

#[test]
fn without_findings_nothing_is_invented() {
    let draft = drafted(Vec::new(), &[], 400);
    assert_eq!(draft.text, "Nothing was found on what velostat does to it.");
    assert!(draft.citations.is_empty() && draft.confidence.abs() < f64::EPSILON);
}

#[test]
fn each_sentence_of_a_finding_has_its_citation() {
    let text = "The study ended in March. It supports 18 months.";
    let finding = Finding {
        text: text.to_owned(),
        kind: FindingKind::Fact,
        evidence: vec![adjutant_questions::Evidence {
            source: "a".to_owned(),
            quote: text.to_owned(),
        }],
        confidence: 0.6,
    };
    let drafted = drafted(vec![finding], &[], 60);
    assert_eq!(
        drafted.text,
        "The study ended in March [1]. It supports 18 months [1]."
    );
}
