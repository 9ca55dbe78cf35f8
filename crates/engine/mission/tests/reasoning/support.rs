//! A reasoning played to its end, by a script or by dice.

use adjutant_mission::{
    Json, Move, Next, Pattern, Payload, Ppm, Reasoning, Signs, StepKind, StepTaken, ToolCall,
    Usage, next,
};

pub fn reasoning(patterns: &[Pattern], max_iterations: u16) -> Reasoning {
    Reasoning {
        patterns: patterns.to_vec(),
        max_iterations,
        confidence_threshold: Ppm(700_000),
        tools: Vec::new(),
    }
}

pub fn with_tools(reasoning: Reasoning) -> Reasoning {
    Reasoning {
        tools: vec!["search".parse().unwrap(), "calculator".parse().unwrap()],
        ..reasoning
    }
}

pub fn taken(step: Move, signs: Signs) -> StepTaken {
    StepTaken {
        step,
        signs,
        output: Payload::Inline(Json::null()),
        usage: Usage::default(),
    }
}

// What answers say of themselves.

pub fn said() -> Signs {
    Signs::default()
}

pub fn settled() -> Signs {
    Signs {
        settled: true,
        ..said()
    }
}

pub fn sure(percent: u32) -> Signs {
    Signs {
        sure: Some(Ppm(percent * 10_000)),
        ..said()
    }
}

pub fn scores(percents: &[u32]) -> Signs {
    Signs {
        scores: percents.iter().map(|one| Ppm(one * 10_000)).collect(),
        ..said()
    }
}

pub fn parts(parts: u16) -> Signs {
    Signs { parts, ..said() }
}

pub fn calls(tool: &str) -> Signs {
    Signs {
        call: Some(ToolCall {
            tool: tool.parse().unwrap(),
            with: Json::parse(r#"{"query":"dose"}"#).unwrap(),
        }),
        ..said()
    }
}

/// Plays to the conclusion, each step answered by `answer`.
pub fn play(
    reasoning: &Reasoning,
    may_act: bool,
    mut answer: impl FnMut(&Move) -> Signs,
) -> Vec<StepTaken> {
    let mut steps = Vec::new();
    for _ in 0..2_000 {
        match next(reasoning, may_act, &steps) {
            Next::Take(step) => {
                let signs = answer(&step);
                steps.push(taken(step, signs));
            }
            Next::Concluded => return steps,
            Next::Stuck(why) => panic!("stuck after {} steps: {why}", steps.len()),
        }
    }
    panic!("{reasoning:?} does not end")
}

/// The moves that a script of signs leads to, as text: kind/role, iteration, uses, and the part if there is one. The
/// script must be as long as the reasoning.
pub fn moves(reasoning: &Reasoning, may_act: bool, script: &[Signs]) -> Vec<String> {
    let mut script = script.iter();
    let steps = play(reasoning, may_act, |step| {
        script.next().cloned().unwrap_or_else(|| {
            panic!("the script ends before {}", shown(step));
        })
    });
    assert_eq!(script.len(), 0, "the reasoning ends before the script");
    steps.iter().map(|taken| shown(&taken.step)).collect()
}

pub fn shown(step: &Move) -> String {
    let mut text = format!(
        "{}/{} {} {:?}",
        step.kind.name(),
        step.role.name(),
        step.iteration,
        step.uses
    );
    if let Some((split, part)) = step.part {
        text += &format!(" part {part} of {split}");
    }
    if let Some(call) = &step.call {
        text += &format!(" calls {}", call.tool);
    }
    text
}

/// Repeatable dice (splitmix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % sides
    }

    fn share(&mut self) -> Ppm {
        // Now and then more than a whole: an answerer may say anything.
        Ppm(u32::try_from(self.roll(1_100_000)).unwrap())
    }

    /// Signs such as any answer could carry, scores too few and parts too many included.
    pub fn signs(&mut self, step: &Move) -> Signs {
        let mut signs = Signs {
            settled: self.roll(6) == 0,
            ..Signs::default()
        };
        if self.roll(2) == 0 {
            signs.sure = Some(self.share());
        }
        match step.kind {
            StepKind::Weigh => {
                let missing = usize::from(self.roll(8) == 0);
                let given = step.uses.len().saturating_sub(missing);
                signs.scores = (0..given).map(|_| self.share()).collect();
            }
            StepKind::Split => signs.parts = u16::try_from(self.roll(12)).unwrap(),
            StepKind::Act => {
                signs.call = match self.roll(4) {
                    0 => None,
                    1 => calls("shell").call,
                    2 => calls("calculator").call,
                    _ => calls("search").call,
                };
            }
            StepKind::Think | StepKind::Call | StepKind::Conclude => {}
        }
        signs
    }
}
