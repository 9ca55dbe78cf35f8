//! What people need who develop plans, tools and tests.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum Dev {
    /// Answer as the public databases do, from the world of the sample dossier, on this machine
    Apis(DevApis),
}

#[derive(Debug, Args)]
pub(crate) struct DevApis {
    /// The port to listen on; 0 takes any that is free
    #[arg(long, default_value_t = 4010)]
    pub(crate) port: u16,
    /// Make the next answer of a database wrong, such as `fda=html`; several are given one after the other
    #[arg(long, value_name = "DATABASE=HOW")]
    pub(crate) wrong: Vec<String>,
}
