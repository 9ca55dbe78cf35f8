//! What people need who develop plans, tools and tests.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum Dev {
    /// Serve local stand-ins of the public databases, with the data of the sample dossier
    Apis(DevApis),
}

#[derive(Debug, Args)]
pub(crate) struct DevApis {
    /// The port to listen on; 0 selects a free port
    #[arg(long, default_value_t = 4010)]
    pub(crate) port: u16,
    /// Make the next response of a database faulty, such as `fda=html`; several apply in order
    #[arg(long, value_name = "DATABASE=HOW")]
    pub(crate) wrong: Vec<String>,
}
