//! One pattern and how what it matches is read.

use std::ops::Range;

use adjutant_text::numbers::parse_number;
use regex::{Captures, Regex, RegexBuilder};
use serde_json::Value;

use super::{Certainty, Kind};

/// Unicode classes under bounded repetition grow; more than this is a mistake in a pattern.
const PATTERN_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Something that may be an entity, before overlaps are settled.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub(super) kind: Kind,
    pub(super) range: Range<usize>,
    pub(super) certainty: Certainty,
    pub(super) value: Option<Value>,
}

pub(super) struct Rule {
    regex: Regex,
    read: fn(&RuleMatch<'_, '_>) -> Option<Candidate>,
}

/// What a pattern matched.
pub(super) struct RuleMatch<'c, 't> {
    pub(super) text: &'t str,
    captures: &'c Captures<'t>,
}

impl<'t> RuleMatch<'_, 't> {
    pub(super) fn get(&self, group: &str) -> Option<&'t str> {
        self.captures.name(group).map(|found| found.as_str())
    }

    pub(super) fn number(&self, group: &str) -> Option<f64> {
        parse_number(self.get(group)?)
    }

    /// The group `it`, or all of the match.
    pub(super) fn range(&self) -> Range<usize> {
        let whole = self.captures.name("it").or_else(|| self.captures.get(0));
        whole.map_or(0..0, |found| found.range())
    }

    pub(super) fn it(&self) -> &'t str {
        &self.text[self.range()]
    }

    pub(super) fn before(&self) -> Option<char> {
        self.text[..self.range().start].chars().next_back()
    }

    pub(super) fn after(&self) -> &'t str {
        &self.text[self.range().end..]
    }

    /// Whether the match is cut out of a longer word or number.
    pub(super) fn is_cut(&self) -> bool {
        let before = self
            .before()
            .is_some_and(|c| c.is_alphanumeric() || c == '_');
        before
            || self
                .after()
                .starts_with(|c: char| c.is_alphanumeric() || c == '_')
    }

    pub(super) fn certain(&self, kind: Kind, value: Value) -> Option<Candidate> {
        self.candidate(kind, Certainty::Certain, Some(value))
    }

    pub(super) fn likely(&self, kind: Kind, value: Value) -> Option<Candidate> {
        self.candidate(kind, Certainty::Likely, Some(value))
    }

    pub(super) fn named(&self, kind: Kind) -> Option<Candidate> {
        self.candidate(kind, Certainty::Likely, None)
    }

    fn candidate(
        &self,
        kind: Kind,
        certainty: Certainty,
        value: Option<Value>,
    ) -> Option<Candidate> {
        Some(Candidate {
            kind,
            range: self.range(),
            certainty,
            value,
        })
    }
}

impl Rule {
    /// A pattern that is wrong makes no rule; a test holds that all are right.
    pub(super) fn new(
        pattern: &str,
        read: fn(&RuleMatch<'_, '_>) -> Option<Candidate>,
    ) -> Result<Self, regex::Error> {
        let regex = RegexBuilder::new(pattern)
            .size_limit(PATTERN_BYTES_MAX)
            .dfa_size_limit(PATTERN_BYTES_MAX)
            .build()?;
        Ok(Self { regex, read })
    }

    pub(super) fn find(&self, text: &str, found: &mut Vec<Candidate>) {
        for captures in self.regex.captures_iter(text) {
            let matched = RuleMatch {
                text,
                captures: &captures,
            };
            found.extend((self.read)(&matched));
        }
    }
}

/// Rules that were made, or why one was not.
pub(super) type Rules = Vec<Result<Rule, regex::Error>>;

pub(super) fn run(rules: &Rules, text: &str, found: &mut Vec<Candidate>) {
    for rule in rules.iter().flatten() {
        rule.find(text, found);
    }
}
