use adjutant_reports::{
    Basis, Compose, FailureMode, Fmea, FmeaTable, Kind, Simulate, document, fmea, judge, simulation,
};
use serde_json::json;

use crate::dossier::{all_text, changed, source, sources};

fn table(sources: Vec<adjutant_questions::Source>) -> FmeaTable {
    fmea(Fmea {
        sources,
        objective: "Which risks does CAIRN-3 run?".to_owned(),
        most: 30,
        ..Fmea::default()
    })
}

fn row<'t>(table: &'t FmeaTable, id: &str) -> &'t FailureMode {
    let found = table.rows.iter().find(|row| row.id.as_deref() == Some(id));
    found.unwrap_or_else(|| panic!("no {id}"))
}

fn scores(row: &FailureMode) -> (u8, u8, u8, u16) {
    (
        row.severity.value.unwrap(),
        row.occurrence.value.unwrap(),
        row.detection.value.unwrap(),
        row.rpn.unwrap(),
    )
}

#[test]
fn the_five_scores_of_the_workshop_are_taken_over() {
    let table = table(sources());
    let expected = [
        ("R-01", (9, 6, 6, 324)),
        ("R-02", (7, 7, 3, 147)),
        ("R-03", (8, 8, 2, 128)),
        ("R-05", (8, 4, 5, 160)),
        ("R-07", (9, 7, 2, 126)),
    ];
    for (id, wanted) in expected {
        let row = row(&table, id);
        assert_eq!(scores(row), wanted, "{id}");
        assert_eq!(row.severity.basis, Basis::Stated);
        assert_eq!(
            row.severity.evidence[0].source,
            "minutes/risk-workshop-2026-09-10.md"
        );
    }
    assert!(
        row(&table, "R-01")
            .risk
            .text
            .starts_with("Potassium above 6.0"),
        "the newer register names it"
    );
    assert!(
        table
            .rows
            .is_sorted_by_key(|row| std::cmp::Reverse(row.rpn))
    );
}

#[test]
fn unscored_risks_are_scored_by_the_told_frequency() {
    let table = table(sources());
    let shelf = row(&table, "R-04");
    // 1 of 3 lots.
    assert_eq!(
        (shelf.occurrence.value, shelf.occurrence.basis),
        (Some(9), Basis::Derived)
    );
    assert!(
        shelf.occurrence.because.contains("1 / 3"),
        "{}",
        shelf.occurrence.because
    );
    let manual = row(&table, "R-13");
    assert_eq!(manual.occurrence.basis, Basis::NotScored);
    assert_eq!(
        (manual.occurrence.value, manual.rpn),
        (None, None),
        "no middle score"
    );
}

#[test]
fn a_dispute_and_an_older_register_are_shown() {
    let table = table(sources());
    let about = |words: &str| {
        table
            .contradictions
            .iter()
            .find(|at| at.about == words)
            .unwrap()
    };
    let dispute = about("occurrence of R-01");
    assert!(
        dispute.sides.iter().any(|side| side.text == "occurrence 7"),
        "{dispute:?}"
    );
    let older = about("occurrence of R-02");
    assert!(
        older.sides.iter().any(|side| side.text.contains("low")),
        "{older:?}"
    );
}

#[test]
fn another_number_in_the_source_is_another_score() {
    let sources = changed(
        "minutes/risk-workshop-2026-09-10.md",
        "| R-05 | 8 | 4 | 5 |",
        "| R-05 | 8 | 9 | 5 |",
    );
    assert_eq!(scores(row(&table(sources), "R-05")), (8, 9, 5, 360));
    let sources = changed(
        "board/risk-register-2026-08.md",
        "1 of 3 lots",
        "1 of 300 lots",
    );
    assert_eq!(row(&table(sources), "R-04").occurrence.value, Some(4));
}

#[test]
fn scores_in_sentences() {
    for text in [
        "The pump may fail and flood the cellar: severity 8, occurrence 4, detection 6.",
        "The pump may fail and flood the cellar (S 8 O 4 D 6).",
        "The pump may fail and flood the cellar: S=8, O=4, D=6.",
    ] {
        let table = table(vec![source("memo", "2024-01-01", text)]);
        let first = table
            .rows
            .first()
            .unwrap_or_else(|| panic!("nothing in {text}"));
        assert_eq!(scores(first), (8, 4, 6, 192), "{text}");
    }
}

#[test]
fn no_sources_no_risks() {
    let table = table(Vec::new());
    assert!(table.rows.is_empty());
    assert!(!table.not_found.is_empty());
}

#[test]
fn the_document_holds_and_has_its_parts() {
    let sources = sources();
    let mut pieces = serde_json::Map::new();
    pieces.insert("fmea".to_owned(), json!(table(sources.clone())));
    let simulated = simulation(Simulate {
        sources: sources.clone(),
        ..Simulate::default()
    });
    pieces.insert("simulation".to_owned(), json!(simulated));
    let written = document(
        Kind::RiskAssessment,
        Compose {
            outline: None,
            title: "Risks of CAIRN-3".to_owned(),
            objective: "Which risks does CAIRN-3 run?".to_owned(),
            pieces,
            offline: true,
            sources: sources.clone(),
        },
    );
    let judged = judge(&written, &sources);
    assert!(judged.passed, "{:#?}", judged.feedback);
    let text = all_text(&written);
    for part in [
        "9 x 6 x 6 = 324",
        "\"P90\"",
        "occurrence of R-01",
        "No scenarios were requested",
    ] {
        assert!(
            text.to_lowercase().contains(&part.to_lowercase()),
            "{part} is missing"
        );
    }
}
