//! A tenant's rules: what they decide about a mission, a call, a result or a report.
//!
//! **Invariant:** A rule only restricts. `allow` ends the search among the rules of its own set; between sets the strictest
//! decision holds. A rule that cannot be evaluated denies.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fields::Subject;
use crate::rules::{Rule, RuleError};
use crate::typed;

/// Rules of one set.
pub const RULES_MAX: usize = 200;
pub const NAME_CHARS_MAX: usize = 64;
pub const BECAUSE_CHARS_MAX: usize = 500;

/// What a rule decides, from the least strict to the strictest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    #[default]
    Allow,
    /// A person must approve.
    Ask,
    Deny,
}

impl Decision {
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Who may approve what a rule asks about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Approver {
    #[default]
    Anyone,
    /// Someone other than the person who started the mission.
    AnotherPerson,
}

impl Approver {
    fn is_anyone(&self) -> bool {
        *self == Self::Anyone
    }
}

/// A rule as it is written down, and recorded with the missions that it holds for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSource {
    pub name: String,
    pub on: Subject,
    pub when: String,
    pub then: Decision,
    #[serde(default, skip_serializing_if = "Approver::is_anyone")]
    pub approver: Approver,
    pub because: String,
}

impl RuleSource {
    /// Everything that keeps it from being a rule, besides its name.
    pub fn problems(&self) -> Vec<RuleProblem> {
        let mut problems = Vec::new();
        match Rule::compile(&self.when) {
            Ok(rule) => {
                let found = rule.type_problems(self.on).into_iter();
                problems.extend(found.map(RuleProblem::Condition));
            }
            Err(error) => problems.push(RuleProblem::Condition(error.to_string())),
        }
        if self.then == Decision::Ask && self.on == Subject::Result {
            problems.push(RuleProblem::AskAboutResult);
        }
        let asks_about_mission = self.then == Decision::Ask && self.on == Subject::Mission;
        if self.approver == Approver::AnotherPerson && !asks_about_mission {
            problems.push(RuleProblem::ApproverWithoutMission);
        }
        problems
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleProblem {
    #[error("{0}")]
    Condition(String),
    #[error("a result cannot be asked about: the call has been made")]
    AskAboutResult,
    #[error("`approver` belongs to rules on a mission that ask")]
    ApproverWithoutMission,
}

struct TenantRule {
    source: RuleSource,
    when: Rule,
}

/// The rules of one file, in its order.
pub struct RuleSet {
    rules: Vec<TenantRule>,
    /// Stands for exactly these rules.
    hash: String,
}

/// What rules decided, and which of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruling {
    pub decision: Decision,
    #[serde(default, skip_serializing_if = "Approver::is_anyone")]
    pub approver: Approver,
    /// The rule that decided; none if no rule holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub because: String,
}

impl Ruling {
    /// The rule and its reason, for people.
    pub fn reason(&self) -> String {
        match &self.rule {
            Some(rule) => format!("rule `{rule}`: {}", self.because),
            None => "no rule holds".to_owned(),
        }
    }

    /// The stricter of two rulings; of two that are alike, the first.
    #[must_use]
    pub fn or_stricter(self, other: Self) -> Self {
        let asks_more = |one: &Self, than: &Self| {
            (one.decision, !one.approver.is_anyone()) > (than.decision, !than.approver.is_anyone())
        };
        match asks_more(&other, &self) {
            true => other,
            false => self,
        }
    }
}

impl RuleSet {
    /// Compiles rules, or says which of them is wrong and how.
    pub fn new(sources: Vec<RuleSource>) -> Result<Self, RuleError> {
        if sources.len() > RULES_MAX {
            let message = format!(
                "there are {} rules; the maximum is {RULES_MAX}",
                sources.len()
            );
            return Err(RuleError::new(message, None));
        }
        let mut names = BTreeSet::new();
        let mut rules = Vec::new();
        let hash = hash_of(&sources);
        for source in sources {
            if let Some(problem) = source.problems().first() {
                let message = format!("rule `{}`: {problem}", source.name);
                return Err(RuleError::new(message, None));
            }
            if !names.insert(source.name.clone()) {
                let message = format!("two rules are called `{}`", source.name);
                return Err(RuleError::new(message, None));
            }
            let when = Rule::compile(&source.when)?;
            rules.push(TenantRule { source, when });
        }
        Ok(Self { rules, hash })
    }

