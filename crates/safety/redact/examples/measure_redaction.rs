//! Measures precision and recall on a set of lines, and the speed: `cargo run --example measure_redaction [set.jsonl]`.

#[path = "../tests/score/mod.rs"]
mod score;

use std::time::Instant;

use adjutant_redact::find;
use score::{Half, Set};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args()
        .nth(1)
        .unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/tests/set.jsonl").to_owned());
    let set = Set::read(&std::fs::read_to_string(path)?)?;
    for half in [Half::Tuned, Half::HeldOut] {
        let scores = set.score(half);
        println!("{half:?}: {} lines", scores.lines);
        println!(
            "  {:<14} {:>5} {:>5} {:>5} {:>9} {:>7}",
            "kind", "right", "false", "missed", "precision", "recall"
        );
        let kinds = scores
            .by_kind
            .iter()
            .map(|(kind, score)| (format!("{kind:?}"), *score));
        for (kind, score) in kinds.chain([("all".to_owned(), scores.all())]) {
            println!(
                "  {kind:<14} {:>5} {:>5} {:>5} {:>9.3} {:>7.3}",
                score.right,
                score.wrong,
                score.missed,
                score.precision(),
                score.recall()
            );
        }
        for problem in &scores.problems {
            println!("  {problem}");
        }
    }
    let lines: Vec<&str> = set.lines.iter().map(|line| line.text.as_str()).collect();
    let text = lines.join("\n\n").repeat(20);
    let began = Instant::now();
    let found = find(&text).len();
    let took = began.elapsed();
    let mut pseudonyms = adjutant_redact::Pseudonyms::new([7; 32]);
    let began = Instant::now();
    let redacted = pseudonyms.redact(&text).text.len();
    let both = began.elapsed();
    let megabytes = f64::from(u32::try_from(text.len())?) / 1e6;
    println!(
        "{megabytes:.1} MB, {found} found: find {:.1} MB/s, redact {:.1} MB/s to {redacted} bytes",
        megabytes / took.as_secs_f64(),
        megabytes / both.as_secs_f64()
    );
    Ok(())
}
