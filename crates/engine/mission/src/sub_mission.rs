//! Sub-missions: a task that is a mission of its own. Its results come up; aborts and budgets go down.

use serde::{Deserialize, Serialize};

use crate::{Caps, EffectId, Json, MicroUsd, MissionId, Plan, Task, Usage, WorkSpec};

/// What a task that is a mission carries out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubMission {
    pub plan: Plan,
    /// Inputs for its plan, possibly with `{{task.output…}}` references in them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<Json>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub sandbox: Sandbox,
}

/// How much of a mission's life a sub-mission has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sandbox {
    /// It closes on its answer: its plan was approved with its parent's, and its result is reviewed there.
    #[default]
    Light,
    /// A whole life: approval of its plan, and a review of its result.
    Standard,
}

/// Whose sub-mission a mission is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parent {
    /// What it does for its parent.
    pub effect: EffectId,
    /// How many missions are above it.
    pub depth: u8,
    pub sandbox: Sandbox,
}

impl SubMission {
    /// What it may spend: what its task allows and its own plan wants, whichever is less; nothing, where neither
    /// says anything.
    pub(crate) fn allowance(&self, caps: &Caps) -> Usage {
        Usage {
            money: least(caps.money, self.plan.caps.money).unwrap_or(MicroUsd::ZERO),
            tokens: least(caps.tokens, self.plan.caps.tokens).unwrap_or(0),
        }
    }

    /// Its plan, within what its task allows.
    pub(crate) fn carved(&self, caps: &Caps) -> Self {
        let allowance = self.allowance(caps);
        let mut carved = self.clone();
        carved.plan.caps = Caps {
            money: Some(allowance.money),
            tokens: Some(allowance.tokens),
            turns: least(caps.turns, self.plan.caps.turns),
            wall_time: least(caps.wall_time, self.plan.caps.wall_time),
        };
        carved
    }
}

impl Plan {
    /// How many sub-missions it holds in all, and how many levels of them.
    pub(crate) fn sub_missions(&self) -> (usize, usize) {
        let inner = self.tasks.iter().filter_map(Task::sub_mission);
        inner.fold((0, 0), |(count, depth), sub| {
            let (more, deeper) = sub.plan.sub_missions();
            (count + 1 + more, depth.max(1 + deeper))
        })
    }
}

impl Task {
    pub(crate) fn sub_mission(&self) -> Option<&SubMission> {
        match &self.work {
            WorkSpec::Mission(sub) => Some(sub),
            _ => None,
        }
    }
}

impl MissionId {
    /// The id of the mission that an effect starts: always the same, so that starting it twice starts one.
    pub fn of_effect(effect: EffectId) -> Self {
        const TIME_BITS: u32 = 48;
        let (mission, number) = (effect.mission.bits(), u128::from(effect.number.get()));
        let high = mix(mission as u64 ^ mix(number as u64 ^ 0x9e37_79b9_7f4a_7c15));
        let low = mix((mission >> 64) as u64 ^ mix(high ^ number as u64));
        let random = (u128::from(high) << 64 | u128::from(low)) >> TIME_BITS;
        // Missions are listed by the time in front. A moment before its parent's, so that the newest mission is the one
        // that somebody began.
        let time = (mission >> (128 - TIME_BITS)).saturating_sub(1);
        Self::from_bits(time << (128 - TIME_BITS) | random)
    }
}

/// A bijection that leaves no bit near its place (splitmix64's finalizer).
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
