#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails may panic"
)]

use adjutant_language::{Answer, Request, process};
use serde_json::{Value, json};

mod entities;
mod languages;
mod meaning;
mod properties;
mod requests;
mod schema;
mod sentences;

fn ask(request: Value) -> Answer {
    let request: Request = serde_json::from_value(request).expect("a request");
    process(&request).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn ask_json(request: Value) -> Value {
    serde_json::to_value(ask(request)).expect("JSON")
}
