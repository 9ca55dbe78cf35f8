//! The benchmarks without the rest of the program, which takes long to build with optimisations:
//! `cargo run --release -p adjutant-bench --example measure_bench -- rules`. `stats` counts the missions of the store of
//! `ADJUTANT_HOME` as `adjutant stats` does, three times.

use std::time::Instant;

use adjutant_app::analytics::{CountedMissions, Counting, gather};
use adjutant_app::catalogue::catalogue;
use adjutant_app::error::AppError;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::{Environment, Settings};
use adjutant_bench::Bench;
use clap::{Parser, Subcommand};

#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    #[command(flatten)]
    Bench(Bench),
    /// Counts the missions of a store
    Stats,
}

#[tokio::main]
async fn main() {
    if let Err(error) = run(Arguments::parse().which).await {
        eprintln!("{error:?}");
        std::process::exit(1);
    }
}

async fn run(which: Which) -> Result<(), AppError> {
    let settings = Settings::load(&Environment::read())?;
    match which {
        Which::Bench(bench) => adjutant_bench::run(&settings, bench).await,
        Which::Stats => stats(&settings).await,
    }
}

async fn stats(settings: &Settings) -> Result<(), AppError> {
    let catalogue = catalogue(settings)?;
    let store = ReadOnlyStore::expect(settings).await?;
    let kept = CountedMissions::default();
    for (name, counting) in [
        ("on all cores", Counting::OnAllCores),
        ("one after the other", Counting::Beside(&kept)),
        ("counted before", Counting::Beside(&kept)),
    ] {
        let began = Instant::now();
        let gathered = gather(&store.journal, &catalogue, None, counting).await?;
        let ms = began.elapsed().as_millis();
        println!("{name}: {:?} in {ms} ms", gathered.coverage);
    }
    Ok(())
}
