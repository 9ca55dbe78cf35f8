//! A mission's report: the document it handed over, or what exists of one that was cut short, in every format.

mod checked;
mod conclusions;
mod cut_short;
mod format;
mod provenance;
mod redacted;
mod remarks;

use adjutant_document_model::{Document, Made, markdown_text};
use adjutant_effects::{RuleBook, report_value};
use adjutant_journal::TenantJournal;
use adjutant_mission::{Mission, MissionId, TaskKey};
use adjutant_redact::{Leaving, Outgoing, OutgoingPolicy};
use adjutant_rules::{Decision, Subject};
use adjutant_store::TenantStore;
use serde_json::Value;

use crate::calibration::calibration_table;
use crate::constitution::{Release, is_check};
use crate::error::{AppError, ErrorKind};
use crate::mission_record::MissionRecord;
use crate::outgoing::outgoing_of;
use crate::words::short;

pub use format::{PdfWriter, ReportFormat, write_report};

use cut_short::cut_short;
use provenance::provenance;

/// What a mission hands over, and how it was made, without the personal data that the policy keeps back.
pub async fn read_report<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
    policy: OutgoingPolicy,
    rules: &RuleBook,
) -> Result<(Document, Made), AppError> {
    let record = MissionRecord::read(journal, mission).await?;
    let mut document = match last_document(&record) {
        // The rules were asked when it was made.
        Some(document) => document,
        None => {
            let document = cut_short(&record).ok_or_else(|| no_report(&record.mission))?;
            check_rules(rules, &record.mission, &document)?;
            document
        }
    };
    let released = Release::of(&record).document(&document)?;
    remarks::add(&mut document, &released);
    let table = calibration_table(journal).await?;
    let mut made = provenance(&record, &table);
    let mut outgoing = outgoing_of(journal, mission, policy).await?;
    redacted::redact(&mut document, &mut made, &mut outgoing);
    Ok((document, made))
}

/// The document that a mission's report is.
pub(crate) fn report_of(record: &MissionRecord) -> Option<Document> {
    last_document(record).or_else(|| cut_short(record))
}

/// What outputs come to, as a text: the last document among them or, where there is none, what the last one says.
pub fn report_text(
    mission: &Mission,
    outputs: &[(TaskKey, Value)],
    outgoing: &mut Outgoing,
) -> Option<String> {
    let release = Release::new(mission, outputs);
    let mut documents = outputs.iter().rev().map(|(_, output)| output);
    if let Some(mut document) = documents.find_map(document_of) {
        match release.document(&document) {
            Ok(released) => remarks::add(&mut document, &released),
            Err(blocked) => return Some(told(&blocked)),
        }
        redacted::redact(&mut document, &mut Made::default(), outgoing);
        return Some(markdown_text(&document));
    }
    let mut others = outputs.iter().rev();
    let (_, last) = others.find(|(task, _)| !is_check(mission, task))?;
    if let Err(blocked) = release.value(last) {
        return Some(told(&blocked));
    }
    let said = match last {
        Value::String(said) => said,
        other => ["text", "answer", "summary"]
            .iter()
            .find_map(|name| other.get(name)?.as_str())?,
    };
    let mut said = said.to_owned();
    outgoing.redact(&mut [Leaving::text(&mut said)]);
    Some(said)
}

/// In the place of what must not leave.
fn told(blocked: &AppError) -> String {
    let told = blocked.complaints.iter();
    let told = told.map(|one| format!("{} [{}]\n", one.message, one.code));
    told.collect()
}

fn document_of(output: &Value) -> Option<Document> {
    serde_json::from_value(output.get("document")?.clone()).ok()
}

/// The document that the mission's last report is.
fn last_document(read: &MissionRecord) -> Option<Document> {
    let found = read.mission.tasks().filter_map(|(_, state)| {
        let output = read.output(state.output.as_ref()?)?;
        document_of(&output)
    });
    found.last()
}

/// A report that rules withheld, or that nobody approved as they ask, is not put together here again.
fn check_rules(rules: &RuleBook, mission: &Mission, document: &Document) -> Result<(), AppError> {
    let rules = rules.of_mission(mission);
    let document = serde_json::to_value(document).unwrap_or_default();
    let ruling = rules.decide(Subject::Report, &report_value(&document, &rules));
    let why = match ruling.decision {
        Decision::Allow => return Ok(()),
        Decision::Ask => "a person must approve it first",
        Decision::Deny => "it is withheld",
    };
    let id = short(mission.id());
    Err(AppError::new(
        ErrorKind::Forbidden,
        "ADJ-6198",
        format!(
            "mission {id} has no report that may be handed over: {why}, by {}",
            ruling.reason()
        ),
        format!("`adjutant show {id}` shows the mission; see docs/rules.md."),
    ))
}

fn no_report(mission: &Mission) -> AppError {
    let id = short(mission.id());
    let (why, help) = match mission.ending() {
        None => (
            "has no report yet".to_owned(),
            format!("`adjutant watch {id}` shows its progress."),
        ),
        Some(_) => (
            "has no report: it found nothing, or none of its tasks calls `report`".to_owned(),
            format!("`adjutant show {id}` shows its outputs."),
        ),
    };
    AppError::new(
        ErrorKind::Conflict,
        "ADJ-6109",
        format!("mission {id} {why}"),
        help,
    )
}
