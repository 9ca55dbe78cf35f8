//! Writes the features of every sentence, for fitting the scorer's weights.
//!
//! Reads one text per line: `{"about": …, "text": …, "payload": …}`, with an empty payload for ordinary texts. `found`
//! tells whether something other than the scorer finds the payload or raises an alarm at an ordinary text.

use std::io::{BufRead, BufWriter, Write};

use adjutant_guard::{Limits, Origin, SCORER_REASON, Severity, explain, inspect};
use anyhow::Result;
use serde_json::{Value, json};

/// The scorer ignores longer sentences.
const WORDS_MAX: usize = 80;

fn main() -> Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let case: Value = serde_json::from_str(&line?)?;
        let text = case["text"].as_str().unwrap_or_default();
        let payload = case["payload"]
            .as_str()
            .filter(|payload| !payload.is_empty());
        let payload = payload.and_then(|payload| Some((text.find(payload)?, payload.len())));
        let (start, length) = payload.unwrap_or((0, text.len()));
        let meets = |span: &std::ops::Range<usize>| span.start < start + length && start < span.end;
        let inspected = inspect(text, Origin::Document, &Limits::default());
        let found = inspected.threats.iter().any(|threat| {
            threat.severity >= Severity::Medium
                && meets(&threat.span)
                && !threat.reason.contains(SCORER_REASON)
        });
        let sentences = explain(text).into_iter();
        let sentences = sentences.filter(|sentence| sentence.words <= WORDS_MAX);
        let sentences: Vec<Value> = sentences
            .map(|sentence| json!({"inside": meets(&sentence.span), "seen": sentence.seen}))
            .collect();
        let line = json!({"about": case["about"], "found": found, "sentences": sentences});
        writeln!(out, "{line}")?;
    }
    Ok(())
}
