//! What plans are checked against: the tools and models of this installation, and the grammar of rules.

use std::path::Path;
use std::sync::Arc;

use adjutant_mcp_client::ConnectError;
use adjutant_mission::{Actor, AgentWork, Plan, TenantId, ToolId, ToolTable};
use adjutant_plans::{Checker, Loaded, PlanErrors, Unfit};
use adjutant_providers::Models;
use adjutant_questions::Purpose;
use adjutant_rules::Rule;
use adjutant_tools::Registry;
use serde_json::Value;

use crate::error::AppError;
use crate::settings::Settings;
use crate::{delegate_outputs, files, wiring};

#[derive(Debug)]
pub struct PlanChecker {
    registry: Registry,
    models: Arc<Models>,
    tenant: TenantId,
    me: Actor,
    /// MCP servers that are not there, and why.
    missing: Vec<(String, ConnectError)>,
}

impl PlanChecker {
    pub async fn new(settings: &Settings) -> Result<Self, AppError> {
        let registry = wiring::tools(settings).await?;
        let standings = settings.mcp.standings().await.iter();
        Ok(Self {
            registry,
            models: wiring::models(settings)?,
            tenant: settings.tenant.clone(),
            me: settings.actor(None),
            missing: standings
                .filter_map(|standing| {
                    let error = standing.tools.as_ref().err()?;
                    Some((standing.server.clone(), error.clone()))
                })
                .collect(),
        })
    }

    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Whether missions of this caller may call a tool.
    pub fn may_call(&self, caller: &Actor, tool: &ToolId) -> bool {
        self.registry.refusal(&self.tenant, caller, tool).is_none()
    }

    /// Every tool that missions of this caller may call.
    pub fn permitted_tools(&self, caller: &Actor) -> Vec<ToolId> {
        let tools = self.registry.manifests().map(|manifest| &manifest.id);
        tools
            .filter(|tool| self.may_call(caller, tool))
            .cloned()
            .collect()
    }

    /// What is wrong with a plan's file. A tool of a missing MCP server is reported as such.
    pub fn plan_error(&self, file: &str, text: &[u8], errors: PlanErrors) -> AppError {
        let mut failure = AppError::plan(file, text, errors);
        for complaint in &mut failure.complaints {
            let named = self.missing.iter().find(|(server, _)| {
                let tool = format!("there is no tool `{server}.");
                complaint.message.starts_with(&tool)
            });
            if let Some((server, error)) = named {
                let why = format!(": the MCP server `{server}` is not used: {error}");
                complaint.message.push_str(&why);
                complaint.help = error.help(server);
            }
        }
        failure
    }
}

impl Checker for PlanChecker {
    fn tools(&self, plan: &Plan) -> ToolTable {
        adjutant_effects::table(&self.registry, &*self.models, plan)
    }

    fn question(&self, agent: &AgentWork) -> Vec<(String, String, String)> {
        let name = agent.purpose.as_str();
        let Some(purpose) = Purpose::of_name(name) else {
            let names = Purpose::ALL.iter().map(|purpose| purpose.name());
            let names = names.collect::<Vec<_>>().join("`, `");
            let message = format!("unknown purpose `{name}`");
            let remedy = format!("Use one of `{names}`.");
            return vec![("agent".to_owned(), message, remedy)];
        };
        let with = serde_json::from_str(agent.with.text()).unwrap_or(Value::Null);
        let unfit = purpose.check_unresolved(&with).into_iter();
        unfit
            .map(|(path, message)| {
                let place = match path.as_str() {
                    "" => "with".to_owned(),
                    path => format!("with.{path}"),
                };
                let remedy = format!("See docs/models.md for the input of `{name}`.");
                (place, message, remedy)
            })
            .collect()
    }

    fn arguments(&self, tool: &ToolId, with: &Value) -> Vec<Unfit> {
        let refused = self.registry.refusal(&self.tenant, &self.me, tool);
        if let Some(told) = refused {
            return vec![Unfit::new("", told)];
        }
        let found = self.registry.check_arguments(tool, with).into_iter();
        found
            .map(|finding| Unfit {
                code: finding.code,
                ..Unfit::new(finding.path, finding.message)
            })
            .collect()
    }

    fn uses(&self, plan: &Plan) -> Vec<Unfit> {
        delegate_outputs::never_there(plan)
    }

    fn argument_schemas(&self) -> Vec<(ToolId, String, Value)> {
        let manifests = self.registry.manifests();
        manifests
            .map(|manifest| {
                (
                    manifest.id.clone(),
                    manifest.description.clone(),
                    manifest.input.clone(),
                )
            })
            .collect()
    }

    fn rule(&self, text: &str) -> Result<Vec<String>, String> {
        let rule = Rule::compile(text).map_err(|error| error.to_string())?;
        Ok(rule.variables())
    }
}

/// Reads and checks a plan file. Its size is looked at before it is read.
pub fn read_plan(path: &Path, checker: &PlanChecker) -> Result<Loaded, AppError> {
    let shown = path.display().to_string();
    let bytes = files::read(path, adjutant_plans::FILE_BYTES_MAX as u64)?;
    adjutant_plans::read(&bytes, checker)
        .map_err(|errors| checker.plan_error(&shown, &bytes, errors))
}
