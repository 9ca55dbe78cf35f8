//! Lookups against their stand-ins, without any network.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

mod driving;
mod ema;
mod fda;
mod news;
mod patents;
mod pubmed;
mod support;
mod trials;
mod web;
