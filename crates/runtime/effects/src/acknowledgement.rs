//! How it is told that a person has answered a question: it begins with a code, and the task's earlier questions are
//! searched for it.
//!
//! **Invariant:** The code is made with the mission's secret. Whoever words a failure, such as a tool or a server of tools, words what
//! stands in the same place, and cannot word a code. Without a secret nothing counts as answered.

use crate::protect::PseudonymKey;

const HASH_CHARS: usize = 16;

/// Whose questions the codes stand for. The contexts keep the secret from giving anything else away.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AskedBy {
    Guard,
    TenantRules,
    Constitution,
}

impl AskedBy {
    fn word(self) -> &'static str {
        match self {
            Self::Guard => "guard",
            Self::TenantRules => "approval",
            Self::Constitution => "constitution",
        }
    }

    fn context(self) -> &'static str {
        match self {
            Self::Guard => "adjutant acknowledgement of what the guard found, version 1",
            Self::TenantRules => "adjutant approval of a call by a tenant's rule, version 1",
            Self::Constitution => {
                "adjutant acknowledgement of what the constitutional checks block, version 1"
            }
        }
    }
}

/// What people were told when a task came to a stand before, where they had it go on.
#[derive(Clone, Copy)]
pub(crate) struct Acknowledgements<'a> {
    pub(crate) warnings: &'a [String],
    /// The mission's secret.
    pub(crate) key: Option<&'a PseudonymKey>,
}

impl Acknowledgements<'_> {
    /// What a question begins with. The same of exactly the same parts, and of nothing else.
    pub(crate) fn code(self, by: AskedBy, parts: &[&str]) -> String {
        let secret = self.key.map_or([0; 32], |key| key.0);
        let mut hasher = blake3::Hasher::new_derive_key(by.context());
        hasher.update(&secret);
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        let hash = hasher.finalize().to_hex();
        format!(
            "{} {}:",
            by.word(),
            hash.get(..HASH_CHARS).unwrap_or_default()
        )
    }

    /// Whether somebody was asked this, and had it go on.
    pub(crate) fn contain(self, code: &str) -> bool {
        let mut warnings = self.warnings.iter();
        self.key.is_some() && warnings.any(|warning| warning.starts_with(code))
    }
}
