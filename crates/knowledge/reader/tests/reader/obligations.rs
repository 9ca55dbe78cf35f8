//! Who owes what until when, and what has become of it.

use adjutant_reader::{Obligation, Reading, Status};
use adjutant_text::dates::Date;

use crate::{documents, reading};

const TODAY: &str = "2030-06-30";

fn today() -> Date {
    Date::from_iso(TODAY).unwrap()
}

/// The texts of what is owed in one document of 1 March 2030.
fn owed_in(text: &str) -> Vec<String> {
    let files = documents(&[("minutes-2030-03-01.md", text)]);
    let read = reading(&files);
    let all = read.obligations(today());
    all.iter().map(|one| told(&read, one)).collect()
}

/// `who: what (due) status`
fn told(read: &Reading<'_>, one: &Obligation) -> String {
    let status = match one.status {
        Status::Fulfilled { .. } => "fulfilled",
        Status::Open => "open",
        Status::Overdue => "overdue",
    };
    let date = one
        .due
        .as_ref()
        .map(|due| due.date.map_or("words".to_owned(), Date::iso));
    let who = one.who.as_deref().unwrap_or("-");
    format!(
        "{who}: {} ({}) {status}",
        read.text(one.statement),
        date.as_deref().unwrap_or("-")
    )
}

#[test]
fn a_promise_with_a_date_is_owed() {
    let found = owed_in("Ms Okafor will send the drawings by 15 July 2030.");
    assert_eq!(
        found,
        ["Ms Okafor: Ms Okafor will send the drawings by 15 July 2030. (2030-07-15) open"]
    );
    let found = owed_in("The bridge survey is carried out by 20 April 2030.");
    assert_eq!(
        found,
        ["-: The bridge survey is carried out by 20 April 2030. (2030-04-20) overdue"]
    );
    let found = owed_in("The landlord has agreed to replace the boiler before 1 June 2030.");
    assert_eq!(found.len(), 1);
}

#[test]
fn a_date_without_a_year_is_the_next_one_and_a_quarter_ends_with_its_last_day() {
    assert!(
        owed_in("Mr Lund shall deliver the pumps by 4 February.")[0].contains("(2031-02-04) open")
    );
    assert!(
        owed_in("Mr Lund shall deliver the pumps by the end of May.")[0]
            .contains("(2030-05-31) overdue")
    );
    assert!(
        owed_in("Mr Lund shall deliver the pumps by Q3 2030.")[0].contains("(2030-09-30) open")
    );
}

#[test]
fn a_limit_that_is_counted_from_something_else_stays_words() {
    let found =
        owed_in("The contractor will submit the invoice within 10 working days of the handover.");
    assert!(found[0].contains("(words) open"), "{found:?}");
    let found = owed_in("We will return the samples within 14 days of the date of this letter.");
    assert!(found[0].contains("(2030-03-15) overdue"), "{found:?}");
}

