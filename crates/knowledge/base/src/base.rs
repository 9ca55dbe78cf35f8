//! Adding, removing, finding.
//!
//! **Invariant:** A namespace's record is written last; until then nothing has changed. It names the documents and
//! segments that count, and the next change drops what a crash left behind. Both stores keep the same bytes, so the
//! same question finds the same passages in the same order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use adjutant_journal::{ContentKey, TenantJournal};
use adjutant_knowledge_index::{DocumentId, Entry, Segment, chunks};
use adjutant_mission::{TenantId, Timestamp};
use adjutant_store::{RecordKind, TenantStore};
use serde::{Deserialize, Serialize};

use crate::namespace::{Content, KeptSegment};
use crate::{
    Embedded, Folder, Incoming, KeptDocument, KnowledgeError, NAMESPACES_MAX, NamespaceName,
    NamespaceRecord, document_id,
};

/// With more segments than this, the smallest are merged.
const SEGMENTS_MAX: usize = 8;
/// How many are merged at a time.
const MERGED: usize = 6;

/// A change of a namespace.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Change {
    /// Takes documents in, each in the place of one with the same source.
    Add {
        documents: Vec<Incoming>,
    },
    /// Gives the passages of documents their vectors. Vectors of others are dropped: they cannot be compared.
    Embed {
        /// As `provider/model`.
        by: String,
        documents: Vec<Embedded>,
    },
    /// Takes documents out, with all that is kept of them.
    Remove {
        sources: Vec<String>,
    },
    /// Looks after this folder from here on; or no longer.
    Watch {
        folder: Folder,
    },
    Forget {
        path: String,
    },
    /// Cuts and indexes all its documents anew.
    Reindex,
}

/// Segments that were read, so that the next search need not read them again.
#[derive(Debug, Default)]
pub struct Shelf {
    segments: Mutex<BTreeMap<(TenantId, String), Arc<Segment>>>,
}

impl Shelf {
    fn get(&self, tenant: &TenantId, record: &str) -> Option<Arc<Segment>> {
        let key = (tenant.clone(), record.to_owned());
        let segments = self.segments.lock().unwrap_or_else(PoisonError::into_inner);
        segments.get(&key).cloned()
    }

    fn put(&self, tenant: &TenantId, record: &str, segment: &Arc<Segment>) {
        let key = (tenant.clone(), record.to_owned());
        let mut segments = self.segments.lock().unwrap_or_else(PoisonError::into_inner);
        segments.insert(key, Arc::clone(segment));
    }

    /// Forgets what is no part of any index any more.
    pub(crate) fn keep_only(&self, tenant: &TenantId, records: &BTreeSet<&str>) {
        let mut segments = self.segments.lock().unwrap_or_else(PoisonError::into_inner);
        segments.retain(|(of, record), _| of != tenant || records.contains(record.as_str()));
    }
}

/// A tenant's knowledge base. Changes are made by one host at a time, one after the other.
#[derive(Debug)]
pub struct KnowledgeBase<'a, T> {
    pub(crate) journal: TenantJournal<T>,
    pub(crate) shelf: &'a Shelf,
}

impl<'a, T: TenantStore> KnowledgeBase<'a, T> {
    pub fn new(journal: TenantJournal<T>, shelf: &'a Shelf) -> Self {
        Self { journal, shelf }
    }

    /// Every namespace, by name.
    pub async fn namespaces(&self) -> Result<Vec<NamespaceRecord>, KnowledgeError> {
        let kept = self.journal.records(RecordKind::Namespace).await?;
        let mut kept: Vec<NamespaceRecord> = kept.into_iter().map(|(_, record)| record).collect();
        kept.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(kept)
    }

    pub async fn namespace(&self, name: &NamespaceName) -> Result<NamespaceRecord, KnowledgeError> {
        let found = self.find(name).await?;
        let record = found.map(|(_, record)| record);
        record.ok_or_else(|| KnowledgeError::NoNamespace(name.clone()))
    }

