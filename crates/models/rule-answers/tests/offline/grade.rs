use adjutant_questions::{
    Agreement, Grade, GradeOf, Graded, Input, Output, Source, SourceGrade, StudyKind,
};

use crate::dossiers::{answered, changed, velostat, without};

fn graded(claim: &str, sources: Vec<Source>) -> Graded {
    let input = Input::Grade(Grade {
        claim: claim.to_owned(),
        sources,
    });
    match answered(&input) {
        Output::Grade(output) => output,
        other => panic!("{other:?}"),
    }
}

fn of<'a>(graded: &'a Graded, source: &str) -> &'a SourceGrade {
    graded
        .sources
        .iter()
        .find(|at| at.source == source)
        .unwrap()
}

const LOWERS: &str = "Velostat lowers systolic blood pressure.";

#[test]
fn kind_size_and_year_are_read_from_the_sources() {
    let all = graded(LOWERS, velostat());
    let read = |source| {
        let grade = of(&all, source);
        (grade.study, grade.size, grade.year)
    };
    assert_eq!(
        read("north"),
        (StudyKind::RandomisedTrial, Some(412), Some(2021))
    );
    assert_eq!(
        read("south"),
        (StudyKind::RandomisedTrial, Some(1204), Some(2022))
    );
    assert_eq!(read("letter"), (StudyKind::Opinion, Some(23), Some(2020)));
    assert_eq!(read("guideline").0, StudyKind::Guideline);
    assert_eq!(
        read("registry"),
        (StudyKind::Cohort, Some(8310), Some(2024))
    );
    assert!(of(&all, "north").grade > of(&all, "letter").grade);
}

#[test]
fn a_smaller_study_counts_less() {
    let small = changed(&velostat(), "north", "412 adults", "41 adults");
    let (all, small) = (graded(LOWERS, velostat()), graded(LOWERS, small));
    assert_eq!(of(&small, "north").size, Some(41));
    assert!(of(&small, "north").grade < of(&all, "north").grade);
}

#[test]
fn agreement_follows_what_the_sources_say() {
    let with_letter = graded(LOWERS, velostat());
    assert_eq!(with_letter.agreement, Agreement::Mixed, "{with_letter:?}");
    let without_letter = graded(LOWERS, without(&velostat(), "letter"));
    assert_eq!(without_letter.agreement, Agreement::Agree);
    assert!(without_letter.overall > with_letter.overall);
    let one = graded(LOWERS, velostat()[..1].to_vec());
    assert_eq!(one.agreement, Agreement::Unknown);
}

#[test]
fn nothing_is_graded_very_low() {
    let nothing = graded(LOWERS, Vec::new());
    assert_eq!(nothing.overall, GradeOf::VeryLow);
    assert_eq!(nothing.agreement, Agreement::Unknown);
    assert!(nothing.confidence.abs() < f64::EPSILON);
}

fn said(text: &str) -> Vec<Source> {
    vec![Source {
        id: "s".to_owned(),
        text: text.to_owned(),
        ..Source::default()
    }]
}

#[test]
fn what_is_denied_or_only_planned_does_not_count() {
    for (text, kind, size) in [
        (
            "This is not a randomised trial. 12 mice were fed velostat.",
            StudyKind::Laboratory,
            None,
        ),
        (
            "This was no double-blind study but a survey of 80 patients.",
            StudyKind::CrossSectional,
            Some(80),
        ),
        ("A meta-analysis is planned.", StudyKind::Unknown, None),
        (
            "A systematic review should follow.",
            StudyKind::Unknown,
            None,
        ),
        (
            "We plan to randomise 5,000 patients. The cohort has 200 patients.",
            StudyKind::Cohort,
            Some(200),
        ),
        (
            "A future randomised trial will enrol 900 adults.",
            StudyKind::Unknown,
            None,
        ),
        (
            "Not surprisingly, 300 adults were randomly assigned to velostat.",
            StudyKind::RandomisedTrial,
            Some(300),
        ),
    ] {
        let graded = graded(LOWERS, said(text));
        let read = &graded.sources[0];
        assert_eq!((read.study, read.size), (kind, size), "{text}");
    }
}

#[test]
fn a_year_in_running_text_is_not_the_year_of_the_source() {
    for (text, year) in [
        ("Revenue was $40 million in 2021.", None),
        ("The cohort was followed from 2015 to 2019.", None),
        ("This report was published in 2021 and revised.", Some(2021)),
        ("Published 3 May 2020. Revenue rose in 2022.", Some(2020)),
        ("Roe and Doe (2018) studied 40 patients.", Some(2018)),
        ("The quay (1961) is old.", None),
    ] {
        assert_eq!(graded(LOWERS, said(text)).sources[0].year, year, "{text}");
    }
}

#[test]
fn without_a_claim_nothing_is_supported() {
    let alone = graded("", said("This randomised trial assigned 300 adults."));
    assert_eq!(alone.agreement, Agreement::Unknown);
    assert!(!alone.reasons.join(" ").contains("support"), "{alone:?}");
    assert_eq!(alone.overall, GradeOf::Moderate, "{alone:?}");
    let several = graded("", velostat());
    assert!(
        !several.reasons.join(" ").contains("support"),
        "{several:?}"
    );
    assert_ne!(several.agreement, Agreement::Unknown, "{several:?}");
}
