//! Servers on this machine that answer as somebody else's would: the public databases that lookups ask (also run by
//! `adjutant dev apis`), and model providers. They answer properly, or wrongly in every documented way.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

pub mod databases;
pub mod http;
pub mod models;
