//! Calculations a person can check: units, dates, dosing and finance.
//!
//! Pure: no clock, no files, no network, the zone rules are built in. Numbers are decimals of 28 digits, never
//! floating point. A number that cannot be is refused; one that is rare is noted.

mod answer;
mod convert;
mod dates;
mod describe;
mod dosing;
mod finance;
mod maths;
mod number;
#[cfg(test)]
mod number_tests;
mod refusal;
mod request;

pub use answer::{Answer, Part, Table, answer_schema};
pub use number::Number;
pub use refusal::Refusal;
pub use request::{Request, calculate, schema};
