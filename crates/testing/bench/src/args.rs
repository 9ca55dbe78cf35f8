//! The grammar of `adjutant bench`.

mod serve;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

pub use serve::{BenchMemory, BenchReaders, BenchReads, BenchServe, BenchServeCrash};

#[derive(Debug, Args)]
pub struct Json {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub enum Bench {
    /// Missions that run steps one after another, several missions at a time
    Chain(BenchChain),
    /// Missions that run one step, many parallel steps, then one step; several missions at a time
    Fanout(BenchFanout),
    /// Missions that wait for approval and resume when all are approved
    Pause(BenchPause),
    /// Missions whose process is killed half-way and that another process finishes
    Crash(BenchCrash),
    /// One running mission beside many that wait for a person
    Paused(BenchPaused),
    /// Stored bytes per step in chains of different lengths, with outputs of 2 kB
    Bytes(BenchBytes),
    /// Rules tried on past missions, whose steps have outputs of 2 kB
    Rules(BenchRules),
    /// Suggestions for intents, among many tools and past workflows
    Suggestion(BenchSuggestion),
    /// A server in a process of its own, measured by HTTP clients
    #[command(subcommand)]
    Serve(BenchServe),
}

#[derive(Debug, Args)]
pub struct BenchChain {
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) steps: u32,
    #[command(flatten)]
    pub(crate) load: BenchLoad,
}

#[derive(Debug, Args)]
pub struct BenchRules {
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) missions: u32,
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) steps: u32,
    /// What the steps of the missions give
    #[arg(long, value_enum, default_value_t = BenchTexts::Same)]
    pub(crate) texts: BenchTexts,
    #[command(flatten)]
    pub(crate) place: BenchPlace,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchTexts {
    /// One text of 2 kB, again and again
    Same,
    /// Letters of 2 kB with personal data, none twice
    Letters,
}

#[derive(Debug, Args)]
pub struct BenchSuggestion {
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=8_000))]
    pub(crate) tools: u32,
    /// Workflows that ended before
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub(crate) workflows: u32,
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) intents: u32,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub struct BenchFanout {
    /// The number of steps that run in parallel
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) width: u16,
    #[command(flatten)]
    pub(crate) load: BenchLoad,
}

#[derive(Debug, Args)]
pub struct BenchLoad {
    /// Concurrent missions; when one ends the next starts
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) concurrency: u32,
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub(crate) seconds: u64,
    /// Run this many missions instead of a fixed time
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000_000), conflicts_with = "seconds")]
    pub(crate) missions: Option<u32>,
    #[command(flatten)]
    pub(crate) place: BenchPlace,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub struct BenchPlace {
    /// The kind of store to measure; the default is the configured one
    #[arg(long, value_enum)]
    pub(crate) store: Option<BenchStore>,
    /// Keep the store in this folder instead of a temporary one
    #[arg(long, value_name = "FOLDER")]
    pub(crate) home: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BenchStore {
    Sqlite,
    /// On the configured server, in a separate schema
    Postgres,
}

#[derive(Debug, Args)]
pub struct BenchPause {
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) missions: u32,
    #[command(flatten)]
    pub(crate) place: BenchPlace,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub struct BenchCrash {
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) missions: u32,
    #[command(flatten)]
    pub(crate) place: BenchPlace,
    /// The part of this process in the benchmark
    #[arg(long, value_enum, hide = true, requires = "home")]
    pub(crate) part: Option<CrashPart>,
    /// The database schema that the processes of the benchmark share
    #[arg(long, hide = true, requires = "part")]
    pub(crate) schema: Option<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum CrashPart {
    First,
    Again,
}

#[derive(Debug, Args)]
pub struct BenchPaused {
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
pub struct BenchBytes {
    /// The number of steps of a chain; several numbers for several chains
    #[arg(default_values_t = [100, 1_000, 5_000], value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) steps: Vec<u32>,
    #[command(flatten)]
    pub(crate) json: Json,
}

impl Bench {
    pub fn json(&self) -> bool {
        match self {
            Self::Chain(chain) => chain.load.json.json,
            Self::Fanout(fanout) => fanout.load.json.json,
            Self::Pause(pause) => pause.json.json,
            Self::Crash(crash) => crash.json.json,
            Self::Paused(paused) => paused.json.json,
            Self::Bytes(bytes) => bytes.json.json,
            Self::Rules(rules) => rules.json.json,
            Self::Suggestion(suggestion) => suggestion.json.json,
            Self::Serve(serve) => serve.json(),
        }
    }
}
