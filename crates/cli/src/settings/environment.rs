//! The one place that reads the environment.

use std::path::PathBuf;

use crate::failure::{Exit, Failure};

/// What of the environment matters to us.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment {
    pub(crate) adjutant_home: Option<String>,
    pub(crate) data_home: Option<String>,
    pub(crate) user_home: Option<String>,
    pub(crate) path: Option<String>,
    pub(crate) tenant: Option<String>,
    pub(crate) me: Option<String>,
    pub(crate) login: Option<String>,
    pub(crate) roles: Option<Vec<String>>,
    pub(crate) store_url: Option<String>,
    pub(crate) cassette: Option<String>,
    pub(crate) stand_in: Option<String>,
    pub(crate) master_key: Option<zeroize::Zeroizing<String>>,
    /// In the place of `--server`.
    pub(crate) server: Option<String>,
    /// For the server.
    pub(crate) token: Option<zeroize::Zeroizing<String>>,
    pub(crate) no_color: Option<String>,
    pub(crate) term: Option<String>,
}

impl Environment {
    #[expect(clippy::disallowed_methods, reason = "this is the place")]
    pub(crate) fn read() -> Self {
        // An empty variable counts as not set, as the conventions for XDG and NO_COLOR have it.
        let get = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let list = |text: String| {
            text.split(',')
                .map(|role| role.trim().to_owned())
                .filter(|role| !role.is_empty())
                .collect()
        };
        Self {
            adjutant_home: get("ADJUTANT_HOME"),
            data_home: get("XDG_DATA_HOME"),
            user_home: get("HOME"),
            path: get("PATH"),
            tenant: get("ADJUTANT_TENANT"),
            me: get("ADJUTANT_USER"),
            login: get("USER"),
            roles: get("ADJUTANT_ROLES").map(list),
            store_url: get("ADJUTANT_STORE_URL"),
            cassette: get("ADJUTANT_CASSETTE"),
            stand_in: get("ADJUTANT_STAND_IN"),
            master_key: get("ADJUTANT_MASTER_KEY").map(zeroize::Zeroizing::new),
            server: get("ADJUTANT_SERVER"),
            token: get("ADJUTANT_TOKEN").map(zeroize::Zeroizing::new),
            no_color: get("NO_COLOR"),
            term: get("TERM"),
        }
    }

    /// A variable that the settings file names as the place of a secret.
    #[expect(clippy::disallowed_methods, reason = "this is the place")]
    pub(super) fn secret(name: &str) -> Option<zeroize::Zeroizing<String>> {
        let value = std::env::var(name).ok().filter(|value| !value.is_empty());
        value.map(zeroize::Zeroizing::new)
    }

    /// A variable of OpenTelemetry's own, for whoever sends traces.
    #[expect(clippy::disallowed_methods, reason = "this is the place")]
    pub(crate) fn telemetry(name: &str) -> Option<String> {
        std::env::var(name).ok().filter(|value| !value.is_empty())
    }

    pub(crate) fn home(&self) -> Result<PathBuf, Failure> {
        if let Some(home) = &self.adjutant_home {
            return Ok(PathBuf::from(home));
        }
        if let Some(data) = &self.data_home {
            return Ok(PathBuf::from(data).join("adjutant"));
        }
        let home = self.user_home.as_ref().ok_or_else(|| {
            Failure::new(
                Exit::BadInput,
                "ADJ-6006",
                "there is no place for data: neither ADJUTANT_HOME, XDG_DATA_HOME nor HOME is set",
                "Set ADJUTANT_HOME to a folder of yours.",
            )
        })?;
        Ok(PathBuf::from(home).join(".local/share/adjutant"))
    }

    /// Who runs this, if nobody said.
    pub(crate) fn user(&self) -> String {
        let fits = |name: &&String| adjutant_mission::AgentId::new((*name).clone()).is_ok();
        let login = self.login.as_ref().filter(fits);
        login.cloned().unwrap_or_else(|| "you".into())
    }
}
