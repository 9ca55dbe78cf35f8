//! The local control socket: how a second terminal speaks to the host that holds the store.
//!
//! One JSON document a line, request and answer in turn; `watch` answers with many lines. Only the user who
//! started the host can open the socket. It is not a network protocol: the server crate will have one.

mod client;
mod protocol;
mod server;

pub use client::{Client, ClientError, Watching};
pub use protocol::{LINE_BYTES_MAX, PROTOCOL_VERSION, Problem, Reply, Request};
pub use server::{Server, ServerError};
