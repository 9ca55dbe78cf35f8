//! How a plan changes for what a supervisor requires: as it does for a requirement of a person, except that nobody has seen the change.
//!
//! **Invariant:** Who approved the plan did not see the change. So what it adds or changes, and whatever works on what it adds or
//! changes, is asked about before it changes anything outside.

use adjutant_host::Replanner;
use adjutant_journal::TenantJournal;
use adjutant_mission::{Actor, Approval, Mission, PlanPatch, Task, WorkSpec};
use adjutant_suggestion::SURE_ENOUGH;
use adjutant_supervision::Requirement;
use futures::future::BoxFuture;
use tokio::sync::OnceCell;

use crate::error::{AppError, ErrorKind};
use crate::plan_checker::PlanChecker;
use crate::settings::Settings;
use crate::stores::AnyTenant;
use crate::suggestion::{Suggestions, replan};
use crate::workflow::{ask_about_what_follows, only_reads};

/// What is needed is looked up when it is first needed: most missions have no such supervisor.
#[derive(Debug)]
pub(crate) struct SupervisorReplans {
    settings: Settings,
    checker: OnceCell<PlanChecker>,
    suggestions: Suggestions,
}

impl SupervisorReplans {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            checker: OnceCell::new(),
            suggestions: Suggestions::default(),
        }
    }

    async fn find_patch(
        &self,
        mission: &Mission,
        by: &Actor,
        requirement: &Requirement,
    ) -> Result<PlanPatch, AppError> {
        let settings = Settings {
            tenant: mission.scope().tenant.clone(),
            ..self.settings.clone()
        };
        let checker = self
            .checker
            .get_or_try_init(|| PlanChecker::new(&self.settings))
            .await?;
        let past = None::<&TenantJournal<AnyTenant>>;
        let suggester = self
            .suggestions
            .suggester(&settings, checker.registry(), by, past)
            .await?;
        let (words, context) = (&requirement.words, &requirement.context);
        let replanned = replan(&suggester, checker, mission, words, context)?;
        let confidence = replanned.revision.suggestion.confidence.value;
        if confidence < SURE_ENOUGH {
            return Err(not_sure(confidence));
        }
        let mut patch = replanned.patch;
        for task in patch.add.iter_mut().chain(&mut patch.change) {
            if !reads(checker, task) {
                task.approval = Approval::Always;
            }
        }
        ask_about_what_follows(mission, checker, &mut patch)?;
        Ok(patch)
    }
}

/// Nobody looks at the new tasks before they run, so a guess is not enough.
fn not_sure(confidence: f64) -> AppError {
    let percent = 100.0 * confidence;
    AppError::new(
        ErrorKind::Conflict,
        "ADJ-6243",
        format!("the tasks that were found for it are right with {percent:.0} % only"),
        "Say the requirement in other words, or change the plan yourself; see docs/changing-plans.md.",
    )
}

/// Whether a task changes nothing outside.
fn reads(checker: &PlanChecker, task: &Task) -> bool {
    let WorkSpec::Tool(call) = &task.work else {
        return true;
    };
    let known = checker.registry().get(call.tool.as_str());
    known.is_some_and(|known| only_reads(known.manifest().class))
}

impl Replanner for SupervisorReplans {
    fn patch<'a>(
        &'a self,
        mission: &'a Mission,
        by: &'a Actor,
        requirement: &'a Requirement,
    ) -> BoxFuture<'a, Result<PlanPatch, String>> {
        Box::pin(async move {
            let found = self.find_patch(mission, by, requirement).await;
            found.map_err(|error| {
                let first = error.complaints.into_iter().next();
                first.map_or_else(
                    || "no tasks can be found for it".to_owned(),
                    |complaint| complaint.message,
                )
            })
        })
    }
}
