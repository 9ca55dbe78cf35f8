//! Code as WebAssembly: it runs in this process, wherever this process runs.

use std::time::Duration;

use adjutant_sandbox::{Collected as Taken, FileOut, FileRefused};
use adjutant_wasm_sandbox::{
    Code, Collected, End as WasmEnd, Ended, FileIn, Job, LimitReached, Limits, RunFailure, Stream,
    WasmSandbox,
};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::{End, FILES_OUT_BYTES_MAX, Given, Ran};
use crate::ToolFailure;
use crate::builtin::captured::{Captured, STREAM_BYTES_MAX};

pub(super) const NAME: &str = "wasm";
const MODULE_PREFIX: &str = "base64:";
/// More than an interpreter does, so that the clock mostly comes first; fuel bounds what a stopped clock would not.
const FUEL_PER_SECOND_MAX: u64 = 2_000_000_000;

pub(super) struct Wasm(WasmSandbox);

impl Wasm {
    pub(super) fn new() -> Self {
        Self(WasmSandbox::new())
    }

    pub(super) async fn run(&self, given: Given) -> Result<Ran, ToolFailure> {
        let files = given.files.into_iter().map(|file| FileIn {
            name: file.name,
            bytes: file.bytes,
        });
        let job = Job {
            stdin: given.stdin,
            files: files.collect(),
            wanted: given.wanted,
            limits: limits(given.timeout),
            ..Job::new(code(given.code)?)
        };
        let ended = self.0.run(job).await;
        Ok(ended.map_err(not_run)?.into())
    }
}

fn code(code: String) -> Result<Code, ToolFailure> {
    let Some(module) = code.strip_prefix(MODULE_PREFIX) else {
        return Ok(Code::Text(code));
    };
    BASE64_STANDARD
        .decode(module.trim())
        .map(Code::Binary)
        .map_err(|error| ToolFailure::bad_input(format!("`code`: {error}")))
}

fn limits(timeout: Duration) -> Limits {
    Limits {
        fuel: FUEL_PER_SECOND_MAX.saturating_mul(timeout.as_secs().saturating_add(1)),
        wall: timeout,
        output_bytes: STREAM_BYTES_MAX,
        collected_bytes: FILES_OUT_BYTES_MAX as u64,
        ..Limits::default()
    }
}

fn not_run(failure: RunFailure) -> ToolFailure {
    match failure {
        RunFailure::BadJob(bad) => ToolFailure::bad_input(bad.to_string()),
        failure @ RunFailure::BadModule { .. } => ToolFailure::bad_input(failure.to_string()),
        failure @ RunFailure::Trouble { .. } => ToolFailure::temporary(failure.to_string()),
    }
}

impl From<Ended> for Ran {
    fn from(ended: Ended) -> Self {
        let end = match ended.end {
            WasmEnd::Exit(code) => End::Code(code),
            WasmEnd::Limit(LimitReached::Wall { .. }) => End::TimedOut,
            WasmEnd::Limit(limit) => End::Stopped {
                how: format!("was killed: {limit}"),
            },
            WasmEnd::Trap { why } => End::Stopped {
                how: format!("failed: {why}"),
            },
        };
        let files = ended.files.into_iter().map(|file| FileOut {
            name: file.name,
            content: match file.content {
                Collected::Bytes(bytes) => Taken::Bytes(bytes),
                Collected::Missing => Taken::Refused(FileRefused::Missing),
                Collected::TooLarge { bytes, max } => {
                    Taken::Refused(FileRefused::TooLarge { bytes, max })
                }
            },
        });
        Self {
            end,
            stdout: captured(ended.stdout),
            stderr: captured(ended.stderr),
            files: files.collect(),
        }
    }
}

fn captured(stream: Stream) -> Captured {
    Captured {
        kept: stream.bytes,
        left_out: stream.left_out,
    }
}

#[cfg(test)]
#[path = "wasm_tests.rs"]
mod tests;
