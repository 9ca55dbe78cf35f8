//! Numbers as people write them: `1,234.5`, `1.234,5`, `0·72`.

/// The number that is written, if it is one. A single comma or point before three digits groups thousands if it is a
/// comma and is a decimal point if it is a point.
pub fn parse_number(written: &str) -> Option<f64> {
    let (negative, digits) = match written.strip_prefix(['-', '−', '–']) {
        Some(rest) => (true, rest),
        None => (false, written),
    };
    let plain: String = digits
        .chars()
        .filter(|c| !matches!(c, '\u{202F}' | '\u{2009}' | '\'' | ' '))
        .map(|c| if c == '·' { '.' } else { c })
        .collect();
    let commas = plain.matches(',').count();
    let points = plain.matches('.').count();
    let plain = match (commas, points) {
        (0, 0 | 1) => plain,
        (0, _) => plain.replace('.', ""),
        (1, 0) if groups_thousands(&plain) => plain.replace(',', ""),
        (1, 0) => plain.replace(',', "."),
        (_, 0) => plain.replace(',', ""),
        _ if plain.rfind(',') > plain.rfind('.') => plain.replace('.', "").replace(',', "."),
        _ => plain.replace(',', ""),
    };
    let value: f64 = plain.parse().ok()?;
    Some(if negative { -value } else { value })
}

/// `12,345` and not `0,345` or `12,34`.
fn groups_thousands(plain: &str) -> bool {
    plain.split_once(',').is_some_and(|(whole, rest)| {
        rest.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0')
    })
}

#[cfg(test)]
#[path = "numbers_tests.rs"]
mod tests;
