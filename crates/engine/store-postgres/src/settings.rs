//! Where the server is and which schema is ours.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use adjutant_store::StoreError;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// The schema's name if none is given.
pub const SCHEMA_DEFAULT: &str = "adjutant";
/// Role names are the schema's with something added, and PostgreSQL cuts names off at 63 bytes.
const SCHEMA_BYTES_MAX: usize = 50;
/// How long a server may take to answer the first knock.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// How long what was sent may stay unacknowledged before the connection counts as lost.
const ACKNOWLEDGED_WITHIN: Duration = Duration::from_secs(10);
/// A server that is gone without a word is noticed after `IDLE + INTERVAL * RETRIES`.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(5);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(2);
const KEEPALIVE_RETRIES: u32 = 3;

/// How to reach a store. Holds a password, perhaps: shows none.
#[derive(Clone)]
pub struct Settings {
    pub(crate) config: Config,
    pub(crate) schema: String,
    pub(crate) authorities: Vec<CertificateDer<'static>>,
}

impl Settings {
    /// `address` as libpq has it: `postgresql://user@host/database` or `host=… user=… dbname=…`.
    ///
    /// `sslmode=require` demands TLS with a certificate that the system trusts, for the host that is named;
    /// `prefer`, the default, takes TLS if the server has it and looks at no certificate, since whoever could
    /// forge one could as well say that the server has no TLS.
    pub fn new(address: &str) -> Result<Self, StoreError> {
        let mut config: Config = address.parse().map_err(|error| unusable(&error))?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(StoreError::BadAddress {
                why: "it names no host".to_owned(),
            });
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_WITHIN);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(ACKNOWLEDGED_WITHIN);
        }
        if config.get_keepalives_interval().is_none() {
            config
                .keepalives_idle(KEEPALIVE_IDLE)
                .keepalives_interval(KEEPALIVE_INTERVAL)
                .keepalives_retries(KEEPALIVE_RETRIES);
        }
        if config
            .get_hosts()
            .iter()
            .all(|host| matches!(host, Host::Unix(_)))
            && config.get_hostaddrs().is_empty()
        {
            // PostgreSQL has no TLS on local sockets: asking for it costs a round trip.
            config.ssl_mode(SslMode::Disable);
        }
        Ok(Self {
            config,
            schema: SCHEMA_DEFAULT.to_owned(),
            authorities: Vec::new(),
        })
    }

    /// Trusts, besides those that the system trusts, the certificates in a PEM file to vouch for the server.
    pub fn with_authorities(mut self, file: &Path) -> Result<Self, StoreError> {
        let read = CertificateDer::pem_file_iter(file)
            .and_then(|certificates| certificates.collect::<Result<Vec<_>, _>>());
        self.authorities = read.map_err(|error| StoreError::BadAddress {
            why: format!(
                "the certificates in {} cannot be read: {error}",
                file.display()
            ),
        })?;
        Ok(self)
    }

    /// Keeps the store in another schema than [`SCHEMA_DEFAULT`]. Several stores can share a database so.
    pub fn with_schema(mut self, name: &str) -> Result<Self, StoreError> {
        let fits = name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.len() <= SCHEMA_BYTES_MAX
            && !name.starts_with("pg_")
            && name
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
        if !fits {
            return Err(StoreError::BadAddress {
                why: format!(
                    "a schema name starts with a lower-case letter, followed by at most {} letters, digits or `_`, \
                     and does not begin with `pg_`; `{name}` is not valid",
                    SCHEMA_BYTES_MAX - 1
                ),
            });
        }
        name.clone_into(&mut self.schema);
        Ok(self)
    }

    /// The role in which everything is done that concerns a tenant.
    pub(crate) fn app_role(&self) -> String {
        format!("{}_app", self.schema)
    }

    /// The role that may see of every tenant what a host must know to wake missions, and nothing else.
    pub(crate) fn waker_role(&self) -> String {
        format!("{}_waker", self.schema)
    }

    /// What a message calls the store.
    pub(crate) fn place(&self) -> PathBuf {
        let mut hosts: Vec<String> = self
            .config
            .get_hosts()
            .iter()
            .map(|host| match host {
                Host::Tcp(name) => name.clone(),
                Host::Unix(folder) => folder.display().to_string(),
            })
            .collect();
        if hosts.is_empty() {
            let addresses = self.config.get_hostaddrs().iter();
            hosts.extend(addresses.map(ToString::to_string));
        }
        let ports = self
            .config
            .get_ports()
            .iter()
            .map(|port| format!(":{port}"));
        PathBuf::from(format!(
            "postgresql://{}{}/{}/{}",
            hosts.join(","),
            ports.collect::<String>(),
            self.config.get_dbname().unwrap_or_default(),
            self.schema
        ))
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Settings").field(&self.place()).finish()
    }
}

fn unusable(error: &tokio_postgres::Error) -> StoreError {
    StoreError::BadAddress {
        why: crate::error::said(error),
    }
}
