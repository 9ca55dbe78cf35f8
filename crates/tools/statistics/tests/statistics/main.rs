#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails may panic"
)]

mod hostile;
mod properties;
mod reference;
mod refusals;
mod schema;
