//! How long each kind of request takes on a text of a million characters.
//!
//! `cargo run -p adjutant-language --example language_speed`

use std::time::Instant;

use adjutant_language::{Request, TEXT_CHARACTERS_MAX, process};
use serde_json::json;

const PASSAGES: [&str; 2] = [
    include_str!("../tests/reference/entities_tuned.txt"),
    include_str!("../tests/reference/entities_held_out.txt"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let passage = PASSAGES.concat().replace("[[", "").replace("]]", "");
    let text: String = passage.chars().cycle().take(TEXT_CHARACTERS_MAX).collect();
    for kind in [
        "language",
        "sentences",
        "entities",
        "phrases",
        "sentiment",
        "readability",
        "compare",
    ] {
        // The first call builds the patterns and lists.
        let small = "The trial of 2019 was short and the results were good.";
        let began = Instant::now();
        let first = process(&request(kind, small)?).is_ok();
        let first_time = began.elapsed();
        let began = Instant::now();
        let whole = process(&request(kind, &text)?).is_ok();
        let whole_time = began.elapsed();
        println!(
            "{kind}: {whole_time:.2?} for a million characters (answered: {whole}), {first_time:.2?} for the first call \
             (answered: {first})"
        );
    }
    Ok(())
}

fn request(kind: &str, text: &str) -> serde_json::Result<Request> {
    let mut request = json!({ "process": kind, "text": text });
    if kind == "compare" {
        request["other"] = text.into();
    }
    serde_json::from_value(request)
}
