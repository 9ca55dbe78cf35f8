use adjutant_questions::Source;

use super::{number, source_tables};

#[test]
fn a_table_has_its_headings_and_the_rows_that_fit_them() {
    let sources = [Source {
        id: "kb:a".to_owned(),
        title: String::new(),
        text: "Before.\n| Site | Days |\n|---|---|\n| North | 4 |\n| South | 7 | late |\nAfter.\nA | B\nx | y".to_owned(),
        published: None,
    }];
    let found = source_tables(&sources);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].headings, ["Site", "Days"]);
    assert_eq!(found[0].rows.len(), 1);
    assert_eq!(found[0].evidence(&found[0].rows[0]).quote, "| North | 4 |");
}

#[test]
fn numbers_may_have_a_unit() {
    for (cell, expected) in [
        ("12", Some(12.0)),
        ("1,204", Some(1204.0)),
        ("−3.5 °C", Some(-3.5)),
        ("40%", Some(40.0)),
        ("12 of 40", None),
        ("2026-03-01", None),
        ("none", None),
    ] {
        assert_eq!(number(cell), expected, "{cell}");
    }
}
