//! Arguments of what looks at texts: `guard` and `redact`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Json;

#[derive(Debug, Args)]
pub(crate) struct Guard {
    /// The text; `-` for standard input
    pub(crate) file: PathBuf,
    /// The assumed origin of the text
    #[arg(long, value_enum, default_value_t = OriginOf::Document)]
    pub(crate) origin: OriginOf,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum OriginOf {
    Person,
    Document,
    ToolResult,
    WebPage,
    Mcp,
    Model,
}

#[derive(Debug, Args)]
pub(crate) struct Redact {
    /// The text; `-` for standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
}
