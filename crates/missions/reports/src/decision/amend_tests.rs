#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use super::*;

fn criteria() -> Vec<Asked> {
    let named = ["Efficacy", "Safety", "Supply"].iter();
    named
        .map(|name| Asked {
            criterion: AskedCriterion {
                name: (*name).to_owned(),
                weight: 20.0,
                threshold: String::new(),
                must: false,
            },
            evidence: Vec::new(),
            words: String::new(),
        })
        .collect()
}

fn with(option: &str, note: &str) -> (Vec<Asked>, Amended) {
    let mut all = criteria();
    let amendment = Amendment {
        option: Some(option.to_owned()),
        note: note.to_owned(),
    };
    let amended = amend(&mut all, &[amendment]);
    (all, amended)
}

fn weight(all: &[Asked], name: &str) -> f64 {
    let one = all.iter().find(|at| at.criterion.name == name).unwrap();
    one.criterion.weight
}

#[test]
fn each_form_changes_the_criteria() {
    let note = "Safety: weight 40; weight of efficacy is 10\nwithout supply; add Ease of use (weight 5); \
                Safety must be met; Efficacy: at least 5 %";
    let (all, amended) = with(WITH_MY_NOTE, note);
    assert_eq!(amended.not_understood, Vec::<String>::new());
    assert_eq!(amended.applied.len(), 6);
    assert_eq!(weight(&all, "Safety"), 40.0);
    assert_eq!(weight(&all, "Efficacy"), 10.0);
    assert_eq!(weight(&all, "Ease of use"), 5.0);
    assert_eq!(all.len(), 3);
    assert!(all[1].criterion.must);
    assert_eq!(all[0].criterion.threshold, "at least 5 %");
}

#[test]
fn what_cannot_be_read_is_named_and_changes_nothing() {
    let note = "Be careful with the press release; without Taste; Safety: weight many; add Safety; weight of safety -3";
    let (all, amended) = with(WITH_MY_NOTE, note);
    assert_eq!(amended.applied, Vec::<String>::new());
    assert_eq!(amended.not_understood.len(), 5);
    assert_eq!(all.len(), 3);
    assert_eq!(weight(&all, "Safety"), 20.0);
}

#[test]
fn a_note_changes_nothing_under_the_other_option() {
    let (all, amended) = with("as_stated", "without supply");
    assert_eq!(amended, Amended::default());
    assert_eq!(all.len(), 3);
}
