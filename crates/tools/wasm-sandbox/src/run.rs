//! The async side: runs a job on a thread of its own, and calls it off when nobody waits for it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;
use tokio::sync::Semaphore;

use crate::interpreter::{self, NotRun};
use crate::{BadJob, Ended, Job};

/// Jobs take memory and processor time of this process; more than these wait for their turn.
pub const JOBS_AT_ONCE_MAX: usize = 4;

/// Runs jobs, each on a thread for blocking work. Clones share their turns.
#[derive(Debug, Clone)]
pub struct WasmSandbox {
    turns: Arc<Semaphore>,
}

#[derive(Debug, Error)]
pub enum RunFailure {
    #[error(transparent)]
    BadJob(#[from] BadJob),
    #[error("the module cannot be run: {why}")]
    BadModule { why: String },
    #[error("the interpreter failed: {why}")]
    Trouble { why: String },
}

impl Default for WasmSandbox {
    fn default() -> Self {
        Self::new()
    }
}

impl WasmSandbox {
    pub fn new() -> Self {
        Self {
            turns: Arc::new(Semaphore::new(JOBS_AT_ONCE_MAX)),
        }
    }

    /// Runs a job to its end. When this is dropped, the job ends within a slice of fuel.
    pub async fn run(&self, job: Job) -> Result<Ended, RunFailure> {
        job.check()?;
        let trouble = |why: String| RunFailure::Trouble { why };
        let turn = Arc::clone(&self.turns)
            .acquire_owned()
            .await
            .map_err(|closed| trouble(closed.to_string()))?;
        let caller = Caller(Arc::new(AtomicBool::new(false)));
        let gone = Arc::clone(&caller.0);
        let thread = tokio::task::spawn_blocking(move || {
            // A job that was called off keeps its turn until it has really ended.
            let _turn = turn;
            interpreter::run(job, &gone)
        });
        let ended = thread.await.map_err(|error| trouble(error.to_string()))?;
        ended.map_err(|not_run| match not_run {
            NotRun::BadModule(why) => RunFailure::BadModule { why },
            NotRun::CalledOff => trouble("the job was cancelled".into()),
            NotRun::Trouble(why) => trouble(why),
        })
    }
}

struct Caller(Arc<AtomicBool>);

impl Drop for Caller {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
