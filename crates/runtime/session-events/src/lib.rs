//! What people and programs are told of a running mission, projected from its journal.
//!
//! A journal is written for the machine: exact, and about everything. A console, a terminal or another program wants
//! fewer and plainer words: an agent began, a tool was called, a person is asked. [`Projection`] turns the one into
//! the other, event by event. It has no clock and asks nobody: the same journal always gives the same events, so what
//! was missed can be told again from the journal at any time.
//!
//! It does not decide who may read what it tells, sends nothing, and reads nothing: [`Projection::wanted`] says which
//! blobs an event tells of, and whoever can read them hands over their [`Contents`]. Without them an event has the
//! digest only. `token` of the same family is not made here: it is
//! transport, text on its way, cut from what was approved and kept in no journal. What the rules of the constitution
//! block is told by nobody.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod calls;
mod constitution;
mod contents;
mod event;
mod findings;
mod instant;
mod kinds;
mod plans;
mod projection;
mod questions;
mod sources;
mod tasks;
mod thinking;
mod through;
mod tools;

pub use contents::{CONTENT_BYTES_MAX, Contents};
pub use event::SessionEvent;
pub use instant::rfc3339;
pub use kinds::{EventType, TYPES};
pub use projection::Projection;
pub use through::{Through, words_of_program};
pub use tools::tool_name;
