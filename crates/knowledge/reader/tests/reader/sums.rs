//! Totals, times and shares that do not add up.

use crate::{documents, reading};

fn found(text: &str) -> Vec<(f64, f64)> {
    let files = documents(&[("paper.md", text)]);
    let read = reading(&files);
    read.wrong_sums()
        .into_iter()
        .map(|wrong| (wrong.stated, wrong.computed))
        .collect()
}

fn table(total: &str) -> String {
    format!(
        "# Costs\n\n| item | EUR |\n|---|---|\n| Bricks | 1,200 |\n| Mortar | 300 |\n| Wages | 2,450 |\n| Total | {total} |\n"
    )
}

#[test]
fn a_total_is_the_sum_of_its_rows() {
    assert_eq!(found(&table("3,950")), []);
    assert_eq!(found(&table("3,850")), [(3850.0, 3950.0)]);
    // A total of something else.
    assert_eq!(found(&table("9,000")), []);
}

#[test]
fn rounded_parts_may_miss_the_total_by_their_rounding() {
    let rounded = |total: &str| {
        format!(
            "# Costs\n\n| item | EUR million |\n|---|---|\n| Bricks | 1.2 |\n| Mortar | 0.3 |\n| Wages | 2.4 |\n| Total | {total} |\n"
        )
    };
    assert_eq!(found(&rounded("4.0")), []);
    assert_eq!(found(&rounded("4.3")).len(), 1);
}

#[test]
fn a_sentence_gives_the_total_of_the_table_in_its_section() {
    let section = |total: &str| {
        format!(
            "# Costs\n\nThe total cost is EUR {total}.\n\n| item | EUR thousand |\n|---|---|\n| Bricks | 640 |\n| Wages | 410 |\n"
        )
    };
    assert_eq!(found(&section("1.05 million")), []);
    assert_eq!(
        found(&section("1.15 million")),
        [(1_150_000.0, 1_050_000.0)]
    );
}

#[test]
fn a_time_from_and_to_has_its_length() {
    assert_eq!(
        found("# Log\n\nThe pump ran from 11:55 to 16:31 (4 h 36 min).\n"),
        []
    );
    assert_eq!(
        found("# Log\n\nThe pump ran from 11:55 to 16:31 (4 h 06 min).\n"),
        [(246.0, 276.0)]
    );
    assert_eq!(
        found("# Log\n\nThe pump ran from 23:30 to 00:15 (45 min).\n"),
        []
    );
}

#[test]
fn a_share_follows_from_part_and_whole() {
    assert_eq!(
        found("# Count\n\nOf the bells, 4 of 106 (3.8 %) are cracked.\n"),
        []
    );
    let wrong = found("# Count\n\nOf the bells, 4 of 106 (5.8 %) are cracked.\n");
    assert_eq!(wrong.len(), 1);
}
