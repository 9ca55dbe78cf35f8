//! The grammar of `adjutant bench serve`.

use clap::{Args, Subcommand};

use super::{BenchPlace, Json};

#[derive(Debug, Subcommand)]
pub enum BenchServe {
    /// Many clients that follow the live events of one mission
    Readers(BenchReaders),
    /// Read requests at a fixed rate while missions run
    Reads(BenchReads),
    /// The server's memory under a constant mixed load
    Memory(BenchMemory),
    /// A server that is killed while it receives commands; checks which of them are in the journals
    Crash(BenchServeCrash),
}

#[derive(Debug, Args)]
pub struct BenchReaders {
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    pub(crate) readers: u32,
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    pub(crate) seconds: u32,
    /// Events of the mission per second
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(crate) events: u32,
    #[command(flatten)]
    pub(crate) place: BenchPlace,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub struct BenchReads {
    /// Read requests per second
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) rate: u32,
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    pub(crate) seconds: u32,
    /// Missions that run at the same time, each with one step per second
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) missions: u32,
    #[command(flatten)]
    pub(crate) place: BenchPlace,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub struct BenchMemory {
    /// Seconds until the first memory measurement
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) from: u32,
    /// Seconds until the last memory measurement, which ends the benchmark
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(2..=86_400))]
    pub(crate) until: u32,
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) readers: u32,
    /// Read requests per second
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) rate: u32,
    #[command(flatten)]
    pub(crate) place: BenchPlace,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub struct BenchServeCrash {
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) rounds: u32,
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) clients: u32,
    #[command(flatten)]
    pub(crate) place: BenchPlace,
    #[command(flatten)]
    pub(crate) json: Json,
}

impl BenchServe {
    pub(super) fn json(&self) -> bool {
        match self {
            Self::Readers(readers) => readers.json.json,
            Self::Reads(reads) => reads.json.json,
            Self::Memory(memory) => memory.json.json,
            Self::Crash(crash) => crash.json.json,
        }
    }
}
