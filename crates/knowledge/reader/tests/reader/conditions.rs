//! Conditions that were set, whether they are met, what does not work, registers of risks, and what comes first.

use adjutant_reader::{Condition, ConditionState, Date, Fulfilment, Reading, stands_by_itself};

use crate::{documents, reading};

const OBJECTIVE: &str = "Should the orchestra tour Iceland from 14 May 2030?";
const MINUTES: &str = "# Minutes of the council\n\n2 March 2030\n\n## Tour of Iceland\n\nThe orchestra tours Iceland only if all of the \
    following conditions are met:\n\n   (a) the harpsichord has been insured;\n   (b) the cost stays within C 2030-4;\n   (c) the tour \
    begins at least 10 days before the beginning of the festival season.\n\n   If a condition is not met, the tour is postponed.\n\n\
    Decision C 2030-4: The council approves up to EUR 40,000 in total.\n";

fn today() -> Date {
    Date::from_iso("2030-04-01").unwrap()
}

/// The conditions of the minutes with what the other documents show, in the order of the list.
fn judged(others: &[(&str, &str)]) -> Vec<(String, Fulfilment)> {
    let mut files = vec![("minutes-2030-03-02.md", MINUTES)];
    files.extend(others);
    let files = documents(&files);
    let read = reading(&files);
    let mut all: Vec<Condition> = read.conditions(OBJECTIVE);
    all.retain(|one| one.set_in.is_some());
    all.sort_by_key(|one| one.words.start);
    let planned = read.planned_day(OBJECTIVE, today());
    let text = &files[0].1.text;
    let told = |one: &Condition| {
        let found = read.fulfilment(one, planned, today());
        (text[one.words.clone()].to_owned(), found)
    };
    all.iter().map(told).collect()
}

fn states(others: &[(&str, &str)]) -> Vec<ConditionState> {
    judged(others)
        .into_iter()
        .map(|(_, found)| found.state)
        .collect()
}

#[test]
fn a_lettered_list_is_conditions_and_each_has_its_words() {
    let words: Vec<String> = judged(&[]).into_iter().map(|(words, _)| words).collect();
    assert_eq!(words.len(), 3, "{words:?}");
    assert_eq!(words[0], "the harpsichord has been insured");
    let files = documents(&[("minutes-2030-03-02.md", MINUTES)]);
    let read = reading(&files);
    let otherwise = read.conditions(OBJECTIVE)[0].otherwise.clone().unwrap();
    assert_eq!(
        &files[0].1.text[otherwise],
        "If a condition is not met, the tour is postponed."
    );
    // Who asks for the decision sets no condition.
    let files = documents(&[(
        "proposal-2030-03-02.md",
        &MINUTES.replace("Minutes of the council", "Proposal for a tour"),
    )]);
    assert!(reading(&files).conditions(OBJECTIVE).is_empty());
}

#[test]
fn what_is_recorded_shows_a_condition_met_and_a_promise_does_not() {
    let report = (
        "report-2030-03-20.md",
        "# Report of the broker\n\nThe harpsichord was insured and the policy was signed.\n",
    );
    let letter = (
        "proposal-2030-03-20.md",
        "# Proposal of the manager\n\nThe harpsichord is insured, so this is met.\n",
    );
    let denial = (
        "report-2030-03-25.md",
        "# Report of the treasurer\n\nThe harpsichord is not insured.\n",
    );
    assert_eq!(states(&[])[0], ConditionState::NotShown);
    assert_eq!(states(&[report])[0], ConditionState::Met);
    assert_eq!(states(&[letter])[0], ConditionState::NotShown);
    assert!(judged(&[letter])[0].1.claimed.is_some());
    assert_eq!(states(&[report, denial])[0], ConditionState::NotMet);
}

#[test]
fn a_limit_that_another_decision_sets_is_looked_up() {
    let dear = (
        "memo-2030-03-20.md",
        "# Memo\n\nThe cost of the tour is EUR 52,000.\n",
    );
    assert_eq!(states(&[dear])[1], ConditionState::NotMet);
}

#[test]
fn days_are_counted_from_the_planned_day_to_the_event() {
    let calendar = (
        "calendar.md",
        "# Calendar of concerts\n\nThe festival season begins on 20 May 2030.\n",
    );
    let found = &judged(&[calendar])[2].1;
    let days = found.days.as_ref().unwrap();
    assert_eq!((days.needed, days.there, days.is_enough), (10, 6, false));
    assert_eq!(found.state, ConditionState::NotMet);
    let late = (
        "calendar.md",
        "# Calendar of concerts\n\nThe festival season begins on 20 June 2030.\n",
    );
    assert!(judged(&[late])[2].1.days.as_ref().unwrap().is_enough);
}

#[test]
fn a_register_in_force_has_all_its_risks_in_order_and_with_what_is_noted() {
    let before =
        "id,risk,owner,score\nR-1,Fire in the hall,Lund,20\nR-2,Flood,Lund,3\nR-3,Theft,Lund,2\n";
    let now = "# Risk register\n\nState of 1 March 2030.\n\n| Id | Risk | Owner | Score |\n|---|---|---|---|\n\
        | R-1 | Fire in the hall | Lund | 4 |\n| R-2 | Flood | Lund | 12 |\n| R-3 | Theft of harps | Lund | 2 |\n\n\
        - R-2 The cellar pump failed twice in winter.\n";
    let files = documents(&[
        ("risk-register-2029-03.csv", before),
        ("risk-register-2030-03.md", now),
    ]);
    let read = reading(&files);
    let found = read.risk_registers();
    assert_eq!(found.len(), 1);
    let told: Vec<(Option<&str>, Option<f64>)> = found[0]
        .rows
        .iter()
        .map(|row| (row.code.as_deref(), row.score))
        .collect();
    assert_eq!(
        told,
        [
            (Some("R-2"), Some(12.0)),
            (Some("R-1"), Some(4.0)),
            (Some("R-3"), Some(2.0))
        ]
    );
    assert!(read.text(found[0].rows[0].notes[0]).contains("cellar pump"));
}

#[test]
fn findings_of_strong_documents_come_first() {
    let report = "# Report of the inspection\n\n## Summary\n\nThe organ failed because mice had eaten the bellows of the organ.\n";
    let news = "# Press release\n\nThe organ of the cathedral was never in better shape than on this day.\n";
    let files = documents(&[
        ("press-release-2030-03-01.md", news),
        ("inspection-report-2030-02-01.md", report),
    ]);
    let read = reading(&files);
    let first = read.main_statements("Find out why the organ failed.", 3);
    assert!(text(&read, first[0].statement).contains("mice"));
    let found = read.shortfalls("Assess the risks of the organ.", 3);
    assert_eq!(found.len(), 1);
    assert!(text(&read, found[0].statement).contains("mice"));
}

fn text<'a>(read: &Reading<'a>, at: usize) -> &'a str {
    read.text(at)
}

#[test]
fn a_sentence_that_needs_another_does_not_stand_by_itself() {
    assert!(stands_by_itself(
        "The council approved the tour of the orchestra in March."
    ));
    for text in [
        "It was approved by the council on the second of March.",
        "On the tour of the orchestra he stands by the figure.",
        "Approved by all members of the council",
        "state: open items[0].owner: the council has been asked to approve the tour.",
    ] {
        assert!(!stands_by_itself(text), "{text}");
    }
}
