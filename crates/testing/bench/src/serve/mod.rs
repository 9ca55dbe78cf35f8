//! `bench serve`: a server as its clients meet it. It is a process of its own, the same program, over an empty store;
//! the clients are this process, on the same machine and with the same clock. Missions are started over HTTP as
//! everybody's are, by users of their own, because nobody may have many at work.

mod crash;
mod http;
mod memory;
mod readers;
mod reads;
mod server;
mod times;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::args::BenchServe;
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::settings::Settings;

/// Files that are open besides connections: the store's, the runtime's, the program's own.
const OTHER_FILES: u64 = 200;

pub(crate) async fn run(settings: &Settings, which: BenchServe) -> Result<(), AppError> {
    match which {
        BenchServe::Readers(readers) => readers::run(settings, readers).await,
        BenchServe::Reads(reads) => reads::run(settings, reads).await,
        BenchServe::Memory(memory) => memory::run(settings, memory).await,
        BenchServe::Crash(crash) => crash::run(settings, crash).await,
    }
}

/// The server cannot be measured.
fn failed(message: impl Into<String>) -> AppError {
    AppError::new(
        ErrorKind::Unavailable,
        "ADJ-6160",
        message,
        "Look at what the server printed above; give the bench an empty folder with --home, on a disk with space.",
    )
}

/// What was acknowledged, and was not there.
fn lost(message: impl Into<String>) -> AppError {
    AppError::new(
        ErrorKind::NotGood,
        "ADJ-6162",
        message,
        "This is a defect of the server: keep the folder (--home) and report it.",
    )
}

/// Makes room for so many connections, in this process and in those it starts.
fn make_room(connections: u32) -> Result<(), AppError> {
    let wanted = u64::from(connections) + OTHER_FILES;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= wanted) {
        return Ok(());
    }
    let raised = Rlimit {
        current: Some(wanted),
        maximum: limit.maximum,
    };
    let is_allowed = limit.maximum.is_none_or(|maximum| maximum >= wanted);
    if is_allowed && setrlimit(Resource::Nofile, raised).is_ok() {
        return Ok(());
    }
    Err(AppError::new(
        ErrorKind::Unavailable,
        "ADJ-6161",
        format!("{connections} connections need {wanted} open files, and fewer are allowed here"),
        format!("Run `ulimit -n {wanted}` first, or take fewer."),
    ))
}
