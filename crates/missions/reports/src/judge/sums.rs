//! Whether what was worked out comes out the same: products of scores, weighted scores and their sum, and equations
//! written in calculations.

use adjutant_document_model::{Block, Column, Document, Span};
use regex::Regex;

use crate::pattern::Pattern;

use super::walk::Statement;
use super::{calculated, shape};
use crate::text::{number, short};

/// Headings that tables with sums use; the judge knows such tables by them.
pub(crate) const SEVERITY: &str = "S";
pub(crate) const OCCURRENCE: &str = "O";
pub(crate) const DETECTION: &str = "D";
pub(crate) const PRODUCT: &str = "RPN";
pub(crate) const WEIGHT: &str = "Weight";
pub(crate) const SCORE: &str = "Score";
pub(crate) const WEIGHTED: &str = "Weighted";
/// The name of a row that adds up those above it.
pub(crate) const TOTAL: &str = "Total";

/// Half of the last decimal shown.
const ROUNDING: f64 = 0.051;

pub(super) fn faults(document: &Document, all: &[Statement<'_>]) -> Vec<String> {
    let mut faults = Vec::new();
    for block in shape::blocks(document) {
        if let Block::Table {
            caption,
            columns,
            rows,
        } = block
        {
            products(caption, columns, rows, &mut faults);
            weighted(caption, columns, rows, &mut faults);
        }
    }
    for at in all.iter().filter(|at| calculated(at)) {
        equations(at.text, &mut faults);
    }
    faults
}

type Rows = [Vec<Vec<Span>>];

fn at(columns: &[Column], heading: &str) -> Option<usize> {
    columns.iter().position(|column| column.heading == heading)
}

fn value(row: &[Vec<Span>], column: usize) -> Option<f64> {
    let text: String = row
        .get(column)?
        .iter()
        .map(|span| span.text.as_str())
        .collect();
    number(text.trim_end_matches(['%', ' ']))
}

fn products(caption: &str, columns: &[Column], rows: &Rows, faults: &mut Vec<String>) {
    let (Some(s), Some(o), Some(d), Some(product)) = (
        at(columns, SEVERITY),
        at(columns, OCCURRENCE),
        at(columns, DETECTION),
        at(columns, PRODUCT),
    ) else {
        return;
    };
    for (nth, row) in rows.iter().enumerate() {
        let scores = [s, o, d].map(|column| value(row, column));
        let product = value(row, product);
        let (Some(product), [Some(s), Some(o), Some(d)]) = (product, scores) else {
            // What is not scored has no product; one without the other is a fault.
            if product.is_some() || scores.iter().all(Option::is_some) {
                faults.push(format!(
                    "Row {} of “{caption}” has a product without all scores, or scores without a product.",
                    nth + 1
                ));
            }
            continue;
        };
        if (s * o * d - product).abs() > ROUNDING {
            faults.push(format!(
                "Row {} of “{caption}”: {s} x {o} x {d} is {}, not {product}.",
                nth + 1,
                s * o * d
            ));
        }
    }
}

fn weighted(caption: &str, columns: &[Column], rows: &Rows, faults: &mut Vec<String>) {
    let (Some(weight), Some(score), Some(product)) = (
        at(columns, WEIGHT),
        at(columns, SCORE),
        at(columns, WEIGHTED),
    ) else {
        return;
    };
    let is_total = |row: &&Vec<Vec<Span>>| {
        row.first()
            .is_some_and(|cell| cell.iter().any(|span| span.text == TOTAL))
    };
    let parts: Vec<&Vec<Vec<Span>>> = rows.iter().filter(|row| !is_total(row)).collect();
    // What is not scored has no part in the sum.
    let scored = parts.iter().filter(|row| value(row, score).is_some());
    let weights: f64 = scored.filter_map(|row| value(row, weight)).sum();
    let mut sum = 0.0;
    for (nth, row) in parts.iter().enumerate() {
        let (Some(weight), Some(product)) = (value(row, weight), value(row, product)) else {
            continue;
        };
        sum += product;
        let Some(score) = value(row, score) else {
            continue;
        };
        let right = if weights > 0.0 {
            weight * score / weights
        } else {
            0.0
        };
        if (right - product).abs() > ROUNDING {
            faults.push(format!(
                "Row {} of “{caption}”: {weight} of {weights} times {score} is {right:.1}, not {product}.",
                nth + 1
            ));
        }
    }
    for row in rows.iter().filter(is_total) {
        let slack = ROUNDING * (parts.len() as f64 + 1.0);
        if let Some(total) = value(row, product)
            && (total - sum).abs() > slack
        {
            faults.push(format!(
                "The total of “{caption}” is {sum:.1}, not {total}."
            ));
        }
    }
}

static EQUATION: Pattern = Pattern::new(|| {
    let number = r"-?\d+(?:,\d{3})*(?:\.\d+)?";
    Regex::new(&format!(
        r"({number}(?:\s*[x×+/]\s*{number})+)\s*=\s*({number})(\s*%)?"
    ))
});

#[cfg(test)]
pub(crate) const PATTERNS: &[&Pattern] = &[&EQUATION];

fn equations(text: &str, faults: &mut Vec<String>) {
    for found in EQUATION.captures_all(text) {
        let part = |nth: usize| found.get(nth).map(|at| at.as_str()).unwrap_or_default();
        let Some(mut right) = worked_out(part(1)) else {
            continue;
        };
        if found.get(3).is_some() {
            right *= 100.0;
        }
        let Some(told) = number(part(2)) else {
            continue;
        };
        let decimals = part(2).split_once('.').map_or(0, |(_, rest)| rest.len());
        let decimals = i32::try_from(decimals).unwrap_or(0);
        let slack = 0.5 * 10f64.powi(-decimals) + 1e-9;
        if (right - told).abs() > slack {
            faults.push(format!(
                "“{}” is incorrect: it is {right:.2}.",
                short(part(0), 80)
            ));
        }
    }
}

/// Products and shares first, then sums.
fn worked_out(text: &str) -> Option<f64> {
    let mut sum = 0.0;
    for term in text.split('+') {
        let mut product = 1.0;
        for (nth, factor) in term.split(['x', '×']).enumerate() {
            let mut shares = factor.split('/');
            let mut value = number(shares.next()?)?;
            for below in shares {
                let below = number(below)?;
                if below == 0.0 {
                    return None;
                }
                value /= below;
            }
            product = if nth == 0 { value } else { product * value };
        }
        sum += product;
    }
    Some(sum)
}
