//! Runs of digit groups (`536 90 4399`, `4111-1111-1111-1111`) and the windows of them that detectors try.

use crate::text::{Class, Text};

pub(crate) const GROUPS_MAX: usize = 8;
pub(crate) const DIGITS_MAX: usize = 20;

/// Digit groups that follow one another with one separator each.
#[derive(Debug)]
pub(crate) struct Run {
    first: usize,
    digits: [u8; DIGITS_MAX],
    lengths: [u8; GROUPS_MAX],
    separators: [char; GROUPS_MAX],
    groups: usize,
}

impl Run {
    pub(crate) fn starting_at(text: &Text<'_>, first: usize) -> Self {
        let mut run = Self {
            first,
            digits: [0; DIGITS_MAX],
            lengths: [0; GROUPS_MAX],
            separators: [' '; GROUPS_MAX],
            groups: 0,
        };
        let mut at = first;
        let mut total = 0;
        while run.groups < GROUPS_MAX && text.is(at, Class::Digits) {
            let group = text.token_text(at).as_bytes();
            if total + group.len() > DIGITS_MAX {
                break;
            }
            for (slot, byte) in run.digits[total..].iter_mut().zip(group) {
                *slot = byte - b'0';
            }
            total += group.len();
            run.lengths[run.groups] = u8::try_from(group.len()).unwrap_or(u8::MAX);
            run.groups += 1;
            if !(text.is_blank(at + 1) || text.is_any_mark(at + 1, "-./‑–·"))
                || run.groups == GROUPS_MAX
            {
                break;
            }
            let separator = text.token_text(at + 1).chars().next().unwrap_or(' ');
            run.separators[run.groups - 1] = match separator {
                '‑' | '–' => '-',
                '·' => '.',
                blank if blank.is_whitespace() => ' ',
                other => other,
            };
            at += 2;
        }
        run
    }

    pub(crate) fn lengths(&self) -> &[u8] {
        &self.lengths[..self.groups]
    }

    /// The separators between the first `groups` groups.
    pub(crate) fn separators(&self, groups: usize) -> &[char] {
        &self.separators[..groups.saturating_sub(1)]
    }

    pub(crate) fn digits(&self, groups: usize) -> &[u8] {
        let total: usize = self.lengths[..groups]
            .iter()
            .map(|length| usize::from(*length))
            .sum();
        &self.digits[..total]
    }

    /// The token of the last of the first `groups` groups.
    pub(crate) fn last(&self, groups: usize) -> usize {
        self.first + 2 * groups.saturating_sub(1)
    }

    /// Whether the run begins with groups of these lengths and every separator is one of these.
    pub(crate) fn has_shape(&self, shape: &[u8], separators: &str) -> bool {
        self.lengths().starts_with(shape)
            && self
                .separators(shape.len())
                .iter()
                .all(|separator| separators.contains(*separator))
    }
}
