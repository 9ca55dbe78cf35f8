//! The filters of templates.

use std::sync::{Arc, Mutex};

use jiff::civil::Date;
use minijinja::value::Value as TemplateValue;
use minijinja::{Environment, Error, ErrorKind};
use serde_json::{Value, json};

use crate::csl::MONTHS;
use crate::notes::Notes;
use crate::style_choice::Style;
use crate::table::{Number, NumberStyle, Table, parse_decimal};
use crate::{Answer, Citations, Markup, Refusal};

type SharedNotes = Arc<Mutex<Notes>>;

const PERCENT_DECIMALS: u32 = 1;

pub(super) fn add_filters(environment: &mut Environment<'_>, markup: Markup, notes: &SharedNotes) {
    let shared = Arc::clone(notes);
    environment.add_filter(
        "citation",
        move |item: TemplateValue, style: Option<String>| {
            citation(&item, style.as_deref(), markup, &shared)
        },
    );
    let shared = Arc::clone(notes);
    environment.add_filter(
        "table",
        move |rows: TemplateValue, columns: Option<Vec<String>>| {
            table(&rows, columns, markup, &shared)
        },
    );
    environment.add_filter(
        "number",
        |value: TemplateValue, decimals: Option<u32>, thousands: Option<String>| {
            let number = Number {
                decimals,
                thousands,
                ..Number::default()
            };
            write_number(&number, &value)
        },
    );
    environment.add_filter("percent", |value: TemplateValue, decimals: Option<u32>| {
        let number = Number {
            style: NumberStyle::Percent,
            decimals: Some(decimals.unwrap_or(PERCENT_DECIMALS)),
            ..Number::default()
        };
        write_number(&number, &value)
    });
    environment.add_filter("date", |value: String, style: Option<String>| {
        date(&value, style.as_deref().unwrap_or("day_first"))
    });
    environment.add_filter(
        "plural",
        |count: TemplateValue, one: String, many: String| plural(&count, &one, &many),
    );
}

fn filter_error(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}

fn to_json(value: &TemplateValue) -> Result<Value, Error> {
    serde_json::to_value(value).map_err(|error| filter_error(error.to_string()))
}

fn collect_notes(answer: Result<Answer, Refusal>, notes: &SharedNotes) -> Result<Answer, Error> {
    let answer = answer.map_err(|refusal| filter_error(refusal.to_string()))?;
    if let Ok(mut notes) = notes.lock() {
        for note in &answer.notes {
            notes.add(note.clone());
        }
    }
    Ok(answer)
}

fn citation(
    item: &TemplateValue,
    style: Option<&str>,
    markup: Markup,
    notes: &SharedNotes,
) -> Result<TemplateValue, Error> {
    let style = style.unwrap_or("vancouver");
    // Other styles take too long to be written in a loop.
    if Style::own(style).is_none() {
        return Err(filter_error(format!(
            "`citation` has no style `{style}`: vancouver, apa, ama, bibtex, ris or csl_json"
        )));
    }
    let citations = Citations {
        style: style.to_owned(),
        csl: None,
        items: vec![to_json(item)?],
        cited: None,
        markup,
    };
    let answer = collect_notes(citations.answer(), notes)?;
    let text = answer.entries.into_iter().next().map(|entry| entry.text);
    Ok(TemplateValue::from_safe_string(text.unwrap_or_default()))
}

/// Columns are keys; if left out, the keys of the first row.
fn table(
    rows: &TemplateValue,
    columns: Option<Vec<String>>,
    markup: Markup,
    notes: &SharedNotes,
) -> Result<TemplateValue, Error> {
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
            .map_err(|error| filter_error(format!("`table`: {error}")))?;
    Ok(TemplateValue::from_safe_string(
        collect_notes(table.answer(), notes)?.text,
    ))
}

fn write_number(number: &Number, value: &TemplateValue) -> Result<String, Error> {
    let value = to_json(value)?;
    parse_decimal(&value)
        .map(|decimal| number.write(decimal))
        .ok_or_else(|| filter_error(format!("{value} is not a number")))
}

fn date(value: &str, style: &str) -> Result<String, Error> {
    let date: Date = value
        .get(..10)
        .unwrap_or(value)
        .parse()
        .map_err(|_| filter_error(format!("`{value}` is not a date: write YYYY-MM-DD")))?;
    let month = usize::try_from(date.month() - 1)
        .ok()
        .and_then(|at| MONTHS.get(at))
        .copied()
        .unwrap_or_default();
    match style {
        "day_first" => Ok(format!("{} {month} {}", date.day(), date.year())),
        "month_first" => Ok(format!("{month} {}, {}", date.day(), date.year())),
        "iso" => Ok(date.to_string()),
        other => Err(filter_error(format!(
            "`date` has no style `{other}`: day_first, month_first or iso"
        ))),
    }
}

fn plural(count: &TemplateValue, one: &str, many: &str) -> Result<String, Error> {
    let value = to_json(count)?;
    let number =
        parse_decimal(&value).ok_or_else(|| filter_error(format!("{value} is not a number")))?;
    let word = if number == rust_decimal::Decimal::ONE {
        one
    } else {
        many
    };
    Ok(format!("{} {word}", number.normalize()))
}
