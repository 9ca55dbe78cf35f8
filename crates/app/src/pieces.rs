//! The documents of the knowledge base in pieces that one question to a model can carry, and how many they are: a plan has a
//! question for each.

use std::collections::BTreeMap;

use adjutant_catalogue::CHECKED_PIECES;
use adjutant_knowledge_base::KnowledgeBase;
use adjutant_mission::{AgentLevel, Complexity};
use adjutant_providers::{OFFLINE, Route};
use adjutant_reader::Standing;
use adjutant_reports::{Cut, WholeDocument, batches_for, cut};
use adjutant_store::TenantStore;
use serde_json::{Value, json};

use crate::constitution::PIECES;
use crate::error::AppError;
use crate::planning::a_model_leads;
use crate::read_documents::ReadDocuments;
use crate::settings::Settings;
use crate::wiring;

const CUT_DOCUMENTS: &str = "cut_documents";
pub(crate) const GROUP_CLAIMS: &str = "group_claims";

/// Cuts the documents of the namespaces, all of them or, of very many, those that the objective concerns.
pub(crate) async fn cut_documents<T: TenantStore>(
    base: &KnowledgeBase<'_, T>,
    namespaces: &[String],
    objective: &str,
    count: Option<usize>,
) -> Result<Cut, AppError> {
    let read = ReadDocuments::of(base, namespaces, Some(objective)).await?;
    Ok(cut(&whole(&read), count))
}

/// The documents that hold, as they are, and whether these are all there are.
pub(crate) async fn whole_documents<T: TenantStore>(
    base: &KnowledgeBase<'_, T>,
    namespaces: &[String],
    objective: &str,
) -> Result<Value, AppError> {
    let read = ReadDocuments::of(base, namespaces, Some(objective)).await?;
    let complete = read.taken.len() == read.documents;
    let documents = whole(&read).into_iter();
    let holds = documents.filter(|one| !one.is_draft && one.replaced_by.is_none());
    let sources: Vec<Value> = holds
        .map(|one| json!({"id": one.id, "title": one.title, "text": one.text, "published": one.date}))
        .collect();
    Ok(json!({"total": sources.len(), "sources": sources, "complete": complete}))
}

/// How many items the lists have that a model is asked about one by one, by the tools that make them. None where no model
/// reads.
pub async fn count_lists<T: TenantStore>(
    settings: &Settings,
    base: &KnowledgeBase<'_, T>,
    namespaces: &[String],
    objective: &str,
) -> Result<BTreeMap<String, usize>, AppError> {
    let mut lists = BTreeMap::new();
    let pieces = count_pieces(settings, base, namespaces, objective).await?;
    if pieces > 0 {
        lists.insert(CUT_DOCUMENTS.to_owned(), pieces);
        lists.insert(GROUP_CLAIMS.to_owned(), batches_for(pieces));
    }
    if a_model_leads(settings) {
        lists.insert(CHECKED_PIECES.to_owned(), PIECES);
    }
    Ok(lists)
}

/// How many pieces a model has to read for the objective; 0 where no model answers for workers.
async fn count_pieces<T: TenantStore>(
    settings: &Settings,
    base: &KnowledgeBase<'_, T>,
    namespaces: &[String],
    objective: &str,
) -> Result<usize, AppError> {
    if namespaces.is_empty() || !a_model_reads(settings)? {
        return Ok(0);
    }
    let cut = cut_documents(base, namespaces, objective, None).await?;
    Ok(cut.items.len())
}

/// Whether a model is asked first where a piece of documents is read.
fn a_model_reads(settings: &Settings) -> Result<bool, AppError> {
    let models = wiring::models(settings)?;
    let route = Route {
        level: AgentLevel::L4,
        domain: None,
        complexity: Complexity::Complex,
        model: None,
    };
    let first = models.asked(&route).ok();
    let first = first.and_then(|asked| asked.first().copied().map(str::to_owned));
    Ok(first.is_some_and(|model| model != OFFLINE))
}

fn whole(read: &ReadDocuments) -> Vec<WholeDocument> {
    let reading = read.reading();
    let mut documents: Vec<WholeDocument> = read
        .taken
        .iter()
        .zip(reading.documents())
        .map(|(one, facts)| WholeDocument {
            id: one.id(),
            source: one.kept.source.clone(),
            title: one.title().to_owned(),
            date: one
                .kept
                .date
                .clone()
                .or_else(|| facts.date.map(|date| date.iso())),
            genre: facts.genre.name().to_owned(),
            is_draft: facts.is_draft,
            replaced_by: match facts.standing {
                Standing::Current => None,
                Standing::ReplacedBy(later) => Some(read.taken[later].title().to_owned()),
            },
            text: one.document.text.clone(),
            statements: Vec::new(),
        })
        .collect();
    for statement in reading.statements() {
        documents[statement.document]
            .statements
            .push(statement.span.clone());
    }
    documents
}
