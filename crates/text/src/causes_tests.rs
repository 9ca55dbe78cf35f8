use super::{CauseDirection, Certainty, StatedCause, stated_cause};

fn read(text: &str) -> StatedCause {
    stated_cause(text, None).unwrap()
}

#[test]
fn either_side_may_name_the_cause() {
    for (text, cause, effect) in [
        (
            "The pump stopped because the filter was blocked.",
            "filter was blocked",
            "pump stopped",
        ),
        (
            "A blocked filter led to the stop of the pump.",
            "blocked filter",
            "stop of the pump",
        ),
        (
            "The stop was caused by a blocked filter.",
            "blocked filter",
            "stop",
        ),
        (
            "Because of the frost, the pipe burst.",
            "frost",
            "pipe burst",
        ),
    ] {
        let said = read(text);
        assert_eq!((said.cause.as_str(), said.effect.as_str()), (cause, effect));
        assert_eq!(said.certainty, Certainty::Stated);
        assert_eq!(said.direction, CauseDirection::BringsAbout);
    }
}

#[test]
fn doubts_and_denials_are_heard() {
    let certainty = |text: &str| read(text).certainty;
    assert_eq!(
        certainty("The stop may have been due to a power cut."),
        Certainty::Suspected
    );
    assert_eq!(
        certainty("The stop was not caused by the power cut."),
        Certainty::Denied
    );
    assert_eq!(
        certainty("A power cut was ruled out and the stop was due to frost."),
        Certainty::Denied,
        "too careful rather than too sure"
    );
}

#[test]
fn more_less_and_nothing_are_told_apart() {
    let direction = |text: &str| read(text).direction;
    assert_eq!(
        direction("The new valve led to a reduction in noise."),
        CauseDirection::Lowers
    );
    assert_eq!(
        direction("Higher speed resulted in more wear."),
        CauseDirection::Raises
    );
    assert_eq!(
        direction("The net prevented falls from the roof."),
        CauseDirection::Prevents
    );
}

#[test]
fn a_sentence_that_points_back_needs_the_one_before() {
    let said = stated_cause(
        "This led to overheating of the motor.",
        Some("The filter was blocked."),
    );
    let said = said.unwrap();
    assert_eq!(said.cause, "filter was blocked");
    assert!(said.needs_sentence_before);
    assert_eq!(
        stated_cause("This led to overheating.", None),
        None,
        "nothing is named"
    );
}

#[test]
fn rows_headings_and_questions_state_nothing() {
    for text in [
        "Stop | due to | frost",
        "# Stop due to frost",
        "Was the stop due to frost?",
        "It rained and the match was moved.",
        "The frost led to the frost.",
    ] {
        assert_eq!(stated_cause(text, None), None, "{text}");
    }
}

#[test]
fn a_sentence_that_only_names_the_cause_tells_that_of_the_sentence_before() {
    let before = Some("The pump stopped at noon.");
    let said = stated_cause("The cause was a blocked filter.", before).unwrap();
    assert_eq!(
        (said.cause.as_str(), said.effect.as_str()),
        ("blocked filter", "pump stopped at noon")
    );
    assert!(said.needs_sentence_before);
    let denied = stated_cause("The cause was not the filter.", before).unwrap();
    assert_eq!(denied.certainty, Certainty::Denied);
    assert_eq!(stated_cause("The cause was a blocked filter.", None), None);
}

#[test]
fn the_number_of_a_clause_is_no_effect() {
    let said = read("4.3 Because no gauge was read, the level was guessed.");
    assert_eq!(said.effect, "level was guessed");
}
