//! The grammar of `adjutant bench`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{BenchServe, Json};

#[derive(Debug, Subcommand)]
pub(crate) enum Bench {
    /// Chains of steps, a number of missions at a time
    Chain(BenchChain),
    /// One step, many at once, one step; a number of missions at a time
    Fanout(BenchFanout),
    /// Missions that wait for a yes, and go on when all of them get it
    Pause(BenchPause),
    /// Chains whose process is killed half-way, and another process that finishes them
    Crash(BenchCrash),
    /// A running chain beside many missions that wait for a human
    Paused(BenchPaused),
    /// Bytes a step in chains of different lengths, with outputs of 2 kB
    Bytes(BenchBytes),
    /// A server as its clients meet it: a process of its own, measured from this one
    #[command(subcommand)]
    Serve(BenchServe),
}

#[derive(Debug, Args)]
pub(crate) struct BenchChain {
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) steps: u32,
    #[command(flatten)]
    pub(crate) load: BenchLoad,
}

#[derive(Debug, Args)]
pub(crate) struct BenchFanout {
    /// How many steps run at once
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) width: u16,
    #[command(flatten)]
    pub(crate) load: BenchLoad,
}

#[derive(Debug, Args)]
pub(crate) struct BenchLoad {
    /// Missions in flight: each that ends is followed by the next
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) concurrency: u32,
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub(crate) seconds: u64,
    /// Run this many missions instead of for a time
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000_000), conflicts_with = "seconds")]
    pub(crate) missions: Option<u32>,
    #[command(flatten)]
    pub(crate) place: BenchPlace,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct BenchPlace {
    /// Which kind of store to measure; as the settings say if it is left out
    #[arg(long, value_enum)]
    pub(crate) store: Option<BenchStore>,
    /// Keep the store in this folder instead of a temporary one
    #[arg(long, value_name = "FOLDER")]
    pub(crate) home: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchStore {
    Sqlite,
    /// On the server that the settings name, in a schema of its own
    Postgres,
}

#[derive(Debug, Args)]
pub(crate) struct BenchPause {
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) missions: u32,
    #[command(flatten)]
    pub(crate) place: BenchPlace,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct BenchCrash {
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) missions: u32,
    #[command(flatten)]
    pub(crate) place: BenchPlace,
    /// What this process is to be in the bench
    #[arg(long, value_enum, hide = true, requires = "home")]
    pub(crate) part: Option<CrashPart>,
    /// The schema on the server that the processes of the bench share
    #[arg(long, hide = true, requires = "part")]
    pub(crate) schema: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum CrashPart {
    First,
    Again,
}

#[derive(Debug, Args)]
pub(crate) struct BenchPaused {
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) missions: u32,
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub(crate) seconds: u64,
    #[command(flatten)]
    pub(crate) place: BenchPlace,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct BenchBytes {
    /// How many steps; several for several chains
    #[arg(default_values_t = [100, 1_000, 5_000], value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) steps: Vec<u32>,
    #[command(flatten)]
    pub(crate) json: Json,
}

impl Bench {
    pub(super) fn json(&self) -> bool {
        match self {
            Self::Chain(chain) => chain.load.json.json,
            Self::Fanout(fanout) => fanout.load.json.json,
            Self::Pause(pause) => pause.json.json,
            Self::Crash(crash) => crash.json.json,
            Self::Paused(paused) => paused.json.json,
            Self::Bytes(bytes) => bytes.json.json,
            Self::Serve(serve) => serve.json(),
        }
    }
}
