//! The request for a table.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Number, delimited, html, latex, layout, markdown, text};
use crate::limits::{COLUMNS_MAX, FOOTNOTES_MAX, ROWS_MAX, SORTS_MAX};
use crate::notes::Notes;
use crate::{Answer, Refusal};

/// The form of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    Markdown,
    Html,
    Csv,
    Tsv,
    Latex,
    Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Align {
    Left,
    Right,
    Center,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    Ascending,
    Descending,
}

/// The total below a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Total {
    Sum,
    Mean,
    Count,
}

/// Whether cells that a spreadsheet would run as formulas are changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cells {
    #[default]
    Harmless,
    Raw,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    pub title: String,
    /// The key of the value in rows that are objects; the title if left out.
    #[serde(default)]
    pub key: Option<String>,
    #[serde(default)]
    pub align: Option<Align>,
    #[serde(default)]
    pub number: Option<Number>,
    #[serde(default)]
    pub missing: Option<String>,
    #[serde(default)]
    pub total: Option<Total>,
}

impl Column {
    pub(super) fn key(&self) -> &str {
        self.key.as_deref().unwrap_or(&self.title)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sort {
    pub key: String,
    pub order: Order,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footnote {
    pub mark: String,
    pub text: String,
}

/// A table to be laid out.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    pub to: Target,
    pub columns: Vec<Column>,
    /// Objects by the columns' keys, or arrays in the columns' order.
    pub rows: Vec<Value>,
    #[serde(default)]
    pub caption: Option<String>,
    #[serde(default)]
    pub sort: Vec<Sort>,
    #[serde(default)]
    pub group_by: Option<String>,
    #[serde(default)]
    pub footnotes: Vec<Footnote>,
    #[serde(default)]
    pub rows_max: Option<usize>,
    #[serde(default)]
    pub cells: Cells,
}

impl Table {
    pub(crate) fn answer(&self) -> Result<Answer, Refusal> {
        if self.columns.is_empty() {
            return Err(Refusal::missing("columns", "name at least one column"));
        }
        Refusal::check_count("columns", self.columns.len(), COLUMNS_MAX)?;
        Refusal::check_count("rows", self.rows.len(), ROWS_MAX)?;
        Refusal::check_count("footnotes", self.footnotes.len(), FOOTNOTES_MAX)?;
        Refusal::check_count("sort", self.sort.len(), SORTS_MAX)?;
        let mut notes = Notes::default();
        let layout = layout::lay_out(self, &mut notes)?;
        let (text, method) = match self.to {
            Target::Markdown => (markdown::write(&layout), "Markdown table (GitHub's)"),
            Target::Html => (
                html::write(&layout),
                "HTML table with caption and scopes (WCAG H39, H63)",
            ),
            Target::Csv => (
                delimited::csv(&layout, self.cells, &mut notes),
                "CSV (RFC 4180)",
            ),
            Target::Tsv => (
                delimited::tsv(&layout, self.cells, &mut notes),
                "Tab-separated values",
            ),
            Target::Latex => (latex::write(&layout), "LaTeX tabular"),
            Target::Text => (text::write(&layout), "Plain text with box drawing"),
        };
        Ok(Answer {
            text,
            entries: Vec::new(),
            items: Vec::new(),
            unread: Vec::new(),
            method: format!("{method}; exact decimals, halves rounded away from zero"),
            notes: notes.finish(),
        })
    }

    pub(crate) fn schema() -> Value {
        json!({
            "type": "object",
            "description": "Rows of data as a table.",
            "additionalProperties": false,
            "required": ["to", "columns", "rows"],
            "properties": {
                "to": { "enum": ["markdown", "html", "csv", "tsv", "latex", "text"] },
                "columns": { "type": "array", "minItems": 1, "maxItems": COLUMNS_MAX, "items": column_schema() },
                "rows": {
                    "type": "array",
                    "maxItems": ROWS_MAX,
                    "items": { "type": ["object", "array"] },
                    "description": "Objects by the columns' keys, or arrays in the columns' order."
                },
                "caption": { "type": "string" },
                "sort": {
                    "type": "array",
                    "maxItems": SORTS_MAX,
                    "items": {
                        "type": "object",
                        "additionalProperties": false,
                        "required": ["key", "order"],
                        "properties": { "key": { "type": "string" }, "order": { "enum": ["ascending", "descending"] } }
                    }
                },
                "group_by": { "type": "string", "description": "A key; rows with the same value are put together." },
                "footnotes": {
                    "type": "array",
                    "maxItems": FOOTNOTES_MAX,
                    "items": {
                        "type": "object",
                        "additionalProperties": false,
                        "required": ["mark", "text"],
                        "properties": { "mark": { "type": "string" }, "text": { "type": "string" } }
                    }
                },
                "rows_max": { "type": "integer", "minimum": 1, "description": "Further rows are only counted." },
                "cells": {
                    "enum": ["harmless", "raw"],
                    "description": "In CSV and TSV, whether cells that a spreadsheet would run are made harmless."
                }
            }
        })
    }
}

fn column_schema() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["title"],
        "properties": {
            "title": { "type": "string" },
            "key": { "type": "string", "description": "The title if omitted." },
            "align": { "enum": ["left", "right", "center"] },
            "number": Number::schema(),
            "missing": { "type": "string", "description": "Shown for missing values; – if omitted." },
            "total": { "enum": ["sum", "mean", "count"] }
        }
    })
}
