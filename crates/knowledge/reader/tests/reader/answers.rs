//! Questions, answered or not.

use adjutant_reader::{Asked, Question, Verdict};

use crate::{documents, reading};

const FILES: &[(&str, &str)] = &[
    (
        "meeting.md",
        "# Meeting\n\nWas the rent of the workshop 800 euros? The owners recommend three repairs:\n\n- the roof\n- the door\n- the stairs\n",
    ),
    (
        "lease-v1.md",
        "# Lease\n\nThe rent of the workshop is 900 euros a month. The lease ends on 30 June 2029.\n",
    ),
    (
        "lease-v2.md",
        "# Lease\n\nThe rent of the workshop is 950 euros a month. The lease ends on 30 June 2027.\n",
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
    assert!(text.contains("30 June 2027"), "{text}");
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
    for question in [
        "Which insurance did Hartwig buy for the workshop?",
        "What is the rent of the workshop in Hartwig?",
    ] {
        let (verdict, _, missing) = first(question);
        assert_eq!(verdict, Verdict::NotFound, "{question}");
        assert!(missing.contains(&"Hartwig".to_owned()), "{missing:?}");
    }
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
        ("The boat is wet. Is it ours?", Asked::Whether),
        ("When a boat is lost, why do members pay?", Asked::Why),
        ("If a boat is lost, must members pay?", Asked::Whether),
    ];
    for (text, asked) in cases {
        assert_eq!(Question::new(text).asked, asked, "{text}");
    }
    assert!(Question::new("Was it signed?").is_factual());
    assert!(!Question::new("Should we stop?").is_factual());
    assert!(!Question::new("Blood pressure").is_factual());
}

const MEETINGS: &[(&str, &str)] = &[
    (
        "board-2024-05-30.md",
        "# First meeting\n\nThe board recommends that the work goes on unchanged.\n",
    ),
    (
        "board-2024-09-12.md",
        "# Second meeting\n\nThe board recommends that the work stops for a week. Ida Moor, chief executive officer, agrees.\n",
    ),
    (
        "storing.md",
        "# Storing\n\nThe paint is right for 12 kinds of wood. Keep the paint at 15 to 25 degrees C.\n\nThere are 40 cans on the long shelf. After the leak 7 cans were not recoverable.\n",
    ),
];

fn quoted(question: &str) -> String {
    let files = documents(MEETINGS);
    let read = reading(&files);
    let answer = read.answer(&Question::new(question));
    let quote = &answer.quotes[0];
    files[quote.document].1.text[quote.span.clone()].to_owned()
}

#[test]
fn a_date_in_the_question_is_looked_for_among_the_dates_of_documents() {
    let said = quoted("What did the board recommend in September 2024?");
    assert!(said.contains("stops for a week"), "{said}");
    let said = quoted("What did the board recommend in May 2024?");
    assert!(said.contains("goes on unchanged"), "{said}");
}

#[test]
fn short_forms_measures_and_other_forms_of_a_word_are_found() {
    let cases = [
        ("Who is the CEO?", "Ida Moor"),
        (
            "What temperature is right for the paint?",
            "15 to 25 degrees",
        ),
        ("How many cans could not be recovered?", "7 cans"),
    ];
    for (question, wanted) in cases {
        let said = quoted(question);
        assert!(said.contains(wanted), "{question}: {said}");
    }
}

#[test]
fn a_passage_comes_with_its_paragraph_and_what_stands_beside_it() {
    let files = documents(&[(
        "boats.md",
        "# Boats\n\n## Hire\n\nAsk the keeper first.\n\nA rowing boat may be hired by members. It costs 12 euros. Pay at the gate. Bring a coat.\n\n- Return it before dark.\n- Tie it up.\n\n## Repairs\n\nRepairs are made in winter.\n",
    )]);
    let read = reading(&files);
    let answer = read.answer(&Question::new("Who may hire a rowing boat?"));
    let quote = &answer.quotes[0];
    let context = &files[0].1.text[quote.context.clone()];
    for part in ["Ask the keeper", "12 euros", "Bring a coat", "before dark"] {
        assert!(context.contains(part), "{part}: {context}");
    }
    for part in ["Tie it up", "Repairs"] {
        assert!(!context.contains(part), "{part}: {context}");
    }
}

#[test]
fn an_answer_is_less_likely_where_words_and_values_are_missing() {
    let files = documents(FILES);
    let read = reading(&files);
    let fit = |question: &str| read.answer(&Question::new(question)).fit;
    let known = fit("How much is the rent of the workshop?");
    assert!((0.0..=1.0).contains(&known), "{known}");
    for question in [
        "How much is the rent of the workshop of Hartwig?",
        "How much is the insurance premium of the workshop?",
    ] {
        assert!(
            fit(question) < known,
            "{question}: {} {known}",
            fit(question)
        );
    }
    assert_eq!(fit("Xylophones?"), 0.0);
}
