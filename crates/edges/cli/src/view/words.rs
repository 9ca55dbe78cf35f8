//! Quantities in words, the same everywhere.

use adjutant_app::constitution::shown;
use adjutant_mission::{Json, Millis, Mission, Payload, Timestamp};

pub(crate) use adjutant_app::words::{
    count, instant, money, short, short_checkpoint, short_trigger,
};

pub(crate) fn elapsed(span: Millis) -> String {
    let seconds = span.0 / 1_000;
    match seconds {
        0..=59 => format!("{seconds}.{} s", span.0 % 1_000 / 100),
        60..=3_599 => format!("{} min {} s", seconds / 60, seconds % 60),
        3_600..=86_399 => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
        _ if seconds % 86_400 < 3_600 => format!("{} d", seconds / 86_400),
        _ => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3_600),
    }
}

/// How long a mission has taken so far. What lies between a fork and the events it inherited is nobody's time.
pub(crate) fn lasted(mission: &Mission, now: Timestamp) -> Millis {
    let until = match mission.ending() {
        Some(_) => mission.updated_at(),
        None => now,
    };
    match mission.forked() {
        None => until.since(mission.opened_at()),
        Some(forked) => {
            let inherited = forked.left_at.since(mission.opened_at());
            Millis(inherited.0.saturating_add(until.since(forked.since).0))
        }
    }
}

fn rough(span: Millis) -> String {
    let seconds = span.0.div_ceil(1_000);
    let minutes = (seconds + 30) / 60;
    let hours = (minutes + 30) / 60;
    match (seconds, hours) {
        (0..=89, _) => count(usize::try_from(seconds).unwrap_or(0), "second"),
        (_, 0..=1) => count(usize::try_from(minutes).unwrap_or(0), "minute"),
        (_, 2..=47) => count(usize::try_from(hours).unwrap_or(0), "hour"),
        (_, hours) => count(usize::try_from((hours + 12) / 24).unwrap_or(0), "day"),
    }
}

/// `in 24 hours`, or that the time has passed.
pub(crate) fn until(now: Timestamp, at: Timestamp) -> String {
    if at <= now {
        return "now".into();
    }
    format!("in {}", rough(at.since(now)))
}

pub(crate) fn ago(now: Timestamp, at: Timestamp) -> String {
    let span = now.since(at);
    if span.0 < 2_000 {
        return "just now".into();
    }
    format!("{} ago", rough(span))
}

pub(crate) fn ordinal(n: u16) -> String {
    let end = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{end}")
}

pub(crate) fn bytes(n: u64) -> String {
    match n {
        0..=999 => format!("{n} bytes"),
        1_000..=999_999 => format!("{}.{} kB", n / 1_000, n % 1_000 / 100),
        1_000_000..=999_999_999 => format!("{}.{} MB", n / 1_000_000, n % 1_000_000 / 100_000),
        _ => format!(
            "{}.{} GB",
            n / 1_000_000_000,
            n % 1_000_000_000 / 100_000_000
        ),
    }
}

/// Longest text of a value that a preview looks at.
const PREVIEW_CHARS_MAX: usize = 400;

/// What a task produced, in one line: the value itself if there is one, else its JSON.
pub(crate) fn preview(output: &Payload) -> String {
    shown(gist(output))
}

fn gist(output: &Payload) -> String {
    let json = match output {
        Payload::Blob { bytes: n, .. } => return format!("({})", bytes(*n)),
        Payload::Inline(json) => json,
    };
    if let Some(told) = super::answer::tell(json) {
        return told.gist.chars().take(PREVIEW_CHARS_MAX).collect();
    }
    if let Some(told) = judged(json) {
        return told;
    }
    if let Some(told) = sources(json) {
        return told.chars().take(PREVIEW_CHARS_MAX).collect();
    }
    let is_plain = |found: &Json| !found.text().trim_start().starts_with(['{', '[']);
    let told = TELLING
        .iter()
        .find_map(|field| json.at(&[(*field).to_owned()]))
        .or_else(|| only_field(json))
        .filter(is_plain)
        .unwrap_or_else(|| json.clone());
    first_line(&told)
}

/// What a judge said of a document.
fn judged(json: &Json) -> Option<String> {
    let passed = json.at(&["passed".to_owned()])?;
    let checks: Vec<Json> = serde_json::from_str(json.at(&["checks".to_owned()])?.text()).ok()?;
    let failed = checks.iter().filter_map(|check| {
        let passed = check.at(&["passed".to_owned()])?;
        let name = check.at(&["name".to_owned()])?;
        (passed.text() == "false").then(|| name.to_plain_text().to_string())
    });
    let failed: Vec<String> = failed.collect();
    let checks = count(checks.len(), "check");
    Some(match passed.text() {
        "true" => format!("passed {checks}"),
        _ => format!(
            "did not pass {} of {checks}: {}",
            failed.len(),
            failed.join(", ")
        ),
    })
}

/// What a search found, by the titles.
fn sources(json: &Json) -> Option<String> {
    if !json.text().contains("\"sources\"") {
        return None;
    }
    let value: serde_json::Value = serde_json::from_str(json.text()).ok()?;
    let found = value.get("sources")?.as_array()?;
    let titles = found.iter().filter_map(|source| source["title"].as_str());
    let titles: Vec<_> = titles.take(TITLES_MAX).collect();
    let more = match found.len() > titles.len() {
        true => "; …",
        false => "",
    };
    Some(match found.len() {
        0 => "nothing found".to_owned(),
        number => format!("{}: {}{more}", count(number, "source"), titles.join("; ")),
    })
}

/// Titles of what was found that a preview names.
const TITLES_MAX: usize = 3;

/// Fields that say what an output is about, the most telling first.
const TELLING: [&str; 6] = ["value", "text", "path", "option", "verdict", "body"];

fn only_field(json: &Json) -> Option<Json> {
    let fields: std::collections::BTreeMap<String, serde_json::Value> =
        serde_json::from_str(json.text()).ok()?;
    let mut names = fields.into_keys();
    let name = names.next()?;
    names.next().is_none().then(|| json.at(&[name]))?
}

fn first_line(json: &Json) -> String {
    let text = json.to_plain_text();
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    let first = text.lines().find(|line| !line.trim().is_empty());
    let first: String = first
        .unwrap_or("")
        .chars()
        .take(PREVIEW_CHARS_MAX)
        .collect();
    match (first.as_str(), lines) {
        ("null", _) => String::new(),
        (_, 0 | 1) => first,
        (_, lines) => format!("{first} … ({lines} lines)"),
    }
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
