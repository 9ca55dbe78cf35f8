#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

mod chunking;
mod corpus;
mod explaining;
mod filtering;
mod finding;
mod languages;
mod segments;
mod vectors;
