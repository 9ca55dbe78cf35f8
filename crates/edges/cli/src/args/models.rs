//! Models and prompts.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Json;

#[derive(Debug, Subcommand)]
pub(crate) enum Models {
    /// Show which models answer which questions, in order
    List(Json),
    /// Ask each model a short question and show the result
    Test(ModelsTest),
    /// Show the prices of models, and the maximum cost of a question
    Prices(Json),
}

#[derive(Debug, Args)]
pub(crate) struct ModelsTest {
    /// Only this model, `provider/model` or `offline`; the default is all configured models
    #[arg(value_name = "MODEL")]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Prompt {
    /// Print a prompt's template; without a name, list the prompts
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
