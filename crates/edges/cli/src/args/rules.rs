//! Arguments of `rules`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Json;

#[derive(Debug, Subcommand)]
pub(crate) enum Rules {
    /// Report every problem of a rules file, with its line
    Check(RulesFile),
    /// Run the test cases of a rules file
    Test(RulesFile),
    /// List the decisions about past missions that would differ under a rules file
    Backtest(RulesBacktest),
}

impl Rules {
    pub(super) fn json(&self) -> bool {
        match self {
            Self::Check(file) | Self::Test(file) => file.json.json,
            Self::Backtest(backtest) => backtest.json.json,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct RulesBacktest {
    /// A rules file, YAML
    pub(crate) file: PathBuf,
    /// Compare with this file instead of the rules in force
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    /// Only missions started on this day (UTC) or later
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) since: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct RulesFile {
    /// A rules file, YAML
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
}
