//! Reads and evaluates an expression in one pass. Bounded in length and nesting, never panics on any text.

use std::collections::BTreeMap;

use rust_decimal::MathematicalOps;
use rust_decimal::prelude::*;

pub(super) const EXPRESSION_BYTES_MAX: usize = 4_096;
const DEPTH_MAX: usize = 64;
const EXPONENT_MAX: i64 = 1_000_000;
const PLACES_MAX: u32 = 28;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Operand {
    Number(Decimal),
    List(Vec<Decimal>),
}

/// What is wrong with an expression, and in which column, counted from one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column} of the expression: {message}")]
pub(super) struct CalcError {
    pub(super) column: usize,
    pub(super) message: String,
}

pub(super) fn evaluate(
    text: &str,
    values: &BTreeMap<String, Operand>,
) -> Result<Decimal, CalcError> {
    let mut reader = Reader {
        text,
        at: 0,
        depth: 0,
        values,
    };
    if text.len() > EXPRESSION_BYTES_MAX {
        return reader.fail(
            0,
            format!(
                "it has {} bytes; the limit is {EXPRESSION_BYTES_MAX}",
                text.len()
            ),
        );
    }
    let result = reader.sum()?;
    match reader.peek() {
        None => Ok(result),
        Some(extra) => reader.fail(
            reader.at,
            format!("`{extra}` is not allowed here: write an operator or end"),
        ),
    }
}

/// A decimal, also in scientific notation; none when it has more than 28 digits.
pub(super) fn decimal(text: &str) -> Option<Decimal> {
    if text.contains(['e', 'E']) {
        Decimal::from_scientific(text).ok()
    } else if text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) {
        Decimal::from_str_exact(text).ok()
    } else {
        None
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    values: &'a BTreeMap<String, Operand>,
}

type Outcome = Result<Decimal, CalcError>;

impl<'a> Reader<'a> {
    fn sum(&mut self) -> Outcome {
        let mut left = self.product()?;
        loop {
            let at = self.at;
            match self.peek() {
                Some('+') => {
                    self.at += 1;
                    let right = self.product()?;
                    left = self.fits(at, left.checked_add(right))?;
                }
                Some('-') => {
                    self.at += 1;
                    let right = self.product()?;
                    left = self.fits(at, left.checked_sub(right))?;
                }
                _ => return Ok(left),
            }
        }
    }

    fn product(&mut self) -> Outcome {
        let mut left = self.signed()?;
        loop {
            let operator = match self.peek() {
                Some(found @ ('*' | '/' | '%')) => found,
                _ => return Ok(left),
            };
            let at = self.at;
            self.at += 1;
            let right = self.signed()?;
            if operator != '*' && right.is_zero() {
                return self.fail(at, "this divides by zero".into());
            }
            left = self.fits(
                at,
                match operator {
                    '*' => left.checked_mul(right),
                    '/' => left.checked_div(right),
                    _ => left.checked_rem(right),
                },
            )?;
        }
    }

    /// Every way to nest passes here, so here the depth is counted.
    fn signed(&mut self) -> Outcome {
        if self.depth == DEPTH_MAX {
            return self.fail(
                self.at,
                format!("more than {DEPTH_MAX} levels deep: split it up"),
            );
        }
        self.depth += 1;
        let value = match self.peek() {
            Some('-') => {
                self.at += 1;
                self.signed().map(|value| -value)
            }
            Some('+') => {
                self.at += 1;
                self.signed()
            }
            _ => self.power(),
        };
        self.depth -= 1;
        value
    }

    fn power(&mut self) -> Outcome {
        let base = self.primary()?;
        let at = match self.peek() {
            Some('^') => self.at,
            _ => return Ok(base),
        };
        self.at += 1;
        let exponent = self.signed()?;
        if base.is_zero() && exponent.is_sign_negative() && !exponent.is_zero() {
            return self.fail(at, "zero cannot be raised to a negative power".into());
        }
        if exponent.is_integer() {
            match exponent.to_i64() {
                Some(whole) if whole.abs() <= EXPONENT_MAX => {
                    return self.fits(at, base.checked_powi(whole));
                }
                _ => {
                    return self.fail(at, format!("the exponent is beyond {EXPONENT_MAX}"));
                }
            }
        }
        if base.is_sign_negative() && !base.is_zero() {
            return self.fail(
                at,
                "a negative number can only be raised to whole powers".into(),
            );
        }
        self.fits(at, base.checked_powd(exponent))
    }