    async fn find(
        &self,
        name: &NamespaceName,
    ) -> Result<Option<(String, NamespaceRecord)>, KnowledgeError> {
        let kept = self.journal.records(RecordKind::Namespace).await?;
        let mut kept = kept.into_iter();
        Ok(kept.find(|(_, record): &(String, NamespaceRecord)| record.name == *name))
    }

    /// Makes a change, all of it or nothing, and says how many documents it was about.
    pub async fn change(
        &self,
        name: &NamespaceName,
        change: Change,
        now: Timestamp,
    ) -> Result<usize, KnowledgeError> {
        let (record_name, before) = match self.find(name).await? {
            Some(found) => found,
            None if matches!(change, Change::Add { .. } | Change::Watch { .. }) => {
                let taken = self
                    .journal
                    .store()
                    .record_names(RecordKind::Namespace)
                    .await;
                let taken = taken.map_err(adjutant_journal::JournalError::from)?;
                let free = (1..=NAMESPACES_MAX).map(|n| format!("n{n}"));
                let mut free = free.filter(|name| !taken.contains(name));
                let bad = || KnowledgeError::BadName {
                    name: name.to_string(),
                };
                (
                    free.next().ok_or_else(bad)?,
                    NamespaceRecord::new(name.clone()),
                )
            }
            None => return Err(KnowledgeError::NoNamespace(name.clone())),
        };
        let mut after = before.clone();
        let about = match change {
            Change::Add { documents } => self.add(&record_name, &mut after, documents, now).await?,
            Change::Embed { by, documents } => {
                self.embed(&record_name, &mut after, &by, documents).await?
            }
            Change::Remove { sources } => {
                let gone: BTreeSet<String> = sources.into_iter().collect();
                if let Some(stranger) = gone.iter().find(|of| before.document(of).is_none()) {
                    return Err(KnowledgeError::NoDocument {
                        namespace: name.clone(),
                        source_name: stranger.clone(),
                    });
                }
                self.take_out(&record_name, &mut after, &gone).await?;
                gone.len()
            }
            Change::Watch { folder } => {
                after.folders.retain(|known| known.path != folder.path);
                after.folders.push(folder);
                0
            }
            Change::Forget { path } => {
                after.folders.retain(|known| known.path != path);
                0
            }
            Change::Reindex => self.reindex(&record_name, &mut after).await?,
        };
        self.keep(&record_name, &after).await?;
        Ok(about)
    }

    /// Writes what the namespace is from here on, then drops what is no part of it any more; a namespace with nothing
    /// in it goes last, so that after a crash it can be taken out again.
    async fn keep(&self, name: &str, after: &NamespaceRecord) -> Result<(), KnowledgeError> {
        self.journal
            .put_record(RecordKind::Namespace, name, after)
            .await?;
        let documents = after.documents.iter().map(|of| of.record.as_str());
        let segments = after.segments.iter().map(|of| of.record.as_str());
        for (kind, live) in [
            (RecordKind::Document, documents.collect::<BTreeSet<_>>()),
            (RecordKind::Segment, segments.collect()),
        ] {
            let kept = self.journal.store().record_names(kind).await;
            let own = format!("{name}-");
            for record in kept.map_err(adjutant_journal::JournalError::from)? {
                if record.starts_with(&own) && !live.contains(record.as_str()) {
                    self.journal.drop_record(kind, &record).await?;
                }
            }
        }
        if after.documents.is_empty() && after.folders.is_empty() {
            self.journal
                .drop_record(RecordKind::Namespace, name)
                .await?;
        }
        Ok(())
    }

