//! What the writer remembers of recently written missions, so that an append needs no read.
//!
//! Two generations: a full young one becomes the old one, and what is used comes back. Bounded, and
//! close to least-recently-used without its bookkeeping.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use adjutant_mission::{MissionId, Summary, TenantId};
use adjutant_store::{ChainHead, Retention, Sealed};

/// Missions per generation; two generations of ~0.5 KiB each stay within 8 MiB.
const GENERATION_MAX: usize = 8_192;

pub(crate) type Key = (TenantId, MissionId);

/// A mission as it stands after the last batch that the writer accepted.
#[derive(Debug, Clone)]
pub(crate) struct MissionHead {
    /// Its row in `missions`; `None` until its first batch is written.
    pub(crate) row: Option<i64>,
    pub(crate) head: ChainHead,
    pub(crate) summary: Option<Summary<Sealed>>,
    pub(crate) kept: Retention,
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

    /// The mission as remembered, or as `load` finds it.
    pub(crate) fn get_or_load<E>(
        &mut self,
        key: &Key,
        load: impl FnOnce(&Key) -> Result<MissionHead, E>,
    ) -> Result<&mut MissionHead, E> {
        if self.young.len() >= self.generation_max && !self.young.contains_key(key) {
            let mut stale = std::mem::replace(&mut self.old, std::mem::take(&mut self.young));
            // What is asked for now is in use, and must not fall out with its generation.
            self.young.extend(stale.remove_entry(key));
        }
        match self.young.entry(key.clone()) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(slot) => {
                let known = match self.old.remove(key) {
                    Some(known) => known,
                    None => load(key)?,
                };
                Ok(slot.insert(known))
            }
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
            let loaded: Result<_, std::convert::Infallible> = heads.get_or_load(&key(n), |key| {
                loads.push(key.1.bits());
                Ok(MissionHead {
                    row: None,
                    head: ChainHead::genesis(&key.0, key.1),
                    summary: None,
                    kept: Retention::Working,
                })
            });
            assert!(loaded.is_ok());
            assert!(heads.young.len() + heads.old.len() <= 8);
        }
        // 1 was in use throughout and is never loaded again; 2 fell out.
        assert_eq!(loads, [1, 2, 3, 4, 5, 6, 7, 8, 2]);
    }
}
