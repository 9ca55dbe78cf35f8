//! The tools for programs, wherever they come in: in the host's process, or in one that reaches a host.

use serde_json::Value;

use super::{HostSlot, ProgramCaller, ResourcePart, WorkflowPulse, Workflows, arguments, toolbox};
use crate::catalogue::{catalogue, catalogue_json};
use crate::error::AppError;
use crate::plan_checker::PlanChecker;
use crate::settings::Settings;
use crate::suggestion::Suggestions;
use crate::use_cases::{App, UseCaseFuture, UseCases as _};

/// Does what programs ask for.
pub trait ProgramTools: Send + Sync + 'static {
    fn call<'a>(
        &'a self,
        caller: &'a ProgramCaller,
        tool: &'a str,
        arguments: Value,
    ) -> UseCaseFuture<'a, Value>;

    /// A part of what there is to read of a mission.
    fn read_part<'a>(
        &'a self,
        caller: &'a ProgramCaller,
        workflow: &'a str,
        resource: &'a str,
        from: u64,
    ) -> UseCaseFuture<'a, ResourcePart>;

    /// When a workflow began and changed last, and how often it rested.
    fn pulse<'a>(
        &'a self,
        caller: &'a ProgramCaller,
        workflow: &'a str,
    ) -> UseCaseFuture<'a, WorkflowPulse>;

    /// The missions that can be started.
    fn mission_kinds(&self) -> Result<Value, AppError>;
}

/// Calls a tool with arguments that fit its schema. Whoever may not call it is told that, and nothing of its arguments.
async fn call_checked(
    workflows: Workflows<'_>,
    caller: &ProgramCaller,
    tool: &str,
    mut arguments: Value,
) -> Result<Value, AppError> {
    if let Some(known) = toolbox::find(tool)
        && caller.may(known.right)
    {
        arguments::check(&(known.schema)(), &mut arguments)?;
    }
    workflows.call(caller, tool, arguments).await
}

/// Where the workflows are that programs ask about.
trait HasWorkflows: Send + Sync + 'static {
    fn workflows(&self) -> Workflows<'_>;

    fn mission_kinds(&self) -> Result<Value, AppError>;
}

impl<T: HasWorkflows> ProgramTools for T {
    fn call<'a>(
        &'a self,
        caller: &'a ProgramCaller,
        tool: &'a str,
        arguments: Value,
    ) -> UseCaseFuture<'a, Value> {
        Box::pin(call_checked(self.workflows(), caller, tool, arguments))
    }

    fn read_part<'a>(
        &'a self,
        caller: &'a ProgramCaller,
        workflow: &'a str,
        resource: &'a str,
        from: u64,
    ) -> UseCaseFuture<'a, ResourcePart> {
        Box::pin(async move {
            let workflows = self.workflows();
            // On the heap: the compiler's depth of nested calls is limited.
            Box::pin(workflows.read_part(caller, workflow, resource, from)).await
        })
    }

    fn pulse<'a>(
        &'a self,
        caller: &'a ProgramCaller,
        workflow: &'a str,
    ) -> UseCaseFuture<'a, WorkflowPulse> {
        Box::pin(async move { self.workflows().pulse(caller, workflow).await })
    }

    fn mission_kinds(&self) -> Result<Value, AppError> {
        HasWorkflows::mission_kinds(self)
    }
}

impl HasWorkflows for App {
    fn workflows(&self) -> Workflows<'_> {
        self.workflows()
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
    suggestions: Suggestions,
    slot: HostSlot,
}

impl ReachingTools {
    pub async fn new(settings: Settings) -> Result<Self, AppError> {
        Ok(Self {
            checker: PlanChecker::new(&settings).await?,
            settings,
            suggestions: Suggestions::default(),
            slot: HostSlot::default(),
        })
    }

    pub fn slot(&self) -> &HostSlot {
        &self.slot
    }
}

impl HasWorkflows for ReachingTools {
    fn workflows(&self) -> Workflows<'_> {
        Workflows::reaching(&self.settings, &self.checker, &self.suggestions, &self.slot)
    }

    fn mission_kinds(&self) -> Result<Value, AppError> {
        Ok(catalogue_json(&catalogue(&self.settings)?))
    }
}
