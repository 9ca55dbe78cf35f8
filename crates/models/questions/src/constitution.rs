//! A text that is about to be handed over, held against the rules of a constitution by a model.
//!
//! The model names the rule and quotes the passage. A rule that was not given or a quote that is not in the text is no
//! finding: it is taken out and counted, however many they are.

use serde::{Deserialize, Serialize};

use crate::evidence::says;
use crate::{Evidence, Input, Source};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constitution {
    pub rules: Vec<ConstitutionRule>,
    /// The parts of the text.
    pub sources: Vec<Source>,
    /// The ids of parts that are the words of others: a rule that is not `for_quotes` is not for them.
    #[serde(default)]
    pub quoted: Vec<String>,
}

/// One rule, in plain sentences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstitutionRule {
    pub id: String,
    pub forbids: String,
    #[serde(default)]
    pub fine: String,
    /// Whether it is for the words of others too.
    #[serde(default)]
    pub for_quotes: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstitutionChecked {
    pub breaches: Vec<Breach>,
    pub confidence: f64,
    /// Entries that were taken out of the answer, since their rule or their quote is not in the question.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A passage that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Breach {
    /// The rule's id.
    pub rule: String,
    pub why: String,
    pub evidence: Evidence,
}

impl ConstitutionChecked {
    /// The answer to a question about no text at all, which nobody has to be asked.
    pub(crate) fn of_nothing() -> Self {
        Self {
            breaches: Vec::new(),
            confidence: 1.0,
            dropped: 0,
        }
    }

    /// Without the entries that none of the inputs bears out.
    pub(crate) fn founded(&self, inputs: &[&Input]) -> Self {
        let holds = |breach: &&Breach| inputs.iter().any(|input| bears_out(input, breach));
        let breaches: Vec<Breach> = self.breaches.iter().filter(holds).cloned().collect();
        Self {
            dropped: self.dropped + self.breaches.len() - breaches.len(),
            breaches,
            confidence: self.confidence,
        }
    }
}

fn bears_out(input: &Input, breach: &Breach) -> bool {
    let Input::Constitution(asked) = input else {
        return false;
    };
    let Evidence { source, quote } = &breach.evidence;
    let is_quoted = asked.quoted.contains(source);
    let mut rules = asked.rules.iter();
    let is_given = rules.any(|rule| rule.id == breach.rule && (rule.for_quotes || !is_quoted));
    is_given && says(input, source, quote)
}
