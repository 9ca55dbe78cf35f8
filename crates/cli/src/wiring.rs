//! Putting the parts together: tools, the checker of plans, and the performer.

use std::path::Path;
use std::sync::Arc;

use adjutant_ask::{PromptError, Prompts, Purpose};
use adjutant_host::Clock;
use adjutant_mcp::ConnectError;
use adjutant_mission::{Actor, AgentWork, Plan, TenantId, ToolId, ToolTable};
use adjutant_models::{ModelParts, Models};
use adjutant_plans::{Checker, Loaded, PlanErrors};
use adjutant_policy::Rule;
use adjutant_sandbox::Sandbox;
use adjutant_tools::{Library, QUESTION_CHARS_MAX, Registry, RegistryError, ToolSettings};
use serde_json::Value;

use crate::failure::{Exit, Failure};
use crate::settings::Settings;

/// A prompt's file larger than this is something else.
const PROMPT_BYTES_MAX: u64 = 64 * 1024;

/// The first argument of the process that runs one program in the sandbox.
pub(crate) const SANDBOX_CHILD: &str = "__sandbox-child";

pub(crate) fn clock() -> Clock {
    Clock::system()
}

pub(crate) async fn tools(settings: &Settings) -> Result<Registry, Failure> {
    tools_with(settings, None).await
}

/// The tools of a host, which has a knowledge base. Those of MCP servers that are not there are left out.
pub(crate) async fn tools_with(
    settings: &Settings,
    library: Option<Arc<dyn Library>>,
) -> Result<Registry, Failure> {
    let mut registry = own_tools(settings, library)?;
    let standings = settings.mcp.standings().await;
    for standing in standings {
        for tool in standing.tools.iter().flatten() {
            registry
                .register(Box::new(tool.clone()))
                .map_err(no_tools)?;
        }
    }
    // The names of a server that is not there are not known.
    if standings.iter().all(|standing| standing.tools.is_ok()) {
        check_names(&registry)?;
    }
    Ok(registry)
}

/// The tools that need nobody else.
pub(crate) fn own_tools(
    settings: &Settings,
    library: Option<Arc<dyn Library>>,
) -> Result<Registry, Failure> {
    let clock = clock();
    let permissions = settings.tools.permissions.clone();
    let settings = ToolSettings {
        programs: settings.tools.programs.clone(),
        http_hosts: settings.tools.hosts.clone(),
        private_hosts: settings.tools.private_hosts.clone(),
        sites: settings.tools.sites.clone(),
        sandbox: sandbox(),
        command_sandbox: settings.tools.command_sandbox,
        library,
        recall_price: settings
            .models
            .settings
            .embedding_cost_max(4 * QUESTION_CHARS_MAX as u64),
        ..ToolSettings::new(settings.files.clone(), Arc::new(move || clock.now()))
    };
    let registry = Registry::builtin(settings).map_err(no_tools)?;
    Ok(registry.permitted_by(permissions))
}

pub(crate) fn sandbox() -> Option<Sandbox> {
    Some(Sandbox {
        program: std::env::current_exe().ok()?,
        arguments: vec![SANDBOX_CHILD.into()],
    })
}

/// A slip of the pen in a tool's name would permit or forbid nothing.
fn check_names(registry: &Registry) -> Result<(), Failure> {
    let known: Vec<_> = registry.manifests().map(|manifest| &manifest.id).collect();
    match registry.permissions().unknown(&known).first() {
        None => Ok(()),
        Some(unknown) => Err(Failure::new(
            Exit::BadInput,
            "ADJ-6084",
            format!("{unknown}, and no tool is called that"),
            "Correct it in the settings file; `adjutant tools list` has the names, and `*` stands for any ending.",
        )),
    }
}

fn no_tools(error: RegistryError) -> Failure {
    Failure::new(
        Exit::Trouble,
        "ADJ-6010",
        format!("the tools cannot start: {error}"),
        "Check the `[tools]` settings; if they are right, this is a defect of Adjutant.",
    )
}

/// Who answers questions to models.
pub(crate) fn models(settings: &Settings) -> Result<Arc<Models>, Failure> {
    let clock = clock();
    let of = &settings.models;
    of.check()?;
    let parts = ModelParts {
        settings: of.settings.clone(),
        keys: of.keys.clone(),
        prompts: prompts(settings)?,
        offline: adjutant_offline::answer,
        offline_notice: adjutant_offline::NOTICE,
        clock: Arc::new(move || clock.now()),
        // Without chance every repetition comes at the same time, and that is all.
        random: Arc::new(|| getrandom::u64().unwrap_or(0)),
        cassette: of.cassette.clone(),
    };
    Models::new(parts).map(Arc::new).map_err(|error| {
        let cause =
            std::error::Error::source(&error).map_or(String::new(), |why| format!(": {why}"));
        Failure::new(
            Exit::BadInput,
            "ADJ-6070",
            format!("the models cannot be asked: {error}{cause}"),
            "Check the `[models]` settings and ADJUTANT_CASSETTE.",
        )
    })
}

