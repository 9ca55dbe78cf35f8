//! How many missions may be started over HTTP.

use serde::Deserialize;

/// How many missions a caller may start over HTTP in how long, and have at work at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StartLimits {
    pub user_per_minute: u32,
    pub user_per_hour: u32,
    pub tenant_per_hour: u32,
    pub user_at_once: u32,
}

impl Default for StartLimits {
    fn default() -> Self {
        Self {
            user_per_minute: 10,
            user_per_hour: 100,
            tenant_per_hour: 1_000,
            user_at_once: 5,
        }
    }
}
