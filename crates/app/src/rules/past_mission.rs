//! One mission of the past under two rule books: every decision that each of them makes about it.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_effects::{
    INPUTS, MissionRules, MissionTypes, PastCall, PreparedEffect, ResolvedInputs, RuleBook,
    WhoAnswered, document_of, report_value, step_name,
};
use adjutant_journal::{MissionSeal, TenantJournal};
use adjutant_mission::{
    Effect, EffectNumber, Event, FailureKind, Json, Mission, MissionId, Payload, Usage,
};
use adjutant_providers::{Models, OFFLINE};
use adjutant_questions::ProviderZone;
use adjutant_rules::{RuleSet, Ruling, Subject};
use adjutant_store::TenantStore;
use adjutant_tools::Registry;
use serde::Serialize;
use serde_json::Value;

use crate::error::AppError;

/// What a failure says whose result a rule withheld: its content is not recorded.
const WITHHELD: [&str; 2] = ["the result is withheld by", "the report is withheld by"];

/// Two rule sets to compare, and what is needed to see past calls as they were.
#[derive(Debug)]
pub(super) struct Comparison {
    pub(super) before: Vec<Arc<RuleSet>>,
    pub(super) after: Vec<Arc<RuleSet>>,
    pub(super) types: MissionTypes,
    pub(super) registry: Registry,
    /// Nothing is known of providers if they cannot be set up: all are taken to be outside.
    pub(super) models: Option<Arc<Models>>,
}

/// A decision that would differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    pub mission: MissionId,
    pub on: Subject,
    /// The task that called.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub task: String,
    /// The tool, or the purpose of a question.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub tool: String,
    pub before: Ruling,
    pub after: Ruling,
}

/// What came of one mission.
#[derive(Debug, Clone, Default)]
pub(super) struct Compared {
    pub(super) decisions: u64,
    pub(super) differences: Vec<Difference>,
    /// Results that were withheld at the time, so that nobody can judge them now.
    pub(super) withheld: u64,
    /// Calls whose arguments cannot be put together any more.
    pub(super) unclear: u64,
}

/// A mission while its journal is gone through.
struct Walk<'a, T: TenantStore> {
    comparison: &'a Comparison,
    journal: &'a TenantJournal<T>,
    seal: MissionSeal,
    mission: Mission,
    before: MissionRules,
    after: MissionRules,
    /// Calls that were made and have not ended, by task.
    open: BTreeMap<String, PastCall>,
    compared: Compared,
}

impl Comparison {
    pub(super) async fn compare<T: TenantStore>(
        &self,
        journal: &TenantJournal<T>,
        id: MissionId,
    ) -> Result<Compared, AppError> {
        let unknown = adjutant_journal::JournalError::MissionUnknown(id);
        let row = journal.store().row(id).await?.ok_or(unknown)?;
        let seal = journal.seal_of(&row).await?;
        let (events, _) = journal.read(id).await?;
        let corrupt = |source| adjutant_journal::JournalError::Corrupt {
            mission: id,
            source: Box::new(source),
        };
        let Some((first, rest)) = events.split_first() else {
            return Ok(Compared::default());
        };
        let mission = Mission::begin(first).map_err(corrupt)?;
        let book = RuleBook {
            types: self.types.clone(),
            ..RuleBook::default()
        };
        let mut walk = Walk {
            before: book.of_mission_under(self.before.clone(), &mission),
            after: book.of_mission_under(self.after.clone(), &mission),
            comparison: self,
            journal,
            seal,
            mission,
            open: BTreeMap::new(),
            compared: Compared::default(),
        };
        let (before, after) = (walk.before.decide_mission(), walk.after.decide_mission());
        walk.note(Subject::Mission, "", "", before, after);
        if !walk.before.looks_into_calls() && !walk.after.looks_into_calls() {
            return Ok(walk.compared);
        }
        for recorded in rest {
            walk.mission.apply(recorded).map_err(corrupt)?;
            walk.follow(&recorded.event).await?;
        }
        for (_, call) in std::mem::take(&mut walk.open) {
            walk.judge_call(&call, None);
        }
        Ok(walk.compared)
    }
}

