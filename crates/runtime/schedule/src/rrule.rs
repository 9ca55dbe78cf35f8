//! Reading a recurrence rule of RFC 5545. What is not supported is refused by name.

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::TimeZone;

use crate::error::Wrong;
use crate::recurrence::{Frequency, OnWeekday, Parts};

/// Longest text that is read.
const TEXT_BYTES_MAX: usize = 4_000;
/// Largest INTERVAL.
const INTERVAL_MAX: u32 = 1_000;
/// Largest COUNT: the end is found by counting.
const COUNT_MAX: u32 = 10_000;

const WEEKDAYS: [(&str, Weekday); 7] = [
    ("MO", Weekday::Monday),
    ("TU", Weekday::Tuesday),
    ("WE", Weekday::Wednesday),
    ("TH", Weekday::Thursday),
    ("FR", Weekday::Friday),
    ("SA", Weekday::Saturday),
    ("SU", Weekday::Sunday),
];

const FREQUENCIES: [(&str, Frequency); 6] = [
    ("MINUTELY", Frequency::Minutely),
    ("HOURLY", Frequency::Hourly),
    ("DAILY", Frequency::Daily),
    ("WEEKLY", Frequency::Weekly),
    ("MONTHLY", Frequency::Monthly),
    ("YEARLY", Frequency::Yearly),
];

/// How a rule ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Never,
    Count(u32),
    /// With a reading of the clock, inclusive.
    Until(DateTime),
    UntilInstant(jiff::Timestamp),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) parts: Parts,
    pub(crate) end: End,
}

