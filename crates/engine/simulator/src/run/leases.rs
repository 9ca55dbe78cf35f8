//! Hosts that stand still instead of dying. Another takes the mission up, and then they move on, about to send what
//! they were about to send.

use adjutant_mission::{Effect, FormerHost, LeaseTerm, Millis};

use super::{Crashes, Halt, Run};
use crate::coverage::CoverageItem;
use crate::laws::{Broken, Law};
use crate::random::Random;

/// How long ago the last renewal may be of a host that lives.
const RENEWED_WITHIN_MS: u64 = 1_000;
/// Standing still is as rare as dying, but only a few places are worth it.
const STANDS_STILL_TIMES: u64 = 4;

/// A host that stands still.
struct Former {
    effect: Effect,
    term: LeaseTerm,
    moves_on_at: Millis,
    /// When another host first sent something that must not be sent twice.
    others_acted_at: Option<Millis>,
}

pub(super) struct Leases {
    random: Random,
    /// Of the host that has the mission.
    term: LeaseTerm,
    formers: Vec<Former>,
    /// By how much the clock was set back in all: that by which a lease is judged is not.
    pub(super) set_back: Millis,
}

impl Leases {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed, 61),
            term: LeaseTerm::begin(Millis::ZERO, Millis::ZERO, FormerHost::Returned),
            formers: Vec::new(),
            set_back: Millis::ZERO,
        }
    }
}

impl Run<'_> {
    fn uptime(&self) -> Millis {
        Millis(self.now.0.unsigned_abs() + self.leases.set_back.0)
    }

    /// Takes the mission over from whoever had it.
    pub(super) fn take_lease(&mut self, former: FormerHost) {
        let now = self.uptime();
        self.leases.term = LeaseTerm::begin(now, now, former);
    }

    /// Before an effect that is announced is sent: waits for the lease, and may stand still right then.
    pub(super) fn with_lease(&mut self, effect: &Effect) -> Result<(), Halt> {
        if !effect.class.is_announced() {
            return Ok(());
        }
        let wait = self
            .leases
            .term
            .begins_at()
            .0
            .saturating_sub(self.uptime().0);
        self.now = self.now.plus(Millis(wait));
        let now = self.uptime();
        let renewed_ago = self.leases.random.below(RENEWED_WITHIN_MS);
        self.leases
            .term
            .renewed(Millis(now.0.saturating_sub(renewed_ago)));
        self.formers_move_on(Some(now))?;
        let stands_still = !self.calm
            && self.crashes == Crashes::Random
            && self
                .leases
                .random
                .per_mille(STANDS_STILL_TIMES * self.temper.crash_per_mille);
        if stands_still {
            return Err(self.stand_still(effect, now));
        }
        for former in &mut self.leases.formers {
            former.others_acted_at.get_or_insert(now);
        }
        Ok(())
    }

    fn stand_still(&mut self, effect: &Effect, now: Millis) -> Halt {
        let random = &mut self.leases.random;
        let at_most = [3_000, 8_000, 600_000][random.below(3) as usize];
        self.leases.formers.push(Former {
            effect: effect.clone(),
            term: self.leases.term,
            moves_on_at: Millis(now.0 + self.leases.random.below(at_most)),
            others_acted_at: None,
        });
        let number = effect.id.number;
        self.tell(|| format!("     the host stands still, about to send effect {number}"));
        self.coverage.mark(CoverageItem::StoodStill);
        self.tally.crashes += 1;
        self.forget_outcomes();
        self.reload()
    }

    /// Hosts that stood still until then send what they were about to send, if they believe that they may. Without a
    /// time, all of them.
    pub(super) fn formers_move_on(&mut self, until: Option<Millis>) -> Result<(), Broken> {
        let moves_on = |former: &mut Former| until.is_none_or(|until| former.moves_on_at <= until);
        let moving: Vec<Former> = self.leases.formers.extract_if(.., moves_on).collect();
        for former in moving {
            let (number, at) = (former.effect.id.number, former.moves_on_at);
            if !former.term.holds_at(at) {
                self.coverage.mark(CoverageItem::FormerHostSilent);
                continue;
            }
            self.coverage.mark(CoverageItem::FormerHostSent);
            if former.others_acted_at.is_some_and(|acted| acted <= at) {
                let what =
                    format!("a former host sent effect {number} after another host had acted");
                return Err(Broken::new(Law::OneOutcome, what));
            }
            self.world.sent_by_a_former_host(&former.effect)?;
        }
        Ok(())
    }
}
