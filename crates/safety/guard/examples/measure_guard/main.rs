//! Measures the guard: how many planted instructions it finds, and how often ordinary documents raise an alarm.
//!
//!     cargo run --release -p adjutant-guard --example measure_guard -- <bipia folder> <paths>... [--misses] [--train FILE]... [--other FILE]...
//!
//! `--misses` lists the misses and false alarms. `--train` and `--other` name files of more instructions, one per line,
//! to fit on or only to measure.

mod attacks;
mod ordinary;

use std::path::{Path, PathBuf};

use adjutant_guard::{Limits, Origin, inspect};
use anyhow::{Context, Result};

/// Whether a case is used for fitting or only for measuring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Half {
    Train,
    HeldOut,
}

/// Whether misses and false alarms are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Show {
    #[default]
    Totals,
    Misses,
}

#[derive(Default)]
struct Arguments {
    bipia: PathBuf,
    show: Show,
    /// Files of more instructions, one per line.
    lines: Vec<(Half, PathBuf)>,
    paths: Vec<PathBuf>,
}

fn parse_arguments() -> Result<Arguments> {
    let mut given = std::env::args_os().skip(1).map(PathBuf::from);
    let mut arguments = Arguments {
        bipia: given
            .next()
            .context("give the folder of the BIPIA files as the first argument")?,
        ..Arguments::default()
    };
    while let Some(path) = given.next() {
        match path.to_str() {
            Some("--misses") => arguments.show = Show::Misses,
            Some("--train") => arguments
                .lines
                .extend(given.next().map(|file| (Half::Train, file))),
            Some("--other") => arguments
                .lines
                .extend(given.next().map(|file| (Half::HeldOut, file))),
            _ => arguments.paths.push(path),
        }
    }
    Ok(arguments)
}

fn main() -> Result<()> {
    let arguments = parse_arguments()?;
    let mut planted = attacks::from_bipia(&arguments.bipia)?;
    planted.extend(attacks::from_cases()?);
    let collections = ordinary::read_collections(&arguments.bipia, &arguments.paths)?;
    for (half, file) in &arguments.lines {
        planted.extend(attacks::from_lines(file, *half, &collections)?);
    }
    attacks::report(&planted, arguments.show);
    ordinary::report(&collections, arguments.show);
    report_speed(&collections);
    Ok(())
}

/// The path of a folder or file of this crate.
pub(crate) fn crate_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Measured in processor time, so that other load does not change the figure.
fn report_speed(collections: &[ordinary::Collection]) {
    for collection in collections {
        let bytes: usize = collection
            .documents
            .iter()
            .map(|document| document.text.len())
            .sum();
        let start = processor_seconds();
        for document in &collection.documents {
            inspect(&document.text, Origin::Document, &Limits::default());
        }
        let seconds = processor_seconds() - start;
        println!(
            "{}: {:.1} MB, {:.1} MB/s",
            collection.name,
            bytes as f64 / 1e6,
            bytes as f64 / seconds / 1e6
        );
    }
}

/// Processor time used by this process; Linux counts it in hundredths of a second.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat
        .rsplit_once(')')
        .map_or("", |(_, rest)| rest)
        .split_whitespace();
    let ticks: f64 = fields
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}
