//! Durations (`1h30m`) and money (`$1.50`) as people write them, read digit by digit into integers.

use adjutant_mission::{MicroUsd, Millis, Ppm, limits};

/// Most money a cap or cost may name.
pub(crate) const MONEY_MAX: MicroUsd = MicroUsd(1_000_000_000 * MICROS);
const MICROS: u64 = 1_000_000;

pub(crate) const DURATION_FORM: &str =
    "Write a number with its unit, largest first: `500ms`, `90s`, `10m`, `1h30m`, `2d`.";
pub(crate) const MONEY_FORM: &str =
    "Write US dollars as `$1.50`, `1.50 usd` or `1.50`, with at most six decimals.";

pub(crate) const SHARE_FORM: &str = "Write a number from 0 to 1, such as `0.7`.";

/// Units with their length in milliseconds, in the order in which they may follow each other.
const UNITS: [(&str, u64); 5] = [
    ("d", 86_400_000),
    ("h", 3_600_000),
    ("m", 60_000),
    ("s", 1_000),
    ("ms", 1),
];

/// Reads a share of one, or says what is wrong with it.
pub(crate) fn share(text: &str) -> Result<Ppm, String> {
    let malformed = || format!("`{text}` is not a share of one");
    let parts = decimal(text.trim(), MICROS).ok_or_else(malformed)?;
    let parts = parts
        .filter(|parts| *parts <= MICROS)
        .ok_or_else(malformed)?;
    u32::try_from(parts).map(Ppm).map_err(|_| malformed())
}

/// Reads a duration, or says what is wrong with it.
pub fn duration(text: &str) -> Result<Millis, String> {
    let mut rest = text.trim();
    if rest == "0" {
        return Ok(Millis::ZERO);
    }
    let malformed = || format!("`{text}` is not a duration");
    let mut units = UNITS.as_slice();
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let (number, after) = split(rest, |c| c.is_ascii_digit() || c == '.');
        let (unit, after) = split(after.trim_start(), |c| c.is_ascii_alphabetic());
        if number.is_empty() {
            return Err(malformed());
        }
        if unit.is_empty() {
            return Err(format!("`{text}` has no unit"));
        }
        let at = units.iter().position(|(name, _)| *name == unit);
        let at = at.ok_or_else(malformed)?;
        let length = units[at].1;
        units = &units[at + 1..];
        let part = decimal(number, length).ok_or_else(malformed)?;
        total = part
            .and_then(|part| total.checked_add(part))
            .unwrap_or(u64::MAX);
        rest = after.trim_start();
    }
    if text.trim().is_empty() {
        return Err(malformed());
    }
    if total > limits::DURATION_MAX.0 {
        let days = limits::DURATION_MAX.0 / UNITS[0].1;
        return Err(format!("`{text}` is over the limit of {days} days"));
    }
    Ok(Millis(total))
}

/// Reads an amount of US dollars, or says what is wrong with it.
pub fn money(text: &str) -> Result<MicroUsd, String> {
    let trimmed = text.trim();
    let lower = trimmed.to_ascii_lowercase();
    let digits = match trimmed.strip_prefix('$') {
        Some(rest) => rest.trim_start(),
        None => match lower.strip_suffix("usd") {
            Some(rest) => rest.trim_end(),
            None => trimmed,
        },
    };
    match decimal(digits, MICROS) {
        None => Err(format!("`{text}` is not an amount of US dollars")),
        Some(Some(micros)) if micros <= MONEY_MAX.0 => Ok(MicroUsd(micros)),
        Some(_) => Err(format!("`{text}` is over the limit of {MONEY_MAX}")),
    }
}

fn split(text: &str, take: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !take(c)).unwrap_or(text.len()))
}

/// `number * scale` exactly. `None`: not a decimal number, or finer than one part of the scale;
/// `Some(None)`: more than fits.
fn decimal(number: &str, scale: u64) -> Option<Option<u64>> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let power = 10u128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let fraction = if fraction.is_empty() { "0" } else { fraction };
    let product = fraction.parse::<u128>().ok()?.checked_mul(scale.into())?;
    if product % power != 0 {
        return None;
    }
    Some(add(whole, scale, u64::try_from(product / power).ok()?))
}

fn add(whole: &str, scale: u64, part: u64) -> Option<u64> {
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    whole
        .parse::<u64>()
        .ok()?
        .checked_mul(scale)?
        .checked_add(part)
}

#[cfg(test)]
#[path = "quantity_tests.rs"]
mod tests;
