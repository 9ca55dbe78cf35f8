//! Quiet hours: a stretch of each day, by the clock on the wall of some place.

use adjutant_mission::Timestamp;
use jiff::civil::Time;
use jiff::tz::TimeZone;

use crate::About;

/// A window is shorter than a day, so that no more changes of the clock than this can fall into one.
const CLOCK_CHANGES_MAX: usize = 4;

/// Whether what is urgent waits for the end of quiet hours too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgent {
    Passes,
    Waits,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuietHours {
    from: Time,
    until: Time,
    zone: TimeZone,
    urgent: Urgent,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuietError {
    #[error("`{text}` is not a time of day: write it like 22:00")]
    Time { text: String },
    #[error("quiet hours must not begin and end at the same time ({at})")]
    Empty { at: Time },
    #[error("there is no time zone `{name}`: write it like Europe/Berlin")]
    Zone { name: String },
}

impl QuietHours {
    /// From one time of day until another, which may be past midnight, by the clocks of a zone.
    pub fn parse(
        from: &str,
        until: &str,
        zone: TimeZone,
        urgent: Urgent,
    ) -> Result<Self, QuietError> {
        Self::new(time(from)?, time(until)?, zone, urgent)
    }

    /// The zone of that name.
    pub fn zone(name: &str) -> Result<TimeZone, QuietError> {
        TimeZone::get(name).map_err(|_| QuietError::Zone { name: name.into() })
    }

    pub fn new(
        from: Time,
        until: Time,
        zone: TimeZone,
        urgent: Urgent,
    ) -> Result<Self, QuietError> {
        if from == until {
            return Err(QuietError::Empty { at: from });
        }
        Ok(Self {
            from,
            until,
            zone,
            urgent,
        })
    }

    pub fn from(&self) -> Time {
        self.from
    }

    pub fn until(&self) -> Time {
        self.until
    }

    pub(crate) fn not_before(&self, now: Timestamp, about: &About) -> Timestamp {
        if about.is_urgent() && self.urgent == Urgent::Passes {
            return now;
        }
        self.end(now).unwrap_or(now)
    }

    fn covers(&self, time: Time) -> bool {
        if self.from < self.until {
            self.from <= time && time < self.until
        } else {
            self.from <= time || time < self.until
        }
    }

    /// When the quiet hours that `now` falls into end; none if it is not in any.
    fn end(&self, now: Timestamp) -> Option<Timestamp> {
        let instant = jiff::Timestamp::from_millisecond(now.0).ok()?;
        let local = self.zone.to_datetime(instant);
        if !self.covers(local.time()) {
            return None;
        }
        let date = if local.time() < self.until {
            local.date()
        } else {
            local.date().tomorrow().ok()?
        };
        let last = self.zone.to_ambiguous_zoned(date.to_datetime(self.until));
        let first = last.clone().earlier().ok()?.timestamp();
        // Where clocks go back, the same time of day comes twice, and the first may have passed.
        let end = if first > instant {
            first.max(last.compatible().ok()?.timestamp())
        } else {
            last.later().ok()?.timestamp()
        };
        // Where clocks go forward, they may jump out of the quiet hours.
        let changes = self.zone.following(instant).take(CLOCK_CHANGES_MAX);
        let jump = changes
            .map(|change| change.timestamp())
            .take_while(|at| *at < end)
            .find(|at| !self.covers(self.zone.to_datetime(*at).time()));
        Some(Timestamp(jump.unwrap_or(end).as_millisecond()))
    }
}

fn time(text: &str) -> Result<Time, QuietError> {
    let wrong = || QuietError::Time { text: text.into() };
    let (hour, minute) = text.split_once(':').ok_or_else(wrong)?;
    let two_digits = |part: &str| {
        let digits = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| part.parse::<i8>().ok()).flatten()
    };
    let (hour, minute) = two_digits(hour).zip(two_digits(minute)).ok_or_else(wrong)?;
    Time::new(hour, minute, 0, 0).map_err(|_| wrong())
}
