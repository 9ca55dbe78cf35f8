//! The tools that plans call.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Json;

#[derive(Debug, Subcommand)]
pub(crate) enum Tools {
    /// List the available tools
    List(Json),
    /// Print the details of a tool, including the schema of its arguments
    Show {
        #[arg(value_name = "TOOL")]
        tool: String,
        #[command(flatten)]
        json: Json,
    },
    /// Call a tool outside of a mission; tools that must not run twice can only be called by plans
    Call(ToolsCall),
}

#[derive(Debug, Args)]
pub(crate) struct ToolsCall {
    #[arg(value_name = "TOOL")]
    pub(crate) tool: String,
    /// Its arguments, as a JSON object
    #[arg(value_name = "ARGUMENTS", conflicts_with = "file")]
    pub(crate) arguments: Option<String>,
    /// A file with the arguments; `-` reads standard input
    #[arg(long, short, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}

impl Tools {
    pub(super) fn json(&self) -> bool {
        match self {
            Self::List(json) | Self::Show { json, .. } => json.json,
            Self::Call(call) => call.json.json,
        }
    }
}
