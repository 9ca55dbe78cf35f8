//! What there is to read of a mission as documents: how it stands, its passport, its report, its journal. Each answer is one
//! part that fits a context window, and says where the next one begins.

use adjutant_journal::{JournalCursor, JournalError, TenantJournal};
use adjutant_mission::Mission;
use adjutant_session_events::rfc3339;
use serde_json::{Value, json};

use super::caller::{ProgramCaller, Right};
use super::outputs::{Exit, Reading, read_outputs};
use super::service::{Workflows, missing_right, named, page_of};
use super::shorten::shorten;
use super::toolbox;
use crate::error::{AppError, ErrorKind};
use crate::stores::AnyTenant;

const JSON: &str = "application/json";
/// What one part of a journal holds.
const EVENTS_BYTES: usize = 12_000;
/// Of one event; plans and prompts are longer.
const EVENT_BYTES: usize = 2_000;
/// Events that are read for one part. The shortest are about this many.
const EVENTS_READ_MAX: u32 = 200;

/// Something to read of each mission.
#[derive(Debug, Clone, Copy)]
pub struct MissionResource {
    pub name: &'static str,
    pub about: &'static str,
    pub media_type: &'static str,
    /// How to get all of it at once.
    pub whole: &'static str,
}

pub const RESOURCES: &[MissionResource] = &[
    MissionResource {
        name: "status",
        about: "How a workflow stands, with its results",
        media_type: JSON,
        whole: "the tool workflow_results",
    },
    MissionResource {
        name: "passport",
        about: "Everything that is known of a mission: its plan, tasks, questions and answers, and what it used",
        media_type: JSON,
        whole: "GET /api/missions/{mission}",
    },
    MissionResource {
        name: "deliverable",
        about: "The report of a mission",
        media_type: "text/markdown",
        whole: "GET /api/missions/{mission}/report",
    },
    MissionResource {
        name: "journal",
        about: "The events of a mission, oldest first, one in a line; long ones are cut",
        media_type: "application/x-ndjson",
        whole: "GET /api/missions/{mission}/export, or in a terminal `adjutant events`",
    },
];

/// A part of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourcePart {
    pub text: String,
    /// Where the next part begins: a byte of the text, or the number of an event.
    pub next: Option<u64>,
}

/// When a workflow began and changed last, and how many questions it has asked: at each it rested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkflowPulse {
    pub workflow: String,
    pub began: String,
    pub changed: String,
    pub questions: usize,
}

impl ResourcePart {
    fn of_page(page: &Value) -> Self {
        Self {
            text: page["text"].as_str().unwrap_or_default().to_owned(),
            next: page["next_offset"].as_u64(),
        }
    }
}

impl Workflows<'_> {
    pub(super) async fn read_part(
        &self,
        caller: &ProgramCaller,
        workflow: &str,
        resource: &str,
        from: u64,
    ) -> Result<ResourcePart, AppError> {
        if !caller.may(Right::Read) {
            return Err(missing_right(Right::Read));
        }
        match resource {
            "status" => {
                let asked = json!({ "workflow_id": workflow, "wait_seconds": 0 });
                let told = self.call(caller, toolbox::STATUS, asked).await?;
                Ok(ResourcePart {
                    text: told.to_string(),
                    next: None,
                })
            }
            "deliverable" => {
                let asked = json!({ "workflow_id": workflow, "offset": from });
                let page = self.call(caller, toolbox::REPORT, asked).await?;
                Ok(ResourcePart::of_page(&page))
            }
            "passport" => self.passport(workflow, from).await,
            "journal" => self.journal(workflow, from).await,
            other => {
                let known: Vec<&str> = RESOURCES.iter().map(|known| known.name).collect();
                Err(AppError::new(
                    ErrorKind::NotFound,
                    "ADJ-6239",
                    format!("a mission has no resource `{other:.40}`"),
                    format!("Read one of {}.", known.join(", ")),
                ))
            }
        }
    }

    pub(super) async fn pulse(
        &self,
        caller: &ProgramCaller,
        workflow: &str,
    ) -> Result<WorkflowPulse, AppError> {
        if !caller.may(Right::Read) {
            return Err(missing_right(Right::Read));
        }
        let door = self.door().await?;
        let journal = door.journal(self.settings).await?;
        let id = named(&journal, workflow).await?;
        let (mission, _) = journal.load(id).await?;
        Ok(WorkflowPulse {
            workflow: id.to_string(),
            began: rfc3339(mission.opened_at()),
            changed: rfc3339(mission.updated_at()),
            questions: mission.checkpoints().len(),
        })
    }

    async fn passport(&self, workflow: &str, from: u64) -> Result<ResourcePart, AppError> {
        let door = self.door().await?;
        let journal = door.journal(self.settings).await?;
        let id = named(&journal, workflow).await?;
        let (mission, cursor) = journal.load(id).await?;
        let bytes = mission.passport().map_err(JournalError::Encode)?;
        let passport: Value = serde_json::from_slice(&bytes).map_err(JournalError::Encode)?;
        let mut exit = self.exit_of(&journal, &mission, &cursor).await?;
        let mut passport = exit.released(passport);
        exit.mark_passport(&mut passport);
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        Ok(ResourcePart::of_page(&page_of(&passport.to_string(), from)))
    }

    async fn journal(&self, workflow: &str, from: u64) -> Result<ResourcePart, AppError> {
        let door = self.door().await?;
        let journal = door.journal(self.settings).await?;
        let id = named(&journal, workflow).await?;
        let (mission, cursor) = journal.load(id).await?;
        let mut exit = self.exit_of(&journal, &mission, &cursor).await?;
        let events = journal.events(id, from.max(1), EVENTS_READ_MAX).await?;
        let mut text = String::new();
        for recorded in &events {
            let event = serde_json::to_value(recorded).map_err(JournalError::Encode)?;
            let mut event = shorten(&exit.released(event), EVENT_BYTES);
            exit.mark_event(&mut event);
            let line = event.to_string();
            if !text.is_empty() && text.len() + line.len() > EVENTS_BYTES {
                let next = Some(recorded.seq);
                return Ok(ResourcePart { text, next });
            }
            text.push_str(&line);
            text.push('\n');
        }
        let last = events.last().map(|last| last.seq);
        let next = last.filter(|last| *last < mission.seq());
        Ok(ResourcePart {
            text,
            next: next.map(|last| last + 1),
        })
    }

    async fn exit_of<'m>(
        &'m self,
        journal: &TenantJournal<AnyTenant>,
        mission: &'m Mission,
        cursor: &JournalCursor,
    ) -> Result<Exit<'m>, AppError> {
        let outputs = read_outputs(journal, &cursor.seal, mission, Reading::Overview).await?;
        let guard = &self.settings.protection.guard;
        let registry = self.checker.registry();
        let policy = self.settings.outgoing;
        Exit::new(journal, mission, &outputs, policy, guard, registry).await
    }
}
