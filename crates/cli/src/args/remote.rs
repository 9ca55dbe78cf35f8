//! Speaking to a server instead of the store of this machine.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(next_help_heading = "From another machine")]
pub(crate) struct FromAfar {
    /// Speak to this server, or to the one of ADJUTANT_SERVER; ADJUTANT_TOKEN has the key
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// A file with the key for the server
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Send the key unencrypted to another machine
    #[arg(long, global = true)]
    pub(crate) insecure_http: bool,
}
