//! A database for one test, in the server that the whole run shares or in one of its own.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::process::Command;

use crate::programs::{Programs, run};
use crate::{Cluster, ClusterError, Durability, TlsCluster};

/// Says where the server is that a test run shares. Set by the program of this crate, for the command it runs.
pub const ADDRESS_VARIABLE: &str = "ADJUTANT_TEST_POSTGRES";

/// An empty database. It goes with its server, not before.
#[derive(Debug)]
pub struct Database {
    address: String,
    /// Where nobody has started a server for the whole run, the database has one of its own.
    _cluster: Option<Cluster>,
}

impl Database {
    /// In the shared server if there is one. What is confirmed may be lost with the machine.
    #[expect(
        clippy::disallowed_methods,
        reason = "tests are told by the environment which server they share; no product code runs this"
    )]
    pub fn fresh() -> Result<Self, ClusterError> {
        let (server, cluster) = match std::env::var(ADDRESS_VARIABLE) {
            Ok(server) => (server, None),
            Err(_) => {
                let cluster = Cluster::start(Durability::None)?;
                (cluster.address(), Some(cluster))
            }
        };
        Ok(Self {
            address: create(&server)?,
            _cluster: cluster,
        })
    }

    /// In a server that the test has for itself, and may kill.
    pub fn fresh_in(cluster: &Cluster) -> Result<Self, ClusterError> {
        Ok(Self {
            address: create(&cluster.address())?,
            _cluster: None,
        })
    }

    /// Over TLS, if the client asks for it.
    pub fn fresh_over_tls(cluster: &TlsCluster) -> Result<Self, ClusterError> {
        Ok(Self {
            address: create(&cluster.address())?,
            _cluster: None,
        })
    }

    /// How to connect, as a superuser, in the words of libpq.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Ends every connection to it, as an administrator would.
    pub fn end_sessions(&self) -> Result<(), ClusterError> {
        let psql = Programs::find()?.path("psql");
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        run(Command::new(psql)
            .args(["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"])
            .args(["--command", end])
            .arg(&self.address))
        .map(drop)
    }

    /// Everything the server knows of a schema, as statements that would make it again.
    pub fn dump(&self, schema: &str) -> Result<String, ClusterError> {
        let pg_dump = Programs::find()?.path("pg_dump");
        let dumped = run(Command::new(pg_dump)
            .args(["--schema-only", "--schema", schema])
            .arg(&self.address))?;
        // A random word that guards whoever plays it back.
        let told = dumped.lines().filter(|line| !line.contains("restrict "));
        Ok(told.collect::<Vec<_>>().join("\n"))
    }
}

fn create(server: &str) -> Result<String, ClusterError> {
    // Not the number of the process: a long run starts so many that numbers come again.
    let name = format!("test_{:016x}", RandomState::new().build_hasher().finish());
    let psql = Programs::find()?.path("psql");
    run(Command::new(psql)
        .args(["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"])
        .args(["--command", &format!("CREATE DATABASE {name}")])
        .arg(format!("{server} dbname=postgres")))?;
    Ok(format!("{server} dbname={name}"))
}
