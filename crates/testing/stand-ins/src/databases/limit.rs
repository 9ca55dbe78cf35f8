//! Counts requests, so that a stand-in refuses what its database would.

use std::collections::BTreeMap;

use crate::databases::Database;

/// So many requests in each window, which begins with the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quota {
    pub(crate) requests: u32,
    pub(crate) window_ms: u64,
}

/// The quota that is used up, and how long until its window ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exceeded {
    pub(crate) quota: Quota,
    pub(crate) used: u32,
    pub(crate) wait_ms: u64,
}

impl Exceeded {
    pub(crate) fn wait_seconds(&self) -> u64 {
        self.wait_ms.div_ceil(1000).max(1)
    }
}

#[derive(Debug, Clone, Copy)]
struct Window {
    began: u64,
    used: u32,
}

/// Keys are counted apart, as are those who have none.
#[derive(Debug, Default)]
pub(crate) struct Limits {
    windows: BTreeMap<(Database, String, u64), Window>,
}

impl Limits {
    /// A refused request counts, too: whoever goes on asking waits on.
    pub(crate) fn admit(
        &mut self,
        database: Database,
        key: &str,
        quotas: &[Quota],
        now: u64,
    ) -> Result<(), Exceeded> {
        let mut verdict = Ok(());
        for quota in quotas {
            let name = (database, key.to_owned(), quota.window_ms);
            let fresh = Window {
                began: now,
                used: 0,
            };
            let window = self.windows.entry(name).or_insert(fresh);
            if now.saturating_sub(window.began) >= quota.window_ms {
                *window = fresh;
            }
            window.used = window.used.saturating_add(1);
            if window.used > quota.requests && verdict.is_ok() {
                let ends = window.began.saturating_add(quota.window_ms);
                verdict = Err(Exceeded {
                    quota: *quota,
                    used: window.used,
                    wait_ms: ends.saturating_sub(now),
                });
            }
        }
        verdict
    }
}
