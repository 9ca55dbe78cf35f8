//! A segment as bytes, the same for the same segment, and back, trusting nothing.

use crate::document::DocumentKind;
use crate::entry::{DocumentId, Lengths};
use crate::language::Language;
use crate::rows::RowsBuilder;
use crate::segment::{ChunkRow, Content, DocumentRow, Segment};
use crate::terms::Terms;
use crate::varint::{Reader, Unreadable, put_number, put_text};
use crate::vectors::Vectors;

const MAGIC: &[u8; 4] = b"ADJK";
/// Raised whenever the bytes, or the terms that words are indexed under, change: terms of another stemmer would
/// silently not be found. Version 2 has the stems of `frostem`.
const VERSION: u8 = 2;
const DIGEST_BYTES: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SegmentError {
    #[error("these bytes are no segment of an index")]
    NoSegment,
    #[error("the index was written in version {version}; this program reads version {VERSION}")]
    Version { version: u8 },
    #[error("the segment is damaged: its digest does not fit its bytes")]
    Damaged,
    #[error("the segment's digest fits, but what it says cannot be")]
    Impossible,
}

impl From<Unreadable> for SegmentError {
    fn from(_: Unreadable) -> Self {
        Self::Impossible
    }
}

impl Segment {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        put_documents(&mut payload, &self.content.documents);
        for chunk in &self.content.chunks {
            put_number(&mut payload, u64::from(chunk.lengths.body));
            put_number(&mut payload, u64::from(chunk.lengths.heads));
        }
        put_terms(&mut payload, &self.content.terms);
        for chunk in 0..self.content.chunks.len() {
            let row = self.content.rows.bytes_of(chunk);
            put_number(&mut payload, row.len() as u64);
            payload.extend_from_slice(row);
        }
        for chunk in 0..self.content.chunks.len() {
            self.content.vectors.put(chunk, &mut payload);
        }
        let mut bytes = Vec::with_capacity(MAGIC.len() + 1 + DIGEST_BYTES + payload.len());
        bytes.extend_from_slice(MAGIC);
        bytes.push(VERSION);
        bytes.extend_from_slice(blake3::hash(&payload).as_bytes());
        bytes.append(&mut payload);
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SegmentError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(SegmentError::NoSegment)?;
        let (&version, rest) = rest.split_first().ok_or(SegmentError::NoSegment)?;
        if version != VERSION {
            return Err(SegmentError::Version { version });
        }
        let (digest, payload) = rest
            .split_at_checked(DIGEST_BYTES)
            .ok_or(SegmentError::Damaged)?;
        if blake3::hash(payload).as_bytes() != digest {
            return Err(SegmentError::Damaged);
        }
        Ok(Self::from_content(read_content(payload)?))
    }
}

fn put_documents(bytes: &mut Vec<u8>, documents: &[DocumentRow]) {
    put_number(bytes, documents.len() as u64);
    for document in documents {
        bytes.extend_from_slice(&document.id.0);
        put_text(bytes, &document.title);
        bytes.push(kind_code(document.kind));
        bytes.push(document.language.code());
        bytes.push(u8::from(document.date.is_some()));
        if let Some(date) = &document.date {
            put_text(bytes, date);
        }
        put_number(bytes, document.tags.len() as u64);
        for tag in &document.tags {
            put_text(bytes, tag);
        }
        put_number(bytes, u64::from(document.chunks));
    }
}

