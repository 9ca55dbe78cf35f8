//! The knowledge base as missions look things up in it.

use std::sync::Arc;

use adjutant_journal::Vault;
use adjutant_knowledge_base::{KnowledgeBase, KnowledgeError, Passage, Passages, Shelf};
use adjutant_knowledge_index::{DocumentKind, Filters, Namespace, Query};
use adjutant_mission::TenantId;
use adjutant_questions::AskFailure;
use adjutant_store::TenantStore;
use adjutant_tools::{BoxFuture, Library, ToolFailure, Wanted};
use serde_json::{Value, json};

use crate::knowledge::Embedding;
use crate::stores::AnyStore;

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
