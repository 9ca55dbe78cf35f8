//! Thresholds in words: `at least 5 mmHg`, `in no more than 3 % of patients`, `shelf life of 24 months`.

use regex::Regex;

use crate::pattern::Pattern;

use crate::text::{number, same, written};

const COUNTS: &str = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";
const UNITS: &str = r"%|euros?|percent|percentage points|mmHg|mmol/L|months?|weeks?|days?|years?|hours?|patients?|people|kg|mg|tonnes?|metres?|minutes?|sites?|batches|lots?";

/// Units of a measurement as they are written; all others are things that are counted, and have a plural.
const MEASURING: &[&str] = &[
    "bar", "cm", "dB", "g", "GB", "kg", "km", "km/h", "kPa", "kW", "kWh", "m", "MB", "mg", "mg/L",
    "ml", "mm", "mmHg", "mmol/L", "ms", "MWh", "ppm", "TB", "°C",
];

/// Whether a unit measures.
pub(crate) fn is_measure(unit: &str) -> bool {
    as_written(unit).is_some()
}

fn as_written(unit: &str) -> Option<&'static str> {
    let mut known = MEASURING.iter().copied();
    known.find(|written| written.to_lowercase() == unit.to_lowercase())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    AtLeast,
    AtMost,
}

/// A value that must be reached or not be passed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bound {
    pub(crate) side: Side,
    pub(crate) value: f64,
    /// `%`, `mmhg`, `month`, `eur`.
    pub(crate) unit: String,
    /// What it was read from.
    pub(crate) words: String,
}

impl Bound {
    pub(crate) fn holds(&self, value: f64) -> bool {
        match self.side {
            Side::AtLeast => value >= self.value || same(value, self.value),
            Side::AtMost => value <= self.value || same(value, self.value),
        }
    }

    /// How near a missed value came, from 0 to 1.
    pub(crate) fn reached(&self, value: f64) -> f64 {
        let (part, whole) = match self.side {
            Side::AtLeast => (value, self.value),
            Side::AtMost => (self.value, value),
        };
        if whole > 0.0 {
            (part / whole).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    pub(crate) fn told(&self) -> String {
        let side = match self.side {
            Side::AtLeast => "at least",
            Side::AtMost => "at most",
        };
        format!("{side} {}", amount(self.value, &self.unit))
    }
}

/// A value with its unit as people write it.
pub(crate) fn amount(value: f64, unit: &str) -> String {
    let plural = if same(value, 1.0) { "" } else { "s" };
    if let Some(unit) = as_written(unit) {
        return format!("{} {unit}", written(value, 1));
    }
    match unit {
        "%" => format!("{} %", written(value, 1)),
        "eur" if value >= 1e6 => format!("EUR {} million", written(value / 1e6, 1)),
        "eur" => format!("EUR {}", written(value, 0)),
        "people" | "" => format!("{} {unit}", written(value, 1)).trim().to_owned(),
        _ => format!("{} {unit}{plural}", written(value, 1)),
    }
}

static FIRM: Pattern = Pattern::new(|| {
    Regex::new(&format!(
        r"(?i)(at least|no less than|not less than|minimum of|≥|>=|at most|no more than|not more than|up to|maximum of|≤|<=)\s*(EUR|€)?\s*(\d[\d.,]*\d|\d|{COUNTS})\s*(million|thousand)?\s*({UNITS})?"
    ))
});
static LOOSE: Pattern = Pattern::new(|| {
    Regex::new(&format!(
        r"(?i)(above|more than|over|below|less than|under|of)\s*(EUR|€)?\s*(\d[\d.,]*\d|\d|{COUNTS})\s*(million|thousand)?\s*({UNITS})"
    ))
});
static COMPARED: Pattern =
    Pattern::new(|| Regex::new(r"(?i)(above|over|below|under)\s+(\d[\d.]*)\s*([a-z]+/?[a-z]*)"));
static MEASURED: Pattern = Pattern::new(|| {
    Regex::new(&format!(
        r"(?i)(EUR|€)\s*(\d[\d.,]*\d|\d)\s*(million|thousand)?|[-−]?\b(\d[\d.,]*\d|\d|{COUNTS})(?:\s|-)?(?:(million|thousand)\s)?({UNITS})"
    ))
});
static SHARE: Pattern = Pattern::new(|| {
    Regex::new(
        r"(?i)\b(\d[\d,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) of (?:the )?(\d[\d,]*)\b",
    )
});

static EDGE: Pattern = Pattern::new(|| Regex::new(r"(?i)\b(lower|upper) (?:bound|limit|end)\b"));
static INTERVAL: Pattern = Pattern::new(|| {
    Regex::new(
        r"(?i)^\W{0,3}\d+\s?%\s?(?:CI|confidence interval)[\s:(]{0,3}([-−]?\d[\d.]*)\s?(?:to|,|;|–|and)\s?([-−]?\d[\d.]*)",
    )
});

#[cfg(test)]
pub(crate) const PATTERNS: &[&Pattern] = &[
    &FIRM, &LOOSE, &COMPARED, &MEASURED, &SHARE, &EDGE, &INTERVAL,
];

/// What a threshold asks of the interval around a value: `lower bound of the confidence interval at least 3 mmHg`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Edge {
    pub(crate) lower: bool,
    pub(crate) bound: Bound,
}

impl Edge {
    pub(crate) fn name(&self) -> &'static str {
        match self.lower {
            true => "lower bound",
            false => "upper bound",
        }
    }