    async fn add(
        &self,
        name: &str,
        after: &mut NamespaceRecord,
        documents: Vec<Incoming>,
        now: Timestamp,
    ) -> Result<usize, KnowledgeError> {
        // Of two with the same source the later counts.
        let documents: BTreeMap<String, Incoming> = documents
            .into_iter()
            .map(|of| (of.source.clone(), of))
            .collect();
        let replaced: BTreeSet<String> = documents
            .keys()
            .filter(|source| after.document(source).is_some())
            .cloned()
            .collect();
        self.take_out(name, after, &replaced).await?;
        let mut entries = Vec::with_capacity(documents.len());
        for incoming in documents.into_values() {
            let cut = chunks(&incoming.document);
            let id = document_id(&after.name, &incoming.source);
            let mut entry = Entry::new(id, &incoming.document, &cut);
            entry.tags.clone_from(&incoming.tags);
            let kept = self
                .keep_document(name, after, incoming, cut, &entry, now)
                .await?;
            after.documents.push(kept);
            entries.push(entry);
        }
        let added = entries.len();
        self.keep_segment(name, after, Segment::from_entries(&entries))
            .await?;
        after.documents.sort_by(|a, b| a.source.cmp(&b.source));
        self.merge(name, after).await?;
        Ok(added)
    }

    async fn keep_document(
        &self,
        name: &str,
        after: &mut NamespaceRecord,
        incoming: Incoming,
        cut: Vec<adjutant_knowledge_index::Chunk>,
        entry: &Entry,
        now: Timestamp,
    ) -> Result<KeptDocument, KnowledgeError> {
        let record = next_record(name, after);
        let key = ContentKey::generate()?;
        let document = &incoming.document;
        let kept = KeptDocument {
            source: incoming.source,
            path: incoming.path,
            hash: incoming.hash,
            bytes: incoming.bytes,
            kind: document.kind,
            title: document.title.clone(),
            author: document.author.clone(),
            date: document.date.clone(),
            tags: incoming.tags,
            language: entry.language().tag().to_owned(),
            characters: document.text.chars().count() as u64,
            passages: cut.len() as u32,
            added_at: now,
            embedded_by: None,
            record,
            key,
        };
        let content = Content {
            document: incoming.document,
            chunks: cut,
        };
        let bytes = serde_json::to_vec(&content).map_err(adjutant_journal::JournalError::Encode)?;
        let (kind, key) = (RecordKind::Document, Some(&kept.key));
        self.journal
            .put_record_bytes(kind, &kept.record, key, &bytes)
            .await?;
        Ok(kept)
    }

    pub(crate) async fn keep_segment(
        &self,
        name: &str,
        after: &mut NamespaceRecord,
        segment: Segment,
    ) -> Result<(), KnowledgeError> {
        if segment.document_count() == 0 {
            return Ok(());
        }
        let record = next_record(name, after);
        let bytes = segment.to_bytes();
        let kind = RecordKind::Segment;
        self.journal
            .put_record_bytes(kind, &record, None, &bytes)
            .await?;
        after.segments.push(KeptSegment {
            record: record.clone(),
            documents: segment.document_count() as u32,
            passages: segment.chunk_count() as u32,
        });
        self.shelf
            .put(self.journal.tenant(), &record, &Arc::new(segment));
        Ok(())
    }

    async fn take_out(
        &self,
        name: &str,
        after: &mut NamespaceRecord,
        sources: &BTreeSet<String>,
    ) -> Result<(), KnowledgeError> {
        self.take_from_index(name, after, sources).await?;
        after.documents.retain(|of| !sources.contains(&of.source));
        Ok(())
    }

    /// Segments that have one of these documents are written anew without it.
    pub(crate) async fn take_from_index(
        &self,
        name: &str,
        after: &mut NamespaceRecord,
        sources: &BTreeSet<String>,
    ) -> Result<(), KnowledgeError> {
        if sources.is_empty() {
            return Ok(());
        }
        let gone: BTreeSet<DocumentId> = sources
            .iter()
            .map(|source| document_id(&after.name, source))
            .collect();
        for kept in std::mem::take(&mut after.segments) {
            let segment = self.segment(&after.name, &kept).await?;
            if segment.documents().any(|document| gone.contains(&document)) {
                let rest = Segment::merge(&[&segment], &gone);
                self.keep_segment(name, after, rest).await?;
            } else {
                after.segments.push(kept);
            }
        }
        Ok(())
    }

