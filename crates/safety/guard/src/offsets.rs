//! Maps byte offsets between a derived text and the text it was made from.

use std::ops::Range;

/// Stores only the offsets at which the distance between the two texts changes.
#[derive(Debug, Default)]
pub(crate) struct Offsets {
    steps: Vec<(usize, usize)>,
}

impl Offsets {
    /// Records that the byte at `derived` comes from `source`. Neither may decrease.
    pub(crate) fn record(&mut self, derived: usize, source: usize) {
        let known = match self.steps.last() {
            Some((last_to, last_from)) => source == last_from + (derived - last_to),
            None => derived == source,
        };
        if !known {
            self.steps.push((derived, source));
        }
    }

    pub(crate) fn to_source(&self, derived: usize) -> usize {
        let after = self.steps.partition_point(|(step, _)| *step <= derived);
        match after.checked_sub(1).and_then(|index| self.steps.get(index)) {
            Some((step_to, step_from)) => step_from + (derived - step_to),
            None => derived,
        }
    }

    /// The range in the source text, extended to character boundaries.
    pub(crate) fn source_range(&self, range: &Range<usize>, source_text: &str) -> Range<usize> {
        let start =
            source_text.floor_char_boundary(self.to_source(range.start).min(source_text.len()));
        let end = source_text.ceil_char_boundary(self.to_source(range.end).min(source_text.len()));
        start..end.max(start)
    }

    /// The derived offset of `source`; the next one if the source byte was left out.
    pub(crate) fn to_derived(&self, source: usize) -> usize {
        let after = self.steps.partition_point(|(_, step)| *step <= source);
        let there = match after.checked_sub(1).and_then(|index| self.steps.get(index)) {
            Some((step_to, step_from)) => step_to + (source - step_from),
            None => source,
        };
        match self.steps.get(after) {
            Some((next_to, _)) => there.min(*next_to),
            None => there,
        }
    }
}
