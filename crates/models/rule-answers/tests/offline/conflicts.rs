//! What documents say against each other, through all that they state.

use adjutant_questions::{Conclude, Concluded, Contradiction, Input, Output, Source};

use crate::dossiers::answered;

fn said(id: &str, text: &str) -> Source {
    Source {
        id: id.to_owned(),
        text: text.to_owned(),
        ..Source::default()
    }
}

fn concluded(question: &str, sources: Vec<Source>) -> Concluded {
    let input = Input::Conclude(Conclude {
        question: question.to_owned(),
        thoughts: Vec::new(),
        sources,
        guidance: Vec::new(),
        most: 10,
    });
    match answered(&input) {
        Output::Conclude(output) => output,
        other => panic!("{other:?}"),
    }
}

fn between(one: &str, other: &str) -> Vec<Contradiction> {
    let sources = vec![said("a.md#0-90", one), said("b.md#0-90", other)];
    concluded("What is known?", sources).contradictions
}

#[test]
fn another_value_for_the_same_is_shown_with_both_sides() {
    for (one, other, values) in [
        (
            "The total cost of the new bridge is now 20.1 million euros.",
            "The district confirms that the total cost of the new bridge is 18.4 million euros.",
            "20.1 million euros or 18.4 million euros",
        ),
        (
            "The crossing will be closed for 11 months, two months longer than planned.",
            "The crossing will be closed for 9 months.",
            "11 months or 9 months",
        ),
        (
            "The budget was approved, of which the state pays 60 percent.",
            "The state pays 55 percent of the approved cost.",
            "60 percent or 55 percent",
        ),
        (
            "The shelf life of the tablet is 24 months at 25 degrees.",
            "A shelf life of 18 months at 25 degrees is supported by the data.",
            "24 months or 18 months",
        ),
        (
            "The memo puts peak sales at EUR 240 million in year six.",
            "Assumption | Value\nPeak sales | EUR 310 million in year six",
            "EUR 240 million or EUR 310 million",
        ),
    ] {
        let found = between(one, other);
        assert_eq!(found.len(), 1, "{one} / {other}: {found:?}");
        assert!(found[0].about.ends_with(values), "{found:?}");
        let sources: Vec<&str> = found[0]
            .sides
            .iter()
            .map(|side| side.evidence[0].source.as_str())
            .collect();
        assert_eq!(sources, ["a.md#0-90", "b.md#0-90"], "{found:?}");
    }
}

#[test]
fn other_cases_other_times_and_rounding_are_no_contradiction() {
    for (one, other) in [
        (
            "The new bridge will carry lorries of 44 tonnes.",
            "The old bridge will carry lorries of 16 tonnes.",
        ),
        (
            "The total cost of the new bridge is 20.1 million euros.",
            "The total cost of the reading room was 212,000 euros.",
        ),
        (
            "Blood pressure fell by 7.3 mmHg on 40 mg in the trial.",
            "Blood pressure fell by 3.9 mmHg on 20 mg in the trial.",
        ),
        (
            "The cost of trial CAIRN-2 was EUR 11.8 million.",
            "The cost of trial CAIRN-3 was EUR 64.2 million.",
        ),
        (
            "Sales of the tablet were EUR 4 million in 2024.",
            "Sales of the tablet were EUR 6 million in 2025.",
        ),
        (
            "The bridge deck is 86 metres long between the piers.",
            "The bridge deck is 86.2 metres long between the piers.",
        ),
        (
            "This cohort study followed 2,310 patients on velostat in five regions.",
            "Potassium rose in 3 patients on velostat in the study.",
        ),
        (
            "There were 154 adverse events in 104 patients of the trial.",
            "There were 14 serious adverse events in 13 patients of the trial.",
        ),
        (
            "The import duty on steel rose by 4 %.",
            "The export duty on steel rose by 7 %.",
        ),
        (
            "No study of strong inhibitors of the enzyme has been performed.",
            "A study of strong inhibitors of the enzyme is expected.",
        ),
        (
            "The grant covers at most 10.1 million euros of the cost.",
            "The grant covers 8.2 million euros of the cost.",
        ),
    ] {
        let found = between(one, other);
        assert!(found.is_empty(), "{one} / {other}: {found:?}");
    }
}

#[test]
fn what_one_says_and_another_denies_is_shown() {
    for (one, other) in [
        (
            "The inspector found no scour at pier 3.",
            "The divers found scour at pier 3.",
        ),
        (
            "The agency agreed that a single pivotal trial can support the application.",
            "The agency does not agree that a single pivotal trial is sufficient.",
        ),
        (
            "An audit of our supplier in March had no major findings.",
            "The audit resulted in one major finding and five minor findings.",
        ),
    ] {
        let found = between(one, other);
        assert_eq!(found.len(), 1, "{one} / {other}: {found:?}");
        assert_eq!(found[0].sides.len(), 2);
    }
}

#[test]
fn a_document_in_passages_does_not_contradict_itself() {
    let sources = vec![
        said("a.md#0-60", "The crossing will be closed for 11 months."),
        said("a.md#60-120", "The crossing will be closed for 9 months."),
    ];
    assert!(
        concluded("What is known?", sources)
            .contradictions
            .is_empty()
    );
}

#[test]
fn what_bears_on_the_question_comes_first_and_equal_values_share_a_side() {
    let sources = vec![
        said(
            "a",
            "The crossing will be closed for 11 months. The total cost of the bridge is 20 million euros.",
        ),
        said(
            "b",
            "The crossing will be closed for 9 months. The total cost of the bridge is 18 million euros.",
        ),
        said(
            "c",
            "We hear that the total cost of the bridge is 18 million euros.",
        ),
    ];
    let found = concluded("For how long is the crossing closed?", sources.clone()).contradictions;
    assert!(found[0].about.contains("crossing"), "{found:?}");
    let found = concluded("What is the total cost of the bridge?", sources).contradictions;
    assert!(found[0].about.contains("cost"), "{found:?}");
    let mut sizes: Vec<usize> = found[0].sides.iter().map(|at| at.evidence.len()).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [1, 2], "{found:?}");
}
