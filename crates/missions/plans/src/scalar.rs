//! What an unquoted scalar means by YAML 1.2's core schema (so `no` is text), and values as JSON text.
//! Numbers keep their written digits: nothing passes through a float.

use crate::tree::{Node, Value};

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Scalar<'a> {
    Null,
    Bool(bool),
    /// As JSON writes it.
    Number(String),
    /// Infinite, not a number, or beyond what JSON readers hold.
    Unbounded,
    Text(&'a str),
}

pub(crate) fn resolve(plain: &str) -> Scalar<'_> {
    match plain {
        "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "true" | "True" | "TRUE" => Scalar::Bool(true),
        "false" | "False" | "FALSE" => Scalar::Bool(false),
        ".nan" | ".NaN" | ".NAN" => Scalar::Unbounded,
        _ => number(plain).unwrap_or(Scalar::Text(plain)),
    }
}

fn number(plain: &str) -> Option<Scalar<'static>> {
    if !plain.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
        return None;
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = plain.strip_prefix(prefix) {
            let all = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
            return all.then(|| {
                u64::from_str_radix(digits, radix)
                    .map_or(Scalar::Unbounded, |value| Scalar::Number(value.to_string()))
            });
        }
    }
    let (minus, unsigned) = match plain.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", plain.strip_prefix('+').unwrap_or(plain)),
    };
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return Some(Scalar::Unbounded);
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let mut json = format!("{minus}{}", without_leading_zeros(whole));
    if !fraction.is_empty() {
        json = format!("{json}.{fraction}");
    }
    if let Some(exponent) = exponent {
        let bare = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if bare.is_empty() || !digits(bare) {
            return None;
        }
        json = format!("{json}e{exponent}");
    }
    let finite = json.parse::<f64>().is_ok_and(f64::is_finite);
    Some(if finite {
        Scalar::Number(json)
    } else {
        Scalar::Unbounded
    })
}

fn without_leading_zeros(whole: &str) -> &str {
    match whole.trim_start_matches('0') {
        "" => "0",
        rest => rest,
    }
}

/// Writes a node as JSON, fields in the order of the file. `unbounded` hears of numbers JSON lacks.
pub(crate) fn write_json(node: &Node, out: &mut String, unbounded: &mut impl FnMut(&Node)) {
    match &node.value {
        Value::Plain(text) => match resolve(text) {
            Scalar::Null => out.push_str("null"),
            Scalar::Bool(value) => out.push_str(if value { "true" } else { "false" }),
            Scalar::Number(json) => out.push_str(&json),
            Scalar::Text(text) => write_text(text, out),
            Scalar::Unbounded => {
                unbounded(node);
                out.push_str("null");
            }
        },
        Value::Quoted(text) => write_text(text, out),
        Value::Broken => out.push_str("null"),
        Value::List(items) => {
            out.push('[');
            for (n, item) in items.iter().enumerate() {
                if n > 0 {
                    out.push(',');
                }
                write_json(item, out, unbounded);
            }
            out.push(']');
        }
        Value::Map(entries) => {
            out.push('{');
            for (n, entry) in entries.iter().enumerate() {
                if n > 0 {
                    out.push(',');
                }
                write_text(&entry.key, out);
                out.push(':');
                write_json(&entry.value, out, unbounded);
            }
            out.push('}');
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}
