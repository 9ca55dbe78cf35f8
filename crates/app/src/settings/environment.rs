//! Reads the environment variables.
//!
//! **Invariant:** No other product code reads environment variables; `clippy.toml` bans it.

use std::path::PathBuf;

use crate::error::{AppError, ErrorKind};
use crate::notes::Notes;

/// The environment variables that Adjutant uses.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    pub adjutant_home: Option<String>,
    pub data_home: Option<String>,
    pub user_home: Option<String>,
    pub path: Option<String>,
    pub tenant: Option<String>,
    pub me: Option<String>,
    /// The name of the account, as the system has it and not as a variable says.
    pub login: Option<String>,
    pub roles: Option<Vec<String>>,
    pub store_url: Option<String>,
    pub cassette: Option<String>,
    pub stand_in: Option<String>,
    pub master_key: Option<zeroize::Zeroizing<String>>,
    /// The default of `--server`.
    pub server: Option<String>,
    /// The access token for the server.
    pub token: Option<zeroize::Zeroizing<String>>,
    pub no_color: Option<String>,
    pub term: Option<String>,
    /// Receives notes for the user; set by the caller of [`Environment::read`].
    pub notes: Notes,
}

impl Environment {
    #[expect(clippy::disallowed_methods, reason = "this is the place")]
    pub fn read() -> Self {
        // An empty variable counts as unset, following the XDG and NO_COLOR conventions.
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
            login: adjutant_host::own_account().map(|account| account.to_string()),
            roles: get("ADJUTANT_ROLES").map(list),
            store_url: get("ADJUTANT_STORE_URL"),
            cassette: get("ADJUTANT_CASSETTE"),
            stand_in: get("ADJUTANT_STAND_IN"),
            master_key: get("ADJUTANT_MASTER_KEY").map(zeroize::Zeroizing::new),
            server: get("ADJUTANT_SERVER"),
            token: get("ADJUTANT_TOKEN").map(zeroize::Zeroizing::new),
            no_color: get("NO_COLOR"),
            term: get("TERM"),
            notes: Notes::default(),
        }
    }

    /// The value of a variable that the settings file names for a secret.
    #[expect(clippy::disallowed_methods, reason = "this is the place")]
    pub(super) fn secret(name: &str) -> Option<zeroize::Zeroizing<String>> {
        let value = std::env::var(name).ok().filter(|value| !value.is_empty());
        value.map(zeroize::Zeroizing::new)
    }

    /// The value of an OpenTelemetry variable.
    #[expect(clippy::disallowed_methods, reason = "this is the place")]
    pub fn telemetry(name: &str) -> Option<String> {
        std::env::var(name).ok().filter(|value| !value.is_empty())
    }

    pub fn home(&self) -> Result<PathBuf, AppError> {
        if let Some(home) = &self.adjutant_home {
            return Ok(PathBuf::from(home));
        }
        if let Some(data) = &self.data_home {
            return Ok(PathBuf::from(data).join("adjutant"));
        }
        let home = self.user_home.as_ref().ok_or_else(|| {
            AppError::new(
                ErrorKind::BadInput,
                "ADJ-6006",
                "no data folder is configured: neither ADJUTANT_HOME, XDG_DATA_HOME nor HOME is set",
                "Set ADJUTANT_HOME to a folder that you own.",
            )
        })?;
        Ok(PathBuf::from(home).join(".local/share/adjutant"))
    }

    /// The name of the account, used when no user is configured.
    pub fn user(&self) -> String {
        let fits = |name: &&String| adjutant_mission::AgentId::new((*name).clone()).is_ok();
        let login = self.login.as_ref().filter(fits);
        login.cloned().unwrap_or_else(|| "you".into())
    }
}
