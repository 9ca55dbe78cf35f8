//! What the documents speak of and do not have.

use adjutant_reader::{Gap, GapKind, Reading};
use adjutant_text::dates::Date;

use crate::{documents, reading};

fn gaps(read: &Reading<'_>) -> Vec<Gap> {
    let today = Date::from_iso("2030-06-30").unwrap();
    read.gaps(&read.obligations(today), today)
}

fn kinds_in(files: &[(&str, &str)]) -> Vec<GapKind> {
    let files = documents(files);
    let mut kinds: Vec<GapKind> = gaps(&reading(&files)).iter().map(|gap| gap.kind).collect();
    kinds.sort_unstable();
    kinds
}

fn kinds(text: &str) -> Vec<GapKind> {
    kinds_in(&[("notes-2030-03-01.md", text)])
}

#[test]
fn an_annex_that_is_named_and_not_there_is_missing() {
    assert_eq!(kinds("The prices are in Annex 3."), [GapKind::Reference]);
    assert_eq!(
        kinds("The prices are in Annex 3.\n\n## Annex 3\n\nGravel costs 40 euros.\n"),
        []
    );
    assert_eq!(
        kinds_in(&[
            ("notes-2030-03-01.md", "The prices are in Annex 3."),
            ("annex-3-prices.md", "Gravel costs 40 euros.")
        ]),
        []
    );
}

#[test]
fn what_a_reference_means_is_told_in_its_words() {
    let files = documents(&[(
        "notes-2030-03-01.md",
        "The prices are in Annex 3, the plan is in garden.pdf.",
    )]);
    let read = reading(&files);
    let what: Vec<&str> = gaps(&read)
        .iter()
        .map(|gap| &files[0].1.text[gap.what.clone()])
        .collect();
    assert_eq!(
        what,
        ["garden.pdf"],
        "one statement is told once, by what is surest"
    );
}

#[test]
fn a_file_that_is_named_and_not_there_is_missing() {
    assert_eq!(
        kinds("The counts are in gravel-counts.xlsx."),
        [GapKind::Reference]
    );
    assert_eq!(
        kinds_in(&[
            (
                "notes-2030-03-01.md",
                "The counts are in gravel-counts.csv."
            ),
            ("data/gravel-counts.csv", "stone,count\nflint,4\n")
        ]),
        []
    );
}

#[test]
fn a_mail_that_says_it_has_an_attachment_has_one() {
    let mail = "From: Ada <ada@example.org>\nTo: Carl <carl@example.org>\nDate: Fri, 01 Mar 2030 10:00:00 +0000\nSubject: Garden\n\nThe price list is attached.\n";
    assert_eq!(kinds_in(&[("garden.eml", mail)]), [GapKind::Reference]);
    let plain = mail.replace("attached", "long");
    assert_eq!(kinds_in(&[("garden.eml", &plain)]), []);
}

#[test]
fn a_question_is_open_until_somebody_answers() {
    assert_eq!(
        kinds("Mr Lund asked whether the weir had been inspected."),
        [GapKind::Question]
    );
    assert_eq!(
        kinds("Mr Lund asked whether the weir had been inspected. Ms Okafor answered that it had."),
        []
    );
    assert_eq!(
        kinds(
            "Mr Lund asked whether the weir had been inspected. The chair proposed to take it up outside the meeting."
        ),
        [GapKind::Question]
    );
    let later = (
        "notes-2030-04-01.md",
        "The weir had been inspected on 4 March.",
    );
    assert_eq!(
        kinds_in(&[
            (
                "notes-2030-03-01.md",
                "Mr Lund asked whether the weir had been inspected."
            ),
            later
        ]),
        []
    );
    assert_eq!(
        kinds("You asked whether we deliver gravel."),
        [],
        "an answer begins so"
    );
}

#[test]
fn what_has_not_been_made_is_missing_and_what_was_not_observed_is_not() {
    for text in [
        "No survey of the lower field has been made.",
        "We have received no request for a permit.",
        "The contract has not been signed.",
        "There is no evidence for the figure.",
        "The original drawings do not exist.",
        "The permit could not be found.",
    ] {
        assert_eq!(kinds(text), [GapKind::Absence], "{text}");
    }
    for text in [
        "No frost was observed in May.",
        "There is no difference between the fields.",
        "If the contract has not been signed, the fee is lower.",
        "No more than four stones have been set.",
        "The pump does not leak.",
    ] {
        assert_eq!(kinds(text), [], "{text}");
    }
}

#[test]
fn what_is_there_later_is_not_missing() {
    let early = (
        "notes-2030-03-01.md",
        "The contract for the gravel delivery has not been signed.",
    );
    assert_eq!(kinds_in(&[early]), [GapKind::Absence]);
    assert_eq!(
        kinds_in(&[
            early,
            (
                "notes-2030-04-01.md",
                "The contract for the gravel delivery was signed on 20 March 2030."
            )
        ]),
        []
    );
}

#[test]
fn a_value_that_is_still_to_be_given_is_missing() {
    assert_eq!(
        kinds("| Stone | Price |\n|---|---|\n| Flint, washed | TBD |\n| Slate, split | 40 |\n"),
        [GapKind::Value]
    );
    assert_eq!(
        kinds("The payment of the county is an assumption."),
        [GapKind::Value]
    );
}

#[test]
fn a_rule_demands_a_writing_that_nobody_wrote() {
    let rule = (
        "flood-policy.md",
        "The warden must file a written flood assessment after high water.",
    );
    assert_eq!(kinds_in(&[rule]), [GapKind::Required]);
    assert_eq!(
        kinds_in(&[
            rule,
            (
                "flood-assessment-2030-03-01.md",
                "# Flood assessment\n\nThe field was dry.\n"
            )
        ]),
        []
    );
}

#[test]
fn an_open_obligation_is_not_told_twice() {
    assert_eq!(
        kinds("Ms Okafor will send the drawings, which have not been made yet, by 15 July 2030."),
        []
    );
}

#[test]
fn a_pronoun_is_told_with_the_sentence_that_explains_it() {
    let files = documents(&[(
        "notes-2030-03-01.md",
        "The second pump costs 400 euros. It has not been ordered.",
    )]);
    let read = reading(&files);
    let what: Vec<&str> = gaps(&read)
        .iter()
        .map(|gap| &files[0].1.text[gap.what.clone()])
        .collect();
    assert_eq!(
        what,
        ["The second pump costs 400 euros. It has not been ordered."]
    );
}

#[test]
fn a_code_of_a_report_that_no_document_has_is_missing() {
    assert_eq!(
        kinds("The pressure is in report QX-2021-04."),
        [GapKind::Reference]
    );
    let report = (
        "pressure.md",
        "Report QX-2021-04\n\nThe pressure is high.\n",
    );
    assert_eq!(
        kinds_in(&[
            (
                "notes-2030-03-01.md",
                "The pressure is in report QX-2021-04."
            ),
            report
        ]),
        []
    );
}
