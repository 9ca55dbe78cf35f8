//! Every format, asked the same questions.

#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

mod flaws;
mod hostile;
mod reading;
mod samples;
mod verbatim;
mod words;
