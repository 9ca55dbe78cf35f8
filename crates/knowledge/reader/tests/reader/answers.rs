//! Questions, answered or not.

use adjutant_reader::{Asked, Question, Verdict};

use crate::{documents, reading};

const FILES: &[(&str, &str)] = &[
    (
        "lease-v1.md",
        "# Lease\n\nThe rent of the workshop is 900 euros a month. The lease ends on 30 June 2027.\n",
    ),
    (
        "lease-v2.md",
        "# Lease\n\nThe rent of the workshop is 950 euros a month. The lease ends on 30 June 2029.\n",
    ),
    (
        "meeting.md",
        "# Meeting\n\nIs the rent of the workshop too high? The owners recommend three repairs:\n\n- the roof\n- the door\n- the stairs\n",
    ),
];

fn first(question: &str) -> (Verdict, String, Vec<String>) {
    let files = documents(FILES);
    let read = reading(&files);
    let answer = read.answer(&Question::new(question));
    let quote = &answer.quotes[0];
    let text = files[quote.document].1.text[quote.context.clone()].to_owned();
    (answer.verdict, text, answer.missing)
}

#[test]
fn the_version_that_holds_answers_and_a_question_is_no_answer() {
    let (verdict, text, _) = first("How much is the rent of the workshop?");
    assert_eq!(verdict, Verdict::Answered);
    assert!(text.contains("950 euros"), "{text}");
    let (_, text, _) = first("When does the lease end?");
    assert!(text.contains("30 June 2029"), "{text}");
}

#[test]
fn a_lead_in_comes_with_what_it_introduces() {
    let (_, text, _) = first("Which repairs do the owners recommend?");
    for part in ["three repairs:", "the roof", "the stairs"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn what_is_not_said_is_not_answered() {
    let (verdict, _, missing) = first("Which insurance did Hartwig buy for the workshop?");
    assert_eq!(verdict, Verdict::NotFound);
    assert!(missing.contains(&"Hartwig".to_owned()), "{missing:?}");
}

#[test]
fn questions_say_what_they_want() {
    let cases = [
        ("How many patients were treated?", Asked::Amount),
        ("How much does it cost?", Asked::Money),
        ("How long may it take?", Asked::Duration),
        ("By when must the report be there?", Asked::Date),
        ("Who signed it?", Asked::Who),
        ("Was it signed?", Asked::Whether),
        ("Why was it stopped?", Asked::Why),
    ];
    for (text, asked) in cases {
        assert_eq!(Question::new(text).asked, asked, "{text}");
    }
    assert!(Question::new("Was it signed?").is_factual());
    assert!(!Question::new("Should we stop?").is_factual());
    assert!(!Question::new("Blood pressure").is_factual());
}
