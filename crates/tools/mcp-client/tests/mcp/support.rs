use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use adjutant_mcp_client::{
    Allowed, Keeper, Reach, RemoteTool, Secret, ServerSettings, Servers, Standing,
};
use adjutant_mission::{EffectClass, EffectId, EffectNumber, Lease, MissionId, TenantId};
use adjutant_tools::{Call, Tool, ToolFailure};
use serde_json::Value;

pub(crate) fn settings(reach: Reach) -> ServerSettings {
    ServerSettings {
        name: "srv".into(),
        reach,
        allowed: Allowed::All,
        classes: BTreeMap::new(),
        prices: BTreeMap::new(),
        call_limit: Duration::from_secs(20),
        start_limit: Duration::from_secs(20),
    }
}

pub(crate) fn program(program: &str, arguments: &[&str]) -> Reach {
    let path = "/usr/local/bin:/usr/bin:/bin";
    Reach::Program {
        keeper: Keeper {
            program: PathBuf::from(env!("CARGO_BIN_EXE_adjutant-mcp-keeper")),
            arguments: Vec::new(),
        },
        program: program.into(),
        arguments: arguments.iter().map(|&text| text.to_owned()).collect(),
        environment: [("PATH", path), ("HOME", "/tmp")]
            .map(|(name, value)| (name.to_owned(), Secret::new(value)))
            .into(),
        folder: None,
    }
}

pub(crate) fn here(file: &str) -> String {
    format!("{}/tests/servers/{file}", env!("CARGO_MANIFEST_DIR"))
}

/// The operator says that `look` changes nothing.
pub(crate) fn looking(reach: Reach) -> ServerSettings {
    ServerSettings {
        classes: [("look".to_owned(), EffectClass::Pure)].into(),
        ..settings(reach)
    }
}

pub(crate) fn misbehaving(mode: &str) -> ServerSettings {
    looking(program("python3", &[&here("misbehaving.py"), mode]))
}

/// Where the servers of others are; they are installed by the first test that asks.
pub(crate) fn installed() -> PathBuf {
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../scripts/mcp-servers/install"
    );
    let done = Command::new("bash").arg(script).output().unwrap();
    let complaints = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{complaints}");
    PathBuf::from(String::from_utf8(done.stdout).unwrap().trim())
}

pub(crate) async fn standing(settings: ServerSettings) -> Standing {
    settings.check().unwrap();
    let servers = Servers::new(vec![settings]);
    servers.standings().await[0].clone()
}

pub(crate) async fn tools(settings: ServerSettings) -> Vec<RemoteTool> {
    standing(settings).await.tools.unwrap()
}

pub(crate) fn find<'a>(tools: &'a [RemoteTool], name: &str) -> &'a RemoteTool {
    let named = |tool: &&RemoteTool| tool.original_name() == name;
    let known: Vec<_> = tools.iter().map(RemoteTool::original_name).collect();
    tools
        .iter()
        .find(named)
        .unwrap_or_else(|| panic!("no {name} in {known:?}"))
}

pub(crate) async fn call(tool: &RemoteTool, arguments: Value) -> Result<Value, ToolFailure> {
    call_with(tool, arguments, Lease::default()).await
}

pub(crate) async fn call_with(
    tool: &RemoteTool,
    arguments: Value,
    lease: Lease,
) -> Result<Value, ToolFailure> {
    tool.call(Call {
        tenant: TenantId::new("local").unwrap(),
        effect: EffectId {
            mission: MissionId::from_bits(1),
            number: EffectNumber::new(1),
        },
        arguments,
        lease,
    })
    .await
}
