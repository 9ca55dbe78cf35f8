//! What a template can do with a value.

use std::sync::{Arc, Mutex};

use jiff::civil::Date;
use minijinja::value::Value as Given;
use minijinja::{Environment, Error, ErrorKind};
use serde_json::{Value, json};

use crate::csl::MONTHS;
use crate::notes::Notes;
use crate::table::{Number, NumberStyle, Table, decimal_of};
use crate::{Answer, Citations, Markup, Refusal};

type Shared = Arc<Mutex<Notes>>;

const PERCENT_DECIMALS: u32 = 1;

pub(super) fn add(environment: &mut Environment<'_>, markup: Markup, notes: &Shared) {
    let kept = Arc::clone(notes);
    environment.add_filter("citation", move |item: Given, style: Option<String>| {
        citation(&item, style.as_deref(), markup, &kept)
    });
    let kept = Arc::clone(notes);
    environment.add_filter("table", move |rows: Given, columns: Option<Vec<String>>| {
        table(&rows, columns, markup, &kept)
    });
    environment.add_filter(
        "number",
        |value: Given, decimals: Option<u32>, thousands: Option<String>| {
            let number = Number {
                decimals,
                thousands,
                ..Number::default()
            };
            write(&number, &value)
        },
    );
    environment.add_filter("percent", |value: Given, decimals: Option<u32>| {
        let number = Number {
            style: NumberStyle::Percent,
            decimals: Some(decimals.unwrap_or(PERCENT_DECIMALS)),
            ..Number::default()
        };
        write(&number, &value)
    });
    environment.add_filter("date", |value: String, style: Option<String>| {
        date(&value, style.as_deref().unwrap_or("day_first"))
    });
    environment.add_filter("plural", |count: Given, one: String, many: String| {
        plural(&count, &one, &many)
    });
}

fn wrong(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}

fn to_json(value: &Given) -> Result<Value, Error> {
    serde_json::to_value(value).map_err(|error| wrong(error.to_string()))
}

fn keep(answer: Result<Answer, Refusal>, notes: &Shared) -> Result<Answer, Error> {
    let answer = answer.map_err(|refusal| wrong(refusal.to_string()))?;
    if let Ok(mut notes) = notes.lock() {
        for note in &answer.notes {
            notes.add(note.clone());
        }
    }
    Ok(answer)
}

fn citation(
    item: &Given,
    style: Option<&str>,
    markup: Markup,
    notes: &Shared,
) -> Result<Given, Error> {
    let style = serde_json::from_value(json!(style.unwrap_or("vancouver")))
        .map_err(|error| wrong(format!("`citation`: {error}")))?;
    let citations = Citations {
        style,
        items: vec![to_json(item)?],
        cited: None,
        markup,
    };
    let answer = keep(citations.answer(), notes)?;
    let text = answer.entries.into_iter().next().map(|entry| entry.text);
    Ok(Given::from_safe_string(text.unwrap_or_default()))
}

/// Columns are keys; without them, those of the first row.
fn table(
    rows: &Given,
    columns: Option<Vec<String>>,
    markup: Markup,
    notes: &Shared,
) -> Result<Given, Error> {
    let rows = to_json(rows)?;
    let columns = columns.unwrap_or_else(|| {
        let first = rows[0].as_object();
        first.map_or(Vec::new(), |row| row.keys().cloned().collect())
    });
    let columns: Vec<Value> = columns
        .iter()
        .map(|title| json!({ "title": title }))
        .collect();
    let to = match markup {
        Markup::Text => "text",
        Markup::Markdown => "markdown",
        Markup::Html => "html",
    };
    let table: Table =
        serde_json::from_value(json!({ "to": to, "columns": columns, "rows": rows }))
            .map_err(|error| wrong(format!("`table`: {error}")))?;
    Ok(Given::from_safe_string(keep(table.answer(), notes)?.text))
}

fn write(number: &Number, value: &Given) -> Result<String, Error> {
    let value = to_json(value)?;
    decimal_of(&value)
        .map(|decimal| number.write(decimal))
        .ok_or_else(|| wrong(format!("{value} is no number")))
}

fn date(value: &str, style: &str) -> Result<String, Error> {
    let date: Date = value
        .get(..10)
        .unwrap_or(value)
        .parse()
        .map_err(|_| wrong(format!("`{value}` is no date: write YYYY-MM-DD")))?;
    let month = usize::try_from(date.month() - 1)
        .ok()
        .and_then(|at| MONTHS.get(at))
        .copied()
        .unwrap_or_default();
    match style {
        "day_first" => Ok(format!("{} {month} {}", date.day(), date.year())),
        "month_first" => Ok(format!("{month} {}, {}", date.day(), date.year())),
        "iso" => Ok(date.to_string()),
        other => Err(wrong(format!(
            "`date` has no style `{other}`: day_first, month_first or iso"
        ))),
    }
}

fn plural(count: &Given, one: &str, many: &str) -> Result<String, Error> {
    let value = to_json(count)?;
    let number = decimal_of(&value).ok_or_else(|| wrong(format!("{value} is no number")))?;
    let word = if number == rust_decimal::Decimal::ONE {
        one
    } else {
        many
    };
    Ok(format!("{} {word}", number.normalize()))
}