/// A DTSTART and a rule, with the bytes they begin at.
struct Lines<'a> {
    start: Option<(usize, &'a str)>,
    rule: (usize, &'a str),
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Result<Self, Wrong> {
        if text.len() > TEXT_BYTES_MAX {
            return Err(Wrong::at(
                0,
                format!("it has {} bytes, more than {TEXT_BYTES_MAX}", text.len()),
            ));
        }
        let (mut start, mut rule) = (None, None);
        let begin = text.as_ptr() as usize;
        for word in text.split_whitespace() {
            let byte = word.as_ptr() as usize - begin;
            let name = word.split([':', ';', '=']).next().unwrap_or_default();
            let twice = |name: &str| Wrong::at(byte, format!("{name} is given twice"));
            if name.eq_ignore_ascii_case("DTSTART") && !word.contains("FREQ=") {
                if start.replace((byte, word)).is_some() {
                    return Err(twice("DTSTART"));
                }
            } else if ["EXDATE", "RDATE", "EXRULE", "DTEND", "DURATION"]
                .iter()
                .any(|other| other.eq_ignore_ascii_case(name))
            {
                return Err(Wrong::at(byte, format!("{name} is not supported")));
            } else {
                let bare = match word.get(..6) {
                    Some(head) if head.eq_ignore_ascii_case("RRULE:") => (byte + 6, &word[6..]),
                    _ => (byte, word),
                };
                if rule.replace(bare).is_some() {
                    return Err(twice("the rule"));
                }
            }
        }
        let rule =
            rule.ok_or_else(|| Wrong::at(text.len(), "there is no rule, such as FREQ=DAILY"))?;
        Ok(Self { start, rule })
    }
}

/// The zone that a DTSTART names.
pub(crate) fn zone_named_in(text: &str) -> Option<&str> {
    let lines = Lines::of(text).ok()?;
    let (_, start) = lines.start?;
    let (head, value) = start.split_once(':')?;
    if value.ends_with('Z') {
        return Some("UTC");
    }
    let mut parameters = head.split(';').skip(1);
    parameters.find_map(|parameter| parameter.strip_prefix("TZID="))
}

pub(crate) fn has_start(text: &str) -> bool {
    Lines::of(text).is_ok_and(|lines| lines.start.is_some())
}

impl Rule {
    pub(crate) fn parse(text: &str, zone: &TimeZone) -> Result<Self, Wrong> {
        let lines = Lines::of(text)?;
        let (byte, line) = lines
            .start
            .ok_or_else(|| Wrong::at(0, "DTSTART is missing"))?;
        let start = read_start(byte, line, zone)?;
        let mut reader = Reader::new(start);
        let (mut byte, rule) = lines.rule;
        for part in rule.split(';') {
            if !part.is_empty() {
                reader.part(byte, part)?;
            }
            byte += part.len() + 1;
        }
        reader.finish(lines.rule.0)
    }
}

/// `DTSTART:20270104T090000`, with a TZID that must be the schedule's own zone.
fn read_start(byte: usize, line: &str, zone: &TimeZone) -> Result<DateTime, Wrong> {
    let (head, value) = line
        .split_once(':')
        .ok_or_else(|| Wrong::at(byte, "DTSTART is written DTSTART:20270104T090000"))?;
    let ours = zone.iana_name().unwrap_or("UTC");
    let mut at = byte + "DTSTART".len();
    for parameter in head.split(';').skip(1) {
        at += 1;
        match parameter.split_once('=') {
            Some(("TZID", named)) if named == ours => {}
            Some(("TZID", named)) => {
                let why = format!("DTSTART is in {named}, but the schedule in {ours}");
                return Err(Wrong::at(at, why));
            }
            Some(("VALUE", "DATE-TIME")) => {}
            _ => return Err(Wrong::at(at, format!("`{parameter}` is not supported"))),
        }
        at += parameter.len();
    }
    let at = byte + head.len() + 1;
    let local = match value.strip_suffix('Z') {
        None => value,
        Some(value) if ours == "UTC" => value,
        Some(_) => {
            let why = format!("DTSTART is in UTC, but the schedule in {ours}");
            return Err(Wrong::at(at, why));
        }
    };
    date_time(local).ok_or_else(|| {
        let why = format!("`{value}` is not a date and time like 20270104T090000");
        Wrong::at(at, why)
    })
}

fn date_time(text: &str) -> Option<DateTime> {
    let has_time = text.contains(['T', 't']);
    text.parse::<DateTime>().ok().filter(|_| has_time)
}

struct Reader {
    parts: Parts,
    frequency: Option<Frequency>,
    count: Option<u32>,
    until: Option<End>,
    seen: Vec<String>,
    /// Where BYSETPOS, BYDAY and BYMONTHDAY stand, for what can only be said at the end.
    set_pos_at: usize,
    weekdays_at: usize,
    month_days_at: usize,
}

impl Reader {
    fn new(start: DateTime) -> Self {
        Self {
            parts: Parts::starting(start),
            frequency: None,
            count: None,
            until: None,
            seen: Vec::new(),
            set_pos_at: 0,
            weekdays_at: 0,
            month_days_at: 0,
        }
    }

    fn part(&mut self, byte: usize, part: &str) -> Result<(), Wrong> {
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| Wrong::at(byte, format!("`{part}` has no `=`")))?;
        let name = name.to_ascii_uppercase();
        let at = byte + name.len() + 1;
        if self.seen.contains(&name) {
            return Err(Wrong::at(byte, format!("{name} is given twice")));
        }
        match name.as_str() {
            "FREQ" => self.frequency = Some(frequency(at, value)?),
            "INTERVAL" => self.parts.interval = number(at, value, "INTERVAL", INTERVAL_MAX)?,
            "COUNT" => self.count = Some(number(at, value, "COUNT", COUNT_MAX)?),
            "UNTIL" => self.until = Some(until(at, value)?),
            "WKST" => self.parts.week_start = weekday(at, value)?,
            "BYMONTH" => self.parts.months = list(at, value, |at, text| signed(at, text, 1..=12))?,
            "BYMONTHDAY" => {
                self.month_days_at = byte;
                self.parts.month_days = list(at, value, |at, text| {
                    signed_nonzero(at, text, 31, "BYMONTHDAY")
                })?;
            }
            "BYDAY" => {
                self.weekdays_at = byte;
                self.parts.weekdays = list(at, value, on_weekday)?;
            }
            "BYHOUR" => self.parts.hours = list(at, value, |at, text| signed(at, text, 0..=23))?,
            "BYMINUTE" => {
                self.parts.minutes = list(at, value, |at, text| signed(at, text, 0..=59))?;
            }
            "BYSETPOS" => {
                self.set_pos_at = byte;
                self.parts.set_pos = list(at, value, |at, text| {
                    signed_nonzero(at, text, 366, "BYSETPOS")
                })?;
            }
            "BYSECOND" | "BYYEARDAY" | "BYWEEKNO" => {
                return Err(Wrong::at(byte, format!("{name} is not supported")));
            }
            _ => return Err(Wrong::at(byte, format!("unknown part {name}"))),
        }
        self.seen.push(name);
        Ok(())
    }

    fn finish(mut self, byte: usize) -> Result<Rule, Wrong> {
        let frequency = self
            .frequency
            .ok_or_else(|| Wrong::at(byte, "FREQ is missing"))?;
        self.parts.frequency = frequency;
        if self.count.is_some() && self.until.is_some() {
            return Err(Wrong::at(byte, "COUNT and UNTIL cannot be combined"));
        }
        let parts = &self.parts;
        let has_ordinals = parts.weekdays.iter().any(|on| on.ordinal != 0);
        if has_ordinals && !matches!(frequency, Frequency::Monthly | Frequency::Yearly) {
            let why = "a numbered weekday needs FREQ=MONTHLY or YEARLY";
            return Err(Wrong::at(self.weekdays_at, why));
        }
        if !parts.month_days.is_empty() && frequency == Frequency::Weekly {
            let why = "BYMONTHDAY cannot be combined with FREQ=WEEKLY";
            return Err(Wrong::at(self.month_days_at, why));
        }
        let others = self.seen.iter();
        let has_other = others
            .filter(|name| name.starts_with("BY"))
            .any(|name| name != "BYSETPOS");
        if !parts.set_pos.is_empty() && !has_other {
            let why = "BYSETPOS needs another part that begins with BY";
            return Err(Wrong::at(self.set_pos_at, why));
        }
        self.parts.fill_in();
        let end = match (self.count, self.until) {
            (Some(count), _) => End::Count(count),
            (None, Some(until)) => until,
            (None, None) => End::Never,
        };
        Ok(Rule {
            parts: self.parts,
            end,
        })
    }
}

