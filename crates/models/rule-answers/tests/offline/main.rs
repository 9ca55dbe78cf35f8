//! The offline model from the outside: what it answers to each purpose, and what holds for any text.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

mod compare;
mod conflicts;
mod dossiers;
mod draft;
mod extract;
mod gaps;
mod grade;
mod groups;
mod narrowed;
mod object;
mod plan;
mod properties;
mod reasoning;
mod reasoning_on_files;
mod route;
mod score;
mod timeline;
mod workers;
