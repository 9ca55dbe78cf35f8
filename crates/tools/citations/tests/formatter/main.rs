//! The formatter from outside: requests as JSON, answers as JSON.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

use adjutant_citations::{Answer, Refusal, Request, format};
use serde_json::Value;

mod apa_in_text;
mod citations;
mod csl_styles;
mod docs;
mod properties;
mod reading;
mod reference;
mod schema;
mod table;
mod template;

fn format_json(request: Value) -> Result<Answer, Refusal> {
    let request: Request = serde_json::from_value(request).expect("a request");
    format(&request)
}

fn format_ok(request: Value) -> Answer {
    format_json(request).expect("an answer")
}
