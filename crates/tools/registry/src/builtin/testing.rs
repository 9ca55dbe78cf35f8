//! Calls tools in tests the way a host does: through the registry, with checked arguments.

use std::path::Path;
use std::sync::Arc;

use adjutant_mission::{EffectId, EffectNumber, Lease, MissionId, TenantId, Timestamp};
use serde_json::Value;

use crate::settings::TENANT_DEFAULT;
use crate::{AllowedHosts, Call, CommandSandbox, Registry, ToolFailure, ToolSettings};

pub(crate) const NOW: Timestamp = Timestamp(1_750_000_000_000);

pub(crate) fn effect(number: u32) -> EffectId {
    EffectId {
        mission: MissionId::from_bits(7),
        number: EffectNumber::new(number),
    }
}

pub(crate) fn settings(folder: &Path) -> ToolSettings {
    let mut settings = ToolSettings::new(folder, Arc::new(|| NOW));
    settings.programs = vec!["/bin/sh".into(), "cat".into(), "no-such-program".into()];
    settings.private_hosts = vec!["127.0.0.1".into(), "localhost".into()];
    // What runs in the sandbox is tested in `tests/`, where there is a program to start one with.
    settings.command_sandbox = CommandSandbox::Off;
    settings
}

pub(crate) fn only(hosts: &[&str]) -> AllowedHosts {
    AllowedHosts::Only(hosts.iter().map(|host| (*host).to_owned()).collect())
}

pub(crate) async fn call(
    settings: ToolSettings,
    tool: &str,
    arguments: Value,
) -> Result<Value, ToolFailure> {
    call_with(settings, tool, arguments, Lease::default()).await
}

pub(crate) async fn call_of(
    tenant: &str,
    settings: ToolSettings,
    tool: &str,
    arguments: Value,
) -> Result<Value, ToolFailure> {
    let tenant = TenantId::new(tenant).unwrap();
    perform(tenant, settings, tool, arguments, Lease::default()).await
}

pub(crate) async fn call_with(
    settings: ToolSettings,
    tool: &str,
    arguments: Value,
    lease: Lease,
) -> Result<Value, ToolFailure> {
    let tenant = TenantId::new(TENANT_DEFAULT).unwrap();
    perform(tenant, settings, tool, arguments, lease).await
}

async fn perform(
    tenant: TenantId,
    settings: ToolSettings,
    tool: &str,
    arguments: Value,
    lease: Lease,
) -> Result<Value, ToolFailure> {
    let registry = Registry::builtin(settings).unwrap();
    let registered = registry.get(tool).unwrap();
    assert_eq!(
        registered.input().check(&arguments),
        [],
        "arguments of the test"
    );
    let call = Call {
        tenant,
        effect: effect(1),
        arguments,
        lease,
    };
    let result = registered.tool().call(call).await;
    if let (Ok(value), Some(schema)) = (&result, registered.output()) {
        assert_eq!(schema.check(value), [], "result by the tool's own schema");
    }
    result
}

pub(crate) fn failure(result: Result<Value, ToolFailure>) -> String {
    match result {
        Ok(value) => panic!("should fail, gave {value}"),
        Err(ToolFailure::Deferred { until }) => format!("Deferred {}", until.0 - NOW.0),
        Err(ToolFailure::Failed { kind, message }) => format!("{kind:?}: {message}"),
    }
}
