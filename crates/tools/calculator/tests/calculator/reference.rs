//! Against numbers that others made: `computed.json` by other libraries, `published.json` from worked examples.

use adjutant_calculator::Number;
use serde::Deserialize;

use super::*;

#[derive(Deserialize)]
struct Case {
    #[serde(default)]
    source: String,
    request: Value,
    expected: String,
    tolerance: String,
    part: Option<String>,
}

fn number(text: &str) -> Number {
    Number::parse(text).expect("a number")
}

fn compare(cases: &str) {
    let cases: Vec<Case> = serde_json::from_str(cases).expect("cases");
    let mut wrong = Vec::new();
    for case in &cases {
        let given = match (ask(case.request.clone()), &case.part) {
            (Err(refusal), _) => {
                wrong.push(format!("{} {}: {refusal}", case.source, case.request));
                continue;
            }
            (Ok(answer), None) => answer.text,
            (Ok(answer), Some(name)) => {
                let part = answer.parts.into_iter().find(|part| &part.name == name);
                part.expect("the part").text
            }
        };
        let away = number(&given) - number(&case.expected);
        let (low, high) = (-number(&case.tolerance), number(&case.tolerance));
        if away < low || away > high {
            wrong.push(format!(
                "{} {}: {given}, not {}",
                case.source, case.request, case.expected
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

#[test]
fn other_libraries_come_to_the_same() {
    compare(include_str!("../reference/computed.json"));
}

#[test]
fn published_examples_come_to_the_same() {
    compare(include_str!("../reference/published.json"));
}