    fn primary(&mut self) -> Outcome {
        let start = self.skip_space();
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let value = self.sum()?;
                self.close(start)?;
                Ok(value)
            }
            Some(first) if first.is_ascii_digit() || first == '.' => self.literal(start),
            Some(first) if first.is_alphabetic() || first == '_' => self.named(start),
            Some(other) => self.fail(
                start,
                format!("`{other}` is not allowed here: write a number, a name or `(`"),
            ),
            None => self.fail(
                start,
                "it ends where a number, a name or `(` should follow".into(),
            ),
        }
    }

    fn literal(&mut self, start: usize) -> Outcome {
        self.take_while(|c| c.is_ascii_digit() || c == '.');
        let digits_end = self.at;
        if self.rest().starts_with(['e', 'E']) {
            self.at += 1;
            if self.rest().starts_with(['+', '-']) {
                self.at += 1;
            }
            let exponent = self.at;
            self.take_while(|c| c.is_ascii_digit());
            if exponent == self.at {
                self.at = digits_end;
            }
        }
        let text = &self.text[start..self.at];
        match decimal(text) {
            Some(value) => Ok(value),
            None => self.fail(
                start,
                format!("`{text:.40}` is not a decimal number of at most 28 digits"),
            ),
        }
    }

    fn named(&mut self, start: usize) -> Outcome {
        let name = self.name();
        if self.peek() == Some('(') {
            let open = self.at;
            self.at += 1;
            let arguments = self.arguments(open)?;
            return self.call(start, name, &arguments);
        }
        match self.values.get(name) {
            Some(Operand::Number(value)) => Ok(*value),
            Some(Operand::List(_)) => self.fail(
                start,
                format!("`{name}` is a list: give it to sum, avg, min or max"),
            ),
            None => self.fail(
                start,
                format!("`{name:.40}` has no value: add it to `values`"),
            ),
        }
    }

    fn arguments(&mut self, open: usize) -> Result<Vec<Decimal>, CalcError> {
        let mut arguments = Vec::new();
        if self.peek() == Some(')') {
            self.at += 1;
            return Ok(arguments);
        }
        loop {
            match self.list() {
                Some(list) => arguments.extend_from_slice(list),
                None => arguments.push(self.sum()?),
            }
            if self.peek() == Some(',') {
                self.at += 1;
                continue;
            }
            self.close(open)?;
            return Ok(arguments);
        }
    }

    /// A list's name, if that is all that stands before the next `,` or `)`.
    fn list(&mut self) -> Option<&'a [Decimal]> {
        let start = self.skip_space();
        let name = self.name();
        match (self.values.get(name), self.peek()) {
            (Some(Operand::List(list)), Some(',' | ')')) => Some(list),
            _ => {
                self.at = start;
                None
            }
        }
    }

    fn call(&self, start: usize, name: &str, arguments: &[Decimal]) -> Outcome {
        let one = || match arguments {
            [value] => Ok(*value),
            _ => self.count(start, name, "one value", arguments.len()),
        };
        match name {
            "abs" => one().map(|value| value.abs()),
            "floor" => one().map(|value| value.floor()),
            "ceil" => one().map(|value| value.ceil()),
            "sqrt" => match one()? {
                value if value.is_sign_negative() && !value.is_zero() => {
                    self.fail(start, "a negative number has no square root".into())
                }
                value => self.fits(start, value.sqrt()),
            },
            "round" => match arguments {
                [value] => Ok(round(*value, 0)),
                [value, places] => match places.to_u32() {
                    Some(count) if places.is_integer() && count <= PLACES_MAX => {
                        Ok(round(*value, count))
                    }
                    _ => self.fail(start, format!("round takes 0 to {PLACES_MAX} places")),
                },
                _ => self.count(start, name, "a value and a number of places", arguments.len()),
            },
            "min" | "max" | "avg" if arguments.is_empty() => {
                self.count(start, name, "at least one value", 0)
            }
            "min" => Ok(arguments.iter().copied().fold(arguments[0], Decimal::min)),
            "max" => Ok(arguments.iter().copied().fold(arguments[0], Decimal::max)),
            "sum" => self.total(start, arguments),
            "avg" => {
                let total = self.total(start, arguments)?;
                self.fits(start, total.checked_div(Decimal::from(arguments.len())))
            }
            other => self.fail(
                start,
                format!("there is no function `{other:.40}`; use abs, avg, ceil, floor, max, min, round, sqrt, sum"),
            ),
        }
    }

    fn total(&self, start: usize, arguments: &[Decimal]) -> Outcome {
        let total = arguments
            .iter()
            .try_fold(Decimal::ZERO, |total, value| total.checked_add(*value));
        self.fits(start, total)
    }

    fn count(&self, start: usize, name: &str, wanted: &str, given: usize) -> Outcome {
        self.fail(start, format!("{name} takes {wanted}, not {given}"))
    }

    fn fits(&self, at: usize, value: Option<Decimal>) -> Outcome {
        match value {
            Some(value) => Ok(value),
            None => self.fail(at, "the result here has more than 28 digits".into()),
        }
    }

    fn close(&mut self, open: usize) -> Result<(), CalcError> {
        match self.peek() {
            Some(')') => {
                self.at += 1;
                Ok(())
            }
            _ => self.fail(open, "this `(` is never closed".into()),
        }
    }

    fn name(&mut self) -> &'a str {
        let start = self.at;
        if self
            .rest()
            .starts_with(|c: char| c.is_alphabetic() || c == '_')
        {
            self.take_while(|c| c.is_alphanumeric() || c == '_');
        }
        &self.text[start..self.at]
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !wanted(c)).unwrap_or(rest.len());
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) -> usize {
        self.take_while(char::is_whitespace);
        self.at
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.rest().chars().next()
    }

    fn fail<T>(&self, at: usize, message: String) -> Result<T, CalcError> {
        Err(CalcError {
            column: self.text[..at].chars().count() + 1,
            message,
        })
    }
}

fn round(value: Decimal, places: u32) -> Decimal {
    value.round_dp_with_strategy(places, RoundingStrategy::MidpointAwayFromZero)
}

#[cfg(test)]
#[path = "expression_tests.rs"]
mod tests;
