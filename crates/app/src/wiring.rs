//! Puts the parts of an installation together: tools, models, prompts, sandbox.

use std::sync::Arc;

use adjutant_delegates::{
    DelegateSettings, DelegateTool, Reach, ResultShape, RunHistory, TOOL_PREFIX, ToolDelegate,
};
use adjutant_host::Clock;
use adjutant_mcp_client::Standing;
use adjutant_mission::{EffectClass, Lease, MicroUsd};
use adjutant_providers::{ModelParts, Models};
use adjutant_questions::{PromptError, Prompts, Purpose};
use adjutant_sandbox::Sandbox;
use adjutant_tools::{Library, QUESTION_CHARS_MAX, Registry, RegistryError, Tool, ToolSettings};

use crate::error::{AppError, ErrorKind};
use crate::repeat::ScheduleRepeat;
use crate::settings::Settings;
use crate::{files, report_tools};

/// A prompt's file larger than this is something else.
const PROMPT_BYTES_MAX: u64 = 64 * 1024;

/// The first argument of the process that runs one program in the sandbox.
pub const SANDBOX_CHILD: &str = "__sandbox-child";

pub fn clock() -> Clock {
    Clock::system()
}

/// What tools have of a host; nothing where plans are only checked.
#[derive(Debug, Clone, Default)]
pub struct HostParts {
    pub library: Option<Arc<dyn Library>>,
    pub runs: Option<Arc<dyn RunHistory>>,
}

pub async fn tools(settings: &Settings) -> Result<Registry, AppError> {
    tools_with(settings, HostParts::default()).await
}

/// The tools of a host, which has a knowledge base. Those of MCP servers that are not there are left out.
pub async fn tools_with(settings: &Settings, parts: HostParts) -> Result<Registry, AppError> {
    let mut registry = own_tools(settings, parts)?;
    let standings = settings.mcp.standings().await;
    for standing in standings {
        for tool in standing.tools.iter().flatten() {
            registry
                .register(Box::new(tool.clone()))
                .map_err(no_tools)?;
        }
    }
    for delegate in &settings.delegates {
        if let Reach::Tool { tool, argument } = &delegate.reach {
            let made = tool_delegate(settings, delegate, tool, argument, standings)?;
            registry.register(made).map_err(no_tools)?;
        }
    }
    // The names of a server that is not there are not known.
    if standings.iter().all(|standing| standing.tools.is_ok()) {
        check_names(&registry)?;
    }
    Ok(registry)
}

/// The tools that need nobody else.
pub fn own_tools(settings: &Settings, parts: HostParts) -> Result<Registry, AppError> {
    let clock = clock();
    let permissions = settings.tools.permissions.clone();
    let delegates = settings.delegates.clone();
    let settings = ToolSettings {
        programs: settings.tools.programs.clone(),
        http_hosts: settings.tools.hosts.clone(),
        private_hosts: settings.tools.private_hosts.clone(),
        sites: settings.tools.sites.clone(),
        sandbox: sandbox(),
        command_sandbox: settings.tools.command_sandbox,
        library: parts.library,
        recall_price: settings
            .models
            .settings
            .embedding_cost_max(4 * QUESTION_CHARS_MAX as u64),
        ..ToolSettings::new(settings.files.clone(), Arc::new(move || clock.now()))
    };
    let mut registry = Registry::builtin(settings).map_err(no_tools)?;
    for tool in report_tools::all().map_err(no_tools)? {
        registry.register(tool).map_err(no_tools)?;
    }
    // Those that are tools of MCP servers come with the servers.
    let programs = delegates
        .into_iter()
        .filter(|delegate| !matches!(delegate.reach, Reach::Tool { .. }));
    for delegate in programs {
        let tool = DelegateTool::new(delegate, sandbox(), parts.runs.clone()).map_err(no_tools)?;
        registry.register(Box::new(tool)).map_err(no_tools)?;
    }
    let repeat = ScheduleRepeat::new(Arc::new(move || clock.now())).map_err(no_tools)?;
    registry.register(Box::new(repeat)).map_err(no_tools)?;
    Ok(registry.permitted_by(permissions))
}

/// What a delegate needs and is not here, as far as that shows without running it.
pub fn missing_for(delegate: &DelegateSettings, standings: &[Standing]) -> Option<String> {
    let Reach::Tool { tool, .. } = &delegate.reach else {
        return delegate.missing();
    };
    let server = tool.split_once('.').map_or("", |(server, _)| server);
    match standings.iter().find(|standing| standing.server == server) {
        None => Some(format!(
            "its tool is `{tool}`, and there is no MCP server `{server}`: add [mcp.{server}] to the settings"
        )),
        Some(standing) => match &standing.tools {
            Err(error) => Some(format!(
                "its tool is `{tool}`, and the MCP server `{server}` is not used: {error}"
            )),
            Ok(tools) => {
                let is_there = tools
                    .iter()
                    .any(|known| known.manifest().id.as_str() == tool);
                (!is_there).then(|| {
                    format!("the MCP server `{server}` has no tool `{tool}` that may be used")
                })
            }
        },
    }
}

