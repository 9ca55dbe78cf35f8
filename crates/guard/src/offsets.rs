//! From a place in a changed text to the place in the text it was made from.

use std::ops::Range;

/// Holds only the places where the distance between the two texts changes.
#[derive(Debug, Default)]
pub(crate) struct Offsets {
    steps: Vec<(usize, usize)>,
}

impl Offsets {
    /// Says that what is written at `to` was read at `from`. Both only grow.
    pub(crate) fn note(&mut self, to: usize, from: usize) {
        let known = match self.steps.last() {
            Some((last_to, last_from)) => from == last_from + (to - last_to),
            None => to == from,
        };
        if !known {
            self.steps.push((to, from));
        }
    }

    pub(crate) fn back(&self, to: usize) -> usize {
        let after = self.steps.partition_point(|(step, _)| *step <= to);
        match after.checked_sub(1).and_then(|index| self.steps.get(index)) {
            Some((step_to, step_from)) => step_from + (to - step_to),
            None => to,
        }
    }

    /// The range in the text read, on the borders of its letters.
    pub(crate) fn back_range(&self, range: &Range<usize>, read: &str) -> Range<usize> {
        let start = read.floor_char_boundary(self.back(range.start).min(read.len()));
        let end = read.ceil_char_boundary(self.back(range.end).min(read.len()));
        start..end.max(start)
    }

    /// Where something read at `from` is written; the nearest place after it if it was left out.
    pub(crate) fn forward(&self, from: usize) -> usize {
        let after = self.steps.partition_point(|(_, step)| *step <= from);
        let there = match after.checked_sub(1).and_then(|index| self.steps.get(index)) {
            Some((step_to, step_from)) => step_to + (from - step_from),
            None => from,
        };
        match self.steps.get(after) {
            Some((next_to, _)) => there.min(*next_to),
            None => there,
        }
    }
}
