//! One document says what another denies.

use crate::{documents, reading};

fn found(first: &str, second: &str) -> Vec<(String, String)> {
    let (first, second) = (
        format!("# One\n\n{first}\n"),
        format!("# Two\n\n{second}\n"),
    );
    let files = documents(&[("one.md", &first), ("two.md", &second)]);
    let read = reading(&files);
    let told = |at: usize| read.text(at).to_owned();
    read.denials()
        .into_iter()
        .map(|denial| (told(denial.said), told(denial.denied)))
        .collect()
}

#[test]
fn a_denial_is_told_with_what_it_denies() {
    let said = "The bishop approved the sale of the vicarage garden.";
    let denied = "The bishop did not approve the sale of the vicarage garden.";
    let pair = [(said.to_owned(), denied.to_owned())];
    assert_eq!(found(said, denied), pair);
    assert_eq!(found(denied, said), pair);
}

#[test]
fn two_that_deny_or_speak_of_other_things_do_not_contradict() {
    let said = "The bishop approved the sale of the vicarage garden.";
    for other in [
        "The bishop approved the sale of the vicarage garden in spring.",
        "The bishop did not attend the sale of old furniture in the parish hall.",
        "Whether the bishop did not approve the sale of the vicarage garden?",
        "In Harlow the bishop did not approve the sale of the vicarage garden.",
        "The bishop did not approve the sale of the vicarage garden in 1998.",
        "Contract no. 7 of the sale of the vicarage garden of the bishop.",
    ] {
        assert_eq!(found(said, other), [], "{other}");
    }
}