fn frequency(at: usize, value: &str) -> Result<Frequency, Wrong> {
    let known = FREQUENCIES
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(value));
    known.map(|(_, frequency)| *frequency).ok_or_else(|| {
        let why = if value.eq_ignore_ascii_case("SECONDLY") {
            "SECONDLY is not supported".to_owned()
        } else {
            format!("unknown FREQ `{value}`")
        };
        Wrong::at(at, why)
    })
}

fn number(at: usize, value: &str, name: &str, most: u32) -> Result<u32, Wrong> {
    let parsed = value.parse::<u32>().ok();
    parsed
        .filter(|number| (1..=most).contains(number))
        .ok_or_else(|| Wrong::at(at, format!("{name} is 1 to {most}, not `{value}`")))
}

/// An UTC instant, a reading of the clock, or a whole day.
fn until(at: usize, value: &str) -> Result<End, Wrong> {
    let wrong = || {
        let why = format!("`{value}` is not an UNTIL like 20270104T090000Z or 20270104");
        Wrong::at(at, why)
    };
    if let Some(utc) = value.strip_suffix('Z') {
        let utc = date_time(utc).ok_or_else(wrong)?;
        let instant = jiff::tz::Offset::UTC.to_timestamp(utc);
        return instant.map(End::UntilInstant).map_err(|_| wrong());
    }
    if let Some(local) = date_time(value) {
        return Ok(End::Until(local));
    }
    let day: Date = value.parse().map_err(|_| wrong())?;
    Ok(End::Until(day.to_datetime(Time::MAX)))
}

fn weekday(at: usize, value: &str) -> Result<Weekday, Wrong> {
    let known = WEEKDAYS
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(value));
    known.map(|(_, weekday)| *weekday).ok_or_else(|| {
        Wrong::at(
            at,
            format!("`{value}` is not a weekday: MO, TU, WE, TH, FR, SA or SU"),
        )
    })
}

fn on_weekday(at: usize, text: &str) -> Result<OnWeekday, Wrong> {
    let split = text.len().saturating_sub(2);
    let (ordinal, name) = match (text.get(..split), text.get(split..)) {
        (Some(ordinal), Some(name)) => (ordinal, name),
        _ => ("", text),
    };
    let weekday = weekday(at + ordinal.len(), name)?;
    let ordinal = match ordinal {
        "" => 0,
        ordinal => signed_nonzero(at, ordinal, 53, "the number of a weekday")?,
    };
    Ok(OnWeekday { ordinal, weekday })
}

fn list<T: PartialEq>(
    mut at: usize,
    value: &str,
    read: impl Fn(usize, &str) -> Result<T, Wrong>,
) -> Result<Vec<T>, Wrong> {
    let mut items = Vec::new();
    for text in value.split(',') {
        let item = read(at, text)?;
        if !items.contains(&item) {
            items.push(item);
        }
        at += text.len() + 1;
    }
    Ok(items)
}

fn signed<T>(at: usize, text: &str, range: std::ops::RangeInclusive<T>) -> Result<T, Wrong>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let parsed = text.parse::<T>().ok();
    parsed
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            let why = format!("`{text}` is not {} to {}", range.start(), range.end());
            Wrong::at(at, why)
        })
}

fn signed_nonzero(at: usize, text: &str, most: i16, name: &str) -> Result<i16, Wrong> {
    let parsed = text.parse::<i16>().ok();
    parsed
        .filter(|number| *number != 0 && (-most..=most).contains(number))
        .ok_or_else(|| {
            let why = format!("{name} is 1 to {most} or -1 to -{most}, not `{text}`");
            Wrong::at(at, why)
        })
}
