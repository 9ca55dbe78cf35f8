use super::how_changed;

const OPPOSITE: &str = "says the opposite of its passage";
const TOO_SURE: &str = "is certain of what its passage calls possible";

fn compared(said: &str, passage: &str) -> Option<&'static str> {
    how_changed(said, &[passage])
}

#[test]
fn a_statement_that_drops_a_denial_is_found() {
    let passage = "The new valve did not prevent leakage during the winter test.";
    let said = "The new valve prevents leakage during the winter test.";
    assert_eq!(compared(said, passage), Some(OPPOSITE));
    let said = "The new valve didn't prevent any leakage during winter test.";
    assert_eq!(compared(said, passage), None);
}

#[test]
fn a_statement_that_denies_what_is_said_is_found() {
    let passage = "The committee approved the second budget in March.";
    let said = "The committee never approved the second budget in March.";
    assert_eq!(compared(said, passage), Some(OPPOSITE));
}

#[test]
fn a_statement_that_drops_doubt_is_found() {
    let passage = "The delay may be caused by the late delivery of the pumps.";
    let said = "The delay is caused by late delivery of the pumps.";
    assert_eq!(compared(said, passage), Some(TOO_SURE));
    let said = "The delay is possibly caused by late delivery of pumps.";
    assert_eq!(compared(said, passage), None);
}

#[test]
fn a_denial_in_another_clause_is_not_that_of_the_statement() {
    let passage = "No date is set, and the board approved the larger budget for pumps.";
    let said = "The board has approved the larger budget for pumps.";
    assert_eq!(compared(said, passage), None);
}

#[test]
fn quotes_and_other_words_are_not_compared() {
    let passage = "It is not known whether the pumps leak in cold weather.";
    assert_eq!(
        compared("whether the pumps leak in cold weather.", passage),
        None
    );
    assert_eq!(
        compared("Nobody measured how tight the seals are.", passage),
        None
    );
}

#[test]
fn one_clause_that_agrees_is_enough() {
    let passages = [
        "The pumps did not pass the pressure test in May.",
        "The pumps passed the pressure test in May after the repair.",
    ];
    assert_eq!(
        how_changed("The pumps have passed the pressure test in May.", &passages),
        None
    );
}

#[test]
fn the_name_of_a_document_behind_a_quote_is_no_part_of_it() {
    let passage = "The covenant is breached in the fourth quarter, before enrolment is complete.";
    let said = "The covenant is breached in the fourth quarter, before enrolment is complete (Cash runway with and without the study).";
    assert_eq!(compared(said, passage), None);
}
