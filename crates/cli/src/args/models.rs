//! Models and prompts.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Json;

#[derive(Debug, Subcommand)]
pub(crate) enum Models {
    /// Who answers which questions, first to last
    List(Json),
    /// Ask each model a small question, now, and show how that went
    Test(ModelsTest),
    /// What models cost, and what a question may cost at most
    Prices(Json),
}

#[derive(Debug, Args)]
pub(crate) struct ModelsTest {
    /// Only this model, `provider/model` or `offline`; all that are set if it is left out
    #[arg(value_name = "MODEL")]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Prompt {
    /// Print a prompt as it is written; all their names if none is given
    Show {
        purpose: Option<String>,
        #[command(flatten)]
        json: Json,
    },
    /// Print a prompt as it would be sent
    Render {
        purpose: String,
        /// The question's input, as JSON
        #[arg(long, value_name = "FILE")]
        input: PathBuf,
        #[command(flatten)]
        json: Json,
    },
}

impl Models {
    pub(super) fn json(&self) -> bool {
        match self {
            Self::List(json) | Self::Prices(json) => json.json,
            Self::Test(test) => test.json.json,
        }
    }
}

impl Prompt {
    pub(super) fn json(&self) -> bool {
        match self {
            Self::Show { json, .. } | Self::Render { json, .. } => json.json,
        }
    }
}
