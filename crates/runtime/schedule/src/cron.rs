//! Five fields of cron: minute, hour, day of month, month, weekday. What they mean is what Vixie cron has them mean.

use jiff::civil::{Date, DateTime, Time};

use crate::error::Wrong;

/// Longest text that is read.
const TEXT_BYTES_MAX: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cron {
    minutes: Set,
    hours: Set,
    days: Field,
    months: Set,
    /// 0 is Sunday.
    weekdays: Field,
}

/// Numbers below 64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Set(u64);

impl Set {
    fn has(self, number: i8) -> bool {
        u32::try_from(number).is_ok_and(|number| self.0 >> number & 1 == 1)
    }

    fn numbers(self) -> impl Iterator<Item = i8> {
        (0..60).filter(move |number| self.has(*number))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Field {
    set: Set,
    /// It begins with `*`. Of the two fields for days, one that does only narrows the other.
    open: bool,
}

struct Shape {
    name: &'static str,
    least: u8,
    most: u8,
    /// The first stands for `least`.
    names: &'static [&'static str],
}

const SHAPES: [Shape; 5] = [
    Shape {
        name: "minute",
        least: 0,
        most: 59,
        names: &[],
    },
    Shape {
        name: "hour",
        least: 0,
        most: 23,
        names: &[],
    },
    Shape {
        name: "day of the month",
        least: 1,
        most: 31,
        names: &[],
    },
    Shape {
        name: "month",
        least: 1,
        most: 12,
        names: &[
            "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
        ],
    },
    Shape {
        name: "weekday",
        least: 0,
        most: 7,
        names: &["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"],
    },
];

const SHORTHANDS: [(&str, &str); 7] = [
    ("@hourly", "0 * * * *"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"),
    ("@monthly", "0 0 1 * *"),
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
];

impl Cron {
    pub(crate) fn parse(text: &str) -> Result<Self, Wrong> {
        if text.len() > TEXT_BYTES_MAX {
            return Err(Wrong::at(
                0,
                format!("it has {} bytes, more than {TEXT_BYTES_MAX}", text.len()),
            ));
        }
        let trimmed = text.trim();
        if trimmed.starts_with('@') {
            let written = SHORTHANDS
                .iter()
                .find(|(short, _)| short.eq_ignore_ascii_case(trimmed));
            return match written {
                Some((_, fields)) => Self::parse(fields),
                None => Err(Wrong::at(
                    text.len() - text.trim_start().len(),
                    format!(
                        "`{trimmed}` is not supported; @hourly, @daily, @weekly, @monthly and @yearly are"
                    ),
                )),
            };
        }
        let fields = words(text);
        let [minute, hour, day, month, weekday] = fields.as_slice() else {
            let byte = fields.get(5).map_or(text.len(), |(byte, _)| *byte);
            return Err(Wrong::at(
                byte,
                format!("it has {} fields instead of five", fields.len()),
            ));
        };
        let [minutes, hours, days, months, weekdays] = &SHAPES;
        let mut weekdays = weekdays.field(*weekday)?;
        // Sunday is 0 and 7.
        weekdays.set.0 = (weekdays.set.0 | weekdays.set.0 >> 7 & 1) & 0x7f;
        Ok(Self {
            minutes: minutes.field(*minute)?.set,
            hours: hours.field(*hour)?.set,
            days: days.field(*day)?,
            months: months.field(*month)?.set,
            weekdays,
        })
    }

    /// Whether it has a time in every hour of the clock, so that it goes by the passing of time and not by times
    /// on the clock.
    pub(crate) fn is_in_every_hour(&self) -> bool {
        self.hours.numbers().count() == 24
    }

    fn has_day(&self, date: Date) -> bool {
        let by_day = self.days.set.has(date.day());
        let by_weekday = self
            .weekdays
            .set
            .has(date.weekday().to_sunday_zero_offset());
        if self.days.open || self.weekdays.open {
            by_day && by_weekday
        } else {
            by_day || by_weekday
        }
    }

    /// The readings of the clock on the first day from `date` on that is looked at, and the day to look at next.
    pub(crate) fn lot(&self, date: Date, readings: &mut Vec<DateTime>) -> Option<Date> {
        if !self.months.has(date.month()) {
            return date.last_of_month().tomorrow().ok();
        }
        if self.has_day(date) {
            for hour in self.hours.numbers() {
                let times = self.minutes.numbers();
                let times = times.filter_map(|minute| Time::new(hour, minute, 0, 0).ok());
                readings.extend(times.map(|time| date.to_datetime(time)));
            }
        }
        date.tomorrow().ok()
    }
}

/// Words with the byte they begin at.
fn words(text: &str) -> Vec<(usize, &str)> {
    let start = text.as_ptr() as usize;
    text.split_whitespace()
        .map(|word| (word.as_ptr() as usize - start, word))
        .collect()
}

impl Shape {
    fn field(&self, (byte, text): (usize, &str)) -> Result<Field, Wrong> {
        let mut set = 0;
        let mut at = byte;
        for item in text.split(',') {
            set |= self.item(at, item)?;
            at += item.len() + 1;
        }
        Ok(Field {
            set: Set(set),
            open: text.starts_with('*'),
        })
    }

    fn item(&self, byte: usize, item: &str) -> Result<u64, Wrong> {
        let (range, step) = match item.split_once('/') {
            None => (item, None),
            Some((range, step)) => (range, Some((byte + range.len() + 1, step))),
        };
        let (first, last) = match range.split_once('-') {
            _ if range == "*" => (self.least, if self.most == 7 { 6 } else { self.most }),
            Some((first, last)) => {
                let first_number = self.value(byte, first)?;
                let last_byte = byte + first.len() + 1;
                let mut last_number = self.value(last_byte, last)?;
                // A week may end with Sunday.
                if self.most == 7 && last_number == 0 {
                    last_number = 7;
                }
                if first_number > last_number {
                    return Err(Wrong::at(
                        byte,
                        format!("the range `{range}` ends before it begins"),
                    ));
                }
                (first_number, last_number)
            }
            None => {
                let number = self.value(byte, range)?;
                if let Some((at, _)) = step {
                    return Err(Wrong::at(at - 1, "a step follows `*` or a range"));
                }
                (number, number)
            }
        };
        let step = match step {
            None => 1,
            Some((at, text)) => match text.parse::<u8>() {
                Ok(step) if step > 0 && step <= self.most => step,
                _ => {
                    let why = format!("`{text}` is not a valid step for the {}", self.name);
                    return Err(Wrong::at(at, why));
                }
            },
        };
        let numbers = (first..=last).step_by(step.into());
        Ok(numbers.fold(0, |set, number| set | 1 << number))
    }

    fn value(&self, byte: usize, text: &str) -> Result<u8, Wrong> {
        let Self {
            name, least, most, ..
        } = self;
        let named = self
            .names
            .iter()
            .position(|known| known.eq_ignore_ascii_case(text));
        if let Some(at) = named.and_then(|at| u8::try_from(at).ok()) {
            return Ok(least + at);
        }
        if !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit()) {
            return match text.parse::<u8>() {
                Ok(number) if (*least..=*most).contains(&number) => Ok(number),
                _ => {
                    let why = format!("the {name} is {least} to {most}, not {text}");
                    Err(Wrong::at(byte, why))
                }
            };
        }
        // Signs that other crons have: the last day, the nearest workday, the nth weekday.
        let foreign = |c: &char| "?#LW".contains(c.to_ascii_uppercase());
        let is_foreign = text.chars().all(|c| c.is_ascii_digit() || foreign(&c));
        let why = match text.chars().find(foreign).filter(|_| is_foreign) {
            _ if text.is_empty() => format!("the {name} is missing"),
            Some(sign) => format!("`{sign}` is not supported in the {name}"),
            None => format!("`{text}` is not valid for the {name}"),
        };
        Err(Wrong::at(byte, why))
    }
}
