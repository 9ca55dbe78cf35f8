//! Who did what: what missions did, out of their journals, and what was done beside them, out of the host's notes.
//! Never what was said in it: who has the right reads that in the mission.

use std::collections::VecDeque;

use adjutant_app::outgoing::OutgoingPolicy;
use adjutant_host::{AuditEntry, audit_entries};
use adjutant_journal::{JournalError, TenantJournal};
use adjutant_mission::{Event, MissionId, Timestamp};
use adjutant_session_events::{EventType, Through, rfc3339};
use adjutant_store::TenantStore;
use serde_json::{Value, json};

use crate::all_events::teller::{Happened, Teller};

/// What can be asked for.
pub const AUDIT_KINDS: &[&str] = &[
    "audit_export",
    "breach",
    "command",
    "configuration",
    "decision",
    "export",
    "mission",
    "not_done",
    "refused",
    "sign_in",
    "sign_in_refused",
    "spawn",
    "tool_call",
    "trigger_held",
    "verdict",
];

/// Pages that are read for one answer, where little of them is asked for.
const PAGES_MAX: usize = 20;
const NOTES_AT_A_TIME: usize = 200;

/// Up to where both have been read: the order of all missions, and the notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AuditPlace {
    pub position: u64,
    pub number: u64,
}

impl AuditPlace {
    /// `5417.12`
    pub fn parse(text: &str) -> Option<Self> {
        let (position, number) = text.split_once('.')?;
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(position) || !digits(number) {
            return None;
        }
        Some(Self {
            position: position.parse().ok()?,
            number: number.parse().ok()?,
        })
    }
}

impl std::fmt::Display for AuditPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.position, self.number)
    }
}

/// What is asked for; nothing, where all is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditQuery {
    pub kinds: Vec<String>,
    pub who: Option<String>,
    pub mission: Option<MissionId>,
    pub from: Option<Timestamp>,
    pub until: Option<Timestamp>,
}

/// One thing that somebody or something did.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditLine {
    pub at: Timestamp,
    pub kind: &'static str,
    /// None where the engine did it itself.
    pub by: Option<String>,
    pub mission: Option<(MissionId, u64)>,
    pub what: Value,
}

impl AuditLine {
    pub fn as_json(&self) -> Value {
        json!({
            "at": rfc3339(self.at),
            "kind": self.kind,
            "by": self.by,
            "mission": self.mission.map(|(mission, _)| mission),
            "event": self.mission.map(|(_, seq)| seq),
            "what": self.what,
        })
    }
}

impl AuditQuery {
    fn wants(&self, line: &AuditLine) -> bool {
        let of_kind = self.kinds.is_empty() || self.kinds.iter().any(|kind| kind == line.kind);
        let mission = line.mission.map(|(mission, _)| mission);
        of_kind
            && (self.who.is_none() || self.who == line.by)
            && (self.mission.is_none() || self.mission == mission)
            && self.from.is_none_or(|from| from <= line.at)
            && self.until.is_none_or(|until| line.at < until)
    }
}

/// Lines, and where to go on; nowhere, when both were read to their ends.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditPage {
    pub lines: Vec<AuditLine>,
    pub next: Option<AuditPlace>,
}

/// Notes in their order, read as they are needed.
struct Notes<'a, T: TenantStore> {
    journal: &'a TenantJournal<T>,
    waiting: VecDeque<AuditEntry>,
    read_to: u64,
    is_end: bool,
}

impl<T: TenantStore> Notes<'_, T> {
    async fn first(&mut self) -> Result<Option<&AuditEntry>, JournalError> {
        if self.waiting.is_empty() && !self.is_end {
            let more = audit_entries(self.journal, self.read_to, NOTES_AT_A_TIME).await?;
            self.is_end = more.len() < NOTES_AT_A_TIME;
            self.read_to = more.last().map_or(self.read_to, |last| last.number);
            self.waiting.extend(more);
        }
        Ok(self.waiting.front())
    }

    /// The next, if it was noted by then.
    async fn next_by(&mut self, at: Timestamp) -> Result<Option<AuditEntry>, JournalError> {
        let is_due = self.first().await?.is_some_and(|note| note.at <= at);
        Ok(is_due.then(|| self.waiting.pop_front()).flatten())
    }
}

/// A page in the making.
struct Making<'a> {
    query: &'a AuditQuery,
    limit: usize,
    lines: Vec<AuditLine>,
    place: AuditPlace,
}

impl Making<'_> {
    /// Takes what is asked for of these, unless there is no room for it.
    fn take(&mut self, done: Vec<AuditLine>) -> bool {
        let wanted = done.into_iter().filter(|line| self.query.wants(line));
        let mut wanted = wanted.peekable();
        if wanted.peek().is_some() && self.lines.len() >= self.limit {
            return false;
        }
        self.lines.extend(wanted);
        true
    }

    fn take_note(&mut self, note: AuditEntry) -> bool {
        let number = note.number;
        let has_room = self.take(vec![of_note(note)]);
        if has_room {
            self.place.number = number;
        }
        has_room
    }

    fn ended(self, is_more: bool) -> AuditPage {
        AuditPage {
            lines: self.lines,
            next: is_more.then_some(self.place),
        }
    }
}

