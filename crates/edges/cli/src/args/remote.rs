//! Speaking to a server instead of the store of this machine.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(next_help_heading = "Remote server")]
pub(crate) struct RemoteArgs {
    /// The server to use, instead of ADJUTANT_SERVER; the key is read from ADJUTANT_TOKEN
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// A file that contains the key for the server
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Allow an unencrypted connection to another machine, on a trusted network
    #[arg(long, global = true)]
    pub(crate) insecure_http: bool,
}
