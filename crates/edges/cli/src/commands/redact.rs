//! `adjutant redact`: a text as it would leave the sensitive zone.

use std::collections::BTreeMap;

use adjutant_redact::{Found, Kind, Pseudonyms};
use serde_json::json;

use crate::args::Redact;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::text_file;
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::outgoing::count_replaced;

pub(super) fn run(redact: &Redact) -> Result<Exit, AppError> {
    let text = text_file::read(&redact.file)?;
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(|error| {
        AppError::new(
            ErrorKind::Unavailable,
            "ADJ-5005",
            format!("the system provides no random numbers: {error}"),
            "Check the system's random device.",
        )
    })?;
    let redacted = Pseudonyms::new(key).redact(&text);
    if Form::from(redact.json.json) == Form::Json {
        for found in &redacted.found {
            let (line, column) = text_file::place(&text, found.span.start);
            let told = json!({
                "kind": found.kind, "start": found.span.start, "end": found.span.end,
                "line": line, "column": column,
                "text": text.get(found.span.clone()), "reason": found.reason,
            });
            output::line(&told.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    output::line(redacted.text.strip_suffix('\n').unwrap_or(&redacted.text))?;
    output::note(&summary(&redacted.found));
    Ok(Exit::Ok)
}

/// How many of what were replaced.
fn summary(found: &[Found]) -> String {
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    for one in found {
        *counts.entry(one.kind).or_default() += 1;
    }
    if counts.is_empty() {
        return "\nNo personal data was found. This does not prove that there is none.".to_owned();
    }
    format!("\nReplaced: {}.", count_replaced(&counts))
}
