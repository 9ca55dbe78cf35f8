//! The result of reading a file: records, and the lines that could not be read.

use crate::Unread;
use crate::csl::Item;
use crate::notes::Notes;
use crate::refusal::shorten;

/// Further lines are only counted.
const UNREAD_MAX: usize = 500;

#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) items: Vec<Item>,
    pub(crate) unread: Vec<Unread>,
    pub(crate) notes: Notes,
    more_unread: usize,
}

impl Reading {
    /// `line` is counted from 1.
    pub(super) fn unread(&mut self, line: usize, text: &str, why: impl Into<String>) {
        if self.unread.len() == UNREAD_MAX {
            self.more_unread += 1;
            return;
        }
        self.unread.push(Unread {
            line,
            text: shorten(text.trim()),
            why: why.into(),
        });
    }

    pub(super) fn finish(mut self) -> Self {
        if self.more_unread > 0 {
            self.notes.add(format!(
                "{} more lines could not be read.",
                self.more_unread
            ));
        }
        self
    }
}
