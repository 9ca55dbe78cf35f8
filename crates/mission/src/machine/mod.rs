//! The machine: state, decide, apply, outstanding.

mod summary;

pub use summary::{InboxEntry, Phase, Summary};
