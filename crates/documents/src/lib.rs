//! Reads files into documents: what a person would see, as one text with its parts.
//!
//! Nothing here knows what a document is for.

mod date;
mod encoding;
mod failure;
mod kind;
mod limits;
mod parse;
mod writing;

pub use failure::ReadFailure;
pub use limits::Limits;
pub use parse::read;
