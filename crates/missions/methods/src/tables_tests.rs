use super::{Table, tables};

fn only(text: &str) -> Table {
    let found = tables(text);
    assert_eq!(found.len(), 1, "{found:?}");
    found.into_iter().next().unwrap_or_else(|| Table {
        headings: Vec::new(),
        names: Vec::new(),
        rows: Vec::new(),
    })
}

#[test]
fn markdown_rows_and_rows_of_read_documents_are_the_same_table() {
    let markdown =
        only("Before.\n\n| Id | Risk |\n|---|---|\n| R-1 | Fire |\n\nAfter, a sentence.");
    let read = only("Before.\n\nId | Risk\nR-1 | Fire\n\nAfter, a sentence.");
    assert_eq!(markdown.headings, read.headings);
    assert_eq!(markdown.rows[0].cells, ["R-1", "Fire"]);
    assert_eq!(read.rows[0].line, "R-1 | Fire");
}

#[test]
fn commas_in_quotation_marks_do_not_part_cells() {
    let table = only("id,risk,measure\nR-1,Fire,\"weeks 1, 2\"\n");
    assert_eq!(table.rows[0].cells, ["R-1", "Fire", "weeks 1, 2"]);
    assert_eq!(table.rows[0].line, "R-1,Fire,\"weeks 1, 2\"");
}

#[test]
fn a_sentence_with_commas_is_no_table() {
    assert!(tables("Red, green, blue.\nOne, two, three.").is_empty());
}
