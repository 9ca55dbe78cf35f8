//! The catalogue from outside: its data, its templates, and the plans that come of them.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]
#![expect(unreachable_pub, reason = "modules of one test binary share freely")]

mod catalogue;
mod checking;
mod data;
mod expanding;
mod files;
mod in_words;
mod leaving;
mod mission_types;
mod packs;
mod plans;
mod proposals;
mod replies;
mod routing;
mod schema;
mod support;
mod tools;
