//! Models against a server that answers by a script, over real sockets.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

mod asking;
mod cassettes;
mod embeddings;
mod limits;
mod misbehaving;
mod real_server;
mod streams;
mod support;
mod tools;
