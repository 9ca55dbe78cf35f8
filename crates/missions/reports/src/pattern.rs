//! Patterns that are constants of this program.

use std::sync::OnceLock;

use regex::{Captures, Match, Regex};

pub(crate) struct Pattern {
    compile: fn() -> Result<Regex, regex::Error>,
    compiled: OnceLock<Regex>,
}

impl Pattern {
    pub(crate) const fn new(compile: fn() -> Result<Regex, regex::Error>) -> Self {
        Self {
            compile,
            compiled: OnceLock::new(),
        }
    }

    #[expect(
        clippy::panic,
        reason = "the pattern is a constant, and a test compiles each: one that matched nothing would drop facts unseen"
    )]
    fn regex(&self) -> &Regex {
        self.compiled.get_or_init(|| match (self.compile)() {
            Ok(regex) => regex,
            Err(error) => panic!("a pattern of this program is wrong: {error}"),
        })
    }

    pub(crate) fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.regex().find(text)
    }

    pub(crate) fn matches(&self, text: &str) -> bool {
        self.regex().is_match(text)
    }

    pub(crate) fn find_all<'t>(&self, text: &'t str) -> Vec<Match<'t>> {
        self.regex().find_iter(text).collect()
    }

    pub(crate) fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.regex().captures(text)
    }

    pub(crate) fn captures_all<'t>(&self, text: &'t str) -> Vec<Captures<'t>> {
        self.regex().captures_iter(text).collect()
    }

    pub(crate) fn replace_all(&self, text: &str, with: &str) -> String {
        self.regex().replace_all(text, with).into_owned()
    }
}

#[cfg(test)]
#[path = "pattern_tests.rs"]
mod tests;
