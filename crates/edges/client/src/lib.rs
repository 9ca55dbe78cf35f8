//! A client of the HTTP server: which server, its key, requests that may be repeated, and its errors as ours.
//!
//! Knows nothing of terminals; what an answer looks like is for its callers to show.

mod server;

pub use server::{PlainHttp, Repeat, Server, ServerAddress, empty_body, instant, mission_path};
