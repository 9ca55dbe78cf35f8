//! What a level may use for one question, and the tier of models it asks.

use adjutant_mission::{AgentLevel, Complexity, MicroUsd, Millis, Ppm};
use serde::{Deserialize, Serialize};

use crate::Limits;

/// Models by what they are trusted with. Which model serves a tier is a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    Strategic,
    Expert,
    Worker,
    Tool,
}

impl Tier {
    pub const ALL: [Self; 4] = [Self::Strategic, Self::Expert, Self::Worker, Self::Tool];

    pub fn name(self) -> &'static str {
        match self {
            Self::Strategic => "strategic",
            Self::Expert => "expert",
            Self::Worker => "worker",
            Self::Tool => "tool",
        }
    }
}

/// The facts of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelFacts {
    pub tier: Tier,
    pub temperature: Ppm,
    /// Bounds one question: what goes in and what comes out.
    pub tokens_max: u32,
    /// What a model of the level must be able to hold.
    pub context_tokens: u32,
    /// What a question is expected to cost, from and to. A forecast, never a cap.
    pub cost_expected: (MicroUsd, MicroUsd),
}

/// How much of a question's tokens are for the answer.
const OUTPUT_SHARE: u32 = 4;
/// How much more a complex question may carry.
const COMPLEX_TIMES: u32 = 6;
const TIME_MAX: Millis = Millis::seconds(120);

impl LevelFacts {
    pub fn of(level: AgentLevel) -> Self {
        let facts = |tier, tenths: u32, tokens_max, context_tokens, cost: (u64, u64)| Self {
            tier,
            temperature: Ppm(tenths * 100_000),
            tokens_max,
            context_tokens,
            cost_expected: (MicroUsd(cost.0), MicroUsd(cost.1)),
        };
        match level {
            AgentLevel::L1 => facts(Tier::Strategic, 2, 8_000, 16_000, (400_000, 400_000)),
            AgentLevel::L2 => facts(Tier::Expert, 3, 12_000, 16_000, (120_000, 350_000)),
            AgentLevel::L3 => facts(Tier::Expert, 2, 4_000, 8_000, (80_000, 120_000)),
            AgentLevel::L4 => facts(Tier::Worker, 3, 4_000, 4_000, (15_000, 100_000)),
            AgentLevel::L5 => facts(Tier::Tool, 1, 2_000, 2_000, (0, 0)),
        }
    }

    /// The limits of a question that names none of its own. One that is said to be complex may carry more: questions of
    /// one level and one complexity take the same route, so that their limits are known before any of them is asked.
    pub fn limits(self, complexity: Complexity) -> Limits {
        let tokens_max = match complexity {
            Complexity::Simple | Complexity::Ordinary => self.tokens_max,
            Complexity::Complex => self.tokens_max * COMPLEX_TIMES,
        };
        let output = tokens_max / OUTPUT_SHARE;
        Limits {
            input_tokens_max: tokens_max - output,
            output_tokens_max: output,
            time_max: TIME_MAX,
        }
    }
}
