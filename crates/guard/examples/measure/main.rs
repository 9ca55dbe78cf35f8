//! Measures the guard: what it finds of planted instructions, and how often it cries out at ordinary documents.
//!
//!     cargo run --release -p adjutant-guard --example measure -- <bipia folder> <paths>... [--misses] [--train FILE]... [--other FILE]...
//!
//! `--misses` shows what was missed and what was cried out at. `--train` and `--other` name files of more instructions, one a line, to fit on or only to measure.

mod attacks;
mod ordinary;

use std::path::{Path, PathBuf};

use adjutant_guard::{Limits, Origin, inspect};
use anyhow::{Context, Result};

/// What is fitted on, and what is only measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Half {
    Train,
    HeldOut,
}

/// Whether the single misses and false alarms are shown.
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
    /// More instructions, one a line.
    lines: Vec<(Half, PathBuf)>,
    paths: Vec<PathBuf>,
}

fn arguments() -> Result<Arguments> {
    let mut given = std::env::args_os().skip(1).map(PathBuf::from);
    let mut arguments = Arguments {
        bipia: given.next().context("the folder of the BIPIA files")?,
        ..Arguments::default()
    };
    while let Some(path) = given.next() {
        match path.to_str() {
            Some("--misses") => arguments.show = Show::Misses,
            Some("--train") => arguments.lines.extend(more(Half::Train, given.next())),
            Some("--other") => arguments.lines.extend(more(Half::HeldOut, given.next())),
            _ => arguments.paths.push(path),
        }
    }
    Ok(arguments)
}

fn more(half: Half, file: Option<PathBuf>) -> Option<(Half, PathBuf)> {
    file.map(|file| (half, file))
}

fn main() -> Result<()> {
    let arguments = arguments()?;
    let mut planted = attacks::from_bipia(&arguments.bipia)?;
    planted.extend(attacks::from_cases()?);
    let collections = ordinary::collections(&arguments.bipia, &arguments.paths)?;
    for (half, file) in &arguments.lines {
        planted.extend(attacks::from_lines(file, *half, &collections)?);
    }
    attacks::report(&planted, arguments.show);
    ordinary::report(&collections, arguments.show);
    speed(&collections);
    Ok(())
}

/// A folder or file of this crate.
pub(crate) fn own(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// By processor time, so that a busy machine does not change the figure.
fn speed(collections: &[ordinary::Collection]) {
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

/// What this process has used so far, as Linux counts it: hundredths of a second.
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
