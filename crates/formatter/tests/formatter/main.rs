//! The formatter from outside: requests as JSON, answers as JSON.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

use adjutant_formatter::{Answer, Refusal, Request, format};
use serde_json::Value;

mod citations;
mod properties;
mod reading;
mod reference;
mod schema;
mod table;
mod template;

fn ask(request: Value) -> Result<Answer, Refusal> {
    let request: Request = serde_json::from_value(request).expect("a request");
    format(&request)
}

fn made(request: Value) -> Answer {
    ask(request).expect("an answer")
}
