//! The sandbox as tools have it.

use adjutant_sandbox::{Ended, Job, RunFailure, Sandbox};

use crate::ToolSettings;

/// Runs jobs, or says why none are run here.
pub(super) struct Confined(Option<Sandbox>);

impl Confined {
    pub(super) fn new(settings: &ToolSettings) -> Self {
        Self(settings.sandbox.clone())
    }

    pub(super) async fn run(&self, job: Job) -> Result<Ended, RunFailure> {
        match &self.0 {
            Some(sandbox) => sandbox.run(job).await,
            None => Err(RunFailure::Unavailable {
                why: "this process has no way to start one".into(),
            }),
        }
    }
}
