//! The grammar of `adjutant serve` and `adjutant access`.

use clap::{Args, Subcommand, ValueEnum};

use super::Json;

#[derive(Debug, Subcommand)]
pub(crate) enum Access {
    /// Create a key and show it once
    Add(AccessAdd),
    /// List keys, without their secrets
    List(Json),
    /// Revoke a key, or all keys of a person
    Revoke {
        /// The key's id, or the person whose keys are revoked
        which: String,
        #[command(flatten)]
        json: Json,
    },
}

#[derive(Debug, Args)]
pub(crate) struct AccessAdd {
    /// The person or program it is for; actions are recorded under this name
    pub(crate) who: String,
    /// Their role: admin, operator, approver, analyst, auditor or viewer
    #[arg(long)]
    pub(crate) role: String,
    /// A role whose questions they may answer; may be repeated
    #[arg(long, value_name = "ROLE")]
    pub(crate) decides_for: Vec<String>,
    /// Days until the key expires
    #[arg(long, value_name = "DAYS", default_value_t = 90)]
    pub(crate) days: u64,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogForm {
    Off,
    /// Lines of `name=value`
    Text,
    /// One JSON object per line
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The address and port to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4070")]
    pub(crate) listen: std::net::SocketAddr,
    /// Another host name under which a proxy forwards requests, with its port if it is not the default; may be repeated
    #[arg(long = "name", value_name = "HOST")]
    pub(crate) names: Vec<String>,
    /// A certificate chain (PEM), to serve TLS
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<std::path::PathBuf>,
    /// The private key of the first certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<std::path::PathBuf>,
    /// Listen on other addresses than loopback without TLS, for use behind a proxy that encrypts
    #[arg(long, conflicts_with = "tls_cert")]
    pub(crate) behind_proxy: bool,
    /// Log requests and ended missions to standard error, in this form
    #[arg(long, value_enum, value_name = "FORM", default_value_t = LogForm::Off)]
    pub(crate) log: LogForm,
    /// A token that stays the same after a restart; prefer the environment, because command lines are visible to other users
    #[arg(long, env = "ADJUTANT_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}
