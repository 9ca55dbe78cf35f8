//! Searches in the query language of Open Patent Services.

use super::search::Checked;

/// All pieces are letters and digits already; nothing can leave its quotes.
pub(super) fn query(search: &Checked) -> String {
    let mut parts = Vec::new();
    for (index, pieces) in [
        ("ta", &search.words),
        ("pa", &search.applicant),
        ("in", &search.inventor),
    ] {
        if !pieces.is_empty() {
            parts.push(format!("{index} all \"{}\"", pieces.join(" ")));
        }
    }
    if let Some(symbol) = &search.classification {
        parts.push(format!("cl=\"{symbol}\""));
    }
    let from = search.from.as_deref().map(digits);
    let to = search.to.as_deref().map(digits);
    match (from, to) {
        (Some(from), Some(to)) => parts.push(format!("pd within \"{from} {to}\"")),
        (Some(from), None) => parts.push(format!("pd >= {from}")),
        (None, Some(to)) => parts.push(format!("pd <= {to}")),
        (None, None) => {}
    }
    parts.push("pn=EP".to_owned());
    parts.join(" and ")
}

fn digits(day: &str) -> String {
    day.chars().filter(char::is_ascii_digit).collect()
}
