//! A clock time in one zone as a clock time in another.

use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};
use jiff::{Timestamp, Zoned};

use crate::answer::Sheet;
use crate::describe::{Calculation, described};
use crate::{Answer, Refusal};

const ZONES_MAX: usize = 50;
const WITH_OFFSET: &str = "%Y-%m-%dT%H:%M:%S%:z";

described! {
    /// A clock time in one zone as the clock time in others. A time that happens twice or never is refused.
    ZoneTime {
        /// The time, as 2026-03-29T09:30; with an offset, as 2026-03-29T09:30+02:00, it is an instant.
        time: String,
        /// The zone of `time`, as Europe/Berlin; not needed with an offset.
        from_zone: Option<String>,
        /// The zones wanted, as America/New_York.
        to_zones: Vec<String>,
    }
}

impl Calculation for ZoneTime {
    fn answer(&self) -> Result<Answer, Refusal> {
        if self.to_zones.is_empty() {
            return Err(Refusal::missing(
                "to_zones",
                "give at least one zone, as Europe/Berlin",
            ));
        }
        if self.to_zones.len() > ZONES_MAX {
            return Err(Refusal::TooMany {
                field: "to_zones".to_owned(),
                count: self.to_zones.len(),
                max: ZONES_MAX,
                advice: "give fewer zones".to_owned(),
            });
        }
        let known = TimeZoneDatabase::bundled();
        let mut sheet = Sheet::new("IANA time zone database (as built in), RFC 9557 (2024)");
        let instant = self.instant(&known)?;
        sheet.step(format!("{} is the instant {instant}", self.time));
        let mut texts = Vec::new();
        let mut rows = Vec::new();
        for name in &self.to_zones {
            let there = instant.to_zoned(zone(&known, "to_zones", name)?);
            let text = there.strftime(WITH_OFFSET).to_string();
            sheet.step(format!("{instant} in {name} is {text}"));
            rows.push(vec![
                name.clone(),
                text.clone(),
                super::calendar::name(there.weekday()).to_owned(),
            ]);
            texts.push(text);
        }
        sheet.table(&["zone", "time", "weekday"], rows);
        sheet
            .note("Future dates use the time zone rules known today; governments may change them.");
        Ok(sheet.words(texts.join(", ")))
    }
}

impl ZoneTime {
    fn instant(&self, known: &TimeZoneDatabase) -> Result<Timestamp, Refusal> {
        if let Ok(instant) = self.time.parse::<Timestamp>() {
            return Ok(instant);
        }
        let time: DateTime = self.time.parse().map_err(|_| {
            Refusal::unusable(
                "time",
                &self.time,
                "give it as 2026-03-29T09:30, with or without an offset",
            )
        })?;
        let name = self.from_zone.as_deref().ok_or_else(|| {
            Refusal::missing("from_zone", "give the zone of `time`, or an offset in it")
        })?;
        let ambiguous = zone(known, "from_zone", name)?.to_ambiguous_zoned(time);
        let offset = ambiguous.offset();
        let outside = |_| Refusal::unusable("time", &self.time, "give a year from -9999 to 9999");
        let first = ambiguous.clone().earlier().map_err(outside)?;
        let second = ambiguous.later().map_err(outside)?;
        let shown = |zoned: &Zoned| zoned.strftime(WITH_OFFSET).to_string();
        let (time, zone) = (time.to_string(), name.to_owned());
        match offset {
            AmbiguousOffset::Unambiguous { .. } => Ok(first.timestamp()),
            AmbiguousOffset::Gap { .. } => Err(Refusal::TimeIsSkipped {
                time,
                zone,
                first: shown(&first),
                second: shown(&second),
            }),
            AmbiguousOffset::Fold { .. } => Err(Refusal::TimeHappensTwice {
                time,
                zone,
                first: shown(&first),
                second: shown(&second),
            }),
        }
    }
}

fn zone(known: &TimeZoneDatabase, field: &str, name: &str) -> Result<TimeZone, Refusal> {
    known
        .get(name)
        .map_err(|_| Refusal::unusable(field, name, "give an IANA name, as Europe/Berlin"))
}
