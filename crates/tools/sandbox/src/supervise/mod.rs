//! What the child process does: set one job up, hold it to its limits, collect what it left, answer, end.
//!
//! It has one thread until the job runs, and starts `bwrap` from it: the kernel ends the job when that thread ends.
//! The host is watched by standard input: when it closes, the host is gone or wants no answer any more.

mod arguments;
mod collect;
mod confine;
mod descriptors;
mod filter;
mod launch;
mod request;
mod streams;
mod watch;

use std::io::{Read, Write};

use thiserror::Error;

use crate::wire::{Answer, Refusal};

use self::launch::Outcome;
use self::request::Given;

#[derive(Debug, Error)]
pub enum SuperviseError {
    #[error("the request cannot be read: {0}")]
    Request(String),
    #[error("the request did not arrive")]
    Input(#[source] std::io::Error),
    #[error("inherited file descriptors could not be closed")]
    Descriptors(#[source] std::io::Error),
    #[error("the answer could not be written")]
    Output(#[source] std::io::Error),
}

/// Reads one job from standard input, runs it, and writes one answer to standard output.
///
/// Closes every descriptor that the process inherited and confines it for good: call it first thing in a process of
/// its own, before any thread is started, and end the process after it.
pub fn supervise() -> Result<(), SuperviseError> {
    descriptors::close_inherited().map_err(SuperviseError::Descriptors)?;
    // Made first, because a shell can only name descriptors of one digit.
    let gate = descriptors::Gate::new().map_err(SuperviseError::Descriptors)?;
    let mut input = descriptors::standard_input().map_err(SuperviseError::Input)?;
    let given = Given::read(&mut input)?;
    let answer = launch::run(given, gate, input);
    let mut output = std::io::stdout().lock();
    respond(&mut output, answer).map_err(SuperviseError::Output)
}

fn respond(output: &mut impl Write, outcome: Result<Outcome, Refusal>) -> std::io::Result<()> {
    let (answer, parts): (Answer, Vec<Vec<u8>>) = match outcome {
        Ok(outcome) => (Ok(outcome.ended), outcome.parts),
        Err(refusal) => (Err(refusal), Vec::new()),
    };
    serde_json::to_writer(&mut *output, &answer)?;
    output.write_all(b"\n")?;
    for part in parts {
        output.write_all(&part)?;
    }
    output.flush()
}

/// Reads exactly so many bytes, without taking room for them before they come.
fn take(input: &mut impl Read, bytes: u64) -> std::io::Result<Vec<u8>> {
    let mut taken = Vec::new();
    input.take(bytes).read_to_end(&mut taken)?;
    if taken.len() as u64 == bytes {
        return Ok(taken);
    }
    Err(std::io::ErrorKind::UnexpectedEof.into())
}
