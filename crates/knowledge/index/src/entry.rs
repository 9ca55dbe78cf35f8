//! A document as the index takes it: whose it is, and how often each term stands in each passage.

use std::collections::{BTreeMap, HashMap};

use crate::chunk::Chunk;
use crate::document::{Document, DocumentKind, Form, Part, Span};
use crate::language::{Language, Stems, language};
use crate::terms::Terms;
use crate::vector::{Vector, VectorError};
use crate::words::for_each_word;

/// A document's name in the index. The host gives it; ties are broken by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentId(pub [u8; 16]);

/// A document ready to be indexed.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub document: DocumentId,
    pub title: String,
    pub kind: DocumentKind,
    /// `2024-03-01`, `2024-03` or `2024`.
    pub date: Option<String>,
    pub tags: Vec<String>,
    pub(crate) language: Language,
    pub(crate) terms: Terms,
    pub(crate) chunks: Vec<EntryChunk>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct EntryChunk {
    pub(crate) lengths: Lengths,
    /// By term, rising.
    pub(crate) counts: Vec<Count>,
    pub(crate) vector: Option<Vector>,
}

/// Words of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Lengths {
    pub(crate) body: u32,
    pub(crate) heads: u32,
}

/// How often a term stands in a passage; from 255 on it is counted no further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Count {
    pub(crate) term: u32,
    pub(crate) body: u8,
    /// In the title, the headings above and the headings inside.
    pub(crate) heads: u8,
}

#[derive(Debug, Clone, Copy)]
enum Field {
    Body,
    Heads,
}

impl Entry {
    /// What is indexed of a document that is divided into these passages.
    pub fn new(id: DocumentId, document: &Document, chunks: &[Chunk]) -> Self {
        let language = language(&sample(document));
        let stems = Stems::new(language);
        let mut counter = Counter {
            stems: &stems,
            known: HashMap::new(),
            terms: BTreeMap::new(),
            counts: Vec::new(),
        };
        let mut rows: Vec<EntryChunk> = chunks
            .iter()
            .map(|chunk| counter.row(document, chunk))
            .collect();
        let (terms, places) = sort_terms(counter.terms);
        for row in &mut rows {
            for count in &mut row.counts {
                count.term = places[count.term as usize];
            }
            row.counts.sort_unstable_by_key(|count| count.term);
        }
        Self {
            document: id,
            title: document.title.clone().unwrap_or_default(),
            kind: document.kind,
            date: document.date.clone(),
            tags: Vec::new(),
            language,
            terms,
            chunks: rows,
        }
    }

    /// The embedding of each passage, in order; `None` where there is none.
    pub fn set_vectors(&mut self, vectors: Vec<Option<Vector>>) -> Result<(), VectorError> {
        if vectors.len() != self.chunks.len() {
            return Err(VectorError::Count {
                vectors: vectors.len(),
                chunks: self.chunks.len(),
            });
        }
        for (chunk, vector) in self.chunks.iter_mut().zip(vectors) {
            chunk.vector = vector;
        }
        Ok(())
    }

    pub fn language(&self) -> Language {
        self.language
    }

    pub fn chunk_count(&self) -> usize {
        self.chunks.len()
    }
}

fn sample(document: &Document) -> String {
    const SAMPLE_BYTES_MAX: usize = 4_096;
    let mut sample = String::new();
    for part in &document.parts {
        if sample.len() >= SAMPLE_BYTES_MAX {
            break;
        }
        if part.form != Form::Code {
            sample.push_str(text_of(document, part.span));
            sample.push(' ');
        }
    }
    sample
}

fn text_of(document: &Document, span: Span) -> &str {
    document
        .text
        .get(span.start as usize..span.end as usize)
        .unwrap_or_default()
}

/// Numbers terms as they come up; they are sorted when all are known.
struct Counter<'a> {
    stems: &'a Stems,
    /// Words seen, and the number of their term.
    known: HashMap<String, u32>,
    terms: BTreeMap<String, u32>,
    /// Of the passage at hand, by the number of the term.
    counts: Vec<Count>,
}

impl Counter<'_> {
    fn row(&mut self, document: &Document, chunk: &Chunk) -> EntryChunk {
        let mut row = EntryChunk::default();
        let mut heads: Vec<&str> = Vec::new();
        heads.extend(document.title.as_deref());
        heads.extend(chunk.headings.iter().map(String::as_str));
        let first = document
            .parts
            .partition_point(|part| part.span.end <= chunk.span.start);
        for part in document.parts[first..]
            .iter()
            .take_while(|part| part.span.start < chunk.span.end)
        {
            let span = Span {
                start: part.span.start.max(chunk.span.start),
                end: part.span.end.min(chunk.span.end),
            };
            match part.form {
                Form::Heading(_) => heads.push(text_of(document, part.span).trim()),
                _ => self.count(&mut row, Field::Body, text_of(document, span)),
            }
        }
        if let Some(head) = table_head(&document.parts, first, chunk.span) {
            self.count(&mut row, Field::Body, text_of(document, head));
        }
        let mut said: Vec<&str> = Vec::new();
        for head in heads {
            if !said.contains(&head) {
                said.push(head);
                self.count(&mut row, Field::Heads, head);
            }
        }
        for count in &mut row.counts {
            *count = std::mem::take(&mut self.counts[count.term as usize]);
        }
        row
    }

    fn count(&mut self, row: &mut EntryChunk, field: Field, text: &str) {
        for_each_word(text, |small, kind| {
            let term = match self.known.get(small) {
                Some(term) => *term,
                None => {
                    let next = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
                    let stem = self.stems.term(small, kind);
                    let term = *self.terms.entry(stem).or_insert(next);
                    if term == next {
                        self.counts.push(Count::default());
                    }
                    self.known.insert(small.to_owned(), term);
                    term
                }
            };
            let count = &mut self.counts[term as usize];
            if (count.body, count.heads) == (0, 0) {
                count.term = term;
                row.counts.push(*count);
            }
            match field {
                Field::Body => {
                    count.body = count.body.saturating_add(1);
                    row.lengths.body += 1;
                }
                Field::Heads => {
                    count.heads = count.heads.saturating_add(1);
                    row.lengths.heads += 1;
                }
            }
        });
    }
}

/// The head of the table that a passage begins in the middle of.
fn table_head(parts: &[Part], first: usize, span: Span) -> Option<Span> {
    if parts.get(first)?.form != Form::Row {
        return None;
    }
    let above = parts[..first]
        .iter()
        .rev()
        .find(|part| part.form != Form::Row)?;
    (above.form == Form::RowHead && above.span.start < span.start).then_some(above.span)
}

/// The terms in their order, and for each number the place it got.
fn sort_terms(numbered: BTreeMap<String, u32>) -> (Terms, Vec<u32>) {
    let mut terms = Terms::default();
    let mut places = vec![0; numbered.len()];
    for (place, (term, number)) in (0_u32..).zip(numbered) {
        terms.push(&term);
        places[number as usize] = place;
    }
    (terms, places)
}
