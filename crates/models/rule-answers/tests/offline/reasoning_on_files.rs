//! The sample dossier of the product: what was hidden there is found by reasoning without a model.

use std::path::Path;

use adjutant_questions::{Concluded, Input, Output, Purpose, Source};
use serde_json::{Value, json};

use crate::dossiers::answered;

/// The plain texts of the dossier: what can be read without a parser.
fn dossier() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../samples/velmoran");
    let planted = std::fs::read_to_string(root.join("planted.json")).unwrap();
    let planted: Value = serde_json::from_str(&planted).unwrap();
    let documents = planted["documents"].as_array().unwrap().iter();
    let plain = documents.filter(|at| {
        let path = at["path"].as_str().unwrap();
        path.ends_with(".md") || path.ends_with(".txt") || path.ends_with(".eml")
    });
    let sources: Vec<Source> = plain
        .map(|at| {
            let path = at["path"].as_str().unwrap();
            Source {
                id: path.to_owned(),
                title: at["about"].as_str().unwrap().to_owned(),
                text: std::fs::read_to_string(root.join("documents").join(path)).unwrap(),
                published: at["date"].as_str().map(str::to_owned),
            }
        })
        .collect();
    assert!(sources.len() > 20, "{}", sources.len());
    sources
}

fn conclude(question: &str) -> Concluded {
    let question = json!({ "question": question, "sources": dossier() });
    match answered(&Input::read(Purpose::Conclude, question).unwrap()) {
        Output::Conclude(concluded) => concluded,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_planted_answer_is_found_with_its_source() {
    let concluded = conclude("What is the shelf life of the tablets?");
    let evidence = concluded.findings.iter().flat_map(|at| &at.evidence);
    let said: Vec<&str> = evidence.map(|at| at.quote.as_str()).collect();
    assert!(said.iter().any(|at| at.contains("24 months")), "{said:?}");
    let concluded = conclude("How many months at 25 °C can we support?");
    let evidence = concluded.findings.iter().flat_map(|at| &at.evidence);
    let said: Vec<&str> = evidence.map(|at| at.quote.as_str()).collect();
    assert!(said.iter().any(|at| at.contains("18 months")), "{said:?}");
}
