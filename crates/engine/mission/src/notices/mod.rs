//! What people are to be told, how far that is, and when it is tried again. Pure: `adjutant-notify` sends, the host
//! keeps.

mod about;
mod book;
mod retry;

pub use about::{About, Subject};
pub use book::{Book, Entered, Key, OWED_MAX, Owed};
pub use retry::{ChannelState, Look, Progress, Sent, State, TRIES_MAX, pause_after};
