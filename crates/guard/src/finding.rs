//! A threat on its way: its place is still in the folded text.

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

/// A pattern of the source; one that does not compile finds nothing, and a test says so.
pub(crate) fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}
