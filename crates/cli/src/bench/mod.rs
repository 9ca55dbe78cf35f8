//! Measuring: real missions on a real store, in this process; `serve` alone measures another. Keys of the printed lines are those the peers'
//! benches use, so that figures stand side by side.

mod bytes;
mod crash;
mod load;
mod pause;
mod paused;
mod process;
mod serve;
mod world;

pub(crate) use bytes::run as bytes;
pub(crate) use crash::run as crash;
pub(crate) use load::{chain, fanout};
pub(crate) use pause::run as pause;
pub(crate) use paused::run as paused;
pub(crate) use serve::run as serve;

use crate::failure::{Exit, Failure};

fn failed(message: impl Into<String>) -> Failure {
    Failure::new(
        Exit::Trouble,
        "ADJ-6050",
        message,
        "Give the bench an empty folder with --home, on a disk with space.",
    )
}
