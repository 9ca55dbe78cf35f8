use adjutant_questions::{ChecklistPoint, Found, GapPoint, Gaps, Input, Output, Source};

use crate::dossiers::{answered, changed, velostat, without};

fn point(wants: &str, sources: Vec<Source>) -> GapPoint {
    let checklist = vec![ChecklistPoint {
        key: "point".to_owned(),
        wants: wants.to_owned(),
    }];
    match answered(&Input::Gaps(Gaps {
        checklist,
        sources,
        guidance: Vec::new(),
    })) {
        Output::Gaps(mut output) => output.points.remove(0),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_told_has_evidence_and_goes_with_its_source() {
    let told = point("the starting dose of velostat", velostat());
    assert_eq!(told.found, Found::Yes, "{told:?}");
    assert!(told.missing.is_empty());
    assert!(told.evidence.iter().any(|at| at.quote.contains("10 mg")));
    let changed = changed(&velostat(), "guideline", "starting dose", "usual colour");
    assert_ne!(
        point("the starting dose of velostat", changed).found,
        Found::Yes
    );
    let gone = point(
        "the starting dose of velostat",
        without(&velostat(), "guideline"),
    );
    assert_ne!(gone.found, Found::Yes);
}

#[test]
fn what_is_partly_told_names_the_rest() {
    let partly = point("dry cough in children", velostat());
    assert_eq!(partly.found, Found::Partly, "{partly:?}");
    assert_eq!(partly.missing, "children");
}

#[test]
fn what_is_not_told_is_a_gap() {
    for sources in [velostat(), Vec::new()] {
        let gap = point("interaction with grapefruit juice", sources);
        assert_eq!(gap.found, Found::No);
        assert!(gap.evidence.is_empty());
        assert_eq!(gap.missing, "interaction with grapefruit juice");
    }
}

#[test]
fn saying_that_something_is_not_reported_does_not_tell_it() {
    let silent = Source {
        id: "s".to_owned(),
        text: "Kidney function was not reported.".to_owned(),
        ..Source::default()
    };
    let gap = point("kidney function", vec![silent]);
    assert_eq!(gap.found, Found::No);
    assert!(gap.missing.contains("not reported"), "{gap:?}");
}

#[test]
fn the_subject_of_all_points_alone_tells_none_of_them() {
    let checklist = ["price of Acme anvils", "weight of Acme anvils"];
    let checklist = checklist.iter().map(|wants| ChecklistPoint {
        key: (*wants).to_owned(),
        wants: (*wants).to_owned(),
    });
    let sources = vec![Source {
        id: "s".to_owned(),
        text: "Acme anvils have a weight of 40 kg.".to_owned(),
        ..Source::default()
    }];
    let input = Input::Gaps(Gaps {
        checklist: checklist.collect(),
        sources,
        guidance: Vec::new(),
    });
    let Output::Gaps(output) = answered(&input) else {
        panic!("not gaps");
    };
    let found: Vec<Found> = output.points.iter().map(|point| point.found).collect();
    assert_eq!(found, [Found::No, Found::Yes], "{output:?}");
    let subject = point("velostat and driving", velostat());
    assert_eq!(subject.found, Found::No, "{subject:?}");
}

#[test]
fn a_number_that_is_asked_for_is_found_whatever_its_words() {
    let told = point("what harm was seen and how often", velostat_harm());
    assert_eq!(told.found, Found::Yes, "{told:?}");
    let told = point("who was studied and how many", velostat());
    assert_eq!(told.found, Found::Yes, "{told:?}");
    let vague = vec![Source {
        id: "s".to_owned(),
        text: "Harm was seen in some of them.".to_owned(),
        ..Source::default()
    }];
    let gap = point("what harm was seen and how often", vague);
    assert_ne!(gap.found, Found::Yes);
    assert!(gap.missing.contains("how often"), "{gap:?}");
}

fn velostat_harm() -> Vec<Source> {
    vec![Source {
        id: "s".to_owned(),
        text: "Serious adverse events were seen in 4 of 106 patients.".to_owned(),
        ..Source::default()
    }]
}

#[test]
fn what_is_not_known_is_found_where_it_is_admitted() {
    let wants = "for whom or for how long nothing is known";
    let admits = Source {
        id: "s".to_owned(),
        text: "The safety in children has not been established.".to_owned(),
        ..Source::default()
    };
    assert_eq!(point(wants, vec![admits]).found, Found::Yes);
    assert_eq!(point(wants, velostat()).found, Found::No);
}
