//! What people chose at the checkpoints of a mission, and what they wrote there. A report shows every choice; what an
//! option changes is decided by the section that it concerns.

use adjutant_document_model::{Block, Mark, Section, Span};
use serde::Deserialize;

use crate::builder::{column, label, section, table};
use crate::pieces::Pieces;
use crate::text::{capital, plain, short};

const CHOICES_MAX: usize = 20;
const NOTE_CHARS_MAX: usize = 1_000;

/// One answered checkpoint.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Choice {
    /// The checkpoint's name in the plan.
    pub(crate) checkpoint: String,
    /// What was decided, for the reader.
    #[serde(default)]
    about: String,
    /// Nothing if the checkpoint was not part of the plan.
    #[serde(default)]
    answer: Option<Answer>,
}

#[derive(Debug, Clone, Default, Deserialize)]
struct Answer {
    #[serde(default)]
    option: Option<String>,
    #[serde(default)]
    note: String,
    #[serde(default)]
    by: String,
}

impl Pieces<'_> {
    fn choices(&self) -> Vec<Choice> {
        let read: Option<Vec<Choice>> = self.read("choices");
        let answered = read.unwrap_or_default().into_iter();
        answered
            .filter(|choice| choice.answer.is_some())
            .take(CHOICES_MAX)
            .collect()
    }

    /// Whether this option was chosen at this checkpoint.
    pub(crate) fn chose(&self, checkpoint: &str, option: &str) -> bool {
        let mut choices = self.choices().into_iter();
        choices.any(|choice| {
            let answer = choice.answer.unwrap_or_default();
            choice.checkpoint == checkpoint && answer.option.as_deref() == Some(option)
        })
    }

    /// What was written at this checkpoint.
    pub(crate) fn note_at(&self, checkpoint: &str) -> Option<String> {
        let mut choices = self.choices().into_iter();
        let choice = choices.find(|choice| choice.checkpoint == checkpoint)?;
        let note = short(&plain(&choice.answer?.note), NOTE_CHARS_MAX);
        (!note.is_empty()).then_some(note)
    }
}

/// A note rests on no source: it is marked as its writer's own.
fn in_their_words(note: String) -> Span {
    let mark = (!note.is_empty()).then_some(Mark::Interpretation);
    Span {
        text: if note.is_empty() {
            "none".to_owned()
        } else {
            note
        },
        mark,
        ..Span::default()
    }
}

/// Who decided what on the way. Empty if nobody was asked.
pub(crate) fn decisions_of_people(pieces: &Pieces<'_>) -> Section {
    let rows = pieces.choices().into_iter().map(|choice| {
        let answer = choice.answer.unwrap_or_default();
        let option = answer.option.unwrap_or_else(|| "approved".to_owned());
        let about = match choice.about.trim() {
            "" => choice.checkpoint,
            about => about.to_owned(),
        };
        let note = short(&plain(&answer.note), NOTE_CHARS_MAX);
        vec![
            label(capital(&short(&about, 120))),
            label(capital(&option.replace('_', " "))),
            vec![in_their_words(note)],
            label(short(&answer.by, 60)),
        ]
    });
    let columns = vec![
        column("Decided", 3),
        column("Answer", 2),
        column("Note", 4),
        column("By", 2),
    ];
    let blocks: Vec<Block> = table("Answers that shaped this report", columns, rows.collect())
        .into_iter()
        .collect();
    section("Decisions made by people", blocks)
}
