//! The lines of a table in their order, with every cell as text. Their markup is written elsewhere.

use std::cmp::Ordering;

use adjutant_text::lines::one_line;
use rust_decimal::Decimal;
use serde_json::Value;

use super::request::{Align, Column, Order, Sort, Table, Total};
use super::{parse_decimal, render_cell};
use crate::Refusal;
use crate::notes::Notes;

const MISSING: &str = "–";

pub(super) enum Line {
    Group(String),
    Row(Vec<String>),
    /// Totals of the group above.
    Subtotal(Vec<String>),
    Total(Vec<String>),
    /// The number of rows that are not shown.
    More(usize),
}

pub(super) struct TableLayout {
    pub(super) caption: Option<String>,
    pub(super) heads: Vec<(String, Align)>,
    pub(super) lines: Vec<Line>,
    pub(super) footnotes: Vec<(String, String)>,
}

pub(super) fn lay_out(table: &Table, notes: &mut Notes) -> Result<TableLayout, Refusal> {
    for (at, row) in table.rows.iter().enumerate() {
        check_row(row, at, table.columns.len())?;
    }
    check_keys(table, notes)?;
    let mut rows: Vec<&Value> = table.rows.iter().collect();
    rows.sort_by(|one, other| compare_rows(one, other, table));
    let groups = group_rows(rows, table);
    let has_groups = table.group_by.is_some();
    let has_totals = table.columns.iter().any(|column| column.total.is_some());
    let count: usize = groups.iter().map(|(_, rows)| rows.len()).sum();
    let shown_max = table.rows_max.unwrap_or(count);
    let mut shown = 0;
    let mut lines = Vec::new();
    for (name, rows) in &groups {
        if shown < shown_max {
            lines.extend(name.iter().cloned().map(Line::Group));
        }
        for row in rows.iter().take(shown_max - shown) {
            lines.push(Line::Row(cells(row, table, notes)));
        }
        let complete = shown + rows.len() <= shown_max;
        shown = (shown + rows.len()).min(shown_max);
        if has_groups && has_totals && complete {
            lines.push(Line::Subtotal(totals("Subtotal", rows, table, notes)));
        }
    }
    if count > shown {
        lines.push(Line::More(count - shown));
        notes.add(format!(
            "{} of {count} rows are shown; totals include all rows.",
            shown
        ));
    }
    if has_totals {
        let all: Vec<&Value> = groups.into_iter().flat_map(|(_, rows)| rows).collect();
        lines.push(Line::Total(totals("Total", &all, table, notes)));
    }
    Ok(TableLayout {
        caption: table
            .caption
            .as_deref()
            .map(one_line)
            .filter(|caption| !caption.is_empty()),
        heads: table.columns.iter().map(column_head).collect(),
        lines,
        footnotes: table
            .footnotes
            .iter()
            .map(|note| (one_line(&note.mark), one_line(&note.text)))
            .collect(),
    })
}

fn check_row(row: &Value, at: usize, columns: usize) -> Result<(), Refusal> {
    match row {
        Value::Object(_) => Ok(()),
        Value::Array(cells) if cells.len() == columns => Ok(()),
        Value::Array(cells) => Err(Refusal::unusable(
            format!("rows[{at}]"),
            format!("{} cells", cells.len()),
            format!("there are {columns} columns, give as many cells"),
        )),
        other => Err(Refusal::unusable(
            format!("rows[{at}]"),
            other,
            "give an object or an array",
        )),
    }
}

/// A key that no row has is a mistake, not a column of missing values.
fn check_keys(table: &Table, notes: &mut Notes) -> Result<(), Refusal> {
    let has_key = |key: &str| {
        table
            .rows
            .iter()
            .any(|row| value(row, key, table).is_some())
    };
    if table.rows.is_empty() {
        return Ok(());
    }
    let sorted = table.sort.iter().map(|sort| ("sort", sort.key.as_str()));
    let grouped = table.group_by.iter().map(|key| ("group_by", key.as_str()));
    for (field, key) in sorted.chain(grouped) {
        if !has_key(key) {
            return Err(Refusal::unusable(field, key, "no row has this key"));
        }
    }
    for column in &table.columns {
        if !has_key(column.key()) {
            notes.add(format!("No row has `{}`.", column.key()));
        }
    }
    Ok(())
}

fn column_head(column: &Column) -> (String, Align) {
    let default_align = if column.number.is_some() {
        Align::Right
    } else {
        Align::Left
    };
    (
        one_line(&column.title),
        column.align.unwrap_or(default_align),
    )
}

