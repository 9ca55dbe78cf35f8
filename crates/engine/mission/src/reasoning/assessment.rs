//! How sure a conclusion is, all things considered.

use serde::{Deserialize, Serialize};

use super::Signs;
use crate::Ppm;

/// Below this a conclusion is not worth thinking through again: a person decides.
pub const ESCALATE_BELOW: Ppm = Ppm(400_000);
/// How often a conclusion is thought through again.
pub const ROUNDS_AGAIN_MAX: u16 = 2;

/// What a conclusion's confidence is made of: half of it what the answerer thinks of itself, the rest what can be
/// checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assessment {
    pub sure: Ppm,
    pub rules: Ppm,
    pub support: Ppm,
    pub composite: Ppm,
    pub threshold: Ppm,
}

const SURE_PERCENT: u32 = 50;
const RULES_PERCENT: u32 = 30;
const SUPPORT_PERCENT: u32 = 20;

impl Assessment {
    /// What was not said counts as nothing.
    pub fn of(signs: &Signs, threshold: Ppm) -> Self {
        let part = |part: Option<Ppm>| Ppm(part.unwrap_or_default().0.min(1_000_000));
        let (sure, rules, support) = (part(signs.sure), part(signs.rules), part(signs.support));
        let weighted =
            sure.0 * SURE_PERCENT + rules.0 * RULES_PERCENT + support.0 * SUPPORT_PERCENT;
        Self {
            sure,
            rules,
            support,
            composite: Ppm(weighted / 100),
            threshold,
        }
    }

    pub fn is_enough(&self) -> bool {
        self.composite >= self.threshold
    }

    /// Whether another round of thought may mend it.
    pub fn may_improve(&self) -> bool {
        !self.is_enough() && self.composite >= ESCALATE_BELOW
    }
}
