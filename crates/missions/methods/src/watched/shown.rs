//! How news are told: a line for the first page, and tables of what is new, changed and gone.

use serde_json::{Value, json};

use super::{Item, News};
use crate::exhibit::{Exhibit, ExhibitCell, ExhibitColumn, ExhibitTable, Statement};
use crate::text::{counted, listed};

const ROWS_MAX: usize = 40;

impl News {
    /// What differs, in a sentence.
    pub(crate) fn told(&self) -> String {
        let since = match self.since.as_str() {
            "" => "the last report".to_owned(),
            day => format!("the report of {day}"),
        };
        if self.is_nothing() {
            return match self.known {
                0 => format!("Nothing new since {since}"),
                _ => format!(
                    "Nothing new since {since}: {} as before",
                    counted(self.known, "item")
                ),
            };
        }
        format!(
            "Since {since}: {} new, {} changed, {} gone, {} as before",
            self.new.len(),
            self.changed.len(),
            self.gone.len(),
            self.known
        )
    }

    /// Tells what differs from the last report, and what could not be looked at.
    pub(crate) fn tell(&self, exhibit: &mut Exhibit) {
        if self.follows {
            exhibit
                .headlines
                .insert(0, Statement::calculation(self.told()));
        }
        if self.follows && !self.failed.is_empty() {
            exhibit.headlines.push(Statement::interpretation(format!(
                "Not everything could be looked at: {} did not answer, so nothing is taken as gone there",
                listed(&self.failed)
            )));
        }
        if !self.unknown.is_empty() {
            exhibit.add_note(
                "Everything counts as new",
                format!("No earlier report could be used: {}", self.unknown),
            );
        }
        if !self.unchecked.is_empty() {
            exhibit.add_note(
                "Not seen this time",
                format!(
                    "{} of the last report did not come up. They are from searches that failed or show only the best of \
                     what there is, so they do not count as gone",
                    counted(self.unchecked.len(), "item")
                ),
            );
        }
        if self.follows {
            exhibit.tables.extend(self.changed_table());
            exhibit.tables.extend(self.gone_table());
        }
    }

    fn changed_table(&self) -> Option<ExhibitTable> {
        let shown = |item: &Item| match item.state.as_str() {
            "" => item.text.clone(),
            state => format!("{} ({state})", item.text),
        };
        let rows = self.changed.iter().take(ROWS_MAX).map(|(before, now)| {
            vec![
                ExhibitCell::label(&now.scope),
                // What it said then is in the earlier report, and need not be in any source of today.
                ExhibitCell::statement(shown(before), Vec::new()),
                ExhibitCell::statement(shown(now), now.evidence.clone()),
            ]
        });
        let columns = vec![
            ExhibitColumn::text("Of", 2),
            ExhibitColumn::text("Before", 5),
            ExhibitColumn::text("Now", 5),
        ];
        filled("What changed", columns, rows.collect())
    }

    fn gone_table(&self) -> Option<ExhibitTable> {
        let rows = self.gone.iter().take(ROWS_MAX).map(|(item, why)| {
            vec![
                ExhibitCell::label(&item.scope),
                ExhibitCell::statement(&item.text, Vec::new()),
                ExhibitCell::label(*why),
            ]
        });
        let columns = vec![
            ExhibitColumn::text("Of", 2),
            ExhibitColumn::text("What the last report told", 7),
            ExhibitColumn::text("Gone because", 3),
        ];
        filled("What is gone", columns, rows.collect())
    }

    /// What the tasks that follow, and the next time, need of it.
    pub(crate) fn data(&self, text: &str) -> Value {
        json!({
            "text": text,
            "follow_up": self.follows,
            "nothing_new": self.is_nothing(),
            "new": self.new.len(),
            "changed": self.changed.len(),
            "gone": self.gone.len(),
            "seen": self.seen,
        })
    }
}

pub(crate) fn filled(
    caption: &str,
    columns: Vec<ExhibitColumn>,
    rows: Vec<Vec<ExhibitCell>>,
) -> Option<ExhibitTable> {
    (!rows.is_empty()).then(|| ExhibitTable {
        caption: caption.to_owned(),
        columns,
        rows,
    })
}
