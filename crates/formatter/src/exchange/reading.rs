//! What reading a text gives: records, and what could not be read.

use crate::Unread;
use crate::csl::Item;
use crate::notes::Notes;
use crate::refusal::shown;

/// Beyond these, only their number is told.
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
            text: shown(text.trim()),
            why: why.into(),
        });
    }

    pub(super) fn finish(mut self) -> Self {
        if self.more_unread > 0 {
            self.notes.add(format!(
                "{} more places could not be read.",
                self.more_unread
            ));
        }
        self
    }
}
