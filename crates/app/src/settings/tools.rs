//! The `[tools]` settings: what tools may do, who may have them called, and how often.

use std::collections::BTreeMap;
use std::path::PathBuf;

use adjutant_mission::{MicroUsd, Role, TenantId};
use adjutant_tools::{
    AllowedHosts, AutonomyLevel, CommandSandbox, Limit, Permissions, Rules, Sites,
};
use serde::Deserialize;

use super::lookups::LookupsOf;
use super::name;
use crate::error::{AppError, ErrorKind};

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tools {
    #[serde(default)]
    run_command: RunCommand,
    #[serde(default)]
    pub(super) write_file: WriteFile,
    #[serde(default)]
    http: Http,
    #[serde(default)]
    private_hosts: Vec<String>,
    allow: Option<Vec<String>>,
    #[serde(default)]
    deny: Vec<String>,
    autonomy_level: Option<u8>,
    #[serde(default)]
    autonomy_levels: BTreeMap<String, Vec<u8>>,
    #[serde(default)]
    roles: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    limits: BTreeMap<String, LimitOf>,
    /// What holds for some tenants besides.
    #[serde(default)]
    tenants: BTreeMap<String, RulesOf>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunCommand {
    #[serde(default)]
    programs: Vec<String>,
    #[serde(default)]
    sandbox: Switch,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Switch {
    #[default]
    On,
    Off,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WriteFile {
    pub(super) folder: Option<PathBuf>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Http {
    hosts: Option<Vec<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesOf {
    allow: Option<Vec<String>>,
    #[serde(default)]
    deny: Vec<String>,
    autonomy_level: Option<u8>,
    #[serde(default)]
    autonomy_levels: BTreeMap<String, Vec<u8>>,
    #[serde(default)]
    roles: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    limits: BTreeMap<String, LimitOf>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitOf {
    per_minute: Option<u32>,
    per_day: Option<u32>,
    dollars_per_day: Option<f64>,
}

/// What the tools are given.
#[derive(Debug, Clone)]
pub struct ToolsOf {
    pub programs: Vec<String>,
    pub command_sandbox: CommandSandbox,
    pub hosts: AllowedHosts,
    pub private_hosts: Vec<String>,
    pub permissions: Permissions,
    pub sites: Sites,
}

impl Tools {
    pub(super) fn of(self, lookups: LookupsOf) -> Result<ToolsOf, AppError> {
        let general = RulesOf {
            allow: self.allow,
            deny: self.deny,
            autonomy_level: self.autonomy_level,
            autonomy_levels: self.autonomy_levels,
            roles: self.roles,
            limits: self.limits,
        };
        let tenants = self.tenants.into_iter().map(|(tenant, rules)| {
            let place = format!("tools.tenants.{tenant}");
            let tenant = name("tools.tenants", &tenant, TenantId::new)?;
            Ok((tenant, rules.rules(&place)?))
        });
        Ok(ToolsOf {
            command_sandbox: match self.run_command.sandbox {
                Switch::On => CommandSandbox::On,
                Switch::Off => CommandSandbox::Off,
            },
            programs: self.run_command.programs,
            hosts: match self.http.hosts {
                None => AllowedHosts::Any,
                Some(hosts) => AllowedHosts::Only(hosts),
            },
            private_hosts: self
                .private_hosts
                .into_iter()
                .chain(lookups.stand_in_host)
                .collect(),
            sites: lookups.sites,
            permissions: Permissions {
                general: general.rules("tools")?,
                tenants: tenants.collect::<Result<_, AppError>>()?,
            },
        })
    }
}

impl RulesOf {
    fn rules(self, place: &str) -> Result<Rules, AppError> {
        let level = |level: u8| {
            let wrong = || wrong(place, "autonomy_level", "a level is 1, 2, 3, 4 or 5");
            AutonomyLevel::new(level).ok_or_else(wrong)
        };
        let levels = self.autonomy_levels.into_iter().map(|(tool, levels)| {
            let levels = levels.into_iter().map(level).collect::<Result<_, _>>()?;
            Ok((tool, levels))
        });
        let roles = self.roles.into_iter().map(|(tool, roles)| {
            let role = |role: &String| name(&format!("{place}.roles"), role, Role::new);
            Ok((tool, roles.iter().map(role).collect::<Result<_, _>>()?))
        });
        let limits = self.limits.into_iter().map(|(tool, limit)| {
            let money = limit.dollars_per_day.map(|dollars| {
                let place = format!("{place}.limits.{tool}");
                dollars_of(dollars)
                    .ok_or_else(|| wrong(&place, "dollars_per_day", "it is not an amount of money"))
            });
            let limit = Limit {
                per_minute: limit.per_minute,
                per_day: limit.per_day,
                money_per_day: money.transpose()?,
            };
            Ok((tool, limit))
        });
        Ok(Rules {
            allow: self.allow,
            deny: self.deny,
            autonomy_level: self.autonomy_level.map(level).transpose()?,
            autonomy_levels: levels.collect::<Result<_, AppError>>()?,
            roles: roles.collect::<Result<_, AppError>>()?,
            limits: limits.collect::<Result<_, AppError>>()?,
        })
    }
}

fn dollars_of(dollars: f64) -> Option<MicroUsd> {
    let micros = (dollars * 1e6).round();
    (0.0..=1e15)
        .contains(&micros)
        .then_some(MicroUsd(micros as u64))
}

fn wrong(place: &str, field: &str, why: &str) -> AppError {
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-6004",
        format!("`{place}.{field}` is invalid: {why}"),
        "Correct it in the settings file; see docs/tools.md.",
    )
}
