//! Fixed patterns. One that could not be read would find nothing; a test of each place that uses one shows that it does.

use std::sync::LazyLock;

use regex::{Captures, Match, Regex};

pub(crate) struct Pattern(LazyLock<Option<Regex>, fn() -> Option<Regex>>);

impl Pattern {
    pub(crate) const fn new(read: fn() -> Option<Regex>) -> Self {
        Self(LazyLock::new(read))
    }

    fn read(&self) -> Option<&Regex> {
        self.0.as_ref()
    }

    pub(crate) fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.read()?.find(text)
    }

    pub(crate) fn matches(&self, text: &str) -> bool {
        self.find(text).is_some()
    }

    pub(crate) fn find_all<'t>(&self, text: &'t str) -> Vec<Match<'t>> {
        self.read()
            .map(|at| at.find_iter(text).collect())
            .unwrap_or_default()
    }

    pub(crate) fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.read()?.captures(text)
    }

    pub(crate) fn captures_all<'t>(&self, text: &'t str) -> Vec<Captures<'t>> {
        self.read()
            .map(|at| at.captures_iter(text).collect())
            .unwrap_or_default()
    }

    pub(crate) fn replace_all(&self, text: &str, with: &str) -> String {
        match self.read() {
            Some(read) => read.replace_all(text, with).into_owned(),
            None => text.to_owned(),
        }
    }
}
