//! The test cases of a rules file: what the rules decide about made-up values, against what is expected.

use adjutant_rules::{Decision, Ruling};
use serde::Serialize;
use serde_json::Value;

use super::file::RuleFile;

/// What came of one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseResult {
    pub name: String,
    pub line: usize,
    pub passed: bool,
    pub expected: Decision,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_rule: Option<String>,
    pub found: Ruling,
}

pub fn run_cases(file: &RuleFile) -> Vec<CaseResult> {
    let results = file.cases.iter().map(|case| {
        let values: Vec<(&str, &Value)> = case
            .given
            .iter()
            .map(|(name, value)| (*name, value))
            .collect();
        let found = file.set.decide(case.on, &values);
        let same_rule = case.rule.is_none() || case.rule == found.rule;
        CaseResult {
            name: case.name.clone(),
            line: case.line,
            passed: found.decision == case.expect && same_rule,
            expected: case.expect,
            expected_rule: case.rule.clone(),
            found,
        }
    });
    results.collect()
}
