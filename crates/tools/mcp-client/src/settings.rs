//! What the operator says of a server. Read from `adjutant.toml` by the binary, not here.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use adjutant_mission::{EffectClass, MicroUsd};
use reqwest::Url;
use reqwest::header::{HeaderName, HeaderValue};

use crate::Keeper;

/// Longest name of a server. Its tools' ids begin with it, and an id has 64 characters.
pub const NAME_CHARS_MAX: usize = 24;

/// Headers that the protocol itself is responsible for.
const RESERVED: [&str; 9] = [
    "accept",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
];

/// A value that is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// How a server is reached.
#[derive(Debug, Clone)]
pub enum Reach {
    /// Its settings are wrong or not complete, which must not keep anybody from anything else.
    Unusable { why: String },
    /// A program that we start and speak to over its standard input and output.
    Program {
        keeper: Keeper,
        program: String,
        arguments: Vec<String>,
        /// All it sees of the environment.
        environment: BTreeMap<String, Secret>,
        folder: Option<PathBuf>,
    },
    /// A server that others run.
    Address {
        url: String,
        headers: BTreeMap<String, Secret>,
        /// Sent as `Authorization: Bearer …`.
        key: Option<Secret>,
    },
}

/// Which of a server's tools become ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allowed {
    All,
    /// As the server names them.
    Only(Vec<String>),
}

impl Allowed {
    pub(crate) fn allows(&self, tool: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(tools) => tools.iter().any(|known| known == tool),
        }
    }
}

#[derive(Debug, Clone)]
pub struct ServerSettings {
    pub name: String,
    pub reach: Reach,
    pub allowed: Allowed,
    /// What the operator knows better than the server, by the server's names of its tools.
    pub classes: BTreeMap<String, EffectClass>,
    pub prices: BTreeMap<String, MicroUsd>,
    /// A call that takes longer is given up.
    pub call_limit: Duration,
    /// A server that is not ready by then is left out.
    pub start_limit: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    #[error(
        "`{name}` is not a valid server name: use 1 to {NAME_CHARS_MAX} letters, digits, `_` or `-`"
    )]
    Name { name: String },
    #[error("`command` of mcp.{server} names no program")]
    NoProgram { server: String },
    #[error("`url` of mcp.{server} is not a valid server address: {message}")]
    Url { server: String, message: String },
    #[error("the header `{header}` of mcp.{server} cannot be sent: {message}")]
    Header {
        server: String,
        header: String,
        message: String,
    },
}

impl ServerSettings {
    pub fn check(&self) -> Result<(), SettingsError> {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let length = self.name.len();
        if length == 0 || length > NAME_CHARS_MAX || !self.name.chars().all(fits) {
            let name = self.name.chars().take(NAME_CHARS_MAX).collect();
            return Err(SettingsError::Name { name });
        }
        match &self.reach {
            Reach::Program { program, .. } if program.is_empty() => Err(SettingsError::NoProgram {
                server: self.name.clone(),
            }),
            Reach::Program { .. } | Reach::Unusable { .. } => Ok(()),
            Reach::Address { url, headers, .. } => {
                self.check_url(url)?;
                headers
                    .iter()
                    .try_for_each(|(name, value)| self.check_header(name, value))
            }
        }
    }

    fn check_url(&self, url: &str) -> Result<(), SettingsError> {
        let wrong = |message: String| SettingsError::Url {
            server: self.name.clone(),
            message,
        };
        let url = Url::parse(url).map_err(|error| wrong(error.to_string()))?;
        let host = url.host_str().unwrap_or_default();
        let here = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
        match url.scheme() {
            "https" => Ok(()),
            "http" if here => Ok(()),
            "http" => Err(wrong(
                "http: is only allowed for servers on this machine; others need https:".into(),
            )),
            other => Err(wrong(format!("it begins with `{other}:`"))),
        }
    }

    fn check_header(&self, name: &str, value: &Secret) -> Result<(), SettingsError> {
        let wrong = |message: String| SettingsError::Header {
            server: self.name.clone(),
            header: name.to_owned(),
            message,
        };
        let parsed = HeaderName::try_from(name).map_err(|error| wrong(error.to_string()))?;
        if RESERVED.contains(&parsed.as_str()) {
            return Err(wrong("the protocol sets it itself".into()));
        }
        HeaderValue::try_from(value.reveal())
            .map(|_| ())
            .map_err(|error| wrong(error.to_string()))
    }
}
