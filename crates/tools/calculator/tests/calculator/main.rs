//! The calculator from outside: requests as JSON, answers as JSON.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

use adjutant_calculator::{Answer, Refusal, Request, calculate};
use serde_json::{Value, json};

mod convert;
mod dates;
mod dosing;
mod finance;
mod properties;
mod reference;
mod schema;

fn ask(request: Value) -> Result<Answer, Refusal> {
    let request: Request = serde_json::from_value(request).expect("a request");
    calculate(&request)
}

fn text(request: Value) -> String {
    ask(request).expect("an answer").text
}

fn refusal(request: Value) -> String {
    ask(request).expect_err("a refusal").to_string()
}

fn part(answer: &Answer, name: &str) -> String {
    let part = answer.parts.iter().find(|part| part.name == name);
    part.expect("the part").text.clone()
}
