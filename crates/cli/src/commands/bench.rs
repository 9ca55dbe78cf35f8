//! `adjutant bench`: see the bench module.

use crate::args::Bench;
use crate::bench;
use crate::failure::{Exit, Failure};
use crate::settings::Settings;

pub(super) async fn run(settings: &Settings, which: Bench) -> Result<Exit, Failure> {
    match which {
        Bench::Chain(chain) => bench::chain(settings, chain).await,
        Bench::Fanout(fanout) => bench::fanout(settings, fanout).await,
        Bench::Pause(pause) => bench::pause(settings, pause).await,
        Bench::Crash(crash) => bench::crash(settings, crash).await,
        Bench::Paused(paused) => bench::paused(settings, paused).await,
        Bench::Bytes(bytes) => bench::bytes(settings, bytes).await,
        Bench::Serve(which) => bench::serve(settings, which).await,
    }
}
