//! Notes on an answer, without repetition.

/// Further notes are only counted.
const NOTES_MAX: usize = 200;

#[derive(Debug, Default)]
pub(crate) struct Notes {
    notes: Vec<String>,
    left_out: usize,
}

impl Notes {
    pub(crate) fn add(&mut self, note: impl Into<String>) {
        let note = note.into();
        if self.notes.contains(&note) {
            return;
        }
        if self.notes.len() == NOTES_MAX {
            self.left_out += 1;
        } else {
            self.notes.push(note);
        }
    }

    pub(crate) fn finish(mut self) -> Vec<String> {
        if self.left_out > 0 {
            self.notes
                .push(format!("{} more notes are left out.", self.left_out));
        }
        self.notes
    }
}
