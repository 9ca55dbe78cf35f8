//! Measures the guard: what it finds of planted instructions, and how often it cries out at ordinary documents.
//!
//!     cargo run --release -p adjutant-guard --example measure -- <bipia folder> [--features FILE] [--extra FILE] <paths>...
//!
//! `--features` writes what the scorer sees of the training half, for fitting its weights; `--extra` adds instructions to
//! it, one a line.

mod attacks;
mod ordinary;

use std::path::PathBuf;
use std::time::Instant;

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
            planted.extend(attacks::from_lines(extra)?);
        }
        let mut lines = attacks::features(&planted);
        lines.extend(ordinary::features(&collections));
        return std::fs::write(file, lines.join("\n")).context("writing the features");
    }
    attacks::report(&planted);
    ordinary::report(&collections);
    speed(&collections);
    Ok(())
}

fn speed(collections: &[ordinary::Collection]) {
    for collection in collections {
        let bytes: usize = collection
            .documents
            .iter()
            .map(|document| document.text.len())
            .sum();
        let start = Instant::now();
        for document in &collection.documents {
            inspect(&document.text, Origin::Document, &Limits::default());
        }
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{}: {:.1} MB/s",
            collection.name,
            bytes as f64 / seconds / 1e6
        );
    }
}
