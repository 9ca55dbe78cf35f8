//! Measures retrieval: how good on a judged collection beside a kept library, and how fast on many passages.
//!
//! `cargo run --release -- cranfield <folder>`, `… -- tune <folder>`, `… -- large [chunks]`

mod collection;
mod large;
mod measures;
mod ours;
mod peer;
mod tables;

use anyhow::{Context, bail};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let named = |place: usize| arguments.get(place).map(String::as_str);
    match named(0) {
        Some("cranfield") => tables::report(named(1).context("which folder?")?),
        Some("tune") => tables::tune(named(1).context("which folder?")?),
        Some("large") => large::run(named(1).unwrap_or("100000").parse()?),
        _ => bail!("cranfield <folder>, tune <folder> or large [chunks]"),
    }
}
