//! Missions of the catalogue, and what they hand over.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Json;

#[derive(Debug, Subcommand)]
pub(crate) enum MissionOf {
    /// List the missions of the catalogue
    List(Json),
    /// Show a mission's agents, tools, questions and maximum cost
    Show {
        #[arg(value_name = "MISSION")]
        id: String,
        #[command(flatten)]
        json: Json,
    },
    /// Start a mission and watch it
    Start(Box<MissionStart>),
    /// Check your own template: that it is valid and that every variant can be planned
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
    /// The mission's name; `adjutant mission list` shows the names
    #[arg(value_name = "MISSION")]
    pub(crate) id: String,
    /// What the mission should find out or decide, in a sentence
    #[arg(value_name = "OBJECTIVE")]
    pub(crate) objective: String,
    #[command(flatten)]
    pub(crate) with: StartWith,
}

/// The options of a mission's start.
#[derive(Debug, Args)]
pub(crate) struct StartWith {
    /// A knowledge base the mission may read; may be repeated
    #[arg(long = "kb", value_name = "NAME")]
    pub(crate) namespaces: Vec<String>,
    /// A file the mission may read; may be repeated
    #[arg(long = "attach", value_name = "FILE")]
    pub(crate) attachments: Vec<PathBuf>,
    /// How often the mission asks for approval
    #[arg(long, value_enum, default_value_t = AutonomyOf::Balanced)]
    pub(crate) autonomy: AutonomyOf,
    /// The maximum cost, in US dollars
    #[arg(long, value_name = "USD")]
    pub(crate) budget: Option<String>,
    /// Set one of the mission's inputs, as JSON or text; may be repeated
    #[arg(long = "input", short, value_name = "NAME=VALUE")]
    pub(crate) inputs: Vec<String>,
    /// Approve everything in advance, except what a rule reserves for a person
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Start the mission and return without waiting
    #[arg(long, short)]
    pub(crate) detach: bool,
    /// The person the mission concerns, for `erase --subject`; may be repeated
    #[arg(long = "subject", value_name = "WHO")]
    pub(crate) subjects: Vec<String>,
    /// The campaign to charge in addition to the tenant
    #[arg(long, value_name = "NAME")]
    pub(crate) campaign: Option<String>,
    /// Only show what would happen: the tasks, the maximum cost and the questions
    #[arg(long, conflicts_with = "detach")]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AutonomyOf {
    /// Ask also before every agent, and before every tool that changes something or that an agent chose
    Strict,
    /// Ask about the plan, critical decisions and the result
    Balanced,
    /// Ask about the plan and the result
    Permissive,
}

#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// What you want to know or decide, in a sentence
    #[arg(value_name = "QUESTION")]
    pub(crate) question: String,
    /// Answer from the results of a finished mission: its id, the end of its id, or `last`
    #[arg(long, value_name = "MISSION")]
    pub(crate) about: Option<String>,
    /// Only quote what the documents say, and start no mission; without `--kb`, reads every knowledge base
    #[arg(long, conflicts_with_all = ["about", "yes", "detach", "dry_run", "attachments"])]
    pub(crate) direct: bool,
    #[command(flatten)]
    pub(crate) with: StartWith,
}

#[derive(Debug, Args)]
pub(crate) struct Rate {
    /// The mission: its id, the end of its id, or `last`
    #[arg(value_name = "MISSION")]
    pub(crate) mission: Option<String>,
    /// Your satisfaction with the mission, 1 to 5; or how its conclusion turned out: `right`, `wrong`, or the share that was right, such as 0.5
    #[arg(value_name = "RATING")]
    pub(crate) rating: Option<String>,
    /// A remark
    #[arg(value_name = "REMARK", conflicts_with = "note")]
    pub(crate) remark: Option<String>,
    /// Insights that were useful, by number; `adjutant rate MISSION` lists them
    #[arg(
        long,
        value_name = "NUMBERS",
        value_delimiter = ',',
        requires = "mission"
    )]
    pub(crate) useful: Vec<u32>,
    /// Insights that were not useful, by number
    #[arg(
        long,
        value_name = "NUMBERS",
        value_delimiter = ',',
        requires = "mission"
    )]
    pub(crate) not_useful: Vec<u32>,
    /// The task whose conclusion is rated; the default is the mission's final conclusion
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// How the outcome is known, or a remark
    #[arg(long, short)]
    pub(crate) note: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Stats {
    /// Only missions that ended since: `30d`, `12h`, or a day such as 2026-11-01 (UTC)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// One row for each `type`, `agent`, `tenant` or `week`
    #[arg(long, value_name = "WHAT")]
    pub(crate) by: Option<String>,
    /// Write a report with charts instead: .pdf, .html, .docx or .md
    #[arg(long, value_name = "FILE", conflicts_with_all = ["by", "json"])]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// A mission: its id, the end of its id, or `last`
    #[arg(value_name = "MISSION")]
    pub(crate) mission: String,
    /// The format; the default follows the extension of `--out`, or is Markdown
    #[arg(long, value_enum)]
    pub(crate) format: Option<FormatName>,
    /// The file to write; `-` is standard output, the default for Markdown, HTML and JSON
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    /// Markdown
    Md,
    /// One page of HTML
    Html,
    /// PDF
    Pdf,
    /// A Word document
    Docx,
    /// The document as JSON
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

impl From<FormatName> for adjutant_app::report::ReportFormat {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Md => Self::Md,
            FormatName::Html => Self::Html,
            FormatName::Pdf => Self::Pdf,
            FormatName::Docx => Self::Docx,
            FormatName::Json => Self::Json,
        }
    }
}
