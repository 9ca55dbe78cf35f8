//! Time zones by their IANA names. The machine's database is asked first, for it is the one that gets updates;
//! where there is none, the one that is built in.

use adjutant_mission::Timestamp;
use jiff::tz::TimeZone;

use crate::ScheduleError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone(pub(crate) TimeZone);

impl Zone {
    pub fn named(name: &str) -> Result<Self, ScheduleError> {
        let found = TimeZone::get(name).ok();
        found
            .filter(|zone| !zone.is_unknown())
            .map(Self)
            .ok_or_else(|| ScheduleError::Zone { name: name.into() })
    }

    /// The zone of this machine, if it says one by name.
    pub fn of_this_machine() -> Option<Self> {
        let zone = TimeZone::try_system().ok()?;
        zone.iana_name()?;
        Some(Self(zone)).filter(|zone| !zone.0.is_unknown())
    }

    pub fn utc() -> Self {
        Self(TimeZone::UTC)
    }

    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// What the clock shows there, with its offset: `Mon 2027-03-01 09:00:00 +01:00`.
    pub fn tell(&self, at: Timestamp) -> String {
        match jiff::Timestamp::from_millisecond(at.0) {
            Ok(at) => at
                .to_zoned(self.0.clone())
                .strftime("%a %Y-%m-%d %H:%M:%S %:z")
                .to_string(),
            Err(_) => format!("{} ms", at.0),
        }
    }
}
