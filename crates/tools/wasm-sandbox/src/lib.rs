//! Runs WebAssembly that may be hostile, in an interpreter inside this process. It needs nothing of the machine.
//!
//! A job is a WASI preview-1 command. It sees a folder in memory, its standard streams, a clock that stands still and
//! random numbers from a seed, so the same job gives the same result. It never reaches a file, a process, the network or
//! the time of this machine: no function that could is linked.

mod ended;
mod interpreter;
mod job;
mod run;
mod wasi;

pub use ended::{Collected, End, Ended, FileOut, LimitReached, Stream, Used};
pub use job::{BadJob, Code, FILES_IN_MAX, FILES_OUT_MAX, FileIn, Job, Limits, MODULE_BYTES_MAX};
pub use run::{JOBS_AT_ONCE_MAX, RunFailure, WasmSandbox};
