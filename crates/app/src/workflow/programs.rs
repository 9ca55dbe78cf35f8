//! The tools for programs, wherever they come in: in the host's process, or in one that reaches a host.

use serde_json::Value;

use super::{HostSlot, ProgramCaller, Workflows};
use crate::catalogue::{catalogue, catalogue_json};
use crate::error::AppError;
use crate::plan_checker::PlanChecker;
use crate::settings::Settings;
use crate::use_cases::{App, UseCaseFuture, UseCases as _};

/// Does what programs ask for.
pub trait ProgramTools: Send + Sync + 'static {
    fn call<'a>(
        &'a self,
        caller: &'a ProgramCaller,
        tool: &'a str,
        arguments: Value,
    ) -> UseCaseFuture<'a, Value>;

    /// The missions that can be started.
    fn mission_kinds(&self) -> Result<Value, AppError>;
}

impl ProgramTools for App {
    fn call<'a>(
        &'a self,
        caller: &'a ProgramCaller,
        tool: &'a str,
        arguments: Value,
    ) -> UseCaseFuture<'a, Value> {
        Box::pin(async move { self.workflows().call(caller, tool, arguments).await })
    }

    fn mission_kinds(&self) -> Result<Value, AppError> {
        self.catalogue()
    }
}

/// The tools in a process of their own, for as long as a client is connected.
#[derive(Debug)]
pub struct ReachingTools {
    settings: Settings,
    checker: PlanChecker,
    slot: HostSlot,
}

impl ReachingTools {
    pub async fn new(settings: Settings) -> Result<Self, AppError> {
        Ok(Self {
            checker: PlanChecker::new(&settings).await?,
            settings,
            slot: HostSlot::default(),
        })
    }

    pub fn slot(&self) -> &HostSlot {
        &self.slot
    }
}

impl ProgramTools for ReachingTools {
    fn call<'a>(
        &'a self,
        caller: &'a ProgramCaller,
        tool: &'a str,
        arguments: Value,
    ) -> UseCaseFuture<'a, Value> {
        Box::pin(async move {
            let workflows = Workflows::reaching(&self.settings, &self.checker, &self.slot);
            workflows.call(caller, tool, arguments).await
        })
    }

    fn mission_kinds(&self) -> Result<Value, AppError> {
        Ok(catalogue_json(&catalogue(&self.settings)?))
    }
}
