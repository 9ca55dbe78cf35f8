//! Scores against the reference program.

use serde_json::Value;

use super::vader;

#[test]
fn the_scores_are_those_of_the_reference() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../../tests/reference/sentiment.json")).unwrap();
    assert!(cases.len() >= 40);
    for case in cases {
        let score = vader::score(case["text"].as_str().unwrap());
        let near = |value: f64, name: &str| (value - case[name].as_f64().unwrap()).abs() < 0.0011;
        let compound = (score.compound - case["compound"].as_f64().unwrap()).abs() < 0.000_11;
        assert!(
            compound
                && near(score.positive, "pos")
                && near(score.neutral, "neu")
                && near(score.negative, "neg"),
            "{case}: {} {} {} {}",
            score.compound,
            score.positive,
            score.neutral,
            score.negative
        );
    }
}
