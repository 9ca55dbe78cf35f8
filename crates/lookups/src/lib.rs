//! Searches of public databases as pure exchanges: a lookup says what to send, is told what came back, and says what
//! next, until it has its result. It never opens a connection, sleeps or reads a clock: whoever performs it does.

mod dates;
pub mod ema;
mod exchange;
pub mod fda;
mod found;
mod gathered;
mod pace;
pub mod pubmed;
mod status;
pub mod trials;
mod trouble;
pub mod url;
mod wanted;
mod xml;

pub use exchange::{Ask, Lookup, Method, Reply, Site, Step};
pub use found::{Found, Source};
pub use pace::Pace;
pub use trouble::Trouble;
