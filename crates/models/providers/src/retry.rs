//! When a request may be sent again: pure functions of headers, times and a random number.

use std::collections::BTreeMap;

use adjutant_mission::{Millis, Timestamp};

/// Sendings of one request, the first included.
pub(crate) const TRIES_MAX: u32 = 4;
/// Longer waits are not slept through: the question comes back as `Busy`.
pub(crate) const WAIT_MAX: Millis = Millis::seconds(10);
/// A server may ask for a longer wait, but does not get it.
pub(crate) const RETRY_AFTER_MAX: Millis = Millis::hours(24);

/// Headers by their lower-case name.
pub(crate) type Headers = BTreeMap<String, String>;

/// The wait before try number `next` (the second is 1): doubled each time, at least half of it, the rest by chance.
pub(crate) fn backoff(next: u32, first: Millis, random: u64) -> Millis {
    let doubled = first
        .0
        .saturating_mul(1u64 << next.saturating_sub(1).min(20));
    let full = doubled.clamp(1, WAIT_MAX.0);
    let half = full / 2;
    Millis(half + random % (full - half + 1))
}

/// The instant a server names: `retry-after-ms`, `retry-after` in seconds or as a date.
pub(crate) fn retry_after(headers: &Headers, now: Timestamp) -> Option<Timestamp> {
    let text = |name: &str| headers.get(name).map(|text| text.trim());
    let wait = if let Some(ms) = text("retry-after-ms").and_then(|text| text.parse().ok()) {
        Millis(ms)
    } else {
        let text = text("retry-after")?;
        match text.parse::<u64>() {
            Ok(seconds) => Millis::seconds(seconds),
            Err(_) => {
                let date = jiff::fmt::rfc2822::parse(text).ok()?;
                Timestamp(date.timestamp().as_millisecond()).since(now)
            }
        }
    };
    Some(now.plus(wait.min(RETRY_AFTER_MAX)))
}

/// When what is used up is there again, by the rate headers of OpenAI and Anthropic; none if nothing is used up.
pub(crate) fn rate_reset(headers: &Headers, now: Timestamp) -> Option<Timestamp> {
    let used_up = headers.iter().filter_map(|(name, value)| {
        if value.trim() != "0" {
            return None;
        }
        // `x-ratelimit-remaining-requests`, `anthropic-ratelimit-input-tokens-remaining`
        let reset = if let Some(what) = name.strip_prefix("x-ratelimit-remaining-") {
            format!("x-ratelimit-reset-{what}")
        } else {
            let what = name.strip_prefix("anthropic-ratelimit-")?;
            format!(
                "anthropic-ratelimit-{}-reset",
                what.strip_suffix("-remaining")?
            )
        };
        let text = headers.get(&reset)?.trim();
        match text.parse::<jiff::Timestamp>() {
            Ok(at) => Some(Timestamp(at.as_millisecond())),
            Err(_) => Some(now.plus(span(text)?)),
        }
    });
    let latest = now.plus(RETRY_AFTER_MAX);
    used_up.max().map(|at| at.clamp(now, latest))
}

/// `1s`, `6m0s`, `120ms`, `1h2m3.5s`.
fn span(text: &str) -> Option<Millis> {
    let mut total: u64 = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at(digits);
        let unit_len = after
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(after.len());
        let (unit, next) = after.split_at(unit_len);
        let unit_ms: u64 = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return None,
        };
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        let thousandths: u64 = format!("{part:0<3.3}").parse().ok()?;
        let whole: u64 = whole.parse().ok()?;
        let ms = whole.saturating_mul(unit_ms);
        total = total.saturating_add(ms.saturating_add(thousandths * unit_ms / 1_000));
        rest = next;
    }
    (!text.is_empty()).then_some(Millis(total))
}

#[cfg(test)]
#[path = "retry_tests.rs"]
mod tests;
