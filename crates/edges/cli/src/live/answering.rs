//! Answering a question by typing: what is asked next, and what the typed line means. No terminal in here.

use adjutant_mission::{
    Action, Asks, Checkpoint, CheckpointNumber, Decision, Json, OptionKey, TaskKey, Verdict,
};

use crate::view::{Line, Tone};
use adjutant_app::constitution::overrule_all;

/// What a typed line leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Typed {
    /// Something else is asked, or the same again.
    More,
    Decide(Decision),
    /// For later.
    Leave,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Choose,
    Note(Decision),
    /// A change in JSON, or in words.
    Change,
    /// Tasks to do again at the final review, or in words what is to be different.
    Redo,
    /// Why what the constitutional checks block may leave all the same.
    Overrule,
}

#[derive(Debug, Clone)]
pub(crate) struct Answering {
    pub(crate) checkpoint: CheckpointNumber,
    pub(crate) typed: String,
    pub(crate) complaint: Option<String>,
    step: Step,
}

impl Answering {
    pub(crate) fn new(checkpoint: CheckpointNumber) -> Self {
        Self {
            checkpoint,
            typed: String::new(),
            complaint: None,
            step: Step::Choose,
        }
    }

    /// What stands before the cursor.
    pub(crate) fn prompt(&self) -> Line {
        let label = match &self.step {
            Step::Choose => "your answer",
            Step::Note(_) => "a note, or Enter for none",
            Step::Change => "the change as JSON, or in words",
            Step::Overrule => "why it is a false alarm; the report will say so",
            Step::Redo => "tasks to do again, separated by commas; or in words what to change",
        };
        Line::of(Tone::Human, " ┃ ")
            .and(Tone::Dim, label)
            .and(Tone::Human, " › ")
    }

    /// The answer was refused: ask again, and say why.
    pub(crate) fn refused(&mut self, why: String) {
        *self = Self {
            complaint: Some(why),
            ..Self::new(self.checkpoint)
        };
    }

    pub(crate) fn submit(&mut self, checkpoint: &Checkpoint) -> Typed {
        let line = std::mem::take(&mut self.typed);
        let line = line.trim();
        self.complaint = None;
        match std::mem::replace(&mut self.step, Step::Choose) {
            Step::Choose => self.chosen(line, checkpoint),
            Step::Note(decision) => Typed::Decide(Decision {
                note: line.into(),
                ..decision
            }),
            Step::Change if line.is_empty() => Typed::More,
            Step::Change => match Json::parse(line) {
                Ok(change) if line.starts_with(['{', '[', '"']) => {
                    let option = recommended(checkpoint);
                    self.prompt_for(Step::Note(Decision {
                        change: Some(change),
                        option,
                        ..Decision::new(Verdict::Modify)
                    }))
                }
                Err(error) if line.starts_with(['{', '[']) => {
                    self.complaint = Some(format!("this is not JSON: {error}"));
                    self.prompt_for(Step::Change)
                }
                _ => Typed::Decide(Decision {
                    note: line.into(),
                    ..Decision::new(Verdict::Modify)
                }),
            },
            Step::Overrule => self.overruled(line, checkpoint),
            Step::Redo if line.is_empty() => Typed::More,
            Step::Redo => {
                let names = line
                    .split(',')
                    .map(str::trim)
                    .filter(|name| !name.is_empty());
                match names.map(TaskKey::new).collect::<Result<Vec<_>, _>>() {
                    Ok(redo) => self.prompt_for(Step::Note(Decision {
                        redo,
                        ..Decision::new(Verdict::Modify)
                    })),
                    // Not names: a sentence.
                    Err(_) => Typed::Decide(Decision {
                        note: line.into(),
                        ..Decision::new(Verdict::Modify)
                    }),
                }
            }
        }
    }

    /// Nobody overrules without a reason.
    fn overruled(&mut self, why: &str, checkpoint: &Checkpoint) -> Typed {
        if why.is_empty() {
            return self.prompt_for(Step::Overrule);
        }
        Typed::Decide(Decision {
            note: why.into(),
            change: Some(overrule_all()),
            ..approve(recommended(checkpoint))
        })
    }

    fn prompt_for(&mut self, step: Step) -> Typed {
        self.step = step;
        Typed::More
    }

    /// The first word says what; the rest, if any, is the note.
    fn chosen(&mut self, line: &str, checkpoint: &Checkpoint) -> Typed {
        let (word, note) = line.split_once(' ').unwrap_or((line, ""));
        let decided = match self.meaning(word, checkpoint) {
            Meaning::Decision(decision) => decision,
            Meaning::Leave => return Typed::Leave,
            Meaning::Change if checkpoint.asks == Asks::ReviewResult => {
                return self.prompt_for(Step::Redo);
            }
            Meaning::Change => return self.prompt_for(Step::Change),
            Meaning::Overrule => return self.overruled(note.trim(), checkpoint),
            Meaning::Unknown => return Typed::More,
        };
        match note.trim() {
            "" => self.prompt_for(Step::Note(decided)),
            note => Typed::Decide(Decision {
                note: note.into(),
                ..decided
            }),
        }
    }

    fn meaning(&mut self, word: &str, checkpoint: &Checkpoint) -> Meaning {
        let option = word
            .parse::<usize>()
            .ok()
            .and_then(|number| checkpoint.options.get(number.checked_sub(1)?))
            .or_else(|| {
                checkpoint
                    .options
                    .iter()
                    .find(|option| option.key.as_str() == word)
            });
        if let Some(option) = option {
            return Meaning::Decision(approve(Some(option.key.clone())));
        }
        let may = |action| checkpoint.actions.contains(&action);
        match word {
            "l" | "leave" | "later" => return Meaning::Leave,
            "a" | "approve" if may(Action::Approve) => {
                let option = recommended(checkpoint);
                if option.is_some() || checkpoint.options.is_empty() {
                    return Meaning::Decision(approve(option));
                }
                self.complaint = Some("choose one of the options by its number".into());
            }
            "r" | "reject" if may(Action::Reject) => {
                return Meaning::Decision(Decision::new(Verdict::Reject));
            }
            "m" | "modify" if may(Action::Modify) => return Meaning::Change,
            "o" | "overrule" if checkpoint.asks == Asks::ReviewResult && may(Action::Approve) => {
                return Meaning::Overrule;
            }
            "" => {}
            other => self.complaint = Some(format!("`{other}` is none of the answers")),
        }
        Meaning::Unknown
    }
}

enum Meaning {
    Decision(Decision),
    Change,
    Overrule,
    Leave,
    Unknown,
}

fn approve(option: Option<OptionKey>) -> Decision {
    Decision {
        option,
        ..Decision::new(Verdict::Approve)
    }
}

fn recommended(checkpoint: &Checkpoint) -> Option<OptionKey> {
    let recommendation = checkpoint.recommendation.as_ref();
    recommendation.map(|recommendation| recommendation.option.clone())
}

#[cfg(test)]
#[path = "answering_tests.rs"]
mod tests;
