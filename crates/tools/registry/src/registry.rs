//! Which tools there are, with their schemas compiled. Fixed once a host runs: nothing here changes by itself.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use adjutant_mission::{Actor, Plan, TenantId, ToolId, ToolTable};
use serde_json::Value;

use crate::{
    Finding, Manifest, Permissions, References, Schema, SchemaError, Tool, ToolSettings, builtin,
};

/// How many near names a message about an unknown tool lists at most.
const LISTED_MAX: usize = 30;

#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    #[error("there are two tools called `{id}`: give one of them another id")]
    Twice { id: ToolId },
    #[error("the {which} schema of tool `{id}` is not a usable JSON Schema")]
    Schema {
        id: ToolId,
        which: &'static str,
        source: SchemaError,
    },
    #[error("the built-in tools cannot start: {message}")]
    Builtin { message: String },
}

/// A tool with its schemas compiled.
pub struct Registered {
    tool: Box<dyn Tool>,
    input: Schema,
    output: Option<Schema>,
}

impl Registered {
    pub fn tool(&self) -> &dyn Tool {
        self.tool.as_ref()
    }

    pub fn manifest(&self) -> &Manifest {
        self.tool.manifest()
    }

    pub fn input(&self) -> &Schema {
        &self.input
    }

    /// What is wrong with arguments: what the schema says of them, and if they fit it, what the tool says.
    pub fn check(&self, arguments: &Value, references: References) -> Vec<Finding> {
        let unfit = match references {
            References::Open => self.input.check_unresolved(arguments),
            References::Resolved => self.input.check(arguments),
        };
        match unfit.is_empty() {
            true => self.tool.check(arguments, references),
            false => unfit,
        }
    }

    pub fn output(&self) -> Option<&Schema> {
        self.output.as_ref()
    }
}

impl fmt::Debug for Registered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Registered")
            .field(&self.manifest().id)
            .finish()
    }
}

#[derive(Debug, Clone, Default)]
pub struct Registry {
    tools: BTreeMap<ToolId, Arc<Registered>>,
    permissions: Permissions,
}

impl Registry {
    pub fn new() -> Self {
        Self::default()
    }

    /// All built-in tools.
    pub fn builtin(settings: ToolSettings) -> Result<Self, RegistryError> {
        let mut registry = Self::new();
        for tool in builtin::all(&settings)? {
            registry.register(tool)?;
        }
        Ok(registry)
    }

    pub fn register(&mut self, tool: Box<dyn Tool>) -> Result<(), RegistryError> {
        let manifest = tool.manifest();
        let id = manifest.id.clone();
        if self.tools.contains_key(&id) {
            return Err(RegistryError::Twice { id });
        }
        let compile = |schema: &Value, which| {
            Schema::compile(schema).map_err(|source| RegistryError::Schema {
                id: id.clone(),
                which,
                source,
            })
        };
        let input = compile(&manifest.input, "input")?;
        let output = match &manifest.output {
            Some(schema) => Some(compile(schema, "output")?),
            None => None,
        };
        let registered = Registered {
            tool,
            input,
            output,
        };
        self.tools.insert(id, Arc::new(registered));
        Ok(())
    }

    #[must_use]
    pub fn permitted_by(self, permissions: Permissions) -> Self {
        Self {
            permissions,
            ..self
        }
    }

    pub fn permissions(&self) -> &Permissions {
        &self.permissions
    }

    /// Why a plan of somebody may not be, each tool that it calls and that is not permitted in a sentence.
    pub fn refusals(&self, tenant: &TenantId, by: &Actor, plan: &Plan) -> Vec<String> {
        let called = self.tools.keys().filter(|tool| plan.uses_tool(tool));
        called
            .filter_map(|tool| self.refusal(tenant, by, tool))
            .collect()
    }

    /// Why somebody may not have a tool called.
    pub fn refusal(&self, tenant: &TenantId, by: &Actor, tool: &ToolId) -> Option<String> {
        let manifest = self.tools.get(tool)?.manifest();
        let permissions = &self.permissions;
        let refused = permissions.refusal(tenant, manifest);
        refused.or_else(|| permissions.role_refusal(tenant, by.role.as_ref(), manifest))
    }

    pub fn get(&self, id: &str) -> Option<&Arc<Registered>> {
        self.tools.get(id)
    }

    /// In order of their ids.
    pub fn manifests(&self) -> impl Iterator<Item = &Manifest> {
        self.tools.values().map(|registered| registered.manifest())
    }

    /// The facts the machine records when a mission opens.
    pub fn table(&self) -> ToolTable {
        self.tools
            .iter()
            .map(|(id, registered)| (id.clone(), registered.manifest().facts()))
            .collect()
    }

    /// What is wrong with a plan's arguments for `tool`, as far as that shows before references resolve.
    pub fn check_arguments(&self, tool: &ToolId, arguments: &Value) -> Vec<Finding> {
        match self.tools.get(tool) {
            Some(registered) => registered.check(arguments, References::Open),
            None => vec![Finding {
                path: String::new(),
                message: self.unknown(tool.as_str()),
                code: None,
            }],
        }
    }

    /// A sentence for someone who named a tool that is not here.
    pub fn unknown(&self, id: &str) -> String {
        let known: Vec<_> = self
            .tools
            .keys()
            .take(LISTED_MAX)
            .map(ToolId::as_str)
            .collect();
        format!("there is no tool `{id}`; available: {}", known.join(", "))
    }
}

#[cfg(test)]
#[path = "registry_tests.rs"]
mod tests;
