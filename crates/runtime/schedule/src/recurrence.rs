//! Which readings of the clock a recurrence rule means. Expanding or narrowing, every part of a rule is a question
//! to a day or a time, and a period's set is what passes all of them.

use jiff::civil::{Date, DateTime, Time, Weekday};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Frequency {
    Minutely,
    Hourly,
    Daily,
    Weekly,
    Monthly,
    Yearly,
}

/// `MO`, or `-1FR`: the last Friday of the month or year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OnWeekday {
    /// 0 is every one.
    pub(crate) ordinal: i16,
    pub(crate) weekday: Weekday,
}

/// The parts of a rule. An empty list asks nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) start: DateTime,
    pub(crate) frequency: Frequency,
    pub(crate) interval: u32,
    pub(crate) months: Vec<i8>,
    pub(crate) month_days: Vec<i16>,
    pub(crate) weekdays: Vec<OnWeekday>,
    pub(crate) hours: Vec<i8>,
    pub(crate) minutes: Vec<i8>,
    pub(crate) set_pos: Vec<i16>,
    pub(crate) week_start: Weekday,
}

impl Parts {
    pub(crate) fn starting(start: DateTime) -> Self {
        Self {
            start,
            frequency: Frequency::Daily,
            interval: 1,
            months: Vec::new(),
            month_days: Vec::new(),
            weekdays: Vec::new(),
            hours: Vec::new(),
            minutes: Vec::new(),
            set_pos: Vec::new(),
            week_start: Weekday::Monday,
        }
    }

    /// What a rule leaves out is as in DTSTART.
    pub(crate) fn fill_in(&mut self) {
        let start = self.start;
        let names_days = !self.month_days.is_empty() || !self.weekdays.is_empty();
        match self.frequency {
            Frequency::Yearly if !names_days => {
                if self.months.is_empty() {
                    self.months.push(start.month());
                }
                self.month_days.push(start.day().into());
            }
            Frequency::Monthly if !names_days => self.month_days.push(start.day().into()),
            Frequency::Weekly if self.weekdays.is_empty() => self.weekdays.push(OnWeekday {
                ordinal: 0,
                weekday: start.weekday(),
            }),
            _ => {}
        }
        if self.hours.is_empty() && self.frequency >= Frequency::Daily {
            self.hours.push(start.hour());
        }
        if self.minutes.is_empty() && self.frequency >= Frequency::Hourly {
            self.minutes.push(start.minute());
        }
        self.hours.sort_unstable();
        self.minutes.sort_unstable();
    }

    /// Whether it has a time in every hour of the clock.
    pub(crate) fn is_in_every_hour(&self) -> bool {
        let spaced = match self.frequency {
            Frequency::Minutely if self.minutes.is_empty() => self.interval <= 60,
            Frequency::Minutely => self.interval == 1,
            Frequency::Hourly => self.interval == 1,
            _ => false,
        };
        spaced && self.hours.is_empty()
    }

    /// The readings of the clock from `date` on to where the day or period ends, and the day to look at next.
    pub(crate) fn lot(&self, date: Date, readings: &mut Vec<DateTime>) -> Option<Date> {
        let period_end = self.period_end(date);
        if !self.has_period(date) {
            return period_end.tomorrow().ok();
        }
        let from = self.start.max(date.to_datetime(Time::MIN));
        let picks_from_period = !self.set_pos.is_empty() && self.frequency > Frequency::Daily;
        if !picks_from_period {
            if self.has_day(date) {
                self.day(date, readings);
            }
            readings.retain(|reading| *reading >= from);
            return date.tomorrow().ok();
        }
        let mut set = Vec::new();
        let mut day = self.period_start(date)?;
        while day <= period_end {
            if self.has_day(day) {
                self.day(day, &mut set);
            }
            day = day.tomorrow().ok()?;
        }
        self.pick(&set, readings);
        readings.retain(|reading| *reading >= from);
        Some(day)
    }

    /// BYSETPOS: some of a period's readings, counted from either end.
    fn pick(&self, set: &[DateTime], readings: &mut Vec<DateTime>) {
        let picked = set.iter().enumerate().filter(|(at, _)| {
            let from_start = *at as i64 + 1;
            let from_end = *at as i64 - set.len() as i64;
            let is = |pos: &i16| i64::from(*pos) == from_start || i64::from(*pos) == from_end;
            self.set_pos.is_empty() || self.set_pos.iter().any(is)
        });
        readings.extend(picked.map(|(_, reading)| *reading));
    }

