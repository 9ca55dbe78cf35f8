//! What is wrong with a way of reasoning, before anybody thinks.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{ITERATIONS_MAX, PATTERNS_MAX, Reasoning};
use crate::AgentLevel;

/// Tools that one agent may be offered.
const TOOLS_MAX: usize = 20;

impl Reasoning {
    pub fn problems(&self, level: AgentLevel) -> Vec<String> {
        let mut problems = Vec::new();
        if self.patterns.is_empty() {
            problems.push(String::from("it names no pattern"));
        }
        if self.patterns.len() > PATTERNS_MAX {
            problems.push(format!("it names more than {PATTERNS_MAX} patterns"));
        }
        if !(1..=ITERATIONS_MAX).contains(&self.max_iterations) {
            problems.push(format!("its iterations are not from 1 to {ITERATIONS_MAX}"));
        }
        if self.confidence_threshold.0 > 1_000_000 {
            problems.push(String::from("its threshold is over 1"));
        }
        if !self.tools.is_empty() && !level.may_start(AgentLevel::L5) {
            let level = level.name();
            problems.push(format!(
                "only an L4 may call tools while it thinks, and this is an {level}"
            ));
        }
        if self.tools.len() > TOOLS_MAX {
            problems.push(format!("it offers more than {TOOLS_MAX} tools"));
        }
        problems
    }
}
