//! The benchmarks behind `adjutant bench`: real missions on a real store in this process, and a server in another one.
//!
//! The keys of the printed lines are those that the benchmarks of comparable programs use, so that figures can be set
//! side by side. Nothing here is used by missions; the command line links it as a subcommand.

pub mod args;
mod bytes;
mod crash;
mod load;
mod output;
mod pause;
mod paused;
mod process;
mod rules;
mod serve;
mod suggestion;
mod world;

use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::settings::Settings;

pub use args::Bench;

/// Measures what is asked for, and prints the figures.
pub async fn run(settings: &Settings, which: Bench) -> Result<(), AppError> {
    match which {
        Bench::Chain(chain) => load::chain(settings, chain).await,
        Bench::Fanout(fanout) => load::fanout(settings, fanout).await,
        Bench::Pause(pause) => pause::run(settings, pause).await,
        Bench::Crash(crash) => crash::run(settings, crash).await,
        Bench::Paused(paused) => paused::run(settings, paused).await,
        Bench::Bytes(bytes) => bytes::run(settings, bytes).await,
        Bench::Rules(rules) => rules::run(settings, rules).await,
        Bench::Suggestion(bench) => suggestion::run(&bench),
        Bench::Serve(which) => serve::run(settings, which).await,
    }
}

fn failed(message: impl Into<String>) -> AppError {
    AppError::new(
        ErrorKind::Unavailable,
        "ADJ-6050",
        message,
        "Give the bench an empty folder with --home, on a disk with space.",
    )
}
