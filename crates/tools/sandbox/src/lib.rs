//! Runs programs that may be hostile, so that they can neither do harm nor learn anything.
//!
//! [`Sandbox`] starts a child process that runs [`supervise`]. That child has `bwrap` build namespaces of their own for
//! the job, holds it to its limits, collects its files and ends. The job's files live in memory that goes away with it,
//! so nothing is left to sweep. Without namespaces nothing is run: there is no weaker way (`adjutant-wasm-sandbox` is another one).
//!
//! **Invariant:** A program given to the sandbox runs in namespaces of its own, or not at all. There is no weaker fallback,
//! and nothing of the program outlives the process that asked for it.

mod ended;
mod job;
mod limits;
mod places;
mod protections;
mod sandbox;
mod supervise;
mod wire;

pub use ended::{Collected, Ended, Exit, FileOut, FileRefused, LimitReached, Stream, Used};
pub use job::{
    BadJob, FILES_IN_MAX, FILES_OUT_MAX, FileIn, Folder, Job, Language, Program, check_file_names,
    check_readable,
};
pub use limits::Limits;
pub use places::{JOB_FOLDER, find_program, link_out_of_sight};
pub use protections::{Protection, Protections, State};
pub use sandbox::{RunFailure, Sandbox};
pub use supervise::{SuperviseError, supervise};
