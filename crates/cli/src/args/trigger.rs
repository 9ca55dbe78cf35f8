//! The grammar of `adjutant trigger`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};

use super::Json;

#[derive(Debug, Subcommand)]
pub(crate) enum Trigger {
    /// Start a plan's mission, or inform a mission, when the time comes
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
    /// Let a trigger fire no more
    Cancel {
        #[command(flatten)]
        trigger: TriggerId,
    },
    /// Say when a schedule would fire, and keep nothing
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
    /// Once: 2027-03-01T09:00 in the zone, or with an offset
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<String>,
    /// Minute, hour, day, month, weekday: '30 9 * * MON-FRI'; or @daily and the like
    #[arg(long, value_name = "FIELDS")]
    pub(crate) cron: Option<String>,
    /// A rule of RFC 5545: 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9;BYMINUTE=0', with a DTSTART before it or from now on
    #[arg(long, value_name = "RULE")]
    pub(crate) rrule: Option<String>,
    /// Whose clock is meant, such as Europe/Berlin; the default is this machine's
    #[arg(long, value_name = "ZONE")]
    pub(crate) zone: Option<String>,
}

/// What becomes of fires that no host was there for.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Missed {
    /// They are passed over
    Skip,
    /// The last of them is made up for
    Once,
    /// Each is made up for, at most the last hundred
    All,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true).args(["plan", "inform"]))]
pub(crate) struct TriggerAdd {
    /// A plan file whose mission is started, each time a new one
    #[arg(value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) when: When,
    /// What to call it; the default is the plan's title, or the topic
    #[arg(long, value_name = "TEXT")]
    pub(crate) name: Option<String>,
    /// Fire so often at most
    #[arg(long, value_name = "N", conflicts_with = "at", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: Option<u32>,
    /// Cancel it when a mission is told something whose topic fits; `*` stands for anything
    #[arg(long, value_name = "PATTERN")]
    pub(crate) cancel_on: Option<String>,
    /// What becomes of fires that no host was there for
    #[arg(long, value_enum, default_value = "once")]
    pub(crate) missed: Missed,
    /// Inform this mission instead of starting one
    #[arg(long, value_name = "MISSION", requires = "topic")]
    pub(crate) inform: Option<String>,
    /// With --inform: what it is about
    #[arg(long, requires = "inform")]
    pub(crate) topic: Option<String>,
    /// With --inform: what is said, as JSON or text
    #[arg(
        long,
        requires = "inform",
        default_value = "null",
        hide_default_value = true
    )]
    pub(crate) body: String,
    /// With --inform: the mission may rely on it
    #[arg(long, requires = "inform")]
    pub(crate) trusted: bool,
    /// Approve everything in advance that no rule reserves for a human
    #[arg(long, short, requires = "plan")]
    pub(crate) yes: bool,
    /// Give one of the plan's inputs another value; JSON, or text
    #[arg(long = "input", short, value_name = "NAME=VALUE", requires = "plan")]
    pub(crate) inputs: Vec<String>,
    /// Whom its missions concern, so that `erase --subject` finds them; may be repeated
    #[arg(long = "subject", value_name = "WHO", requires = "plan")]
    pub(crate) subjects: Vec<String>,
    /// The campaign whose account is charged besides the tenant's
    #[arg(long, value_name = "NAME", requires = "plan")]
    pub(crate) campaign: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct TriggerList {
    /// Those that have ended too
    #[arg(long, short)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct TriggerNext {
    #[command(flatten)]
    pub(crate) when: When,
    /// How many times to say
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    pub(crate) count: u16,
    #[command(flatten)]
    pub(crate) json: Json,
}