    /// Where the interval of a value ends on this side.
    pub(crate) fn of(&self, reading: &Reading) -> Option<f64> {
        let (low, high) = reading.interval?;
        Some(if self.lower { low } else { high })
    }
}

/// The second half of a threshold, if it has one on the interval.
pub(crate) fn edge(text: &str) -> Option<Edge> {
    let found = EDGE.captures(text)?;
    let end = found.get(0)?.end();
    Some(Edge {
        lower: found.get(1)?.as_str().eq_ignore_ascii_case("lower"),
        bound: bound(text.get(end..)?)?,
    })
}

/// The first bound of a threshold. A firm one (`at least`) goes before one that may only describe what is counted.
pub(crate) fn bound(text: &str) -> Option<Bound> {
    read(&FIRM, text).or_else(|| read(&LOOSE, text))
}

fn read(pattern: &Pattern, text: &str) -> Option<Bound> {
    let found = pattern.captures(text)?;
    let part = |nth: usize| found.get(nth).map(|at| at.as_str());
    let word = part(1)?.to_lowercase();
    let less = [
        "most",
        "more than",
        "up to",
        "maximum",
        "≤",
        "<=",
        "below",
        "less",
        "under",
    ];
    let no_less = word.contains("no less") || word.contains("not less");
    let more_alone = word == "more than";
    let side = if !no_less && !more_alone && less.iter().any(|at| word.contains(at)) {
        Side::AtMost
    } else {
        Side::AtLeast
    };
    let scale = scale(part(4));
    let unit = match part(2) {
        Some(_) => "eur".to_owned(),
        None => unit(part(5).unwrap_or_default()),
    };
    Some(Bound {
        side,
        value: number(part(3)?)? * scale,
        unit,
        words: part(0)?.trim().to_owned(),
    })
}

fn scale(word: Option<&str>) -> f64 {
    match word.map(str::to_lowercase).as_deref() {
        Some("million") => 1e6,
        Some("thousand") => 1e3,
        _ => 1.0,
    }
}

fn unit(word: &str) -> String {
    let small = word.to_lowercase();
    match small.as_str() {
        "percent" | "percentage points" => "%".to_owned(),
        "batches" => "batch".to_owned(),
        "euro" | "euros" => "eur".to_owned(),
        _ => small.trim_end_matches('s').to_owned(),
    }
}

