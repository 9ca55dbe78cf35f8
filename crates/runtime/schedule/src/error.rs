//! Why a schedule cannot be read: what, at which column, and what to do.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    At,
    Cron,
    Rrule,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    #[error("`{text}` is not a time: {why}")]
    At { text: String, why: String },
    #[error("the cron `{text}`, column {column}: {why}")]
    Cron {
        text: String,
        column: usize,
        why: String,
    },
    #[error("the rrule `{text}`, column {column}: {why}")]
    Rrule {
        text: String,
        column: usize,
        why: String,
    },
    #[error("there is no time zone `{name}`")]
    Zone { name: String },
}

impl ScheduleError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::At { .. } => "ADJ-7001",
            Self::Cron { .. } => "ADJ-7002",
            Self::Rrule { .. } => "ADJ-7003",
            Self::Zone { .. } => "ADJ-7004",
        }
    }

    pub fn remedy(&self) -> &'static str {
        match self {
            Self::At { .. } => {
                "Write it like 2027-03-01T09:00, or with its offset like 2027-03-01T09:00:00+01:00."
            }
            Self::Cron { .. } => {
                "Write five fields: minute, hour, day, month, weekday, as in `30 9 * * MON-FRI`."
            }
            Self::Rrule { .. } => {
                "Write it like FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=9;BYMINUTE=0; docs/triggers.md lists the parts."
            }
            Self::Zone { .. } => "Use a name of the IANA database, such as Europe/Berlin or UTC.",
        }
    }
}

/// What is wrong at a byte of the text; it becomes an error once the whole text is at hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) byte: usize,
    pub(crate) why: String,
}

impl Wrong {
    pub(crate) fn at(byte: usize, why: impl Into<String>) -> Self {
        Self {
            byte,
            why: why.into(),
        }
    }

    pub(crate) fn in_text(self, of: Of, text: &str) -> ScheduleError {
        let before = text.get(..self.byte).unwrap_or(text);
        let (text, column, why) = (text.to_owned(), before.chars().count() + 1, self.why);
        match of {
            Of::At => ScheduleError::At { text, why },
            Of::Cron => ScheduleError::Cron { text, column, why },
            Of::Rrule => ScheduleError::Rrule { text, column, why },
        }
    }
}