/// What was done after a place: what missions did, in the order in which it became durable, and in between, by their
/// time, the notes. What one event tells stays together, so that a page may have some lines more than the limit.
pub async fn audit_page<T: TenantStore>(
    journal: &TenantJournal<T>,
    query: &AuditQuery,
    after: AuditPlace,
    limit: usize,
) -> Result<AuditPage, JournalError> {
    let mut making = Making {
        query,
        limit,
        lines: Vec::new(),
        place: after,
    };
    let mut notes = Notes {
        journal,
        waiting: VecDeque::new(),
        read_to: after.number,
        is_end: false,
    };
    // Those who audit see what was done.
    let policy = OutgoingPolicy::Off;
    let mut teller = Teller::new(journal.clone(), policy, after.position);
    for _ in 0..PAGES_MAX {
        let from = teller.position();
        let page = teller.page().await?;
        if teller.position() == from {
            // Nothing was done since: what is left was noted.
            while let Some(note) = notes.next_by(Timestamp(i64::MAX)).await? {
                if !making.take_note(note) {
                    return Ok(making.ended(true));
                }
            }
            return Ok(making.ended(false));
        }
        for happened in &page {
            while let Some(note) = notes.next_by(happened.recorded.at).await? {
                if !making.take_note(note) {
                    return Ok(making.ended(true));
                }
            }
            if !making.take(lines_of(happened)) {
                return Ok(making.ended(true));
            }
            making.place.position = happened.position;
        }
        making.place.position = teller.position();
    }
    Ok(making.ended(true))
}

fn of_note(note: AuditEntry) -> AuditLine {
    AuditLine {
        at: note.at,
        kind: note.what.kind(),
        by: note.by.map(|by| by.to_string()),
        mission: None,
        what: json!({ "number": note.number, "noted": note.what }),
    }
}

fn lines_of(happened: &Happened) -> Vec<AuditLine> {
    let recorded = &happened.recorded;
    let line = |kind, what| AuditLine {
        at: recorded.at,
        kind,
        by: recorded.actor.as_ref().map(|actor| actor.id.to_string()),
        mission: Some((happened.mission, recorded.seq)),
        what,
    };
    let calls = happened
        .told
        .iter()
        .filter(|told| told.event_type == EventType::ToolInvoked);
    let calls = calls.map(|told| {
        let of = |name: &str| told.data.get(name).cloned().unwrap_or_default();
        let what = json!({
            "tool": of("tool_id"), "task": of("task_id"), "agent": of("agent_id"), "call": of("call_id"),
        });
        line("tool_call", what)
    });
    let mut lines: Vec<AuditLine> = calls.collect();
    lines.extend(of_event(&recorded.event).map(|(kind, mut what)| {
        if let Some(through) = Through::of(recorded) {
            what["through"] = through.to_string().into();
        }
        line(kind, what)
    }));
    lines
}

fn of_event(event: &Event) -> Option<(&'static str, Value)> {
    let named = |what: Value| {
        let mut what = what;
        what["event"] = event.name().into();
        what
    };
    Some(match event {
        Event::MissionOpened(_)
        | Event::MissionForked { .. }
        | Event::MissionEnded(_)
        | Event::ContentErased { .. } => ("mission", named(json!({}))),
        Event::MissionPaused { .. }
        | Event::MissionResumed {}
        | Event::StopRequested { .. }
        | Event::PlanChanged { .. } => ("command", named(json!({}))),
        Event::Informed { topic, trust, .. } => {
            ("command", named(json!({ "topic": topic, "trust": trust })))
        }
        Event::CheckpointClaimed { checkpoint }
        | Event::CheckpointReleased { checkpoint }
        | Event::CheckpointGuided { checkpoint, .. }
        | Event::CheckpointEndorsed { checkpoint, .. } => {
            ("command", named(json!({ "checkpoint": checkpoint })))
        }
        Event::AgentStarted {
            agent,
            level,
            started_by,
        } => (
            "spawn",
            json!({ "agent": agent, "level": level, "started_by": started_by }),
        ),
        Event::BreachRefused { task, agent, .. } => {
            ("breach", json!({ "task": task, "agent": agent }))
        }
        Event::GateJudged { task, verdict, .. } => {
            ("verdict", json!({ "task": task, "verdict": verdict }))
        }
        Event::ConfidenceAssessed {
            task, assessment, ..
        } => (
            "verdict",
            json!({ "task": task, "confidence": assessment.composite }),
        ),
        Event::CheckpointDecided {
            checkpoint,
            decision,
        } => (
            "decision",
            json!({ "checkpoint": checkpoint, "verdict": decision.verdict, "option": decision.option }),
        ),
        Event::CheckpointExpired { checkpoint } => {
            ("decision", named(json!({ "checkpoint": checkpoint })))
        }
        Event::CheckpointWaived(_) | Event::ToolCallApproved { .. } => {
            ("decision", named(json!({})))
        }
        _ => return None,
    })
}
