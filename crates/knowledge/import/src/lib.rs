//! Reads files into documents: what a person would see, as one text with its parts.
//!
//! Files come from strangers, so [`Reader`] has a child process parse them, under limits that the kernel holds.
//! The child runs [`serve`]: it opens no path, reads its standard input, and writes one answer. Nothing here knows
//! what a document is for.

mod child;
mod date;
mod encoding;
mod failure;
mod file;
mod kind;
mod limits;
mod network;
mod parse;
mod reader;
mod trust;
mod walk;
mod writing;

pub use child::{ServeError, serve};
pub use failure::ReadFailure;
pub use file::Fingerprint;
pub use limits::Limits;
pub use parse::read;
pub use reader::{Read, Reader};
pub use walk::{FILES_MAX, Found, Skipped, SkippedBecause, Walk, WalkFailure, walk};

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]
#[path = "tests/mod.rs"]
mod tests;