    /// Denies everything, for this reason: where rules were asked for and cannot be had.
    pub fn denying(because: &str) -> Self {
        let rules = Subject::ALL.into_iter().filter_map(|on| {
            let source = RuleSource {
                name: format!("no-rules-{on}"),
                on,
                when: "true".to_owned(),
                then: Decision::Deny,
                approver: Approver::Anyone,
                because: because.chars().take(BECAUSE_CHARS_MAX).collect(),
            };
            let when = Rule::compile(&source.when).ok()?;
            Some(TenantRule { source, when })
        });
        let rules: Vec<TenantRule> = rules.collect();
        let sources: Vec<RuleSource> = rules.iter().map(|rule| rule.source.clone()).collect();
        Self {
            hash: hash_of(&sources),
            rules,
        }
    }

    pub fn hash(&self) -> &str {
        &self.hash
    }

    pub fn sources(&self) -> impl Iterator<Item = &RuleSource> {
        self.rules.iter().map(|rule| &rule.source)
    }

    /// Whether there is anything to decide about a subject.
    pub fn rules_on(&self, on: Subject) -> bool {
        self.rules.iter().any(|rule| rule.source.on == on)
    }

    /// Whether a rule on this subject may look at a field. Says yes in doubt.
    pub fn looks_at(&self, on: Subject, field: &str) -> bool {
        let mut rules = self.rules.iter().filter(|rule| rule.source.on == on);
        rules.any(|rule| rule.source.when.contains(field))
    }

    /// What the first rule on this subject decides that holds for these values; if none does, they are allowed.
    pub fn decide(&self, on: Subject, values: &[(&str, &Value)]) -> Ruling {
        self.first_holding(on, values)
            .unwrap_or_else(|(source, error)| Ruling {
                decision: Decision::Deny,
                approver: Approver::Anyone,
                rule: Some(source.name.clone()),
                because: format!("it cannot be evaluated, so it denies: {error}"),
            })
    }

    /// What is decided whatever the fields say that these values leave out; nothing if it depends on them.
    pub fn foresee(&self, on: Subject, values: &[(&str, &Value)]) -> Option<Ruling> {
        self.first_holding(on, values).ok()
    }

    fn first_holding(
        &self,
        on: Subject,
        values: &[(&str, &Value)],
    ) -> Result<Ruling, (&RuleSource, RuleError)> {
        for TenantRule { source, when } in self.rules.iter().filter(|rule| rule.source.on == on) {
            if when.holds_for(values).map_err(|error| (source, error))? {
                return Ok(Ruling {
                    decision: source.then,
                    approver: source.approver,
                    rule: Some(source.name.clone()),
                    because: source.because.clone(),
                });
            }
        }
        Ok(Ruling::default())
    }
}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleSet")
            .field("hash", &self.hash)
            .field("rules", &self.rules.len())
            .finish()
    }
}

impl Rule {
    /// What cannot be right about the rule as the condition of a tenant's rule.
    pub(crate) fn type_problems(&self, on: Subject) -> Vec<String> {
        typed::problems(self.expression(), on)
    }
}

/// Sources are plain texts: there is nothing in them that cannot be written.
fn hash_of(sources: &[RuleSource]) -> String {
    let bytes = serde_json::to_vec(sources).unwrap_or_default();
    let hash = blake3::hash(&bytes).to_hex();
    hash.get(..16).unwrap_or_default().to_owned()
}

#[cfg(test)]
#[path = "set_tests.rs"]
mod tests;