    /// Keeps the number of segments small, the smallest first.
    pub(crate) async fn merge(
        &self,
        name: &str,
        after: &mut NamespaceRecord,
    ) -> Result<(), KnowledgeError> {
        if after.segments.len() <= SEGMENTS_MAX {
            return Ok(());
        }
        after
            .segments
            .sort_by_key(|of| (of.passages, of.record.clone()));
        let smallest: Vec<KeptSegment> = after.segments.drain(..MERGED).collect();
        let mut segments = Vec::with_capacity(smallest.len());
        for kept in &smallest {
            segments.push(self.segment(&after.name, kept).await?);
        }
        let segments: Vec<&Segment> = segments.iter().map(AsRef::as_ref).collect();
        let merged = Segment::merge(&segments, &BTreeSet::new());
        self.keep_segment(name, after, merged).await
    }

    async fn reindex(
        &self,
        name: &str,
        after: &mut NamespaceRecord,
    ) -> Result<usize, KnowledgeError> {
        let mut entries = Vec::with_capacity(after.documents.len());
        let documents = after.documents.clone();
        after.documents.clear();
        after.segments.clear();
        for kept in documents {
            let content = self.content(&after.name, &kept).await?;
            let cut = chunks(&content.document);
            let id = document_id(&after.name, &kept.source);
            let mut entry = Entry::new(id, &content.document, &cut);
            entry.tags.clone_from(&kept.tags);
            let incoming = Incoming {
                source: kept.source,
                path: kept.path,
                hash: kept.hash,
                bytes: kept.bytes,
                tags: kept.tags,
                document: content.document,
            };
            let at = kept.added_at;
            let kept = self
                .keep_document(name, after, incoming, cut, &entry, at)
                .await?;
            after.documents.push(kept);
            entries.push(entry);
        }
        self.keep_segment(name, after, Segment::from_entries(&entries))
            .await?;
        Ok(entries.len())
    }

    pub(crate) async fn segment(
        &self,
        namespace: &NamespaceName,
        kept: &KeptSegment,
    ) -> Result<Arc<Segment>, KnowledgeError> {
        let tenant = self.journal.tenant();
        if let Some(segment) = self.shelf.get(tenant, &kept.record) {
            return Ok(segment);
        }
        let read = self
            .journal
            .record_bytes(RecordKind::Segment, &kept.record, None);
        let bytes = read.await?.ok_or_else(|| KnowledgeError::Incomplete {
            namespace: namespace.clone(),
            what: format!("segment {}", kept.record),
        })?;
        let broken = |error| KnowledgeError::IndexBroken {
            namespace: namespace.clone(),
            error,
        };
        let segment = Arc::new(Segment::from_bytes(&bytes).map_err(broken)?);
        self.shelf.put(tenant, &kept.record, &segment);
        Ok(segment)
    }

    pub(crate) async fn content(
        &self,
        namespace: &NamespaceName,
        kept: &KeptDocument,
    ) -> Result<Content, KnowledgeError> {
        let missing = || KnowledgeError::Incomplete {
            namespace: namespace.clone(),
            what: kept.source.clone(),
        };
        let (kind, key) = (RecordKind::Document, Some(&kept.key));
        let bytes = self.journal.record_bytes(kind, &kept.record, key).await?;
        let bytes = bytes.ok_or_else(missing)?;
        serde_json::from_slice(&bytes).map_err(|_| missing())
    }
}

fn next_record(name: &str, after: &mut NamespaceRecord) -> String {
    let record = format!("{name}-{}", after.next);
    after.next += 1;
    record
}

#[cfg(test)]
#[path = "base_tests.rs"]
mod tests;
