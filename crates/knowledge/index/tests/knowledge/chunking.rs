use adjutant_knowledge_index::{Chunk, Document, DocumentKind, Form, Part, Span, chunks};
use proptest::prelude::*;

use crate::corpus::document;

fn texts<'a>(document: &'a Document, chunks: &[Chunk]) -> Vec<&'a str> {
    chunks
        .iter()
        .map(|chunk| &document.text[chunk.span.start as usize..chunk.span.end as usize])
        .collect()
}

fn words(count: usize) -> String {
    vec!["word"; count].join(" ")
}

#[test]
fn a_heading_of_the_same_level_begins_a_passage() {
    let made = document(
        None,
        &[
            (Form::Heading(1), "Tanks"),
            (Form::Heading(2), "Steel"),
            (Form::Paragraph, "Steel rusts."),
            (Form::Heading(2), "Plastic"),
            (Form::Paragraph, "Plastic ages."),
            (Form::Heading(1), "Pipes"),
            (Form::Paragraph, "Pipes leak."),
        ],
    );
    let found = chunks(&made);
    assert_eq!(
        texts(&made, &found),
        [
            "Tanks\n\nSteel\n\nSteel rusts.\n\nPlastic\n\nPlastic ages.",
            "Pipes\n\nPipes leak."
        ]
    );
    assert_eq!(found[0].headings, ["Tanks"]);
    assert_eq!(found[1].headings, ["Pipes"]);
}

#[test]
fn a_full_section_keeps_to_itself_and_knows_its_path() {
    let long = words(100);
    let made = document(
        None,
        &[
            (Form::Heading(1), "Tanks"),
            (Form::Paragraph, &long),
            (Form::Heading(2), "Steel"),
            (Form::Paragraph, &long),
            (Form::Heading(2), "Plastic"),
            (Form::Paragraph, &long),
        ],
    );
    let found = chunks(&made);
    let paths: Vec<_> = found.iter().map(|chunk| chunk.headings.join("/")).collect();
    assert_eq!(paths, ["Tanks", "Tanks/Steel", "Tanks/Plastic"]);
}

#[test]
fn only_the_headings_it_stands_under_go_on_with_what_follows() {
    let long = words(280);
    let made = document(
        None,
        &[
            (Form::Paragraph, &words(40)),
            (Form::Heading(1), "Empty"),
            (Form::Heading(1), "Tanks"),
            (Form::Heading(2), "Steel"),
            (Form::Paragraph, &long),
        ],
    );
    let found = chunks(&made);
    assert!(texts(&made, &found)[0].ends_with("Empty"));
    assert!(texts(&made, &found)[1].starts_with("Tanks\n\nSteel\n\nword"));
    assert_eq!(found[1].headings, ["Tanks"]);
}

#[test]
fn a_long_paragraph_is_cut_after_a_sentence() {
    let sentence = format!("{} end.", words(49));
    let long = [sentence.as_str(); 10].join(" ");
    let made = document(None, &[(Form::Paragraph, &long)]);
    let found = chunks(&made);
    assert_eq!(found.len(), 3);
    assert!(
        texts(&made, &found)
            .iter()
            .all(|text| text.ends_with("end."))
    );
    assert!(
        texts(&made, &found)
            .iter()
            .all(|text| text.starts_with("word"))
    );
}

#[test]
fn a_table_head_goes_with_the_first_row_after_it() {
    let long = words(170);
    let row = words(60);
    let made = document(
        None,
        &[
            (Form::Paragraph, &long),
            (Form::RowHead, "Name Price"),
            (Form::Row, &row),
            (Form::Row, &row),
        ],
    );
    let found = chunks(&made);
    assert_eq!(found.len(), 2);
    assert!(texts(&made, &found)[1].starts_with("Name Price"));
}

#[test]
fn pages_reach_from_the_first_to_the_last() {
    let mut made = document(
        None,
        &[(Form::Paragraph, "One."), (Form::Paragraph, "Two.")],
    );
    made.parts[0].page = Some(3);
    made.parts[1].page = Some(4);
    assert_eq!(chunks(&made)[0].pages, Some((3, 4)));
}

