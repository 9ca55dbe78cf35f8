//! Who may have which tool called, and how often. Read from `adjutant.toml` by the binary, not here.
//!
//! What holds for all tenants and what holds for one are both asked, and the more careful of them is followed.

use std::collections::BTreeMap;

use adjutant_mission::{MicroUsd, Role, TenantId, ToolId};

use crate::{AutonomyLevel, Manifest};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Permissions {
    pub general: Rules,
    pub tenants: BTreeMap<TenantId, Rules>,
}

/// Tools are named by their id, or by how it begins: `L5-*`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// No others; every tool where nothing is said.
    pub allow: Option<Vec<String>>,
    pub deny: Vec<String>,
    /// How much autonomy has been earned.
    pub autonomy_level: Option<AutonomyLevel>,
    /// Levels that a tool needs, instead of what its manifest says.
    pub autonomy_levels: BTreeMap<String, Vec<AutonomyLevel>>,
    /// Roles that a tool needs, besides what its manifest says.
    pub roles: BTreeMap<String, Vec<Role>>,
    pub limits: BTreeMap<String, Limit>,
}

/// How often a tool may be called, and what it may cost. What is not said is not limited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limit {
    pub per_minute: Option<u32>,
    pub per_day: Option<u32>,
    pub money_per_day: Option<MicroUsd>,
}

impl Permissions {
    /// What is asked for one tenant, and where it stands in the settings.
    fn rules<'a>(&'a self, tenant: &'a TenantId) -> impl Iterator<Item = (String, &'a Rules)> {
        let own = self.tenants.get(tenant);
        let own = own.map(|rules| (format!("tools.tenants.{tenant}"), rules));
        std::iter::once(("tools".to_owned(), &self.general)).chain(own)
    }

    /// Why a tenant's missions may not call a tool at all.
    pub fn refusal(&self, tenant: &TenantId, manifest: &Manifest) -> Option<String> {
        let tool = &manifest.id;
        let mut earned = None;
        let mut needed = manifest.autonomy_levels.as_slice();
        for (place, rules) in self.rules(tenant) {
            let unlisted = |allowed: &Vec<String>| !allowed.iter().any(|name| names(name, tool));
            if rules.allow.as_ref().is_some_and(unlisted) {
                return Some(format!(
                    "tenant `{tenant}` may not call `{tool}`: `{place}.allow` does not name it"
                ));
            }
            if let Some(name) = rules.deny.iter().find(|name| names(name, tool)) {
                return Some(format!(
                    "tenant `{tenant}` may not call `{tool}`: `{place}.deny` names `{name}`"
                ));
            }
            if let Some(level) = rules.autonomy_level {
                let lowest =
                    earned.map_or(level, |(_, known): (_, AutonomyLevel)| known.min(level));
                earned = Some((place, lowest));
            }
            needed = of(&rules.autonomy_levels, tool).map_or(needed, Vec::as_slice);
        }
        let (place, level) = earned?;
        if needed.contains(&level) {
            return None;
        }
        let needed: Vec<_> = needed.iter().map(ToString::to_string).collect();
        Some(format!(
            "`{tool}` needs autonomy level {}, and `{place}.autonomy_level` is {level}",
            needed.join(" or ")
        ))
    }

    /// Why somebody in a role may not plan calls of a tool.
    pub fn role_refusal(
        &self,
        tenant: &TenantId,
        role: Option<&Role>,
        manifest: &Manifest,
    ) -> Option<String> {
        let tool = &manifest.id;
        let own = (!manifest.roles.is_empty()).then_some(&manifest.roles);
        let set = self.rules(tenant).map(|(_, rules)| of(&rules.roles, tool));
        let mut needed = set.chain([own]).flatten();
        let missing = needed.find(|roles| !role.is_some_and(|role| roles.contains(role)))?;
        let held = role.map_or("none".to_owned(), |role| format!("`{role}`"));
        let missing: Vec<_> = missing.iter().map(|role| format!("`{role}`")).collect();
        Some(format!(
            "planning calls of `{tool}` requires the role {}; yours is {held}",
            missing.join(" or ")
        ))
    }

    /// The closest limits for a tool, if there are any.
    pub fn limit(&self, tenant: &TenantId, tool: &ToolId) -> Option<Limit> {
        let limits = self.rules(tenant);
        let limits = limits.filter_map(|(_, rules)| of(&rules.limits, tool));
        limits.copied().reduce(|one, other| Limit {
            per_minute: least(one.per_minute, other.per_minute),
            per_day: least(one.per_day, other.per_day),
            money_per_day: least(one.money_per_day, other.money_per_day),
        })
    }

    /// Every name in the rules that no tool has, with where it stands: a slip of the pen would permit or forbid nothing.
    pub fn unknown(&self, tools: &[&ToolId]) -> Vec<String> {
        let named = |(place, rules): (String, &Rules)| {
            let listed = rules.allow.iter().flatten().chain(&rules.deny);
            let keys = rules.autonomy_levels.keys().chain(rules.roles.keys());
            let all: Vec<_> = listed.chain(keys).chain(rules.limits.keys()).collect();
            all.into_iter()
                .filter(|name| !tools.iter().any(|tool| names(name, tool)))
                .map(|name| format!("`{place}` names `{name}`"))
                .collect::<Vec<_>>()
        };
        let general = std::iter::once(("tools".to_owned(), &self.general));
        let own = self.tenants.iter();
        let own = own.map(|(tenant, rules)| (format!("tools.tenants.{tenant}"), rules));
        general.chain(own).flat_map(named).collect()
    }
}

/// What is said of a tool: by its whole name first, then by the longest beginning.
fn of<'a, T>(said: &'a BTreeMap<String, T>, tool: &ToolId) -> Option<&'a T> {
    let fitting = said.iter().filter(|(name, _)| names(name, tool));
    let closest = fitting.max_by_key(|(name, _)| (!name.ends_with('*'), name.len()));
    closest.map(|(_, value)| value)
}

fn names(name: &str, tool: &ToolId) -> bool {
    match name.strip_suffix('*') {
        Some(beginning) => tool.as_str().starts_with(beginning),
        None => name == tool.as_str(),
    }
}

fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
#[path = "permission_tests.rs"]
mod tests;
