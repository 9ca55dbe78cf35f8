//! From an intent in words to a graph of tasks: out of the tools that the caller may have called, the templates of the
//! catalogue, and the missions of the tenant that ended.
//!
//! What was learned is derived from the journals each time, and read again only for missions that ended since: there is no
//! table that could say something else than they do, and what is erased is forgotten.

mod past_workflows;
mod plan_file;
mod replan;
mod template_graphs;

use std::sync::{Arc, Mutex, PoisonError};

use adjutant_journal::TenantJournal;
use adjutant_mission::{Actor, EffectClass, MissionId, Provenance};
use adjutant_store::TenantStore;
use adjutant_suggestion::{
    INTENT_CHARS_MAX, IntentRefused, KnownTool, Suggester, Suggestion, ToolEffect,
};
use adjutant_tools::{Manifest, Registry};

use crate::catalogue::catalogue;
use crate::error::{AppError, ErrorKind};
use crate::settings::Settings;
use past_workflows::PastMissions;
pub use plan_file::plan_file;
pub use replan::{Replanned, replan};
use template_graphs::template_graphs;

/// What suggestions are made of, kept for the next one. A server has one of these for each tenant.
#[derive(Debug, Default)]
pub struct Suggestions {
    past: PastMissions,
    built: Mutex<Option<Built>>,
}

/// An index, and what it was built of.
#[derive(Debug)]
struct Built {
    tools: Vec<String>,
    missions: Vec<MissionId>,
    suggester: Arc<Suggester>,
}

impl Suggestions {
    /// The index for a caller: of the tools that may be called for it, and of all missions that ended so far.
    pub async fn suggester<T: TenantStore>(
        &self,
        settings: &Settings,
        registry: &Registry,
        caller: &Actor,
        journal: Option<&TenantJournal<T>>,
    ) -> Result<Arc<Suggester>, AppError> {
        let permitted = |manifest: &&Manifest| {
            let refusal = registry.refusal(&settings.tenant, caller, &manifest.id);
            refusal.is_none()
        };
        let tools: Vec<KnownTool> = registry
            .manifests()
            .filter(permitted)
            .map(known_tool)
            .collect();
        let catalogue = catalogue(settings)?;
        let ended = match journal {
            Some(journal) => self.past.ended(journal, &catalogue).await?,
            None => Vec::new(),
        };
        let names: Vec<String> = tools.iter().map(|tool| tool.id.clone()).collect();
        let missions: Vec<MissionId> = ended.iter().map(|(mission, _)| *mission).collect();
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(built) = built.as_ref()
            && built.tools == names
            && built.missions == missions
        {
            return Ok(Arc::clone(&built.suggester));
        }
        let past = ended.iter().map(|(_, workflow)| workflow.as_ref().clone());
        let suggester = Arc::new(Suggester::new(
            tools,
            &template_graphs(&catalogue),
            past.collect(),
        ));
        *built = Some(Built {
            tools: names,
            missions,
            suggester: Arc::clone(&suggester),
        });
        Ok(suggester)
    }
}

/// A graph for an intent, or why there can be none.
pub fn suggest(suggester: &Suggester, intent: &str) -> Result<Suggestion, AppError> {
    suggester.suggest(intent).map_err(refused)
}

fn refused(refused: IntentRefused) -> AppError {
    match refused {
        IntentRefused::Empty => AppError::new(
            ErrorKind::BadInput,
            "ADJ-6250",
            "the intent has no words",
            "Say what is wanted, such as `adjutant suggest \"find trials of ketamine and chart them by year\"`.",
        ),
        IntentRefused::TooLong { chars } => AppError::new(
            ErrorKind::BadInput,
            "ADJ-6251",
            format!("the intent has {chars} characters; the limit is {INTENT_CHARS_MAX}"),
            "Say in a few sentences what is wanted, and give documents as files or through the knowledge base.",
        ),
    }
}

/// A tool as suggestions know it.
pub fn known_tool(manifest: &Manifest) -> KnownTool {
    KnownTool {
        id: manifest.id.to_string(),
        name: manifest.name.clone(),
        description: manifest.description.clone(),
        input: manifest.input.clone(),
        output: manifest.output.clone(),
        effect: match (manifest.class, manifest.provenance) {
            (EffectClass::Once, _) | (EffectClass::Idempotent, Provenance::Own) => {
                ToolEffect::Changes
            }
            (_, Provenance::Own) => ToolEffect::Computes,
            _ => ToolEffect::Finds,
        },
        price: manifest.price.0,
    }
}
