//! A PostgreSQL server that is made for a test run and thrown away after it. Only tests depend on it.
//!
//! It never touches a server that it did not start: each cluster has a folder of its own, is reached through
//! a socket in that folder and, unless TLS is what is tested, through nothing else; and it goes when its maker
//! ends, however that ends.

mod cluster;
mod database;
mod programs;
mod watchdog;

pub use cluster::{Cluster, Durability, TlsCluster};
pub use database::{ADDRESS_VARIABLE, Database};
pub use programs::PROGRAMS_VARIABLE;

use std::io;
use std::path::PathBuf;

/// Why there is no cluster. The messages are for whoever runs the tests.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    #[error(
        "no PostgreSQL server was found: install the Debian package `postgresql`, or set {PROGRAMS_VARIABLE} \
         to the folder of `postgres` and `initdb`"
    )]
    NoPrograms,
    #[error(
        "PostgreSQL refuses to run as root, and there is neither a user `postgres` nor `nobody`"
    )]
    NoUser,
    #[error("{} cannot be run", .program.display())]
    Run { program: PathBuf, source: io::Error },
    #[error("{} failed: {said}", .program.display())]
    Failed { program: PathBuf, said: String },
    #[error("the server was not ready within {seconds} s; its log says: {log}")]
    NotReady { seconds: u64, log: String },
    #[error("the cluster's folder cannot be used")]
    Folder(#[from] io::Error),
}
