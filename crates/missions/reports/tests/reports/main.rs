//! Reports from the outside: what they say of the sample dossier, what the judge catches, and what holds for any input.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

mod conditions;
mod deciding;
mod deep_diving;
mod dossier;
mod investigating;
mod judged_methods;
mod judging;
mod model_reading;
mod properties;
mod reading;
mod risks;
mod simulating;
mod telling;
