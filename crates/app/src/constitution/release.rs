//! Whether a mission's texts may leave. Every exit asks here: reports, streams, artifacts, answers.
//!
//! **Invariant:** What the rules find keeps a text back whatever is recorded. A recorded check can add findings, such as a
//! model's, which hold wherever their words are said; only a person's answer at the final review, with a reason, takes any
//! away.

use std::collections::BTreeSet;

use adjutant_constitution::{Action, Check, CheckedBy, Finding, Remembered, Text, check};
use adjutant_document_model::Document;
use adjutant_journal::TenantJournal;
use adjutant_mission::{Mission, MissionId, Payload, TaskKey, WorkSpec};
use adjutant_store::TenantStore;
use serde::Serialize;
use serde_json::Value;

use super::overrule::overruled;
use super::texts;
use super::tool::{ModelCheck, Recorded, TOOL, digest};
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
    /// What checks in the journal block.
    recorded: Remembered,
    /// The same, where there was no room to say what it is: it holds for every text.
    unlisted: Vec<Finding>,
    /// What a model flagged that blocks nothing, and whether that is all of it.
    flagged: Remembered,
    all_flagged: bool,
    /// The model's part in the last check, and the hash of what was checked.
    by_model: Option<(ModelCheck, String)>,
    overruled: BTreeSet<String>,
}

/// What may leave, and what is to be said with it.
#[derive(Debug)]
pub struct Released {
    pub check: Check,
    /// How many blocking findings a person overruled.
    pub overruled: usize,
    pub by_model: ByModel,
}

/// What a model had to say about what leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ByModel {
    /// Nobody was to ask one.
    NotAsked,
    /// It read this very text, all of it.
    Complete,
    /// What of its check is missing, in words.
    Incomplete(String),
    /// It read another text than the one that leaves.
    OfAnotherText,
}

impl<'a> Release<'a> {
    /// `outputs` are what the mission's tasks gave.
    pub fn new(mission: &'a Mission, outputs: &[(TaskKey, Value)]) -> Self {
        let checks = checks_of(mission, outputs);
        let unlisted = checks.iter().flat_map(Recorded::unlisted).collect();
        let by_model = checks.iter().rev().find_map(|recorded| {
            let model = recorded.model.clone()?;
            Some((model, recorded.checked.clone()))
        });
        let findings = || checks.iter().flat_map(|recorded| recorded.findings.clone());
        let (blocked, flagged): (Vec<Finding>, Vec<Finding>) =
            findings().partition(|finding| finding.action == Action::Block);
        let by_a_model = flagged.into_iter().filter(|it| it.by == CheckedBy::Model);
        Self {
            mission,
            unlisted,
            by_model,
            flagged: Remembered::new(by_a_model),
            all_flagged: checks.iter().all(|recorded| recorded.not_listed == 0),
            recorded: Remembered::new(blocked),
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
        let by_model = self.model_on(document);
        let checked = self.check_with(&texts::of_document(document), &by_model);
        self.released(checked, by_model)
    }

    /// Any other output: its strings and, where it has one, its document.
    pub fn value(&self, value: &Value) -> Result<Released, AppError> {
        let mut given = texts::of_value(value);
        let document = value.get("document").cloned();
        let document = document.and_then(|it| serde_json::from_value(it).ok());
        given.extend(document.iter().flat_map(texts::of_document));
        let by_model = self.model_on(value);
        self.released(self.check_with(&given, &by_model), by_model)
    }

    /// As [`Self::check`], but that a model which read all of it must agree to what rules alone flag.
    fn check_with(&self, texts: &[Text], by_model: &ByModel) -> Check {
        let checked = self.check(texts);
        if *by_model != ByModel::Complete || !self.all_flagged {
            return checked;
        }
        let flagged: Vec<Finding> = self.flagged.said_in(texts).cloned().collect();
        checked.agreed_by(&flagged)
    }

    /// What the rules find, and what of the recorded findings the texts still say.
    fn check(&self, texts: &[Text]) -> Check {
        let recorded = self.recorded.said_in(texts);
        let recorded = recorded.chain(self.flagged.said_in(texts));
        check(texts).with(recorded.chain(&self.unlisted).cloned())
    }

    /// What the model's check is worth for an output.
    fn model_on(&self, output: &impl Serialize) -> ByModel {
        match &self.by_model {
            None => ByModel::NotAsked,
            Some((_, checked)) if digest(output).ok().as_ref() != Some(checked) => {
                ByModel::OfAnotherText
            }
            Some((model, _)) if model.is_complete() => ByModel::Complete,
            Some((model, _)) => ByModel::Incomplete(model.missing()),
        }
    }

    /// Replaces what must not leave in a value that is shown as a whole.
    pub fn withhold(&self, value: &mut Value) {
        let may_leave = |finding: &Finding| !self.keeps_back(finding);
        adjutant_constitution::withhold(value, &self.recorded, &may_leave);
    }

    /// What blocks the result of the mission: its report or, where it has none, what its last tasks gave.
    pub(super) fn blocking_result(&self, record: &MissionRecord) -> Vec<Finding> {
        let checked = match report_of(record) {
            Some(document) => self.check(&texts::of_document(&document)),
            None => {
                let last = record.mission.last_tasks();
                let given = last.filter(|task| !is_check(&record.mission, task));
                let given =
                    given.filter_map(|task| record.output(record.mission.output(task.as_str())?));
                let texts: Vec<Text> = given.flat_map(|value| texts::of_value(&value)).collect();
                self.check(&texts)
            }
        };
        each_once(&checked)
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
        each_once(&self.check(&texts))
    }

    fn released(&self, check: Check, by_model: ByModel) -> Result<Released, AppError> {
        let blocking = check.blocking();
        let kept_back: Vec<&Finding> = blocking.filter(|it| self.keeps_back(it)).collect();
        if !kept_back.is_empty() {
            return Err(blocked(self.mission, &kept_back));
        }
        let overruled: BTreeSet<&str> = check.blocking().map(|it| it.id.as_str()).collect();
        let overruled = overruled.len();
        Ok(Released {
            check,
            overruled,
            by_model,
        })
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

/// The records of the mission's checks: from the outputs that are given, or from the journal itself.
fn checks_of(mission: &Mission, outputs: &[(TaskKey, Value)]) -> Vec<Recorded> {
    let checks = mission
        .tasks()
        .filter(|(task, _)| is_check(mission, &task.key));
    let records = checks.filter_map(|(task, state)| {
        let given = outputs.iter().find(|(key, _)| *key == task.key);
        match (given, &state.output) {
            (Some((_, output)), _) => Recorded::read(output),
            (None, Some(Payload::Inline(json))) => serde_json::from_str(json.text()).ok(),
            (None, _) => None,
        }
    });
    records.collect()
}

/// The blocking findings of a check, each id once.
fn each_once(check: &Check) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    let blocking = check.blocking();
    blocking
        .filter(|finding| seen.insert(&finding.id))
        .cloned()
        .collect()
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
