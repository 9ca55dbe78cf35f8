//! The grammar of `adjutant bench serve`.

use clap::{Args, Subcommand};

use super::{BenchPlace, Json};

#[derive(Debug, Subcommand)]
pub(crate) enum BenchServe {
    /// Many readers of the live events of one mission
    Readers(BenchReaders),
    /// Reads by a fixed schedule while missions run
    Reads(BenchReads),
    /// The server's memory under a steady mix of everything
    Memory(BenchMemory),
    /// A server that is killed while commands come in, and what of them is in the journals after it
    Crash(BenchServeCrash),
}

#[derive(Debug, Args)]
pub(crate) struct BenchReaders {
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    pub(crate) readers: u32,
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    pub(crate) seconds: u32,
    /// Events that the mission is to tell in a second
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(crate) events: u32,
    #[command(flatten)]
    pub(crate) place: BenchPlace,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct BenchReads {
    /// Reads in a second
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) rate: u32,
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    pub(crate) seconds: u32,
    /// Missions that run meanwhile, each taking a step a second
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) missions: u32,
    #[command(flatten)]
    pub(crate) place: BenchPlace,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct BenchMemory {
    /// When memory is looked at first, in seconds
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) from: u32,
    /// When memory is looked at last, and the bench ends
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(2..=86_400))]
    pub(crate) until: u32,
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) readers: u32,
    /// Reads in a second
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) rate: u32,
    #[command(flatten)]
    pub(crate) place: BenchPlace,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct BenchServeCrash {
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
