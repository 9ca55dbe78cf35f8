//! Searches of public databases as pure exchanges: a lookup says what to send, is told what came back, and says what
//! next, until it has its result. It never opens a connection, sleeps or reads a clock: whoever performs it does.

mod exchange;
mod found;
mod pace;
mod status;
mod trouble;
pub mod url;

pub use exchange::{Ask, Lookup, Method, Reply, Site, Step};
pub use found::{Found, Source};
pub use pace::Pace;
pub use trouble::Trouble;
