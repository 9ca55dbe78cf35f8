//! Whether a mission's texts may leave. Every exit asks here: reports, streams, artifacts, answers.
//!
//! **Invariant:** What the rules find keeps a text back whatever is recorded. A recorded check can add findings, such as a
//! model's; only a person's answer at the final review, with a reason, takes any away.

use std::collections::BTreeSet;

use adjutant_constitution::{Action, Check, Finding, Text, check};
use adjutant_document_model::Document;
use adjutant_journal::TenantJournal;
use adjutant_mission::{Mission, MissionId, TaskKey, WorkSpec};
use adjutant_store::TenantStore;
use serde_json::Value;

use super::overrule::overruled;
use super::texts;
use super::tool::{Recorded, TOOL};
use crate::error::{AppError, ErrorKind};
use crate::mission_record::MissionRecord;
use crate::report::report_of;
use crate::words::short;

/// What every exit answers for a text that is blocked.
pub const BLOCKED: &str = "ADJ-6185";

/// Refuses a mission whose result is blocked. A mission whose contents were erased has nothing that could leave.
pub async fn check_result<T: TenantStore>(
    journal: &TenantJournal<T>,
    mission: MissionId,
) -> Result<(), AppError> {
    let record = MissionRecord::read(journal, mission).await?;
    let release = Release::of(&record);
    let blocking = release.blocking_result(&record);
    let kept_back = blocking.iter().filter(|it| release.keeps_back(it));
    let kept_back: Vec<&Finding> = kept_back.collect();
    match kept_back.is_empty() {
        true => Ok(()),
        false => Err(blocked(&record.mission, &kept_back)),
    }
}

/// What decides about the texts of one mission.
#[derive(Debug)]
pub struct Release<'a> {
    mission: &'a Mission,
    /// Ids that a check in the journal blocks.
    recorded: Vec<Finding>,
    overruled: BTreeSet<String>,
}

/// What may leave, and what is to be said with it.
#[derive(Debug)]
pub struct Released {
    pub check: Check,
    /// How many blocking findings a person overruled.
    pub overruled: usize,
}

impl<'a> Release<'a> {
    /// `outputs` are what the mission's tasks gave.
    pub fn new(mission: &'a Mission, outputs: &[(TaskKey, Value)]) -> Self {
        let checks = outputs.iter().filter(|(task, _)| is_check(mission, task));
        let checks = checks.filter_map(|(_, output)| Recorded::read(output));
        let recorded = checks.flat_map(|recorded| recorded.findings);
        Self {
            mission,
            recorded: recorded
                .filter(|finding| finding.action == Action::Block)
                .collect(),
            overruled: overruled(mission),
        }
    }

    pub fn of(record: &'a MissionRecord) -> Self {
        let outputs = record.mission.tasks().filter_map(|(task, state)| {
            Some((task.key.clone(), record.output(state.output.as_ref()?)?))
        });
        let outputs: Vec<(TaskKey, Value)> = outputs.collect();
        Self::new(&record.mission, &outputs)
    }

    pub fn document(&self, document: &Document) -> Result<Released, AppError> {
        self.checked(check(&texts::of_document(document)))
    }

    /// Any other output: its strings and, where it has one, its document.
    pub fn value(&self, value: &Value) -> Result<Released, AppError> {
        let mut given = texts::of_value(value);
        let document = value.get("document").cloned();
        let document = document.and_then(|it| serde_json::from_value(it).ok());
        given.extend(document.iter().flat_map(texts::of_document));
        self.checked(check(&given))
    }

    /// Replaces what must not leave in a value that is shown as a whole.
    pub fn withhold(&self, value: &mut Value) {
        adjutant_constitution::withhold(value, &|finding| !self.keeps_back(finding));
    }

    /// What blocks the result of the mission: its report or, where it has none, what its last tasks gave.
    pub(super) fn blocking_result(&self, record: &MissionRecord) -> Vec<Finding> {
        let checked = match report_of(record) {
            Some(document) => check(&texts::of_document(&document)),
            None => {
                let last = record.mission.last_tasks();
                let given = last.filter(|task| !is_check(&record.mission, task));
                let given =
                    given.filter_map(|task| record.output(record.mission.output(task.as_str())?));
                check(
                    &given
                        .flat_map(|value| texts::of_value(&value))
                        .collect::<Vec<_>>(),
                )
            }
        };
        self.all_blocking(&checked)
    }

    /// The same of the result and of everything that the mission's tasks gave.
    pub(super) fn blocking_anywhere(&self, record: &MissionRecord) -> Vec<Finding> {
        let given = record
            .mission
            .tasks()
            .filter(|(task, _)| !is_check(&record.mission, &task.key));
        let given = given.filter_map(|(_, state)| record.output(state.output.as_ref()?));
        let mut texts: Vec<Text> = given.flat_map(|value| texts::of_value(&value)).collect();
        texts.extend(report_of(record).iter().flat_map(texts::of_document));
        self.all_blocking(&check(&texts))
    }

    fn all_blocking(&self, check: &Check) -> Vec<Finding> {
        let mut seen = BTreeSet::new();
        let all = check.blocking().chain(&self.recorded);
        all.filter(|finding| seen.insert(&finding.id))
            .cloned()
            .collect()
    }

    fn checked(&self, check: Check) -> Result<Released, AppError> {
        let kept_back: Vec<&Finding> = self.kept_back(&check).collect();
        if !kept_back.is_empty() {
            return Err(blocked(self.mission, &kept_back));
        }
        let overruled: BTreeSet<&str> = check.blocking().map(|it| it.id.as_str()).collect();
        let overruled = overruled.len();
        Ok(Released { check, overruled })
    }

    /// What blocks and nobody overruled.
    fn kept_back<'b>(&'b self, check: &'b Check) -> impl Iterator<Item = &'b Finding> {
        let all = check.blocking().chain(&self.recorded);
        all.filter(|finding| self.keeps_back(finding))
    }

    fn keeps_back(&self, finding: &Finding) -> bool {
        !finding.may_be_overruled || !self.overruled.contains(&finding.id)
    }
}

/// Whether a task is the check itself: what any other task gave is no record of one.
pub fn is_check(mission: &Mission, task: &TaskKey) -> bool {
    let found = mission.task(task.as_str());
    found.is_some_and(
        |(spec, _)| matches!(&spec.work, WorkSpec::Tool(call) if call.tool.as_str() == TOOL),
    )
}

impl Recorded {
    pub(super) fn read(output: &Value) -> Option<Self> {
        serde_json::from_value(output.clone()).ok()
    }
}

fn blocked(mission: &Mission, findings: &[&Finding]) -> AppError {
    let id = short(mission.id());
    let rules: BTreeSet<&str> = findings
        .iter()
        .map(|finding| finding.rule.as_str())
        .collect();
    let rules: Vec<&str> = rules.into_iter().collect();
    let final_one = findings.iter().any(|finding| !finding.may_be_overruled);
    let help = match (final_one, mission.ending()) {
        (true, _) => "At least one of the rules cannot be overruled. Have the report reworked without that text.".to_owned(),
        (false, None) => format!(
            "`adjutant show {id}` shows the sentences. If it is a false alarm, approve the final review with `--overrule REASON`."
        ),
        (false, Some(_)) => format!(
            "`adjutant show {id}` shows the sentences. If it is a false alarm, fork the mission before its final review, and approve that with `--overrule REASON`."
        ),
    };
    AppError::new(
        ErrorKind::Forbidden,
        BLOCKED,
        format!(
            "the constitutional checks block this output of mission {id}: {}",
            rules.join(", ")
        ),
        help,
    )
}
