//! What the writer remembers of recently written missions, so that an append needs no read. It may, because
//! nobody else writes: the fence sees to that.
//!
//! Two generations: a full young one becomes the old one, and what is used comes back. Bounded, and
//! close to least-recently-used without its bookkeeping.

use std::collections::HashMap;

use adjutant_mission::{MissionId, Phase, TenantId};
use adjutant_store::{ChainHead, Retention};

/// Missions per generation; two generations of ~0.2 KiB each stay within 4 MiB. A group of appends is far
/// smaller, so what it looked up is there until it is done.
const GENERATION_MAX: usize = 8_192;

pub(crate) type Key = (TenantId, MissionId);

/// A mission as it stands after the last batch that the writer accepted.
#[derive(Debug, Clone)]
pub(crate) struct MissionHead {
    pub(crate) head: ChainHead,
    /// `None` until its first batch is written.
    pub(crate) phase: Option<Phase>,
    pub(crate) kept: Retention,
}

impl MissionHead {
    /// A mission that nobody has written.
    pub(crate) fn unwritten((tenant, mission): &Key) -> Self {
        Self {
            head: ChainHead::genesis(tenant, *mission),
            phase: None,
            kept: Retention::Working,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Heads {
    young: HashMap<Key, MissionHead>,
    old: HashMap<Key, MissionHead>,
    generation_max: usize,
}

impl Default for Heads {
    fn default() -> Self {
        Self::with_generation_max(GENERATION_MAX)
    }
}

impl Heads {
    fn with_generation_max(generation_max: usize) -> Self {
        Self {
            young: HashMap::new(),
            old: HashMap::new(),
            generation_max,
        }
    }

    /// Whether the mission is remembered. If so, it stays so for a generation.
    pub(crate) fn recall(&mut self, key: &Key) -> bool {
        if self.young.contains_key(key) {
            return true;
        }
        match self.old.remove_entry(key) {
            Some((key, known)) => {
                self.remember(key, known);
                true
            }
            None => false,
        }
    }

    pub(crate) fn remember(&mut self, key: Key, known: MissionHead) {
        if self.young.len() >= self.generation_max {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, known);
    }

    pub(crate) fn get_mut(&mut self, key: &Key) -> Option<&mut MissionHead> {
        match self.young.get_mut(key) {
            Some(known) => Some(known),
            None => self.old.get_mut(key),
        }
    }

    /// After a transaction that failed, what was remembered may never have happened.
    pub(crate) fn forget_all(&mut self) {
        self.young.clear();
        self.old.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_bounded_and_keeps_what_is_used() {
        let tenant = adjutant_store::conformance::tenant("acme");
        let key = |n: u128| (tenant.clone(), MissionId::from_bits(n));
        let mut heads = Heads::with_generation_max(4);
        let mut loads = Vec::new();
        for n in [1, 2, 3, 4, 5, 1, 6, 7, 8, 1, 2] {
            if !heads.recall(&key(n)) {
                loads.push(n);
                heads.remember(key(n), MissionHead::unwritten(&key(n)));
            }
            assert!(heads.get_mut(&key(n)).is_some());
            assert!(heads.young.len() + heads.old.len() <= 8);
        }
        // 1 was in use throughout and is never loaded again; 2 fell out.
        assert_eq!(loads, [1, 2, 3, 4, 5, 6, 7, 8, 2]);
    }
}
