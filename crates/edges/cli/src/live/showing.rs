//! The ways a followed mission is shown: drawn in place, one line an event, one JSON document an event, as
//! programs are told of it, or not at all.

use std::time::{Duration, Instant};

use adjutant_journal::TenantJournal;
use adjutant_mission::{CheckpointState, InboxEntry, Mission, Recorded, TaskStatus, Timestamp};

use super::Answering;
use crate::output;
use crate::view::{
    Around, Frame, Line, Room, Tone, happened, latest_thoughts, question, question_line, tree,
};
use adjutant_app::error::AppError;
use adjutant_app::event_contents::EventReader;
use adjutant_app::stores::AnyTenant;

/// Frames are at least this far apart.
pub(super) const FRAME: Duration = Duration::from_millis(85);

/// Open questions shown below the tree when nobody here is prompt.
const OPEN_SHOWN_MAX: usize = 3;

#[derive(Debug)]
pub(crate) enum Showing {
    Drawn(Drawn),
    Lines,
    Json,
    /// One JSON document for each event that programs are told of.
    Session(Box<EventReader>),
}

#[derive(Debug)]
pub(crate) struct Drawn {
    frame: Frame,
    began: Instant,
    drawn_at: Option<Instant>,
    /// Whether what agents think is shown, too.
    thoughts: bool,
}

impl Showing {
    pub(crate) fn drawn() -> Self {
        Self::Drawn(Drawn {
            frame: Frame::new(output::paint()),
            began: Instant::now(),
            drawn_at: None,
            thoughts: false,
        })
    }

    /// Tells of an event, unless it is drawn anyway.
    pub(super) async fn event(
        &mut self,
        journal: &TenantJournal<AnyTenant>,
        mission: &Mission,
        recorded: &Recorded,
    ) -> Result<(), AppError> {
        match self {
            Self::Drawn(_) => Ok(()),
            Self::Lines => {
                let line = happened(mission, recorded);
                output::line(&line.render(output::paint()))
            }
            Self::Session(reader) => {
                for event in reader.take(journal, mission, recorded).await? {
                    output::line(&serde_json::to_string(&event).unwrap_or_default())?;
                }
                Ok(())
            }
            Self::Json => {
                let bytes = recorded.encode().unwrap_or_default();
                output::line(&String::from_utf8_lossy(&bytes))
            }
        }
    }
}

/// The question that the person at the keyboard is answering.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenPrompt<'a> {
    pub(super) state: &'a CheckpointState,
    pub(super) answering: &'a Answering,
}

impl Drawn {
    /// Shows what agents think, or no longer.
    pub(super) fn toggle_thoughts(&mut self) {
        self.thoughts = !self.thoughts;
    }

    /// Whether enough time has passed for another frame.
    pub(super) fn may_draw(&self) -> bool {
        self.drawn_at.is_none_or(|at| at.elapsed() >= FRAME)
    }

    pub(super) fn draw(
        &mut self,
        mission: &Mission,
        around: &Around,
        now: Timestamp,
        prompt: Option<OpenPrompt<'_>>,
    ) -> Result<(), AppError> {
        let (width, rows) = output::size();
        let rows = rows.saturating_sub(1).max(4);
        // With nothing running only the clock moves, and seconds are enough of it.
        let running = |state: &adjutant_mission::TaskState| state.status == TaskStatus::Running;
        let still = !mission.tasks().any(|(_, state)| running(state));
        let now = if still {
            Timestamp(now.0 / 1_000 * 1_000)
        } else {
            now
        };
        let mut below = match self.thoughts {
            true => latest_thoughts(mission, width),
            false => Vec::new(),
        };
        if let Some(OpenPrompt { state, answering }) = prompt {
            below.push(Line::new());
            below.extend(question(&state.checkpoint, now, width));
            below.extend(
                answering
                    .complaint
                    .iter()
                    .map(|why| Line::of(Tone::Human, " ┃ ").and(Tone::Failed, why)),
            );
        }
        if prompt.is_none() {
            let open = mission.open_checkpoints().take(OPEN_SHOWN_MAX);
            below.extend(open.map(|state| {
                let title = &mission.plan().title;
                let entry = InboxEntry::of(mission.id(), title, &state.checkpoint, state.opened_at);
                Line::new().plain(" ").then(question_line(&entry, now))
            }));
        }
        let typing = prompt.map(|prompt| prompt.answering.prompt().plain(&prompt.answering.typed));
        let needed = below.len() + usize::from(typing.is_some());
        let room = Room {
            width,
            height: rows.saturating_sub(needed).max(3),
            turn: usize::try_from(self.began.elapsed().as_millis() / FRAME.as_millis())
                .unwrap_or(0),
        };
        let mut lines = tree(mission, around, now, room);
        lines.extend(below.into_iter().map(|line| line.fit(width)));
        let too_many = (lines.len() + usize::from(typing.is_some())).saturating_sub(rows);
        lines.drain(..too_many.min(lines.len()));
        self.drawn_at = Some(Instant::now());
        let drawn = self.frame.draw(&lines, typing.as_ref());
        drawn.map_err(output::unwritten)
    }

    /// The last frame: it stays.
    pub(super) fn settle(
        &mut self,
        mission: &Mission,
        around: &Around,
        now: Timestamp,
    ) -> Result<(), AppError> {
        let (width, rows) = output::size();
        let room = Room {
            width,
            height: rows.saturating_sub(1),
            turn: 0,
        };
        let lines = tree(mission, around, now, room);
        self.frame.leave(&lines).map_err(output::unwritten)
    }
}
