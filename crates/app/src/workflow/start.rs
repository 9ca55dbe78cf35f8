//! Ready-made missions that programs start. From then on they are workflows like any other.

use std::collections::BTreeMap;

use adjutant_knowledge_base::{KnowledgeBase, Shelf};
use adjutant_mission::Autonomy;
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::Detail;
use super::caller::ProgramCaller;
use super::door::Door;
use super::service::{PlannedWorkflow, Workflows, budget, check_words, wait};
use super::unfit;
use crate::context::{Context, Hosting};
use crate::error::AppError;
use crate::use_cases::{PlannedMission, StartMission, plan_wanted};

const OBJECTIVE_CHARS_MAX: usize = 8_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StartForm {
    mission: String,
    objective: String,
    #[serde(default)]
    knowledge_bases: Vec<String>,
    #[serde(default)]
    inputs: BTreeMap<String, Value>,
    #[serde(default)]
    autonomy: Autonomy,
    /// In US dollars.
    max_cost: Option<f64>,
    idempotency_key: Option<String>,
    wait_seconds: Option<u64>,
}

impl Workflows<'_> {
    /// Starts a mission of the catalogue.
    pub(super) async fn start_mission(
        &self,
        caller: &ProgramCaller,
        wanted: StartForm,
        asked: Value,
    ) -> Result<Value, AppError> {
        let wait = wait(wanted.wait_seconds)?;
        check_words("mission", &wanted.mission)?;
        if wanted.objective.trim().is_empty()
            || wanted.objective.chars().count() > OBJECTIVE_CHARS_MAX
        {
            return Err(unfit(
                "ADJ-6221",
                format!("`objective` must have 1 to {OBJECTIVE_CHARS_MAX} characters"),
                "Write the question that the mission is to answer.",
            ));
        }
        let door = self.door().await?;
        let key = wanted.idempotency_key.as_deref();
        let mission = self.mission_for(&door, caller, key, asked).await?;
        let mut left_out = Vec::new();
        if !self.is_open(&door, mission).await? {
            let planned = self.plan(&door, caller, &wanted).await?;
            left_out = planned.left_out;
            let planned = PlannedWorkflow {
                plan: planned.plan,
                tools: planned.tools,
                // A person approves it, whatever is approved in advance for graphs.
                approvals: Vec::new(),
            };
            self.open(&door, caller, mission, planned).await?;
        }
        let mut told = self
            .answer(caller, &door, mission, wait, Detail::WithResults)
            .await?;
        if !left_out.is_empty() {
            let left_out = left_out.iter();
            let left_out = left_out.map(|(task, why)| json!({ "task": task, "why": why }));
            told["left_out"] = left_out.collect::<Vec<_>>().into();
        }
        Ok(self.with_budget_note(told, wanted.max_cost))
    }

    async fn plan(
        &self,
        door: &Door<'_>,
        caller: &ProgramCaller,
        wanted: &StartForm,
    ) -> Result<PlannedMission, AppError> {
        let by = caller.as_program();
        let hosting = match door {
            Door::Here(host) => Hosting::Here(host),
            Door::Reached(_) => Hosting::Reached,
        };
        let context = Context {
            settings: self.settings,
            checker: self.checker,
            caller: &by,
            hosting,
        };
        let journal = door.journal(self.settings).await?;
        let shelf = Shelf::default();
        let base = KnowledgeBase::new(journal, &shelf);
        let most = self.settings.workflows.budget;
        let wanted = StartMission {
            mission: wanted.mission.clone(),
            lead: None,
            objective: wanted.objective.clone(),
            knowledge_bases: wanted.knowledge_bases.clone(),
            inputs: wanted.inputs.clone(),
            context: BTreeMap::new(),
            attachments: Vec::new(),
            // A program cannot ask for fewer questions to people than usual.
            autonomy: wanted.autonomy.min(Autonomy::Balanced),
            budget: Some(budget(most, wanted.max_cost)?),
            checkpoint_deadline: None,
        };
        Box::pin(plan_wanted(context, &base, wanted)).await
    }
}