/// The prompts there are: the built-in ones, and in their place those of the data folder.
pub(crate) fn prompts(settings: &Settings) -> Result<Prompts, Failure> {
    let folder = &settings.models.prompts;
    let wrong = |error: PromptError| {
        let folder = folder.display();
        let help = format!("Mend its file in {folder}, or remove it to have the built-in one.");
        Failure::new(Exit::BadInput, "ADJ-6072", error.to_string(), help)
    };
    let mut prompts = Prompts::built_in().map_err(wrong)?;
    for &purpose in Purpose::ALL {
        let own = folder.join(format!("{}.md", purpose.name()));
        if own.is_file() {
            let bytes = read_file(&own, PROMPT_BYTES_MAX)?;
            let text = String::from_utf8_lossy(&bytes);
            prompts.replace(purpose, &text).map_err(wrong)?;
        }
    }
    Ok(prompts)
}

pub(crate) fn purpose(name: &str) -> Result<Purpose, Failure> {
    Purpose::of_name(name).ok_or_else(|| {
        let known = Purpose::ALL.iter().map(|purpose| purpose.name());
        let known = known.collect::<Vec<_>>().join(", ");
        Failure::new(
            Exit::BadInput,
            "ADJ-6073",
            format!("there is no purpose `{name}`"),
            format!("Use one of {known}."),
        )
    })
}

/// What plans are checked against: the tools there are, and the grammar of rules.
pub(crate) struct Known {
    registry: Registry,
    models: Arc<Models>,
    tenant: TenantId,
    me: Actor,
    /// MCP servers that are not there, and why.
    missing: Vec<(String, ConnectError)>,
}

impl Known {
    pub(crate) async fn new(settings: &Settings) -> Result<Self, Failure> {
        let registry = tools(settings).await?;
        let standings = settings.mcp.standings().await.iter();
        Ok(Self {
            registry,
            models: models(settings)?,
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

    /// Whether a mission of ours may call a tool.
    pub(crate) fn may_call(&self, tool: &ToolId) -> bool {
        self.registry
            .refusal(&self.tenant, &self.me, tool)
            .is_none()
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Whether a mission of this person may call a tool.
    pub(crate) fn may_be_called_by(&self, by: &Actor, tool: &ToolId) -> bool {
        self.registry.refusal(&self.tenant, by, tool).is_none()
    }

    /// What is wrong with a plan's file. A tool that is not known because its server is not there is told as that.
    pub(crate) fn failure(&self, file: &str, text: &[u8], errors: PlanErrors) -> Failure {
        let mut failure = Failure::plan(file, text, errors);
        for complaint in &mut failure.complaints {
            let named = self.missing.iter().find(|(server, _)| {
                let tool = format!("there is no tool `{server}.");
                complaint.message.starts_with(&tool)
            });
            if let Some((server, error)) = named {
                let why = format!(": the MCP server `{server}` is left out: {error}");
                complaint.message.push_str(&why);
                complaint.help = error.help(server);
            }
        }
        failure
    }
}

impl Checker for Known {
    fn tools(&self, plan: &Plan) -> ToolTable {
        adjutant_perform::table(&self.registry, &*self.models, plan)
    }

    fn question(&self, agent: &AgentWork) -> Vec<(String, String, String)> {
        let name = agent.purpose.as_str();
        let Some(purpose) = Purpose::of_name(name) else {
            let known = Purpose::ALL.iter().map(|purpose| purpose.name());
            let known = known.collect::<Vec<_>>().join("`, `");
            let message = format!("there is no purpose `{name}`");
            let remedy = format!("Use one of `{known}`.");
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
                let remedy = format!("See docs/models.md for what `{name}` is asked with.");
                (place, message, remedy)
            })
            .collect()
    }

    fn arguments(&self, tool: &ToolId, with: &Value) -> Vec<(String, String)> {
        let refused = self.registry.refusal(&self.tenant, &self.me, tool);
        match refused {
            Some(told) => vec![(String::new(), told)],
            None => self.registry.check_arguments(tool, with),
        }
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
pub(crate) fn read_plan(path: &Path, known: &Known) -> Result<Loaded, Failure> {
    let shown = path.display().to_string();
    let bytes = read_file(path, adjutant_plans::FILE_BYTES_MAX as u64)?;
    adjutant_plans::read(&bytes, known).map_err(|errors| known.failure(&shown, &bytes, errors))
}

/// A whole file, if it is one and not too large.
pub(crate) fn read_file(path: &Path, bytes_max: u64) -> Result<Vec<u8>, Failure> {
    let shown = path.display();
    let failed = |error: std::io::Error| {
        let (code, message, help) = match error.kind() {
            std::io::ErrorKind::NotFound => (
                "ADJ-6011",
                format!("there is no file {shown}"),
                "Check the path; it is seen from the current folder.",
            ),
            std::io::ErrorKind::PermissionDenied => (
                "ADJ-6012",
                format!("{shown} may not be read"),
                "Give yourself leave to read the file.",
            ),
            _ => (
                "ADJ-6012",
                format!("{shown} cannot be read: {error}"),
                "Check the file and its disk.",
            ),
        };
        Failure::new(Exit::BadInput, code, message, help)
    };
    let found = std::fs::metadata(path).map_err(failed)?;
    if found.is_dir() {
        return Err(Failure::new(
            Exit::BadInput,
            "ADJ-6013",
            format!("{shown} is a folder"),
            "Name a file in it.",
        ));
    }
    if found.len() > bytes_max {
        return Err(Failure::new(
            Exit::BadInput,
            "ADJ-1101",
            format!(
                "{shown} has {} bytes; the limit is {bytes_max}",
                found.len()
            ),
            "Split it, or keep bulk data in files that tasks read.",
        ));
    }
    use std::io::Read as _;
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    // A pipe or device has no size to look at before.
    file.take(bytes_max + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(bytes)
}