#[test]
fn parts_outside_the_text_are_left_out() {
    let mut made = document(None, &[(Form::Paragraph, "größer")]);
    let wild = |start, end| Part {
        span: Span { start, end },
        form: Form::Paragraph,
        page: None,
    };
    made.parts = vec![wild(0, 3), wild(5, 2), wild(0, u32::MAX), wild(0, 2)];
    let found = chunks(&made);
    assert_eq!(texts(&made, &found), ["gr"]);
}

fn any_form() -> impl Strategy<Value = Form> {
    prop_oneof![
        (1_u8..4).prop_map(Form::Heading),
        Just(Form::Paragraph),
        Just(Form::ListItem),
        Just(Form::RowHead),
        Just(Form::Row),
        Just(Form::Code),
    ]
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Zß. ?!\n]{0,60}",
        "[一-鿿。 ]{0,700}",
        "[^\\x00]{0,40}",
        (1_usize..900).prop_map(words),
        (1_usize..20_000).prop_map(|count| "x".repeat(count)),
        (1_usize..60).prop_map(|count| "He came in. She went. ".repeat(count)),
    ]
}

fn any_document() -> impl Strategy<Value = Document> {
    prop::collection::vec((any_form(), any_text()), 0..12).prop_map(|parts| {
        let borrowed: Vec<(Form, &str)> = parts.iter().map(|(f, t)| (*f, t.as_str())).collect();
        document(None, &borrowed)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_letter_of_every_part_is_in_exactly_one_passage(made in any_document()) {
        let found = chunks(&made);
        let mut end = 0;
        for chunk in &found {
            prop_assert!(chunk.span.start >= end && chunk.span.end > chunk.span.start);
            end = chunk.span.end;
            prop_assert!(made.text.get(chunk.span.start as usize..end as usize).is_some());
        }
        for part in &made.parts {
            let (start, end) = (part.span.start as usize, part.span.end as usize);
            for (at, letter) in made.text[start..end].char_indices() {
                let at = u32::try_from(start + at).unwrap();
                let inside = found.iter().any(|c| c.span.start <= at && at < c.span.end);
                prop_assert!(inside || letter.is_whitespace());
            }
        }
    }

    #[test]
    fn no_passage_reaches_over_a_heading_of_its_level(made in any_document()) {
        for chunk in chunks(&made) {
            let levels: Vec<u8> = made
                .parts
                .iter()
                .filter(|part| part.span.end > chunk.span.start && part.span.start < chunk.span.end)
                .filter(|part| !made.text[part.span.start as usize..part.span.end as usize].trim().is_empty())
                .filter_map(|part| match part.form { Form::Heading(level) => Some(level), _ => None })
                .collect();
            if let [first, rest @ ..] = &levels[..] {
                prop_assert!(rest.iter().all(|level| level > first) || chunk_begins_above(&made, &chunk, *first));
            }
        }
    }

    #[test]
    fn no_spans_make_it_panic(text in "\\PC{0,40}", spans in prop::collection::vec((0_u32..60, 0_u32..60), 0..8)) {
        let parts = spans
            .into_iter()
            .map(|(start, end)| Part { span: Span { start, end }, form: Form::Row, page: None })
            .collect();
        let made = Document { kind: DocumentKind::Csv, title: None, author: None, date: None, text, parts, omissions: Vec::new() };
        let found = chunks(&made);
        let _ = adjutant_knowledge_index::Entry::new(crate::corpus::id(1), &made, &found);
    }
}

/// A passage that begins with text stands under a heading above all those inside it.
fn chunk_begins_above(made: &Document, chunk: &Chunk, first: u8) -> bool {
    let begins = made
        .parts
        .iter()
        .find(|part| part.span.end > chunk.span.start);
    let with_heading = begins.is_some_and(|part| matches!(part.form, Form::Heading(_)));
    !with_heading && chunk.headings.len() < usize::from(first)
}
