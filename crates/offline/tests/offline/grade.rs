use adjutant_ask::{
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
