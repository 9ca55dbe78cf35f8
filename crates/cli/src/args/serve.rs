//! The grammar of `adjutant serve` and `adjutant access`.

use clap::{Args, Subcommand, ValueEnum};

use super::Json;

#[derive(Debug, Subcommand)]
pub(crate) enum Access {
    /// Make a key, and show it once
    Add(AccessAdd),
    /// List keys, without telling them
    List(Json),
    /// Let nobody in any more with a key, or with any of somebody's
    Revoke {
        /// The key's id, or whose keys
        which: String,
        #[command(flatten)]
        json: Json,
    },
}

#[derive(Debug, Args)]
pub(crate) struct AccessAdd {
    /// Whom it lets in: what is done with it is done by them
    pub(crate) who: String,
    /// What they are: admin, operator, approver, analyst, auditor or viewer
    #[arg(long)]
    pub(crate) role: String,
    /// A role whose questions they may answer; several times for several
    #[arg(long, value_name = "ROLE")]
    pub(crate) decides_for: Vec<String>,
    /// For how many days it holds
    #[arg(long, value_name = "DAYS", default_value_t = 90)]
    pub(crate) days: u64,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogForm {
    Off,
    /// A line of `name=value`
    Text,
    /// An object a line
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Where to listen: an address of this machine, and a port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4070")]
    pub(crate) listen: std::net::SocketAddr,
    /// Another name under which a proxy passes requests on, with its port if that is not the usual one
    #[arg(long = "name", value_name = "HOST")]
    pub(crate) names: Vec<String>,
    /// A chain of certificates (PEM): whoever connects speaks TLS then
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<std::path::PathBuf>,
    /// The key of the first of them (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<std::path::PathBuf>,
    /// Listen beyond this machine without TLS: only what encrypts in front of it can reach it
    #[arg(long, conflicts_with = "tls_cert")]
    pub(crate) behind_proxy: bool,
    /// What to log on standard error: each request, and what missions come to
    #[arg(long, value_enum, value_name = "FORM", default_value_t = LogForm::Off)]
    pub(crate) log: LogForm,
    /// A token that stays the same over restarts; others see it here, and not in the environment
    #[arg(long, env = "ADJUTANT_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}
