//! What a computing tool returned, as a table or a list with the method behind it: the calculator, the statistician, the language
//! analyst, the formatter.

use adjutant_document_model::{Block, Mark, Span};
use serde_json::Value;

use crate::builder::{column, label, note, table};
use crate::pieces::Pieces;
use crate::shared::bullets;
use crate::text::{capital, short, written};

const ROWS_MAX: usize = 20;
const LINES_MAX: usize = 60;
const CHARS_MAX: usize = 400;

pub(crate) fn blocks(pieces: &Pieces<'_>, from: &str) -> Vec<Block> {
    let Some(result) = pieces.get(from).filter(|value| value.is_object()) else {
        // A plan that cannot compute it says why instead.
        return match pieces.get(from).and_then(Value::as_str) {
            Some(why) => vec![note("Not computed", &capital(&short(why, CHARS_MAX)))],
            None => vec![note("Not done", "This part was not done")],
        };
    };
    let whole = result["text"]
        .as_str()
        .filter(|text| !result["entries"].is_array() && !text.trim().is_empty())
        .map(|text| ("Result".to_owned(), short(text, CHARS_MAX)));
    let mut rows = parts(&result["parts"]);
    rows.extend(phrases(&result["phrases"]));
    figures("", &result["figures"], &mut rows);
    let rows = whole.into_iter().chain(rows).take(ROWS_MAX);
    let rows = rows.map(|(name, value)| vec![label(name), vec![computed(value)]]);
    let columns = vec![column("What", 4), column("Value", 4)];
    let mut blocks: Vec<Block> = table("Computed", columns, rows.collect())
        .into_iter()
        .collect();
    let entries = result["entries"].as_array().into_iter().flatten();
    let lines = entries.filter_map(|entry| entry["text"].as_str());
    blocks.extend(bullets(
        lines
            .take(LINES_MAX)
            .map(|line| computed(short(line, CHARS_MAX))),
    ));
    if blocks.is_empty() {
        return vec![note("None found", "There was nothing to compute")];
    }
    if let Some(method) = result["method"].as_str() {
        blocks.push(note("How it was computed", &short(method, CHARS_MAX)));
    }
    blocks
}

fn computed(text: String) -> Span {
    Span {
        text,
        mark: Some(Mark::Calculation),
        ..Span::default()
    }
}

fn parts(parts: &Value) -> Vec<(String, String)> {
    let parts = parts.as_array().into_iter().flatten();
    let row = |part: &Value| {
        let name = part["name"].as_str()?.replace('_', " ");
        Some((capital(&name), part["text"].as_str()?.to_owned()))
    };
    parts.filter_map(row).collect()
}

fn phrases(phrases: &Value) -> Vec<(String, String)> {
    let phrases = phrases.as_array().into_iter().flatten();
    let row = |phrase: &Value| {
        let times = match phrase["count"].as_u64()? {
            1 => "once".to_owned(),
            count => format!("{count} times"),
        };
        Some((short(phrase["text"].as_str()?, CHARS_MAX), times))
    };
    phrases.filter_map(row).collect()
}

/// The figures of an analysis; an interval in one row.
fn figures(name: &str, value: &Value, rows: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            let bound = |field: &str| value[field].as_f64().map(|at| written(at, 4));
            if let (Some(low), Some(high)) = (bound("low"), bound("high")) {
                rows.push((spoken(name), format!("{low} to {high}")));
                return;
            }
            for (field, inner) in fields {
                figures(field, inner, rows);
            }
        }
        Value::Number(number) => {
            let number = number.as_f64().map(|at| written(at, 4));
            rows.extend(number.map(|number| (spoken(name), number)));
        }
        Value::String(text) => rows.push((spoken(name), short(text, CHARS_MAX))),
        _ => {}
    }
}

fn spoken(name: &str) -> String {
    capital(&name.replace('_', " "))
}
