//! Vectors for passages that are kept already. Documents are taken in without any, so that an endpoint that is away
//! keeps nothing out.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_knowledge_index::{Chunk, Document, Entry, Segment, Span, Vector};
use adjutant_store::TenantStore;

use crate::{Embedded, KeptDocument, KnowledgeBase, KnowledgeError, NamespaceRecord, document_id};

impl<T: TenantStore> KnowledgeBase<'_, T> {
    /// What of each passage of a document goes to whoever makes vectors: where it stands, and what it says.
    pub async fn to_embed(
        &self,
        of: &NamespaceRecord,
        kept: &KeptDocument,
    ) -> Result<Vec<String>, KnowledgeError> {
        let content = self.content(&of.name, kept).await?;
        let said = |chunk: &Chunk| said(&content.document, chunk);
        Ok(content.chunks.iter().map(said).collect())
    }

    pub(crate) async fn embed(
        &self,
        name: &str,
        after: &mut NamespaceRecord,
        by: &str,
        documents: Vec<Embedded>,
    ) -> Result<usize, KnowledgeError> {
        let current = |of: &Embedded| {
            let kept = after.document(&of.source);
            kept.is_some_and(|kept| kept.record == of.record)
        };
        let vectors: BTreeMap<String, Vec<Option<Vector>>> = documents
            .into_iter()
            .filter(current)
            .map(|of| (of.source, of.vectors))
            .collect();
        let about = vectors.len();
        let by_others = |of: &KeptDocument| of.embedded_by.as_deref().is_some_and(|it| it != by);
        let others = after.documents.iter().filter(|of| by_others(of));
        let anew: BTreeSet<String> = others
            .map(|of| of.source.clone())
            .chain(vectors.keys().cloned())
            .collect();
        self.index_anew(name, after, &anew, &vectors).await?;
        for kept in &mut after.documents {
            if anew.contains(&kept.source) {
                kept.embedded_by = vectors.contains_key(&kept.source).then(|| by.to_owned());
            }
        }
        Ok(about)
    }

    /// Indexes documents once more, cut as they are, with these vectors.
    async fn index_anew(
        &self,
        name: &str,
        after: &mut NamespaceRecord,
        sources: &BTreeSet<String>,
        vectors: &BTreeMap<String, Vec<Option<Vector>>>,
    ) -> Result<(), KnowledgeError> {
        let mut entries = Vec::with_capacity(sources.len());
        for kept in after
            .documents
            .iter()
            .filter(|of| sources.contains(&of.source))
        {
            let content = self.content(&after.name, kept).await?;
            let id = document_id(&after.name, &kept.source);
            let mut entry = Entry::new(id, &content.document, &content.chunks);
            entry.tags.clone_from(&kept.tags);
            if let Some(vectors) = vectors.get(&kept.source) {
                entry.set_vectors(vectors.clone())?;
            }
            entries.push(entry);
        }
        self.take_from_index(name, after, sources).await?;
        self.keep_segment(name, after, Segment::from_entries(&entries))
            .await?;
        self.merge(name, after).await
    }
}

fn said(document: &Document, chunk: &Chunk) -> String {
    let mut parts: Vec<&str> = Vec::new();
    parts.extend(document.title.as_deref());
    parts.extend(chunk.headings.iter().map(String::as_str));
    parts.dedup();
    let Span { start, end } = chunk.span;
    let text = document.text.get(start as usize..end as usize);
    parts.push(text.unwrap_or_default());
    parts.join("\n")
}
