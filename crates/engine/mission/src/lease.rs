//! Whether a host may still act, as far as it can tell by itself.
//!
//! A host that was taken over writes nothing more: the store sees to that. What it sends, nobody can hold back but
//! itself. So it acts only for a while after it last heard that the store is its own, and whoever takes over acts only
//! when that while has passed. All times here are of a clock that goes on while the host stands still. Two hosts'
//! clocks need not agree, only run about equally fast.
//!
//! **Invariant:** Two hosts never act at the same time. A lease runs out before the next one begins, unless it was
//! returned.

use alloc::sync::Arc;
use core::fmt;

use crate::Millis;

/// How long a host may act after it asked whether the store is still its own, and it was.
pub const LEASE_LASTS: Millis = Millis::seconds(4);

/// The time in which one host may act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseTerm {
    from: Millis,
    until: Millis,
}

/// Whether the host before this one may still send something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormerHost {
    /// It ended in order, or there was none.
    Returned,
    MayAct,
}

impl LeaseTerm {
    /// Begins at once, or when a former host's has run out. `asked_at` comes before the store changed hands, `taken_at`
    /// after it: at that moment at the latest the former host was told for the last time that the store is its own.
    pub fn begin(asked_at: Millis, taken_at: Millis, former: FormerHost) -> Self {
        let from = match former {
            FormerHost::Returned => Millis::ZERO,
            FormerHost::MayAct => after(taken_at),
        };
        Self {
            from,
            until: after(asked_at),
        }
    }

    /// The store was still its own when it asked.
    pub fn renewed(&mut self, asked_at: Millis) {
        self.until = self.until.max(after(asked_at));
    }

    pub fn holds_at(&self, now: Millis) -> bool {
        self.from <= now && now < self.until
    }

    pub fn begins_at(&self) -> Millis {
        self.from
    }
}

fn after(asked_at: Millis) -> Millis {
    Millis(asked_at.0.saturating_add(LEASE_LASTS.0))
}

/// What an effect that is announced asks as late as possible before it is sent. Cheap to clone.
#[derive(Clone)]
pub struct Lease(Arc<dyn Fn() -> bool + Send + Sync>);

impl Lease {
    pub fn new(holds: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(holds))
    }

    pub fn holds(&self) -> bool {
        (self.0)()
    }
}

impl Default for Lease {
    /// For a store that nobody else can take as long as this process lives.
    fn default() -> Self {
        Self::new(|| true)
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lease")
            .field("holds", &self.holds())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_holds_from_its_beginning_until_it_runs_out() {
        let at = Millis::seconds;
        let term = LeaseTerm::begin(at(10), at(11), FormerHost::Returned);
        let holds = [0, 13, 14, 60].map(|now| term.holds_at(at(now)));
        assert_eq!(holds, [true, true, false, false]);
    }

    #[test]
    fn the_next_one_begins_when_the_former_cannot_hold_any_more() {
        let at = Millis::seconds;
        let former = LeaseTerm::begin(at(10), at(10), FormerHost::Returned);
        let mut next = LeaseTerm::begin(at(10), at(10), FormerHost::MayAct);
        next.renewed(at(13));
        for now in 10..20 {
            assert!(!(former.holds_at(at(now)) && next.holds_at(at(now))));
        }
        assert!(next.holds_at(at(14)));
        assert_eq!(next.begins_at(), at(14));
    }

    #[test]
    fn a_renewal_counts_from_when_it_was_asked_for_and_shortens_nothing() {
        let at = Millis::seconds;
        let mut term = LeaseTerm::begin(at(10), at(10), FormerHost::Returned);
        term.renewed(at(12));
        term.renewed(at(2));
        assert!(term.holds_at(at(15)) && !term.holds_at(at(16)));
    }
}
