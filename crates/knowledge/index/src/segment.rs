//! Documents made searchable, once and for all: a segment is never changed, only merged into another.

use std::collections::BTreeSet;

use crate::document::DocumentKind;
use crate::entry::{Count, DocumentId, Entry, Lengths};
use crate::language::Language;
use crate::postings::Postings;
use crate::rows::{Rows, RowsBuilder};
use crate::segment_build::assemble;
use crate::terms::Terms;
use crate::vectors::Vectors;

/// What a segment knows of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DocumentRow {
    pub(crate) id: DocumentId,
    pub(crate) title: String,
    pub(crate) kind: DocumentKind,
    pub(crate) date: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) language: Language,
    pub(crate) chunks: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChunkRow {
    pub(crate) document: u32,
    /// Counted from 0 within its document.
    pub(crate) number: u32,
    pub(crate) lengths: Lengths,
}

/// What decides the shape of a segment. All else is computed from it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Content {
    /// By id, rising.
    pub(crate) documents: Vec<DocumentRow>,
    /// By document, then in its order.
    pub(crate) chunks: Vec<ChunkRow>,
    pub(crate) terms: Terms,
    pub(crate) rows: Rows,
    pub(crate) vectors: Vectors,
}

/// An immutable part of an index. The same documents make the same segment, in whatever order they came.
#[derive(Debug, Clone)]
pub struct Segment {
    pub(crate) content: Content,
    pub(crate) postings: Postings,
    /// Words of each document: all bodies, and the longest heads.
    pub(crate) document_lengths: Vec<u32>,
    /// Words of all passages, and of all documents.
    pub(crate) chunk_words: u64,
    pub(crate) document_words: u64,
    pub(crate) languages: BTreeSet<Language>,
}

impl Segment {
    /// The last entry of a document replaces earlier ones.
    pub fn from_entries(entries: &[Entry]) -> Self {
        assemble(&[], entries, &BTreeSet::new())
    }

    /// One segment out of many, without some documents. The last version of a document replaces earlier ones.
    pub fn merge(segments: &[&Segment], without: &BTreeSet<DocumentId>) -> Self {
        assemble(segments, &[], without)
    }

    pub fn document_count(&self) -> usize {
        self.content.documents.len()
    }

    pub fn chunk_count(&self) -> usize {
        self.content.chunks.len()
    }

    /// Its documents, by id.
    pub fn documents(&self) -> impl Iterator<Item = DocumentId> {
        self.content.documents.iter().map(|document| document.id)
    }

    /// About what it holds in memory.
    pub fn bytes_held(&self) -> usize {
        self.content.terms.bytes_held()
            + self.content.rows.bytes_held()
            + self.content.vectors.bytes_held()
            + self.postings.bytes_held()
            + self.content.chunks.capacity() * size_of::<ChunkRow>()
            + self.content.documents.capacity() * size_of::<DocumentRow>()
    }

    pub(crate) fn from_content(content: Content) -> Self {
        let postings = Postings::new(&content);
        let mut heads = vec![0_u32; content.documents.len()];
        let mut bodies = vec![0_u32; content.documents.len()];
        for chunk in &content.chunks {
            let document = chunk.document as usize;
            bodies[document] = bodies[document].saturating_add(chunk.lengths.body);
            heads[document] = heads[document].max(chunk.lengths.heads);
        }
        let document_lengths: Vec<u32> = bodies
            .iter()
            .zip(&heads)
            .map(|(body, heads)| body.saturating_add(*heads))
            .collect();
        let languages = content.documents.iter().map(|d| d.language).collect();
        let lengths = content.chunks.iter().map(|chunk| chunk.lengths);
        Self {
            chunk_words: lengths
                .map(|words| u64::from(words.body) + u64::from(words.heads))
                .sum(),
            document_words: document_lengths.iter().copied().map(u64::from).sum(),
            content,
            postings,
            document_lengths,
            languages,
        }
    }

    pub(crate) fn counts(&self, chunk: usize) -> impl Iterator<Item = Count> {
        self.content.rows.row(chunk)
    }
}

/// Takes documents in rising order and keeps what the content is made of in step.
#[derive(Default)]
pub(crate) struct ContentBuilder {
    documents: Vec<DocumentRow>,
    chunks: Vec<ChunkRow>,
    rows: RowsBuilder,
    vectors: Vectors,
}

impl ContentBuilder {
    pub(crate) fn document(&mut self, row: DocumentRow) {
        self.documents.push(row);
    }

    /// A passage of the document that came last.
    pub(crate) fn chunk(
        &mut self,
        number: u32,
        lengths: Lengths,
        counts: impl Iterator<Item = Count>,
        vector: Option<(f32, &[i8])>,
    ) {
        let document = u32::try_from(self.documents.len().saturating_sub(1)).unwrap_or(u32::MAX);
        self.chunks.push(ChunkRow {
            document,
            number,
            lengths,
        });
        self.rows.push(counts);
        self.vectors.push(vector);
    }

    pub(crate) fn finish(self, terms: Terms) -> Content {
        let mut vectors = self.vectors;
        vectors.shrink();
        Content {
            documents: self.documents,
            chunks: self.chunks,
            terms,
            rows: self.rows.finish(),
            vectors,
        }
    }
}
