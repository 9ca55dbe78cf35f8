//! The tools for programs, wherever they come in: in the host's process, or in one that reaches a host.

use serde_json::Value;

use super::caller::Speaks;
use super::{HostSlot, ProgramCaller, ResourcePart, WorkflowPulse, Workflows, arguments, toolbox};
use crate::catalogue::{catalogue, catalogue_json};
use crate::error::AppError;
use crate::plan_checker::PlanChecker;
use crate::remedies;
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

/// A refusal in the words of the program that reads it: every answer to a program passes here.
fn in_words_of(caller: &ProgramCaller, mut error: AppError) -> AppError {
    for one in &mut error.complaints {
        one.message = remedies::in_words_of_program(&one.message).into_owned();
        one.help = match caller.speaks() {
            Speaks::Tools => remedies::for_program(&one.code, &one.help).into_owned(),
            // What names commands is replaced by the server.
            Speaks::Requests => {
                remedies::in_words_of_requests(&remedies::in_words_of_program(&one.help))
            }
        };
    }
    error
}

/// An answer in the words of the program that reads it. Only `next` is ours; everything else is the workflow's.
fn said_to(caller: &ProgramCaller, mut told: Value) -> Value {
    if caller.speaks() == Speaks::Requests
        && let Some(next) = told["next"].as_str()
    {
        told["next"] = remedies::in_words_of_requests(next).into();
    }
    told
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
        Box::pin(async move {
            // On the heap: the compiler's depth of nested calls is limited.
            let called = Box::pin(call_checked(self.workflows(), caller, tool, arguments)).await;
            called
                .map(|told| said_to(caller, told))
                .map_err(|error| in_words_of(caller, error))
        })
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
            let read = Box::pin(workflows.read_part(caller, workflow, resource, from)).await;
            read.map_err(|error| in_words_of(caller, error))
        })
    }

    fn pulse<'a>(
        &'a self,
        caller: &'a ProgramCaller,
        workflow: &'a str,
    ) -> UseCaseFuture<'a, WorkflowPulse> {
        Box::pin(async move {
            let pulse = Box::pin(self.workflows().pulse(caller, workflow)).await;
            pulse.map_err(|error| in_words_of(caller, error))
        })
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