/// Each term as what it shares with the one before, and the rest.
fn put_terms(bytes: &mut Vec<u8>, terms: &Terms) {
    put_number(bytes, terms.len() as u64);
    let mut before = "";
    for term in terms.iter() {
        let mut shared = before
            .bytes()
            .zip(term.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        while !term.is_char_boundary(shared) {
            shared -= 1;
        }
        put_number(bytes, shared as u64);
        put_text(bytes, &term[shared..]);
        before = term;
    }
}

fn read_content(payload: &[u8]) -> Result<Content, Unreadable> {
    let mut reader = Reader { rest: payload };
    let documents = read_documents(&mut reader)?;
    let chunks = read_chunks(&mut reader, &documents)?;
    let terms = read_terms(&mut reader)?;
    let mut rows = RowsBuilder::default();
    for _ in &chunks {
        let count = reader.count()?;
        rows.push_stored(reader.take(count)?, terms.len())?;
    }
    let mut vectors = Vectors::default();
    for _ in &chunks {
        vectors.read(&mut reader)?;
    }
    vectors.shrink();
    if !reader.rest.is_empty() {
        return Err(Unreadable);
    }
    Ok(Content {
        documents,
        chunks,
        terms,
        rows: rows.finish(),
        vectors,
    })
}

fn read_documents(reader: &mut Reader<'_>) -> Result<Vec<DocumentRow>, Unreadable> {
    let mut documents: Vec<DocumentRow> = Vec::new();
    for _ in 0..reader.count()? {
        let id = DocumentId(reader.take(16)?.try_into().map_err(|_| Unreadable)?);
        if documents.last().is_some_and(|before| before.id >= id) {
            return Err(Unreadable);
        }
        let title = reader.text()?.to_owned();
        let kind = kind_of(reader.byte()?).ok_or(Unreadable)?;
        let language = Language::from_code(reader.byte()?).ok_or(Unreadable)?;
        let date = match reader.byte()? {
            0 => None,
            1 => Some(reader.text()?.to_owned()),
            _ => return Err(Unreadable),
        };
        let mut tags = Vec::new();
        for _ in 0..reader.count()? {
            tags.push(reader.text()?.to_owned());
        }
        documents.push(DocumentRow {
            id,
            title,
            kind,
            date,
            tags,
            language,
            chunks: reader.small()?,
        });
    }
    Ok(documents)
}

fn read_chunks(
    reader: &mut Reader<'_>,
    documents: &[DocumentRow],
) -> Result<Vec<ChunkRow>, Unreadable> {
    let total: u64 = documents.iter().map(|row| u64::from(row.chunks)).sum();
    // Each takes two bytes at least; a claim of more is no reason to reserve memory.
    if total > reader.rest.len() as u64 {
        return Err(Unreadable);
    }
    let mut chunks = Vec::new();
    for (document, row) in (0_u32..).zip(documents) {
        for number in 0..row.chunks {
            let body = reader.small()?;
            let heads = reader.small()?;
            chunks.push(ChunkRow {
                document,
                number,
                lengths: Lengths { body, heads },
            });
        }
    }
    Ok(chunks)
}

fn read_terms(reader: &mut Reader<'_>) -> Result<Terms, Unreadable> {
    let mut terms = Terms::default();
    let mut before = String::new();
    for number in 0..reader.count()? {
        let shared = reader.count()?;
        let kept = before.get(..shared).ok_or(Unreadable)?;
        let term = format!("{kept}{}", reader.text()?);
        if number > 0 && term <= before {
            return Err(Unreadable);
        }
        terms.push(&term);
        before = term;
    }
    Ok(terms)
}

/// Kept in stored bytes: never changed.
fn kind_code(kind: DocumentKind) -> u8 {
    match kind {
        DocumentKind::Markdown => 1,
        DocumentKind::Text => 2,
        DocumentKind::Html => 3,
        DocumentKind::Pdf => 4,
        DocumentKind::Docx => 5,
        DocumentKind::Csv => 6,
        DocumentKind::Json => 7,
        DocumentKind::Email => 8,
        DocumentKind::Spreadsheet => 9,
    }
}

fn kind_of(code: u8) -> Option<DocumentKind> {
    [
        DocumentKind::Markdown,
        DocumentKind::Text,
        DocumentKind::Html,
        DocumentKind::Pdf,
        DocumentKind::Docx,
        DocumentKind::Csv,
        DocumentKind::Json,
        DocumentKind::Email,
        DocumentKind::Spreadsheet,
    ]
    .into_iter()
    .find(|kind| kind_code(*kind) == code)
}
