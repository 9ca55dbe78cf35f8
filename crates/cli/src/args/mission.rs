//! Missions of the catalogue, and what they hand over.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Json;

#[derive(Debug, Subcommand)]
pub(crate) enum MissionOf {
    /// List the missions of the catalogue
    List(Json),
    /// Show what a mission does: who works on it, with which tools, what it asks you, what it may cost
    Show {
        #[arg(value_name = "MISSION")]
        id: String,
        #[command(flatten)]
        json: Json,
    },
    /// Start a mission, and watch it
    Start(Box<MissionStart>),
    /// Check a template of your own: that it reads, and that it can be planned in every way
    Check {
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        json: Json,
    },
    /// Print the JSON Schema of templates
    Schema,
}

#[derive(Debug, Args)]
pub(crate) struct MissionStart {
    /// Which mission: `adjutant mission list` has their names
    #[arg(value_name = "MISSION")]
    pub(crate) id: String,
    /// What it is to find out or decide, in a sentence
    #[arg(value_name = "OBJECTIVE")]
    pub(crate) objective: String,
    #[command(flatten)]
    pub(crate) with: StartWith,
}

/// What a mission is started with besides its objective.
#[derive(Debug, Args)]
pub(crate) struct StartWith {
    /// A knowledge base it may read; may be repeated
    #[arg(long = "kb", value_name = "NAME")]
    pub(crate) namespaces: Vec<String>,
    /// A file that it is given to read; may be repeated
    #[arg(long = "attach", value_name = "FILE")]
    pub(crate) attachments: Vec<PathBuf>,
    /// How much it asks you
    #[arg(long, value_enum, default_value_t = AutonomyOf::Balanced)]
    pub(crate) autonomy: AutonomyOf,
    /// The most it may spend, in US dollars
    #[arg(long, value_name = "USD")]
    pub(crate) budget: Option<String>,
    /// Give one of the mission's inputs another value; JSON, or text
    #[arg(long = "input", short, value_name = "NAME=VALUE")]
    pub(crate) inputs: Vec<String>,
    /// Approve everything in advance that no rule reserves for a human
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Open the mission and return
    #[arg(long, short)]
    pub(crate) detach: bool,
    /// Whom the mission concerns, so that `erase --subject` finds it; may be repeated
    #[arg(long = "subject", value_name = "WHO")]
    pub(crate) subjects: Vec<String>,
    /// The campaign whose account is charged besides the tenant's
    #[arg(long, value_name = "NAME")]
    pub(crate) campaign: Option<String>,
    /// Only say what would happen: who does what, what it may cost, which questions will come
    #[arg(long, conflicts_with = "detach")]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AutonomyOf {
    /// It also asks before every agent, and every tool that changes something or that an agent chose
    Strict,
    /// It asks about the plan, critical decisions and the result
    Balanced,
    /// It asks about the plan and the result
    Permissive,
}

#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// What you want to know or decide, in a sentence
    #[arg(value_name = "QUESTION")]
    pub(crate) question: String,
    /// Answer it from what a finished mission found: its id, its end, or `last`
    #[arg(long, value_name = "MISSION")]
    pub(crate) about: Option<String>,
    #[command(flatten)]
    pub(crate) with: StartWith,
}

#[derive(Debug, Args)]
pub(crate) struct Rate {
    /// The mission: its id, its end, or `last`
    #[arg(value_name = "MISSION", requires = "outcome")]
    pub(crate) mission: Option<String>,
    /// What it turned out to be: `right`, `wrong`, or how much of it was right, from 0 to 1
    #[arg(value_name = "OUTCOME")]
    pub(crate) outcome: Option<String>,
    /// Whose conclusion is judged; without it, what the mission came to in the end
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// How it is known
    #[arg(long, short)]
    pub(crate) note: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// A mission's id, its end, or `last`
    #[arg(value_name = "MISSION")]
    pub(crate) mission: String,
    /// How it is written; without it, as the ending of `--out` says, or else as Markdown
    #[arg(long, value_enum)]
    pub(crate) format: Option<ReportFormat>,
    /// Where to; `-` is standard output, which Markdown, HTML and JSON go to unasked
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Markdown
    Md,
    /// One page of HTML
    Html,
    /// PDF
    Pdf,
    /// A Word document
    Docx,
    /// The document as data
    Json,
}

impl MissionOf {
    pub(super) fn json(&self) -> bool {
        match self {
            Self::List(json) | Self::Show { json, .. } | Self::Check { json, .. } => json.json,
            Self::Start(start) => start.with.json.json,
            Self::Schema => true,
        }
    }
}
