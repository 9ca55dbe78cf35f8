//! Numbers of one document that do not add up: totals of tables, times from and to, parts of a whole.

use std::ops::Range;

use crate::reading::Reading;
use crate::statement::StatementForm;
use crate::values::{Placed, Unit, Value, values};
use crate::words::words;

/// What a sum is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SumKind {
    /// In the unit of its parts.
    Total,
    Minutes,
    Percent,
}

/// A stated number that its own parts contradict.
#[derive(Debug, Clone, PartialEq)]
pub struct WrongSum {
    /// Where the result is stated.
    pub stated_in: usize,
    /// Bytes of the document's text.
    pub span: Range<usize>,
    pub stated: f64,
    pub computed: f64,
    pub kind: SumKind,
    /// The statements with the parts.
    pub parts: Vec<usize>,
}

const TOTALS: &[&str] = &["total", "sum", "altogether", "overall", "subtotal"];
/// A total that is further from the sum is one of something else.
const NEAR_ENOUGH: f64 = 0.2;
const PARTS_MIN: usize = 2;
/// What a column's numbers may be counted in.
const SCALES: [f64; 3] = [1.0, 1e3, 1e6];

struct Table {
    rows: Range<usize>,
}

impl Reading<'_> {
    pub fn wrong_sums(&self) -> Vec<WrongSum> {
        let mut found = Vec::new();
        for table in self.tables() {
            self.check_totals(&table, &mut found);
        }
        for number in 0..self.statements.len() {
            if self.statements[number].cells.is_empty() {
                found.extend(self.check_span_of_time(number));
                found.extend(self.check_share(number));
            }
        }
        found
    }

    fn tables(&self) -> Vec<Table> {
        let mut tables: Vec<Table> = Vec::new();
        let mut at = 0;
        while at < self.statements.len() {
            let first = &self.statements[at];
            let same = |other: &usize| {
                let other = &self.statements[*other];
                other.document == first.document && other.block == first.block
            };
            let end = (at..self.statements.len())
                .take_while(same)
                .last()
                .map_or(at + 1, |last| last + 1);
            if first.form == StatementForm::Row && end - at >= PARTS_MIN {
                tables.push(Table { rows: at..end });
            }
            at = end;
        }
        tables
    }

    /// The number in a cell, if it has one and nothing else.
    fn cell(&self, row: usize, column: usize) -> Option<(f64, Range<usize>)> {
        let statement = &self.statements[row];
        let cell = statement.cells.get(column)?;
        let shown = self.range(statement.document, &cell.value);
        let found = values(shown);
        let [
            Placed {
                value: Value::Amount { low, high, unit },
                span,
            },
        ] = found.as_slice()
        else {
            return None;
        };
        let plain = low == high
            && !matches!(unit, Unit::Percent | Unit::Time(_))
            && shown.trim().len() <= span.len() + 2;
        plain.then(|| {
            (
                *low,
                cell.value.start + span.start..cell.value.start + span.end,
            )
        })
    }

    fn is_total(&self, row: usize) -> bool {
        let statement = &self.statements[row];
        let label = statement
            .cells
            .first()
            .map(|cell| self.range(statement.document, &cell.value).to_lowercase());
        let label = label.unwrap_or_default();
        let mut first = words(&label).into_iter().take(2);
        first.any(|word| TOTALS.contains(&&label[word]))
    }

    fn check_totals(&self, table: &Table, found: &mut Vec<WrongSum>) {
        let columns = self.statements[table.rows.start].cells.len();
        let mut has_total = false;
        for row in table.rows.clone().filter(|row| self.is_total(*row)) {
            has_total = true;
            let before = (table.rows.start..row)
                .rev()
                .take_while(|row| !self.is_total(*row));
            let parts: Vec<usize> = before.collect();
            for column in 1..columns {
                let Some((stated, span)) = self.cell(row, column) else {
                    continue;
                };
                found.extend(self.compared(row, span, stated, &parts, column, &[1.0]));
            }
        }
        if !has_total {
            self.check_total_in_words(table, columns, found);
        }
    }

    /// A sentence of the same section that gives the total of a table without one.
    fn check_total_in_words(&self, table: &Table, columns: usize, found: &mut Vec<WrongSum>) {
        let section = |at: usize| {
            (
                self.statements[at].document,
                self.statements[at].headings.last(),
            )
        };
        let own = section(table.rows.start);
        let around = (table.rows.start.saturating_sub(8)..table.rows.start)
            .chain(table.rows.end..self.statements.len().min(table.rows.end + 8));
        for number in
            around.filter(|at| section(*at) == own && self.statements[*at].cells.is_empty())
        {
            let text = self.text(number);
            let small = text.to_lowercase();
            if !words(&small)
                .into_iter()
                .any(|word| TOTALS.contains(&&small[word]))
            {
                continue;
            }
            let start = self.statements[number].span.start;
            for placed in values(text) {
                let Value::Amount {
                    low,
                    high,
                    unit: Unit::Money(_),
                } = placed.value
                else {
                    continue;
                };
                if low != high {
                    continue;
                }
                let span = start + placed.span.start..start + placed.span.end;
                let rows: Vec<usize> = table.rows.clone().collect();
                for column in 1..columns {
                    found.extend(self.compared(number, span.clone(), low, &rows, column, &SCALES));
                }
            }
        }
    }

    fn compared(
        &self,
        stated_in: usize,
        span: Range<usize>,
        stated: f64,
        rows: &[usize],
        column: usize,
        scales: &[f64],
    ) -> Option<WrongSum> {
        let numbers: Vec<(usize, f64)> = rows
            .iter()
            .filter_map(|row| Some((*row, self.cell(*row, column)?.0)))
            .collect();
        // A column with empty cells is no list of parts.
        if numbers.len() < PARTS_MIN || numbers.len() < rows.len() || stated == 0.0 {
            return None;
        }
        let sum: f64 = numbers.iter().map(|(_, number)| number).sum();
        let scale = scales
            .iter()
            .find(|scale| ((sum * **scale - stated) / stated).abs() <= NEAR_ENOUGH)?;
        let computed = sum * scale;
        let digits = numbers
            .iter()
            .map(|(_, number)| last_digit(*number))
            .chain([last_digit(stated / scale)]);
        let step = digits.fold(0.0_f64, f64::max);
        let slack = step * scale * (numbers.len() as f64 + 1.0) / 2.0;
        let rounded = step < 1.0 || scale > &1.0;
        let differs = (computed - stated).abs() > if rounded { slack } else { 0.5 };
        differs.then(|| WrongSum {
            stated_in,
            span,
            stated,
            computed,
            kind: SumKind::Total,
            parts: numbers.into_iter().map(|(row, _)| row).collect(),
        })
    }

    /// `from 11:55 to 16:31 (4 h 06 min)`.
    fn check_span_of_time(&self, number: usize) -> Option<WrongSum> {
        let text = self.text(number);
        let found = values(text);
        let start = self.statements[number].span.start;
        found.windows(3).find_map(|three| {
            let [from, to, length] = three else {
                return None;
            };
            let (Value::Clock(a), Value::Clock(b)) = (&from.value, &to.value) else {
                return None;
            };
            let Value::Amount {
                low,
                high,
                unit: Unit::Time(unit),
            } = &length.value
            else {
                return None;
            };
            let joined = text[from.span.end..to.span.start].trim();
            let behind = text[to.span.end..length.span.start].trim();
            let is_span =
                matches!(joined, "to" | "until" | "-" | "–") && matches!(behind, "(" | "," | "=");
            let stated = low
                * match unit.as_str() {
                    "minute" => 1.0,
                    "hour" => 60.0,
                    _ => return None,
                };
            let computed = f64::from((b + 24 * 60 - a) % (24 * 60));
            let slack = if unit == "hour" { 30.0 } else { 0.5 };
            (is_span && low == high && (stated - computed).abs() > slack).then(|| WrongSum {
                stated_in: number,
                span: start + length.span.start..start + length.span.end,
                stated,
                computed,
                kind: SumKind::Minutes,
                parts: vec![number],
            })
        })
    }

    /// `4 of 106 (3.8 %)`.
    fn check_share(&self, number: usize) -> Option<WrongSum> {
        let text = self.text(number);
        let found = values(text);
        let start = self.statements[number].span.start;
        found.windows(3).find_map(|three| {
            let [part, whole, share] = three else {
                return None;
            };
            let amount = |of: &Placed| match &of.value {
                Value::Amount { low, high, .. } if low == high => Some(*low),
                _ => None,
            };
            let (part_of, whole_of, stated) = (amount(part)?, amount(whole)?, amount(share)?);
            let is_percent = matches!(
                &share.value,
                Value::Amount {
                    unit: Unit::Percent,
                    ..
                }
            );
            let joined = text[part.span.end..whole.span.start].trim();
            let behind = text[whole.span.end..share.span.start].trim();
            if !is_percent
                || !joined.ends_with("of")
                || joined.len() > 12
                || behind != "("
                || whole_of <= 0.0
                || part_of > whole_of
            {
                return None;
            }
            let computed = 100.0 * part_of / whole_of;
            let step = last_digit(stated);
            ((computed - stated).abs() > step).then(|| WrongSum {
                stated_in: number,
                span: start + share.span.start..start + share.span.end,
                stated,
                computed,
                kind: SumKind::Percent,
                parts: vec![number],
            })
        })
    }
}

/// The worth of the last digit that is written: 0.1 of 3.8, 1 of 106.
fn last_digit(number: f64) -> f64 {
    let mut step = 1.0;
    while step > 1e-6 && ((number / step) - (number / step).round()).abs() > 1e-6 {
        step /= 10.0;
    }
    step
}
