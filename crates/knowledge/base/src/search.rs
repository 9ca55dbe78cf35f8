//! Finding passages, and opening what they are from.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use adjutant_knowledge_index::{Document, DocumentId, Index, Namespace, Query, Span, search};
use adjutant_store::TenantStore;

use crate::namespace::Content;
use crate::{
    Address, KeptDocument, KnowledgeBase, KnowledgeError, NamespaceName, NamespaceRecord, Passage,
    Passages, Place, document_id,
};

impl<T: TenantStore> KnowledgeBase<'_, T> {
    /// What was read out of a document, and what is known of it.
    pub async fn document(
        &self,
        namespace: &NamespaceName,
        source: &str,
    ) -> Result<(KeptDocument, Document), KnowledgeError> {
        let of = self.namespace(namespace).await?;
        let kept = of
            .document(source)
            .ok_or_else(|| KnowledgeError::NoDocument {
                namespace: namespace.clone(),
                source_name: source.to_owned(),
            })?;
        let content = self.content(namespace, kept).await?;
        Ok((kept.clone(), content.document))
    }

    /// The documents of a namespace that are wanted, whole.
    pub async fn documents(
        &self,
        of: &NamespaceRecord,
        is_wanted: impl Fn(&KeptDocument) -> bool,
    ) -> Result<Vec<(KeptDocument, Document)>, KnowledgeError> {
        let mut found = Vec::new();
        for kept in of.documents.iter().filter(|kept| is_wanted(kept)) {
            let content = self.content(&of.name, kept).await?;
            found.push((kept.clone(), content.document));
        }
        Ok(found)
    }

    /// Searches the namespaces that the question names; without any, all of them.
    ///
    /// `embedded_by` made the question's vector. It is not used while passages have vectors of another model, until
    /// those are made anew: the two cannot be compared.
    pub async fn search(
        &self,
        query: &Query,
        embedded_by: Option<&str>,
    ) -> Result<Passages, KnowledgeError> {
        let wanted = &query.filters.namespaces;
        let all = self.namespaces().await?;
        let known = |name: &Namespace| all.iter().any(|of| of.name.as_str() == name.0);
        if let Some(stranger) = wanted.iter().find(|name| !known(name)) {
            return Err(KnowledgeError::NoNamespace(stranger.0.parse()?));
        }
        let live = all.iter().flat_map(|of| &of.segments);
        let live = live.map(|of| of.record.as_str()).collect();
        self.shelf.keep_only(self.journal.tenant(), &live);
        let searched = |of: &&NamespaceRecord| {
            wanted.is_empty() || wanted.contains(&Namespace(of.name.to_string()))
        };
        let of_others = |of: &KeptDocument| {
            let by = of.embedded_by.as_deref();
            by.is_some() && by != embedded_by
        };
        let mut query = query.clone();
        let mut looked_at = all.iter().filter(searched);
        if looked_at.any(|of| of.documents.iter().any(of_others)) {
            query.vector = None;
        }
        let mut segments = Vec::new();
        let mut documents: BTreeMap<DocumentId, (&NamespaceName, &KeptDocument)> = BTreeMap::new();
        for of in all.iter().filter(searched) {
            for kept in &of.segments {
                let segment = self.segment(&of.name, kept).await?;
                segments.push((Namespace(of.name.to_string()), segment));
            }
            for kept in &of.documents {
                documents.insert(document_id(&of.name, &kept.source), (&of.name, kept));
            }
        }
        let found = search(&Index::new(segments), &query);
        let mut contents: BTreeMap<DocumentId, Content> = BTreeMap::new();
        let mut passages = Vec::with_capacity(found.hits.len());
        for hit in found.hits {
            let Some((namespace, kept)) = documents.get(&hit.document) else {
                continue;
            };
            let content = match contents.entry(hit.document) {
                Slot::Occupied(known) => known.into_mut(),
                Slot::Vacant(slot) => slot.insert(self.content(namespace, kept).await?),
            };
            let Some(chunk) = content.chunks.get(hit.chunk as usize) else {
                return Err(KnowledgeError::Incomplete {
                    namespace: (*namespace).clone(),
                    what: format!("passage {} of {}", hit.chunk, kept.source),
                });
            };
            let text = &content.document.text;
            passages.push(Passage {
                address: Address::of(namespace, &kept.source, text, chunk.span),
                document: (*kept).clone(),
                place: Place {
                    headings: chunk.headings.clone(),
                    pages: chunk.pages,
                },
                text: slice(text, chunk.span).to_owned(),
                score: hit.score,
                explained: hit.explained,
            });
        }
        Ok(Passages {
            passages,
            expanded_with: found.expanded_with,
            searched: found.chunks_searched,
            with_vector: found.chunks_with_vector,
        })
    }
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize)
        .unwrap_or_default()
}