    fn period_start(&self, date: Date) -> Option<Date> {
        match self.frequency {
            Frequency::Yearly => Some(date.first_of_year()),
            Frequency::Monthly => Some(date.first_of_month()),
            Frequency::Weekly => self.week_of(date),
            _ => Some(date),
        }
    }

    fn period_end(&self, date: Date) -> Date {
        match self.frequency {
            Frequency::Yearly => date.last_of_year(),
            Frequency::Monthly => date.last_of_month(),
            Frequency::Weekly => {
                let left = 6 - i64::from(date.weekday().since(self.week_start));
                add_days(date, left).unwrap_or(Date::MAX)
            }
            _ => date,
        }
    }

    fn week_of(&self, date: Date) -> Option<Date> {
        add_days(date, -i64::from(date.weekday().since(self.week_start)))
    }

    /// Whether the interval comes round in the period that the day is of.
    fn has_period(&self, date: Date) -> bool {
        let start = self.start.date();
        let passed = match self.frequency {
            Frequency::Yearly => i64::from(date.year()) - i64::from(start.year()),
            Frequency::Monthly => months(date) - months(start),
            Frequency::Weekly => match (self.week_of(date), self.week_of(start)) {
                (Some(week), Some(first)) => (days(week) - days(first)) / 7,
                _ => return false,
            },
            Frequency::Daily => days(date) - days(start),
            Frequency::Hourly | Frequency::Minutely => return true,
        };
        passed % i64::from(self.interval) == 0
    }

    fn has_day(&self, date: Date) -> bool {
        let month = self.months.is_empty() || self.months.contains(&date.month());
        month && self.has_month_day(date) && self.has_weekday(date)
    }

    fn has_month_day(&self, date: Date) -> bool {
        let from_start = i16::from(date.day());
        let from_end = from_start - i16::from(date.days_in_month()) - 1;
        let mut days = self.month_days.iter();
        self.month_days.is_empty() || days.any(|day| *day == from_start || *day == from_end)
    }

    fn has_weekday(&self, date: Date) -> bool {
        // In a year with BYMONTH, weekdays are counted in the months.
        let in_year = self.frequency == Frequency::Yearly && self.months.is_empty();
        let (day, length) = if in_year {
            (date.day_of_year(), date.days_in_year())
        } else {
            (i16::from(date.day()), i16::from(date.days_in_month()))
        };
        let nth = (day - 1) / 7 + 1;
        let nth_last = -((length - day) / 7 + 1);
        let is = |on: &OnWeekday| {
            let fits = on.ordinal == 0 || on.ordinal == nth || on.ordinal == nth_last;
            fits && on.weekday == date.weekday()
        };
        self.weekdays.is_empty() || self.weekdays.iter().any(is)
    }

    /// The readings of one day that passed.
    fn day(&self, date: Date, readings: &mut Vec<DateTime>) {
        let mut set = Vec::new();
        for hour in all_or(&self.hours, 24) {
            let hours = days(date) * 24 + i64::from(hour);
            let first = days(self.start.date()) * 24 + i64::from(self.start.hour());
            if self.frequency == Frequency::Hourly && !self.comes_round(hours - first) {
                continue;
            }
            for minute in all_or(&self.minutes, 60) {
                let passed = (hours - first) * 60 + i64::from(minute);
                let passed = passed - i64::from(self.start.minute());
                if self.frequency == Frequency::Minutely && !self.comes_round(passed) {
                    continue;
                }
                if let Ok(time) = Time::new(hour, minute, self.start.second(), 0) {
                    set.push(date.to_datetime(time));
                }
                if self.frequency == Frequency::Minutely {
                    self.pick(&std::mem::take(&mut set), readings);
                }
            }
            if self.frequency == Frequency::Hourly {
                self.pick(&std::mem::take(&mut set), readings);
            }
        }
        if self.frequency == Frequency::Daily {
            self.pick(&set, readings);
        } else {
            readings.append(&mut set);
        }
    }

    fn comes_round(&self, passed: i64) -> bool {
        passed >= 0 && passed % i64::from(self.interval) == 0
    }
}

fn all_or(some: &[i8], count: i8) -> impl Iterator<Item = i8> {
    let all = if some.is_empty() { 0..count } else { 0..0 };
    all.chain(some.iter().copied())
}

fn add_days(date: Date, days: i64) -> Option<Date> {
    date.checked_add(jiff::Span::new().try_days(days).ok()?)
        .ok()
}

/// Days since the year 0, of which only differences matter.
fn days(date: Date) -> i64 {
    date.duration_since(Date::ZERO).as_hours() / 24
}

fn months(date: Date) -> i64 {
    i64::from(date.year()) * 12 + i64::from(date.month())
}
