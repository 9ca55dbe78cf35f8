//! Searches of public databases as pure exchanges: a lookup says what to send, is told what came back, and says what
//! next, until it has its result. It never opens a connection, sleeps or reads a clock: whoever performs it does.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod address;
mod csl;
mod dates;
mod decode;
pub mod ema;
mod error;
mod exchange;
pub mod fda;
mod found;
mod gathered;
mod most;
pub mod news;
mod pace;
pub mod patents;
mod plain;
pub mod pubmed;
mod status;
pub mod trials;
pub mod url;
mod wanted;
pub mod web;
mod words;

pub use error::LookupError;
pub use exchange::{HttpRequest, Lookup, Method, Reply, Site, Step};
pub use found::{Found, Source};
pub use pace::Pace;