fn value<'a>(row: &'a Value, key: &str, table: &Table) -> Option<&'a Value> {
    match row {
        Value::Object(fields) => fields.get(key),
        Value::Array(cells) => {
            let at = table
                .columns
                .iter()
                .position(|column| column.key() == key)?;
            cells.get(at)
        }
        _ => None,
    }
}

fn cells(row: &Value, table: &Table, notes: &mut Notes) -> Vec<String> {
    table
        .columns
        .iter()
        .map(|column| {
            let value = value(row, column.key(), table).unwrap_or(&Value::Null);
            render_cell(value, column.number.as_ref(), column.key(), notes)
                .unwrap_or_else(|| column.missing.clone().unwrap_or_else(|| MISSING.to_owned()))
        })
        .collect()
}

fn compare_rows(one: &Value, other: &Value, table: &Table) -> Ordering {
    let by = |sort: &Sort| {
        let pair = (value(one, &sort.key, table), value(other, &sort.key, table));
        match pair {
            (Some(one), Some(other)) => compare_values(one, other, sort.order),
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (None, None) => Ordering::Equal,
        }
    };
    table
        .sort
        .iter()
        .map(by)
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Numbers before texts and missing values last, in either order.
fn compare_values(one: &Value, other: &Value, order: Order) -> Ordering {
    let rank = |value: &Value| match value {
        Value::Null => 2,
        value if parse_decimal(value).is_some() => 0,
        _ => 1,
    };
    let ranks = rank(one).cmp(&rank(other));
    if ranks.is_ne() {
        return ranks;
    }
    let natural = match (parse_decimal(one), parse_decimal(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => sort_text(one).cmp(&sort_text(other)),
    };
    match order {
        Order::Ascending => natural,
        Order::Descending => natural.reverse(),
    }
}

fn sort_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_lowercase(),
        other => other.to_string(),
    }
}

type Group<'a> = (Option<String>, Vec<&'a Value>);

/// In the order in which the groups first appear.
fn group_rows<'a>(rows: Vec<&'a Value>, table: &Table) -> Vec<Group<'a>> {
    let Some(key) = &table.group_by else {
        return vec![(None, rows)];
    };
    let mut index_by_name = std::collections::BTreeMap::new();
    let mut groups: Vec<Group<'a>> = Vec::new();
    for row in rows {
        let name = value(row, key, table)
            .and_then(|value| render_cell(value, None, key, &mut Notes::default()))
            .unwrap_or_else(|| MISSING.to_owned());
        let at = *index_by_name.entry(name.clone()).or_insert(groups.len());
        if at == groups.len() {
            groups.push((Some(name), Vec::new()));
        }
        groups[at].1.push(row);
    }
    groups
}

fn totals(label: &str, rows: &[&Value], table: &Table, notes: &mut Notes) -> Vec<String> {
    let mut cells: Vec<String> = table
        .columns
        .iter()
        .map(|column| {
            column.total.map_or(String::new(), |total| {
                total_cell(total, column, rows, table, notes)
            })
        })
        .collect();
    if let Some(first) = cells.first_mut().filter(|first| first.is_empty()) {
        *first = label.to_owned();
    }
    cells
}

fn total_cell(
    total: Total,
    column: &Column,
    rows: &[&Value],
    table: &Table,
    notes: &mut Notes,
) -> String {
    let present = rows
        .iter()
        .filter_map(|row| value(row, column.key(), table))
        .filter(|value| !value.is_null());
    if total == Total::Count {
        return present.count().to_string();
    }
    let (mut sum, mut count, mut left_out) = (Some(Decimal::ZERO), 0_u64, 0_usize);
    for value in present {
        match parse_decimal(value) {
            Some(number) => {
                sum = sum.and_then(|sum| sum.checked_add(number));
                count += 1;
            }
            None => left_out += 1,
        }
    }
    if left_out > 0 {
        notes.add(format!(
            "{}: {left_out} values are not numbers and are not in the total.",
            column.key()
        ));
    }
    let result = match total {
        Total::Mean => sum.and_then(|sum| sum.checked_div(Decimal::from(count))),
        Total::Sum | Total::Count => sum,
    };
    match (result, &column.number) {
        (Some(result), Some(number)) => number.write(result),
        (Some(result), None) => result.normalize().to_string(),
        (None, _) => {
            notes.add(format!("{}: the total cannot be computed.", column.key()));
            MISSING.to_owned()
        }
    }
}