/// What is counted in a threshold: `above 6.0 mmol/L`, as it must stand in what is held against it.
pub(crate) fn counted_when(text: &str) -> Option<(String, f64)> {
    let found = COMPARED.captures_all(text).into_iter().find(|found| {
        let unit = found.get(3).map(|at| at.as_str()).unwrap_or_default();
        is_measure(unit) || unit.contains('/')
    })?;
    let value = found.get(2)?.as_str();
    Some((value.to_owned(), number(value)?))
}

/// By which kind of measure something is to be measured: `24-hour systolic` pressure is not that of one visit. The kind
/// and the word behind it.
pub(crate) fn kind_of_measure(text: &str) -> Option<(String, String)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_kind = |word: &str| {
        let numbered = word.starts_with(|char: char| char.is_ascii_digit());
        numbered && word.contains('-') && word.ends_with(char::is_alphabetic)
    };
    let at = words.iter().position(|word| is_kind(word))?;
    let of = words.get(at + 1)?;
    Some((words.get(at)?.to_lowercase(), of.to_lowercase()))
}

/// A value somebody measured or stated.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    pub(crate) value: f64,
    /// `4 of 106`, where the share was worked out.
    pub(crate) share: Option<(f64, f64)>,
    /// Its confidence interval, in the direction of the value.
    pub(crate) interval: Option<(f64, f64)>,
    /// Where it stands in its passage.
    pub(crate) at: usize,
}

/// Words before a number that make it a limit and no value.
const LIMITING: &[&str] = &["above", "below", "over", "under", "exceeding"];

fn interval(after: &str) -> Option<(f64, f64)> {
    let found = INTERVAL.captures(after)?;
    let part = |nth: usize| -> Option<f64> {
        let text = found.get(nth)?.as_str().replace('−', "-");
        text.trim_end_matches('.').parse().ok()
    };
    let (one, other) = (part(1)?, part(2)?);
    // A fall is told by its size: of -10.6 to -4.0 the lower bound is 4.0.
    let side = if one + other < 0.0 { -1.0 } else { 1.0 };
    let (one, other) = (side * one, side * other);
    Some((one.min(other), one.max(other)))
}

/// Values of that unit in a passage, in order. Levels of confidence are none.
pub(crate) fn readings(text: &str, wanted: &str) -> Vec<Reading> {
    let mut all = Vec::new();
    for found in MEASURED.captures_all(text) {
        let part = |nth: usize| found.get(nth).map(|at| at.as_str());
        let end = found.get(0).map_or(0, |at| at.end());
        let start = found.get(0).map_or(0, |at| at.start());
        let after = text[end..].trim_start().to_lowercase();
        let before = text[..start].trim_end().to_lowercase();
        let limit = LIMITING.iter().any(|word| before.ends_with(word));
        if limit || after.starts_with("ci") || after.starts_with("confidence") {
            continue;
        }
        let (value, of) = match part(1) {
            Some(_) => (
                part(2).and_then(number).map(|at| at * scale(part(3))),
                "eur".to_owned(),
            ),
            None => (
                part(4).and_then(number).map(|at| at * scale(part(5))),
                unit(part(6).unwrap_or_default()),
            ),
        };
        if let Some(value) = value.filter(|_| of == wanted) {
            all.push(Reading {
                value,
                share: None,
                interval: interval(&text[end..]),
                at: start,
            });
        }
    }
    if all.is_empty() && wanted == "%" {
        for found in SHARE.captures_all(text) {
            let part = |nth: usize| found.get(nth).and_then(|at| number(at.as_str()));
            if let (Some(part), Some(whole)) = (part(1), part(2))
                && whole >= part
                && whole > 0.0
            {
                all.push(Reading {
                    value: 100.0 * part / whole,
                    share: Some((part, whole)),
                    interval: None,
                    at: found.get(0).map_or(0, |at| at.start()),
                });
            }
        }
    }
    all
}

#[cfg(test)]
#[path = "bound_tests.rs"]
mod tests;
