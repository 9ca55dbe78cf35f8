//! Journals that machines wrote, counted; and counts added up to figures.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that panics is a test that fails"
)]

mod adding_up;
mod counting;
mod world;
