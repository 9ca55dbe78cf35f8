//! A threat before its location is mapped from the folded text to the original.

use std::ops::Range;

use regex::Regex;

use crate::threat::{Severity, ThreatKind};

#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) kind: ThreatKind,
    pub(crate) severity: Severity,
    pub(crate) span: Range<usize>,
    pub(crate) reason: &'static str,
}

impl Finding {
    pub(crate) fn new(
        kind: ThreatKind,
        severity: Severity,
        span: Range<usize>,
        reason: &'static str,
    ) -> Self {
        Self {
            kind,
            severity,
            span,
            reason,
        }
    }
}

/// A pattern that does not compile matches nothing; the tests of each shape would fail.
pub(crate) fn compile_pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}
