//! The grammar of `adjutant trigger`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};

use super::Json;

#[derive(Debug, Subcommand)]
pub(crate) enum Trigger {
    /// Schedule the start of a plan, or information to a mission
    Add(Box<TriggerAdd>),
    /// List triggers that can still fire
    List(TriggerList),
    /// Show a trigger, and when it fires next
    Show {
        #[command(flatten)]
        trigger: TriggerId,
        #[command(flatten)]
        json: Json,
    },
    /// Cancel a trigger
    Cancel {
        #[command(flatten)]
        trigger: TriggerId,
    },
    /// Show when a schedule would fire, without storing it
    Next(TriggerNext),
}

impl Trigger {
    pub(super) fn json(&self) -> bool {
        match self {
            Self::Add(add) => add.json.json,
            Self::List(list) => list.json.json,
            Self::Show { json, .. } => json.json,
            Self::Next(next) => next.json.json,
            Self::Cancel { .. } => false,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct TriggerId {
    /// A trigger: its id, or a unique beginning or end of it
    #[arg(value_name = "ID")]
    pub(crate) trigger: String,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("when").required(true).args(["at", "cron", "rrule"]))]
pub(crate) struct When {
    /// Fire once: 2027-03-01T09:00 in the zone, or with an offset
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<String>,
    /// A cron expression (minute, hour, day, month, weekday) such as '30 9 * * MON-FRI', or @daily and similar
    #[arg(long, value_name = "FIELDS")]
    pub(crate) cron: Option<String>,
    /// An RFC 5545 rule such as 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9;BYMINUTE=0'; it starts at its DTSTART, or now
    #[arg(long, value_name = "RULE")]
    pub(crate) rrule: Option<String>,
    /// The time zone, such as Europe/Berlin; the default is this machine's
    #[arg(long, value_name = "ZONE")]
    pub(crate) zone: Option<String>,
}

/// What to do about times that were missed because no host was running.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Missed {
    /// Skip them
    Skip,
    /// Fire once for the last of them
    Once,
    /// Fire for each of them, at most for the last hundred
    All,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true).args(["plan", "inform"]))]
pub(crate) struct TriggerAdd {
    /// A plan file; each time, a new mission is started from it
    #[arg(value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) when: When,
    /// The trigger's name; the default is the plan's title, or the topic
    #[arg(long, value_name = "TEXT")]
    pub(crate) name: Option<String>,
    /// The maximum number of times to fire
    #[arg(long, value_name = "N", conflicts_with = "at", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: Option<u32>,
    /// Cancel the trigger when a mission receives information whose topic matches; `*` matches anything
    #[arg(long, value_name = "PATTERN")]
    pub(crate) cancel_on: Option<String>,
    /// What to do about times that were missed because no host was running
    #[arg(long, value_enum, default_value = "once")]
    pub(crate) missed: Missed,
    /// Inform this mission instead of starting one
    #[arg(long, value_name = "MISSION", requires = "topic")]
    pub(crate) inform: Option<String>,
    /// With --inform: the topic
    #[arg(long, requires = "inform")]
    pub(crate) topic: Option<String>,
    /// With --inform: the information, as JSON or text
    #[arg(
        long,
        requires = "inform",
        default_value = "null",
        hide_default_value = true
    )]
    pub(crate) body: String,
    /// With --inform: mark the information as trusted
    #[arg(long, requires = "inform")]
    pub(crate) trusted: bool,
    /// Approve everything in advance, except what a rule reserves for a person
    #[arg(long, short, requires = "plan")]
    pub(crate) yes: bool,
    /// Set one of the plan's inputs, as JSON or text; may be repeated
    #[arg(long = "input", short, value_name = "NAME=VALUE", requires = "plan")]
    pub(crate) inputs: Vec<String>,
    /// The person its missions concern, for `erase --subject`; may be repeated
    #[arg(long = "subject", value_name = "WHO", requires = "plan")]
    pub(crate) subjects: Vec<String>,
    /// The campaign to charge in addition to the tenant
    #[arg(long, value_name = "NAME", requires = "plan")]
    pub(crate) campaign: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct TriggerList {
    /// Include triggers that have ended
    #[arg(long, short)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct TriggerNext {
    #[command(flatten)]
    pub(crate) when: When,
    /// How many times to show
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    pub(crate) count: u16,
    #[command(flatten)]
    pub(crate) json: Json,
}
