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
use adjutant_mission::{Actor, EffectClass, Provenance};
use adjutant_store::TenantStore;
use adjutant_suggestion::{
    Graph, INTENT_CHARS_MAX, IntentRefused, KnownTool, Suggester, Suggestion, ToolEffect,
};
use adjutant_tools::{Manifest, Registry};

use crate::catalogue::catalogue;
use crate::error::{AppError, ErrorKind};
use crate::settings::Settings;
use past_workflows::{Past, PastMissions};
pub use plan_file::plan_file;
pub use replan::{Replanned, replan};
use template_graphs::template_graphs;

/// Indexes that are kept: callers who may call different tools have different ones.
const KEPT_MAX: usize = 4;

/// What suggestions are made of, kept for the next one. A server has one of these for each tenant.
#[derive(Debug, Default)]
pub struct Suggestions {
    past: PastMissions,
    /// The one that was used last is the last.
    built: Mutex<Vec<Built>>,
}

/// An index, and what it was built of.
#[derive(Debug)]
struct Built {
    tools: Vec<String>,
    past: Arc<Past>,
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
        let tools = permitted_tools(settings, registry, caller);
        let past = match journal {
            Some(journal) => self.past.ended(journal, settings).await?,
            None => Arc::default(),
        };
        let names: Vec<String> = tools.iter().map(|tool| tool.id.clone()).collect();
        if let Some(kept) = self.kept(&names, &past) {
            return Ok(kept);
        }
        let templates = graphs_of_templates(settings)?;
        let of = Arc::clone(&past);
        // Building takes a while where there are many, and others are served meanwhile.
        let built = tokio::task::spawn_blocking(move || {
            let workflows = of.workflows.iter();
            let workflows = workflows
                .map(|workflow| workflow.as_ref().clone())
                .collect();
            Arc::new(Suggester::new(tools, &templates, workflows))
        });
        let suggester = built.await.map_err(|error| {
            AppError::new(
                ErrorKind::Internal,
                "ADJ-6083",
                format!("suggestions cannot be prepared: {error}"),
                "This is a defect of Adjutant; please report it.",
            )
        })?;
        let mut kept = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        // One of these tools from before is of an older past.
        kept.retain(|built| built.tools != names);
        if kept.len() >= KEPT_MAX {
            kept.remove(0);
        }
        kept.push(Built {
            tools: names,
            past,
            suggester: Arc::clone(&suggester),
        });
        Ok(suggester)
    }

    fn kept(&self, tools: &[String], past: &Arc<Past>) -> Option<Arc<Suggester>> {
        let mut kept = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|built| {
            let is_same = Arc::ptr_eq(&built.past, past) || built.past.missions == past.missions;
            is_same && built.tools == tools
        })?;
        let used = kept.remove(at);
        let suggester = Arc::clone(&used.suggester);
        kept.push(used);
        Some(suggester)
    }
}

/// The tools that may be called for a caller.
pub fn permitted_tools(settings: &Settings, registry: &Registry, caller: &Actor) -> Vec<KnownTool> {
    let permitted = |manifest: &&Manifest| {
        let refusal = registry.refusal(&settings.tenant, caller, &manifest.id);
        refusal.is_none()
    };
    let tools = registry.manifests().filter(permitted);
    tools.map(known_tool).collect()
}

/// The graphs of all templates of the catalogue.
pub fn graphs_of_templates(settings: &Settings) -> Result<Vec<Graph>, AppError> {
    Ok(template_graphs(&catalogue(settings)?))
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