impl<T: TenantStore> Walk<'_, T> {
    fn note(&mut self, on: Subject, task: &str, tool: &str, before: Ruling, after: Ruling) {
        self.compared.decisions += 1;
        if (before.decision, before.approver) == (after.decision, after.approver) {
            return;
        }
        self.compared.differences.push(Difference {
            mission: self.mission.id(),
            on,
            task: task.to_owned(),
            tool: tool.to_owned(),
            before,
            after,
        });
    }

    async fn follow(&mut self, event: &Event) -> Result<(), AppError> {
        match event {
            Event::TaskStarted {
                effect: Some(effect),
                ..
            }
            | Event::UndoStarted { effect, .. } => self.started(*effect).await,
            Event::TaskCompleted {
                task,
                output,
                usage,
            }
            | Event::TaskHeld {
                task,
                output,
                usage,
            } => self.gave(task.as_str(), output, *usage).await,
            Event::StepTaken { task, taken } => {
                self.gave(task.as_str(), &taken.output, taken.usage).await
            }
            Event::AttemptFailed { task, failure, .. } => {
                let is_withheld = failure.kind == FailureKind::Denied
                    && WITHHELD
                        .iter()
                        .any(|begins| failure.message.starts_with(begins));
                self.compared.withheld += u64::from(is_withheld);
                if let Some(call) = self.open.remove(task.as_str()) {
                    self.judge_call(&call, None);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    async fn started(&mut self, number: EffectNumber) -> Result<(), AppError> {
        let Some(effect) = self.mission.effect(number) else {
            return Ok(());
        };
        let prepared = PreparedEffect::from(effect);
        let resolved = self.resolved(&prepared).await?;
        let effect = prepared.effect();
        let tools = self.mission.tools();
        match PastCall::new(effect, &resolved, &self.comparison.registry, tools) {
            None => {}
            Some(Ok(call)) => {
                self.open.insert(effect.task.to_string(), call);
            }
            Some(Err(_)) => self.compared.unclear += 1,
        }
        Ok(())
    }

    /// What the effect's references pointed at when it began.
    async fn resolved(&self, effect: &PreparedEffect) -> Result<ResolvedInputs, AppError> {
        let mut resolved = ResolvedInputs {
            inputs: self.mission.plan().inputs.clone(),
            ..ResolvedInputs::default()
        };
        for task in effect.referenced_tasks() {
            if task != INPUTS
                && let Some(payload) = self.mission.output(&task)
                && let Some(json) = self.fetched(payload).await?
            {
                resolved.outputs.insert(task, json);
            }
        }
        for earlier in earlier_of(effect.effect()) {
            if let Some(json) = self.fetched(&earlier.output).await? {
                resolved.outputs.insert(step_name(earlier.number), json);
            }
        }
        Ok(resolved)
    }

    async fn fetched(&self, payload: &Payload) -> Result<Option<Json>, AppError> {
        let digest = match payload {
            Payload::Inline(json) => return Ok(Some(json.clone())),
            Payload::Blob { digest, .. } => digest,
        };
        let Ok(digest) = digest.parse() else {
            return Ok(None);
        };
        let id = self.mission.id();
        Ok(self.journal.output(&self.seal, id, digest).await?)
    }

    async fn gave(&mut self, task: &str, output: &Payload, usage: Usage) -> Result<(), AppError> {
        let Some(call) = self.open.remove(task) else {
            return Ok(());
        };
        let Some(json) = self.fetched(output).await? else {
            self.compared.unclear += 1;
            return Ok(());
        };
        let value: Value = serde_json::from_str(json.text()).unwrap_or_default();
        self.judge_call(&call, Some(&value));
        let bytes = json.text().len();
        let of_result = |rules: &MissionRules| match rules.rules_on(Subject::Result) {
            true => {
                let value = call.result_value(rules, &value, bytes, usage);
                rules.decide(Subject::Result, &value)
            }
            false => Ruling::default(),
        };
        let (before, after) = (of_result(&self.before), of_result(&self.after));
        self.note(Subject::Result, call.task(), call.tool(), before, after);
        if let Some(document) = document_of(&value) {
            let of_report = |rules: &MissionRules| match rules.rules_on(Subject::Report) {
                true => rules.decide(Subject::Report, &report_value(document, rules)),
                false => Ruling::default(),
            };
            let (before, after) = (of_report(&self.before), of_report(&self.after));
            self.note(Subject::Report, call.task(), call.tool(), before, after);
        }
        Ok(())
    }

    fn judge_call(&mut self, call: &PastCall, output: Option<&Value>) {
        let answered = self.who_answered(call, output);
        let of_call = |rules: &MissionRules| match rules.rules_on(Subject::Call) {
            true => rules.decide(Subject::Call, &call.value(rules, answered)),
            false => Ruling::default(),
        };
        let (before, after) = (of_call(&self.before), of_call(&self.after));
        self.note(Subject::Call, call.task(), call.tool(), before, after);
    }

    /// As the answer says; of a question without one, nobody outside is known to have been asked.
    fn who_answered(&self, call: &PastCall, output: Option<&Value>) -> WhoAnswered {
        let answered_by = output.map(|output| &output["answered_by"]);
        let provider = answered_by.and_then(|by| by["provider"].as_str());
        let Some(provider) = provider.filter(|_| call.is_question()) else {
            return WhoAnswered::default();
        };
        let zone = |models: &Arc<Models>| models.zone_of(provider) == ProviderZone::Outside;
        let pseudonyms = answered_by.is_some_and(|by| by.get("replaced").is_some());
        let is_outside = self.comparison.models.as_ref().is_none_or(zone);
        WhoAnswered {
            outside: pseudonyms || (provider != OFFLINE && is_outside),
            pseudonyms,
        }
    }
}

fn earlier_of(effect: &Effect) -> &[adjutant_mission::Earlier] {
    effect
        .thought
        .as_ref()
        .map_or(&[], |thought| &thought.earlier)
}
