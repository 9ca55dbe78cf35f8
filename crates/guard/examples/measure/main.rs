//! Measures the guard: what it finds of planted instructions, and how often it cries out at ordinary documents.
//!
//!     cargo run --release -p adjutant-guard --example measure -- <bipia folder> <paths>... [--features FILE] [--extra FILE] [--passages FILE]
//!
//! `--features` writes what the scorer sees of the training half, for fitting its weights; `--extra` adds instructions to
//! it and `--passages` ordinary passages, one a line.

mod attacks;
mod ordinary;

use std::path::PathBuf;

use adjutant_guard::{Limits, Origin, inspect};
use anyhow::{Context, Result};

/// What is fitted on, and what is only measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Half {
    Train,
    HeldOut,
}

#[derive(Default)]
struct Arguments {
    bipia: PathBuf,
    features: Option<PathBuf>,
    extra: Option<PathBuf>,
    passages: Option<PathBuf>,
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
            Some("--features") => arguments.features = given.next(),
            Some("--extra") => arguments.extra = given.next(),
            Some("--passages") => arguments.passages = given.next(),
            _ => arguments.paths.push(path),
        }
    }
    Ok(arguments)
}

fn main() -> Result<()> {
    let arguments = arguments()?;
    let mut planted = attacks::from_bipia(&arguments.bipia)?;
    planted.extend(attacks::from_cases()?);
    let collections = ordinary::collections(&arguments.bipia, &arguments.paths)?;
    if let Some(file) = &arguments.features {
        if let Some(extra) = &arguments.extra {
            planted.extend(attacks::from_lines(extra, &arguments.bipia)?);
        }
        let mut lines = attacks::features(&planted);
        lines.extend(ordinary::features(&collections));
        if let Some(passages) = &arguments.passages {
            lines.extend(ordinary::features(&[ordinary::from_lines(passages)?]));
        }
        return std::fs::write(file, lines.join("\n")).context("writing the features");
    }
    attacks::report(&planted);
    ordinary::report(&collections);
    speed(&collections);
    Ok(())
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
