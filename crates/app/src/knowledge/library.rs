//! The knowledge base as missions look things up in it.

use std::sync::Arc;

use adjutant_journal::Vault;
use adjutant_knowledge_base::{KnowledgeBase, KnowledgeError, Passage, Passages, Shelf};
use adjutant_knowledge_index::{DocumentKind, Filters, Namespace, Query};
use adjutant_mission::TenantId;
use adjutant_questions::AskFailure;
use adjutant_reader::Date;
use adjutant_store::TenantStore;
use adjutant_tools::{BoxFuture, Library, ToCut, ToRead, ToolFailure, Wanted, WantedWhole};
use serde_json::{Value, json};

use crate::document_review::review;
use crate::earlier_report::earlier_report;
use crate::error::{AppError, ErrorKind};
use crate::knowledge::Embedding;
use crate::pieces::{cut_documents, whole_documents};
use crate::stores::AnyStore;

/// So many of each kind that reading finds go to a mission.
const LISTED_MAX: usize = 150;

#[derive(Debug)]
pub struct KnowledgeLibrary {
    pub store: AnyStore,
    pub vault: Vault,
    pub shelf: Arc<Shelf>,
    pub embedding: Option<Embedding>,
}

impl Library for KnowledgeLibrary {
    fn search(
        &self,
        tenant: TenantId,
        wanted: Wanted,
    ) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let journal = self.vault.tenant(&self.store, &tenant);
            let base = KnowledgeBase::new(journal, &self.shelf);
            let looked_up = look_up(&base, self.embedding.as_ref(), query(wanted)).await;
            let (found, trouble) = looked_up.map_err(|error| {
                let message = format!("{error} ({})", error.code());
                match error {
                    KnowledgeError::Journal(_) => ToolFailure::temporary(message),
                    _ => ToolFailure::bad_input(message),
                }
            })?;
            let sources: Vec<Value> = found.passages.iter().map(source).collect();
            let mut told = json!({ "sources": sources, "searched": found.searched });
            if let Some(trouble) = trouble {
                told["note"] = Value::String(by_words(&trouble));
            }
            Ok(told)
        })
    }

    fn read(&self, tenant: TenantId, wanted: ToRead) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let today = day(&wanted.as_of)?;
            let journal = self.vault.tenant(&self.store, &tenant);
            let base = KnowledgeBase::new(journal, &self.shelf);
            let reviewed = review(&base, &wanted.namespaces, Some(&wanted.objective), today).await;
            let mut found = reviewed.map_err(|error| failure(&error))?.found;
            found.keep(LISTED_MAX);
            serde_json::to_value(&found)
                .map_err(|error| ToolFailure::permanent(format!("invalid JSON: {error}")))
        })
    }

    fn cut(&self, tenant: TenantId, wanted: ToCut) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let journal = self.vault.tenant(&self.store, &tenant);
            let base = KnowledgeBase::new(journal, &self.shelf);
            let (namespaces, objective) = (&wanted.namespaces, &wanted.objective);
            let cut = cut_documents(&base, namespaces, objective, wanted.count).await;
            let cut = cut.map_err(|error| failure(&error))?;
            serde_json::to_value(&cut)
                .map_err(|error| ToolFailure::permanent(format!("invalid JSON: {error}")))
        })
    }

    fn whole(
        &self,
        tenant: TenantId,
        wanted: WantedWhole,
    ) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let journal = self.vault.tenant(&self.store, &tenant);
            let base = KnowledgeBase::new(journal, &self.shelf);
            let whole = whole_documents(&base, &wanted.namespaces, &wanted.objective).await;
            whole.map_err(|error| failure(&error))
        })
    }

    fn earlier(
        &self,
        tenant: TenantId,
        mission: String,
    ) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        Box::pin(async move {
            let today = day("")?.iso();
            let journal = self.vault.tenant(&self.store, &tenant);
            let earlier = earlier_report(&journal, &mission, today).await;
            earlier.map_err(|error| failure(&error))
        })
    }
}

fn failure(error: &AppError) -> ToolFailure {
    let told = error.complaints.iter();
    let told = told.map(|one| format!("{} ({})", one.message, one.code));
    let message = told.collect::<Vec<_>>().join("; ");
    match error.kind {
        ErrorKind::BadInput | ErrorKind::NotFound => ToolFailure::bad_input(message),
        _ => ToolFailure::temporary(message),
    }
}

/// The day that due dates are held against.
fn day(as_of: &str) -> Result<Date, ToolFailure> {
    let text = match as_of {
        "" => jiff::Zoned::now().date().to_string(),
        given => given.to_owned(),
    };
    let date = Date::from_iso(&text).filter(|date| date.day().is_some());
    date.ok_or_else(|| {
        ToolFailure::bad_input(format!("`{text:.40}` is not a day: write 2026-09-30"))
    })
}

/// Searches by vectors too where passages have them. An endpoint that is away keeps nobody from finding by words.
pub async fn look_up<T: TenantStore>(
    base: &KnowledgeBase<'_, T>,
    embedding: Option<&Embedding>,
    mut query: Query,
) -> Result<(Passages, Option<AskFailure>), KnowledgeError> {
    let Some(embedding) = embedding else {
        return Ok((base.search(&query, None).await?, None));
    };
    let name = embedding.name();
    let mut namespaces = base.namespaces().await?.into_iter();
    let mut trouble = None;
    if namespaces.any(|of| of.is_embedded_by(name)) {
        match embedding.question(&query.text).await {
            Ok(vector) => query.vector = vector,
            Err(failure) => trouble = Some(failure),
        }
    }
    Ok((base.search(&query, Some(name)).await?, trouble))
}

/// What is said where a question got no vector.
pub fn by_words(trouble: &AskFailure) -> String {
    format!("searched by keywords only, without embeddings: {trouble}")
}

pub fn query(wanted: Wanted) -> Query {
    let mut query = Query::new(wanted.question, wanted.most as usize);
    query.filters = Filters {
        namespaces: wanted.namespaces.into_iter().map(Namespace).collect(),
        kinds: wanted
            .kinds
            .iter()
            .filter_map(|kind| kind_named(kind))
            .collect(),
        tags: wanted.tags.into_iter().collect(),
        from: wanted.from,
        to: wanted.to,
    };
    query
}

fn kind_named(name: &str) -> Option<DocumentKind> {
    serde_json::from_value(Value::String(name.to_owned())).ok()
}

pub fn kind_name(kind: DocumentKind) -> String {
    match serde_json::to_value(kind) {
        Ok(Value::String(name)) => name,
        _ => String::new(),
    }
}

/// A passage as a source that an agent may be asked about and cite.
fn source(passage: &Passage) -> Value {
    json!({
        "id": passage.address.to_string(),
        "title": title(passage),
        "text": passage.text,
        "published": passage.document.date,
    })
}

/// The document's title, and where in it.
pub fn title(passage: &Passage) -> String {
    let document = &passage.document;
    let title = document.title.as_ref().unwrap_or(&document.source);
    title_within(title, passage.place.headings.last().map(String::as_str))
}

pub fn title_within(title: &str, heading: Option<&str>) -> String {
    let mut title = title.to_owned();
    if let Some(heading) = heading.filter(|heading| *heading != title) {
        title.push_str(" · ");
        title.push_str(heading);
    }
    title
}
