use serde_json::{Value, json};

use crate::{Exhibit, InputRefused, method};

fn apply(input: Value) -> Result<Exhibit, InputRefused> {
    (method("pattern_search").unwrap().apply)(input)
}

/// Twelve repairs at two sites.
fn repairs() -> String {
    let cost = [12, 3, 7, 9, 1, 11, 2, 10, 6, 4, 8, 5];
    let late = [
        "no", "no", "no", "no", "no", "no", "yes", "yes", "yes", "yes", "yes", "no",
    ];
    let mut text = "| Site | Days | Cost | Late | Remark |\n|---|---|---|---|---|\n".to_owned();
    for at in 0..12 {
        let site = if at < 6 { "north" } else { "south" };
        let days = at + 1;
        text.push_str(&format!(
            "| {site} | {days} | {} | {} | r{at} |\n",
            cost[at], late[at]
        ));
    }
    text
}

fn sources(text: &str) -> Value {
    json!([{"id": "kb:r", "title": "Repairs", "text": text}])
}

/// Pattern, test, p, corrected p and result of each row.
fn rows(exhibit: &Exhibit) -> Vec<[&str; 5]> {
    let rows = exhibit.tables[0].rows.iter();
    rows.map(|row| [1, 3, 6, 7, 8].map(|at| row[at].text.as_str()))
        .collect()
}

/// By SciPy 1.17: `mannwhitneyu(..., method="exact")`, `fisher_exact`, `spearmanr` and `false_discovery_control` on the same
/// columns; Holm's correction by hand from the sorted p-values.
#[test]
fn p_values_and_their_correction_are_those_of_scipy() {
    let exhibit = apply(json!({"sources": sources(&repairs())})).unwrap();
    assert_eq!(
        rows(&exhibit),
        [
            [
                "“Days” is higher for “south” than for “north” (Site)",
                "Mann-Whitney",
                "0.002",
                "0.013",
                "pattern"
            ],
            [
                "“Site” and “Late” go together",
                "Fisher's exact test",
                "0.015",
                "0.045",
                "pattern"
            ],
            [
                "“Days” is higher for “yes” than for “no” (Late)",
                "Mann-Whitney",
                "0.048",
                "0.096",
                "may be chance"
            ],
            [
                "“Cost” falls with “Days”",
                "Spearman's rank correlation",
                "0.587",
                "0.706",
                "may be chance"
            ],
            [
                "“Cost” is higher for “north” than for “south” (Site)",
                "Mann-Whitney",
                "0.589",
                "0.706",
                "may be chance"
            ],
            [
                "“Cost” is higher for “no” than for “yes” (Late)",
                "Mann-Whitney",
                "0.755",
                "0.755",
                "may be chance"
            ],
        ]
    );
    assert_eq!(
        exhibit.headlines[0].text,
        "6 comparisons tested: 2 remain after correction for so many looks (Benjamini-Hochberg), 3 would have without it"
    );
    assert_eq!(exhibit.headlines.len(), 3);
    assert_eq!(exhibit.charts.len(), 1);
    assert!(crate::is_drawable(&exhibit));
    assert_eq!(
        exhibit.headlines[1].evidence[0].quote,
        "| north | 1 | 12 | no | r0 |"
    );
}

#[test]
fn the_strict_choice_corrects_by_holm() {
    let exhibit = apply(json!({
        "sources": sources(&repairs()), "choices": [{"option": "strict", "note": ""}],
    }))
    .unwrap();
    let corrected: Vec<&str> = rows(&exhibit).iter().map(|row| row[3]).collect();
    assert_eq!(
        corrected,
        ["0.013", "0.076", "0.192", "1.000", "1.000", "1.000"]
    );
    assert_eq!(exhibit.data["patterns"], 1);
}

#[test]
fn rows_with_gaps_count_unless_people_want_complete_ones() {
    let text = repairs().replace(
        "| north | 1 | 12 | no | r0 |",
        "| north | 1 | 12 | no | - |",
    );
    let count = |option: &str| {
        let input = json!({"sources": sources(&text), "choices": [{"option": option, "note": ""}]});
        apply(input).unwrap().tables[0].rows[0][4].text.clone()
    };
    assert_eq!(count("all_rows"), "12");
    assert_eq!(count("complete_rows"), "11");
}

#[test]
fn passages_of_one_table_are_one_table() {
    let text = repairs();
    let (first, last) = text.split_at(text.find("| south").unwrap());
    let last = format!("| Site | Days | Cost | Late | Remark |\n{last}");
    let exhibit = apply(json!({"sources": [
        {"id": "kb:r#0-1", "title": "Repairs", "text": first},
        {"id": "kb:r#1-2", "title": "Repairs", "text": last},
        {"id": "kb:r", "title": "Repairs", "text": text},
    ]}))
    .unwrap();
    assert_eq!(exhibit.data["tables"], 1);
    assert_eq!(exhibit.tables[0].rows[0][4].text, "12");
}

#[test]
fn themes_of_several_documents_repeat() {
    let cluster = |label: &str, sources: Value| json!({"label": label, "sources": sources, "keywords": ["pump"], "evidence": []});
    let exhibit = apply(json!({"sources": [], "clusters": [{"clusters": [
        cluster("Pumps", json!(["kb:a#0-1", "kb:b#0-1"])),
        cluster("Doors", json!(["kb:a#0-1", "kb:a#1-2"])),
    ]}]}))
    .unwrap();
    assert_eq!(exhibit.tables.len(), 1);
    assert_eq!(exhibit.tables[0].rows.len(), 1);
    assert_eq!(exhibit.tables[0].rows[0][0].text, "Pumps");
    assert_eq!(exhibit.notes[0].title, "No statistics");
}

#[test]
fn a_short_table_is_not_tested() {
    let text: String = repairs()
        .lines()
        .take(8)
        .map(|line| format!("{line}\n"))
        .collect();
    let exhibit = apply(json!({"sources": sources(&text)})).unwrap();
    assert!(exhibit.headlines.is_empty());
    assert!(
        exhibit
            .notes
            .iter()
            .any(|note| note.title == "Short tables")
    );
}
