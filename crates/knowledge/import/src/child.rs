//! What the child process does: limit itself, read one file from its standard input, answer, end.
//!
//! **Invariant:** A file is parsed in a process of its own, which inherits nothing and runs under limits. It receives the file's bytes and name, opens
//! no path, has no network, and runs under limits of memory, time and size that the kernel enforces.

use std::io::{BufRead, BufReader, Read, Write};

use adjutant_knowledge_index::Document;
use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Limits, ReadFailure, network, read};

const REQUEST_BYTES_MAX: u64 = 64 * 1024;
/// Standard input, output and error, and a few for the library underneath.
const OPEN_FILES_MAX: u64 = 16;

/// The first line of the child's input; the file's bytes follow it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    pub(crate) name: String,
    pub(crate) limits: Limits,
}

#[derive(Debug, Error)]
pub enum ServeError {
    #[error("the request cannot be read: {0}")]
    Request(String),
    #[error("the limit on {what} could not be set")]
    Limit {
        what: &'static str,
        source: std::io::Error,
    },
    #[error("the file did not arrive")]
    Input(#[source] std::io::Error),
    #[error("the answer could not be written")]
    Output(#[source] std::io::Error),
}

/// Reads one request and its file, and writes one answer.
///
/// Puts limits on the whole process that cannot be lifted again: call it first thing in a process of its own, before
/// any thread is started, and end the process after it.
pub fn serve(input: impl Read, mut output: impl Write) -> Result<(), ServeError> {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    (&mut input)
        .take(REQUEST_BYTES_MAX)
        .read_until(b'\n', &mut line)
        .map_err(ServeError::Input)?;
    let request: Request =
        serde_json::from_slice(&line).map_err(|error| ServeError::Request(error.to_string()))?;
    confine(&request.limits)?;
    let answer = match network::give_up() {
        Ok(()) => parse(input, &request)?,
        Err(what) => Err(ReadFailure::HasNetwork { what }),
    };
    serde_json::to_writer(&mut output, &answer)
        .map_err(|error| ServeError::Output(error.into()))?;
    output.flush().map_err(ServeError::Output)
}

fn parse(input: impl Read, request: &Request) -> Result<Result<Document, ReadFailure>, ServeError> {
    let mut bytes = Vec::new();
    input
        .take(request.limits.file_bytes_max.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(ServeError::Input)?;
    Ok(read(&bytes, &request.name, &request.limits))
}

fn confine(limits: &Limits) -> Result<(), ServeError> {
    let cpu = limits.cpu_seconds_max;
    let all = [
        ("memory", Resource::As, limits.memory_bytes_max, 0),
        // The second before the end gives the signal that says why.
        ("processor time", Resource::Cpu, cpu, 1),
        ("written files", Resource::Fsize, 0, 0),
        ("core files", Resource::Core, 0, 0),
        ("open files", Resource::Nofile, OPEN_FILES_MAX, 0),
        ("processes", Resource::Nproc, 0, 0),
    ];
    for (what, resource, soft, more) in all {
        let limit = Rlimit {
            current: Some(soft),
            maximum: Some(soft.saturating_add(more)),
        };
        setrlimit(resource, limit).map_err(|error| ServeError::Limit {
            what,
            source: error.into(),
        })?;
    }
    Ok(())
}
