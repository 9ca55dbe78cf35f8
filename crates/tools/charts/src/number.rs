//! Numbers as people write them.

/// With so many decimals, thousands set apart; a typographic minus.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{:.*}", decimals, value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut out = String::new();
    if value < 0.0 && text.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        out.push('−');
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

const LARGE: [(f64, &str); 3] = [(1e12, " tn"), (1e9, " bn"), (1e6, " M")];

/// A tick whose neighbours are `step` away: as many decimals as tell them apart.
pub(crate) fn tick(value: f64, step: f64, largest: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-5..1e15).contains(&largest) {
        return scientific(value);
    }
    for (unit, name) in LARGE {
        if largest >= unit {
            return format!("{}{name}", fixed(value / unit, decimals(step / unit)));
        }
    }
    fixed(value, decimals(step))
}

fn decimals(step: f64) -> usize {
    (0..10)
        .find(|d| {
            let scaled = step * libm::pow(10.0, f64::from(*d));
            (scaled - scaled.round()).abs() < 1e-6 * scaled.max(1.0) && scaled.round() >= 1.0
        })
        .unwrap_or(10) as usize
}

/// A value beside a mark: three significant digits or so.
pub(crate) fn value(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e15).contains(&size) {
        return scientific(value);
    }
    for (unit, name) in LARGE {
        if size >= unit {
            return format!("{}{name}", trimmed(value / unit, 2));
        }
    }
    let places = match size {
        s if s >= 100.0 => 1,
        s if s >= 1.0 => 2,
        s if s >= 0.1 => 3,
        s if s >= 0.01 => 4,
        _ => 6,
    };
    trimmed(value, places)
}

fn trimmed(value: f64, places: usize) -> String {
    let text = fixed(value, places);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

fn scientific(value: f64) -> String {
    let text = format!("{:.1e}", value.abs());
    let text = text.replace(".0e", "e");
    if value < 0.0 {
        format!("−{text}")
    } else {
        text
    }
}

/// A share of one as a percentage.
pub(crate) fn percent(share: f64) -> String {
    format!("{}%", trimmed(share * 100.0, 1))
}

#[cfg(test)]
#[path = "number_tests.rs"]
mod tests;
