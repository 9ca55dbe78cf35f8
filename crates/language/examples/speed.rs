//! How long each kind of request takes on a text of a million characters.
//!
//! `cargo run -p adjutant-language --example speed`

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
    for kind in ["language", "sentences", "entities"] {
        // The first call builds the patterns and lists.
        let small: Request = serde_json::from_value(
            json!({ "process": kind, "text": "The trial of 2019 was short and the results were good." }),
        )?;
        let began = Instant::now();
        let _ = process(&small);
        let first = began.elapsed();
        let request: Request = serde_json::from_value(json!({ "process": kind, "text": text }))?;
        let began = Instant::now();
        let answer = process(&request);
        let whole = began.elapsed();
        println!(
            "{kind}: {whole:.2?} for a million characters, {first:.2?} for the first call, ok: {}",
            answer.is_ok()
        );
    }
    Ok(())
}