#[test]
fn facts_forecasts_conditions_and_questions_are_not_owed() {
    for text in [
        "The drawings were sent on 15 February 2030.",
        "The pump will cost 400 euros.",
        "The new roof will last twenty years.",
        "If the tests fail, the contractor would have to repeat them.",
        "Will Ms Okafor send the drawings by 15 July 2030?",
        "The letter of 12 May describes the roof.",
        "The lease runs until 31 December 2031.",
        "The roof is known to be repaired in every village.",
        "Next meeting 4 May 2030.",
        "I am the one who has to report it.",
    ] {
        assert_eq!(owed_in(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_rule_for_all_cases_is_not_owed_but_its_single_date_is() {
    let rules = "# Visitor policy\n\nEvery visitor must sign the register.\n\nThe system shall send a receipt.\n\nThe porter will submit the first list by 15 July 2030.\n";
    let files = documents(&[
        ("visitor-policy.md", rules),
        ("minutes-2030-03-01.md", "Nothing."),
    ]);
    let read = reading(&files);
    let all = read.obligations(today());
    let texts: Vec<&str> = all.iter().map(|one| read.text(one.statement)).collect();
    assert_eq!(
        texts,
        ["The porter will submit the first list by 15 July 2030."]
    );
}

#[test]
fn an_action_table_names_owner_date_and_state() {
    let table = "\
## Actions

| No | Action | Owner | Due | Status |
|---|---|---|---|---|
| A1 | Paint the fence | B. Hallgren | 2030-04-30 | done |
| A2 | Order the gravel | C. Imre | 2030-05-31 | not done |
| A3 | Move the shed | C. Imre | 2030-09-30 | in progress |
| A4 | Sell the mower | C. Imre | 2030-05-31 | cancelled |
";
    let found = owed_in(table);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("B. Hallgren:") && found[0].ends_with("(2030-04-30) fulfilled"));
    assert!(found[1].starts_with("C. Imre:") && found[1].ends_with("(2030-05-31) overdue"));
    assert!(found[2].ends_with("(2030-09-30) open"));
}

#[test]
fn a_table_of_measurements_is_no_action_table() {
    assert_eq!(
        owed_in(
            "| What | Date | Value |\n|---|---|---|\n| Water level at the weir | 2030-04-30 | 3 |\n"
        ),
        Vec::<String>::new()
    );
}

#[test]
fn a_box_is_owed_until_it_is_ticked_and_a_check_of_a_state_is_not() {
    let found =
        owed_in("- [ ] Order the gravel\n- [x] Paint the fence\n- [ ] The doors are closed\n");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found
            .iter()
            .any(|one| one.contains("gravel") && one.ends_with("open"))
    );
    assert!(
        found
            .iter()
            .any(|one| one.contains("fence") && one.ends_with("fulfilled"))
    );
}

#[test]
fn i_is_the_writer_and_a_request_goes_to_the_reader() {
    let mail = "From: Ada Hallgren <ada@example.org>\nTo: Carl Imre <carl@example.org>\nDate: Fri, 01 Mar 2030 10:00:00 +0000\nSubject: Garden\n\nDear Carl,\n\nI will order the gravel by 4 April 2030.\n\nPlease send me the bill by 5 May 2030.\n";
    let files = documents(&[("garden.eml", mail)]);
    let read = reading(&files);
    let all = read.obligations(today());
    let who: Vec<(&str, &str)> = all
        .iter()
        .map(|one| (one.who.as_deref().unwrap_or("-"), read.text(one.statement)))
        .collect();
    assert!(
        who.contains(&("Ada Hallgren", "I will order the gravel by 4 April 2030.")),
        "{who:?}"
    );
    assert!(
        who.contains(&("Carl Imre", "Please send me the bill by 5 May 2030.")),
        "{who:?}"
    );
}

fn status_after(later: &str) -> Vec<Status> {
    let files = documents(&[
        (
            "minutes-2030-03-01.md",
            "Ms Okafor will send the drainage drawings to the county by 15 April 2030.",
        ),
        ("notes-2030-05-02.md", later),
    ]);
    let read = reading(&files);
    read.obligations(today())
        .iter()
        .map(|one| one.status)
        .collect()
}

#[test]
fn a_later_report_of_the_act_fulfils_it_and_a_denial_does_not() {
    assert_eq!(status_after("The weather was fine."), [Status::Overdue]);
    assert_eq!(
        status_after("The drainage drawings were sent to the county on 12 April 2030."),
        [Status::Fulfilled { by: 1 }]
    );
    assert_eq!(
        status_after("The drainage drawings have not been sent to the county."),
        [Status::Overdue]
    );
    assert_eq!(
        status_after("Were the drainage drawings sent to the county?"),
        [Status::Overdue]
    );
}

#[test]
fn a_report_from_before_the_promise_does_not_fulfil_it() {
    let files = documents(&[
        (
            "minutes-2030-03-01.md",
            "Ms Okafor will send the drainage drawings to the county by 15 April 2030.",
        ),
        (
            "notes-2029-05-02.md",
            "The drainage drawings were sent to the county.",
        ),
    ]);
    assert_eq!(
        reading(&files).obligations(today())[0].status,
        Status::Overdue
    );
}

#[test]
fn the_promised_document_fulfils_it() {
    let files = documents(&[
        (
            "minutes-2030-03-01.md",
            "Ms Okafor will submit a drainage report by 15 April 2030.",
        ),
        (
            "drainage-report-2030-04-10.md",
            "# Drainage report\n\nThe ditch holds.\n",
        ),
    ]);
    assert!(matches!(
        reading(&files).obligations(today())[0].status,
        Status::Fulfilled { .. }
    ));
}

#[test]
fn what_two_documents_state_is_owed_once() {
    let files = documents(&[
        (
            "minutes-2030-03-01.md",
            "Ms Okafor will submit the drainage survey of the lower field by 15 July 2030.",
        ),
        (
            "notes-2030-04-01.md",
            "The drainage survey of the lower field is to be submitted by 15 July 2030.",
        ),
        (
            "notes-2030-05-01.md",
            "The drainage survey of the upper meadow is to be submitted by 15 August 2030.",
        ),
    ]);
    let all = reading(&files).obligations(today());
    assert_eq!(all.len(), 2);
    assert_eq!(all.iter().map(|one| one.also.len()).sum::<usize>(), 1);
}

#[test]
fn several_dated_pieces_of_one_sentence_are_several() {
    let found = owed_in("First sketch by 4 April 2030, full drawings by 15 July 2030.");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found
            .iter()
            .any(|one| one.ends_with("(2030-04-04) overdue"))
            && found.iter().any(|one| one.ends_with("(2030-07-15) open"))
    );
}
