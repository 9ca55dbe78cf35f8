//! What is wrong with a reasoning before it starts.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::run::WHOLE;
use super::{ITERATIONS_MAX, PATTERNS_MAX, Reasoning};
use crate::AgentLevel;

/// Tools one agent may choose from: more than this and the choice is no longer an informed one.
pub const REASONING_TOOLS_MAX: usize = 20;

impl Reasoning {
    /// Why an agent of `level` may not reason like this: nothing, if it may.
    pub fn problems(&self, level: AgentLevel) -> Vec<String> {
        let mut problems = Vec::new();
        match self.patterns.len() {
            0 => problems.push(String::from("has no reasoning pattern")),
            patterns if patterns > PATTERNS_MAX => problems.push(format!(
                "has {patterns} patterns, but at most {PATTERNS_MAX} are allowed"
            )),
            _ => {}
        }
        if !(1..=ITERATIONS_MAX).contains(&self.max_iterations) {
            problems.push(format!(
                "has max_iterations {}, but it must be between 1 and {ITERATIONS_MAX}",
                self.max_iterations
            ));
        }
        if self.confidence_threshold > WHOLE {
            problems.push(format!(
                "has the confidence threshold {}, but the maximum is {}",
                self.confidence_threshold.0, WHOLE.0
            ));
        }
        if !self.tools.is_empty() && level != AgentLevel::L4 {
            problems.push(format!(
                "has tools for an {} agent, but only an L4 agent may call tools",
                level.name()
            ));
        }
        if self.tools.len() > REASONING_TOOLS_MAX {
            problems.push(format!(
                "has {} tools, but at most {REASONING_TOOLS_MAX} are allowed",
                self.tools.len()
            ));
        }
        problems
    }
}
