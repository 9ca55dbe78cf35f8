//! The calculator from outside: requests as JSON, answers as JSON.

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
