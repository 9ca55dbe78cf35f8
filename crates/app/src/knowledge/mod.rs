//! The documents that missions may read: taking them in, listing them, searching them.

mod embed;
mod embedding;
mod library;
mod take_in;

use adjutant_knowledge_base::{KnowledgeBase, NamespaceRecord, Passages, Shelf};
use adjutant_store::TenantStore;
use adjutant_tools::Wanted;
use serde_json::{Value, json};

use crate::error::{AppError, ErrorKind};
use crate::read_only_store::ReadOnlyStore;
use crate::settings::Settings;

pub use embed::{Embedded, embed};
pub use embedding::Embedding;
pub use library::{KnowledgeLibrary, by_words, kind_name, look_up, query, title, title_within};
pub use take_in::{
    File, READ_DOCUMENT, Taken, change_namespace, files_of, hash, look_again, read_one, take_in,
};

/// Titles that are looked at to tell a mission's field.
const TITLES_MAX: usize = 2_000;

/// Every namespace, by name; none where there is no store yet.
pub async fn namespaces(settings: &Settings) -> Result<Vec<NamespaceRecord>, AppError> {
    let Some(store) = ReadOnlyStore::open(settings).await? else {
        return Ok(Vec::new());
    };
    let shelf = Shelf::default();
    let base = KnowledgeBase::new(store.journal, &shelf);
    Ok(base.namespaces().await?)
}

/// Titles and paths of the documents in the named knowledge bases, by which a mission's field is known.
pub fn titles(there: &[NamespaceRecord], named: &[String]) -> Vec<String> {
    let chosen = there
        .iter()
        .filter(|of| named.iter().any(|name| name == of.name.as_str()));
    let documents = chosen.flat_map(|of| &of.documents);
    documents
        .take(TITLES_MAX)
        .map(|document| match &document.title {
            Some(title) => format!("{title} {}", document.source),
            None => document.source.clone(),
        })
        .collect()
}

/// Checks that every knowledge base that is named is there.
pub fn check_named(there: &[NamespaceRecord], named: &[String]) -> Result<(), AppError> {
    for name in named {
        if !there.iter().any(|record| record.name.as_str() == name) {
            let known: Vec<&str> = there.iter().map(|record| record.name.as_str()).collect();
            let known = match known.as_slice() {
                [] => "none exists yet".to_owned(),
                known => format!("there are {}", known.join(", ")),
            };
            return Err(AppError::new(
                ErrorKind::BadInput,
                "ADJ-6106",
                format!("the knowledge base `{name}` does not exist; {known}"),
                format!("Import documents with `adjutant kb add FOLDER -n {name}`."),
            ));
        }
    }
    Ok(())
}

pub async fn list_bases<T: TenantStore>(base: &KnowledgeBase<'_, T>) -> Result<Value, AppError> {
    let all = base.namespaces().await?;
    let told = all.iter().map(|of| {
        json!({
            "name": of.name.as_str(),
            "documents": of.documents.len(),
            "passages": of.passages(),
            "bytes": of.documents.iter().map(|of| of.bytes).sum::<u64>(),
        })
    });
    let told: Vec<Value> = told.collect();
    Ok(json!({ "knowledge_bases": told }))
}

pub async fn list_documents<T: TenantStore>(
    base: &KnowledgeBase<'_, T>,
    name: &str,
) -> Result<Value, AppError> {
    let of = base.namespace(&name.parse()?).await?;
    let documents = of.documents.iter().map(|document| {
        json!({
            "source": document.source, "kind": document.kind, "title": document.title,
            "date": document.date, "author": document.author, "tags": document.tags,
            "language": document.language, "passages": document.passages,
            "characters": document.characters, "bytes": document.bytes, "hash": document.hash,
        })
    });
    let documents: Vec<Value> = documents.collect();
    Ok(json!({ "name": of.name.as_str(), "documents": documents }))
}

pub async fn search<T: TenantStore>(
    base: &KnowledgeBase<'_, T>,
    embedding: Option<&Embedding>,
    name: String,
    question: String,
    most: u32,
) -> Result<Value, AppError> {
    base.namespace(&name.parse()?).await?;
    let wanted = Wanted {
        question,
        namespaces: vec![name],
        kinds: Vec::new(),
        tags: Vec::new(),
        from: None,
        to: None,
        most,
    };
    let (found, trouble) = look_up(base, embedding, query(wanted)).await?;
    Ok(passages_json(&found, trouble.as_ref().map(by_words)))
}

fn passages_json(found: &Passages, note: Option<String>) -> Value {
    let passages = (1..).zip(&found.passages).map(|(rank, passage): (u32, _)| {
        json!({
            "rank": rank, "address": passage.address.to_string(), "title": passage.document.title,
            "source": passage.document.source, "kind": passage.document.kind,
            "date": passage.document.date, "headings": passage.place.headings,
            "pages": passage.place.pages, "score": passage.score, "text": passage.text,
        })
    });
    let passages: Vec<Value> = passages.collect();
    json!({ "searched": found.searched, "note": note, "passages": passages })
}