/// Refuses a tool that stands for a delegate which cannot be used here, and says what is missing.
pub async fn check_delegate(settings: &Settings, tool: &str) -> Result<(), AppError> {
    let delegate = tool.strip_prefix(TOOL_PREFIX).and_then(|name| {
        let mut delegates = settings.delegates.iter();
        delegates.find(|delegate| delegate.name == name)
    });
    let Some(delegate) = delegate else {
        return Ok(());
    };
    match missing_for(delegate, settings.mcp.standings().await) {
        None => Ok(()),
        Some(missing) => Err(AppError::new(
            ErrorKind::Unavailable,
            "ADJ-6301",
            format!("the delegate `{}` cannot be used: {missing}", delegate.name),
            "Install or set it; `adjutant doctor` shows what is missing. See docs/delegation.md.",
        )),
    }
}

/// A delegate that is a tool of an MCP server. If the tool is not there, its calls say so.
fn tool_delegate(
    settings: &Settings,
    delegate: &DelegateSettings,
    tool: &str,
    argument: &str,
    standings: &[Standing],
) -> Result<Box<dyn Tool>, AppError> {
    let mut tools = standings
        .iter()
        .flat_map(|standing| standing.tools.iter().flatten());
    if let Some(found) = tools.find(|known| known.manifest().id.as_str() == tool) {
        let shape = match found.promises_data() {
            true => ResultShape::Data,
            false => ResultShape::Message,
        };
        let delegate = ToolDelegate::new(delegate, argument, Box::new(found.clone()), shape);
        return Ok(Box::new(delegate.map_err(no_tools)?));
    }
    let why = missing_for(delegate, standings)
        .unwrap_or_else(|| format!("no MCP server here has the tool `{tool}`"));
    // What it would be if it were there, and otherwise the strictest, as for every tool of a server.
    let expected = settings.mcp.expected(tool);
    let (class, price) = expected.unwrap_or((EffectClass::Once, MicroUsd::ZERO));
    let missing = DelegateTool::missing(delegate, class, price, why).map_err(no_tools)?;
    Ok(Box::new(missing))
}

pub fn sandbox() -> Option<Sandbox> {
    Some(Sandbox {
        program: std::env::current_exe().ok()?,
        arguments: vec![SANDBOX_CHILD.into()],
    })
}

/// A slip of the pen in a tool's name would permit or forbid nothing.
fn check_names(registry: &Registry) -> Result<(), AppError> {
    let known: Vec<_> = registry.manifests().map(|manifest| &manifest.id).collect();
    match registry.permissions().unknown(&known).first() {
        None => Ok(()),
        Some(unknown) => Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6084",
            format!("{unknown}, but no tool has this name"),
            "Correct it in the settings file; `adjutant tools list` shows the names, and `*` matches any ending.",
        )),
    }
}

fn no_tools(error: RegistryError) -> AppError {
    AppError::new(
        ErrorKind::Unavailable,
        "ADJ-6010",
        format!("the tools cannot start: {error}"),
        "Check the `[tools]` settings; if they are right, this is a defect of Adjutant.",
    )
}

/// Who answers questions to models.
pub fn models(settings: &Settings) -> Result<Arc<Models>, AppError> {
    models_with_lease(settings, Lease::default())
}

/// The models of a host, which asks only while its lease holds.
pub fn models_with_lease(settings: &Settings, lease: Lease) -> Result<Arc<Models>, AppError> {
    let clock = clock();
    let of = &settings.models;
    of.check()?;
    let parts = ModelParts {
        settings: of.settings.clone(),
        keys: of.keys.clone(),
        prompts: prompts(settings)?,
        offline: adjutant_rule_answers::answer,
        offline_notice: adjutant_rule_answers::NOTICE,
        clock: Arc::new(move || clock.now()),
        // Without chance every repetition comes at the same time, and that is all.
        random: Arc::new(|| getrandom::u64().unwrap_or(0)),
        cassette: of.cassette.clone(),
    };
    let models = Models::new(parts).map(|models| Arc::new(models.with_lease(lease)));
    models.map_err(|error| {
        let cause =
            std::error::Error::source(&error).map_or(String::new(), |why| format!(": {why}"));
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6070",
            format!("the models cannot be used: {error}{cause}"),
            "Check the `[models]` settings and ADJUTANT_CASSETTE.",
        )
    })
}

/// The prompts there are: the built-in ones, and in their place those of the data folder.
pub fn prompts(settings: &Settings) -> Result<Prompts, AppError> {
    let folder = &settings.models.prompts;
    let wrong = |error: PromptError| {
        let folder = folder.display();
        let help = format!("Fix its file in {folder}, or remove it to use the built-in one.");
        AppError::new(ErrorKind::BadInput, "ADJ-6072", error.to_string(), help)
    };
    let mut prompts = Prompts::built_in().map_err(wrong)?;
    for &purpose in Purpose::ALL {
        let own = folder.join(format!("{}.md", purpose.name()));
        if own.is_file() {
            let bytes = files::read(&own, PROMPT_BYTES_MAX)?;
            let text = String::from_utf8_lossy(&bytes);
            prompts.replace(purpose, &text).map_err(wrong)?;
        }
    }
    let duties = adjutant_catalogue::ROSTER
        .iter()
        .map(|agent| (agent.id.to_owned(), agent.about.to_owned()));
    Ok(prompts.with_duties(duties))
}

pub fn purpose(name: &str) -> Result<Purpose, AppError> {
    Purpose::of_name(name).ok_or_else(|| {
        let known = Purpose::ALL.iter().map(|purpose| purpose.name());
        let known = known.collect::<Vec<_>>().join(", ");
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6073",
            format!("unknown purpose `{name}`"),
            format!("Use one of {known}."),
        )
    })
}
