//! Entries and segments into one segment. There is one way to do it, so what is merged equals what is built at once.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use crate::entry::{Count, DocumentId, Entry};
use crate::segment::{ContentBuilder, DocumentRow, Segment};
use crate::terms::Terms;

/// Where a document is taken from.
#[derive(Clone, Copy)]
enum Origin<'a> {
    Entry(&'a Entry),
    Segment(Stored<'a>),
}

#[derive(Clone, Copy)]
struct Stored<'a> {
    /// Which of the merged segments it is in.
    source: usize,
    segment: &'a Segment,
    row: &'a DocumentRow,
    first_chunk: usize,
}

impl Stored<'_> {
    fn chunks(&self) -> Range<usize> {
        self.first_chunk..self.first_chunk + self.row.chunks as usize
    }
}

pub(crate) fn assemble(
    segments: &[&Segment],
    entries: &[Entry],
    without: &BTreeSet<DocumentId>,
) -> Segment {
    let documents = select_documents(segments, entries, without);
    let terms = all_terms(&documents);
    let positions: Vec<Vec<u32>> = segments
        .iter()
        .map(|segment| term_positions(&segment.content.terms, &terms))
        .collect();
    let mut builder = ContentBuilder::default();
    for (_, origin) in documents {
        match origin {
            Origin::Entry(entry) => add_entry(&mut builder, entry, &terms),
            Origin::Segment(stored) => add_stored(&mut builder, stored, &positions[stored.source]),
        }
    }
    Segment::from_content(builder.finish(terms))
}

fn select_documents<'a>(
    segments: &[&'a Segment],
    entries: &'a [Entry],
    without: &BTreeSet<DocumentId>,
) -> BTreeMap<DocumentId, Origin<'a>> {
    let mut documents = BTreeMap::new();
    for (source, segment) in segments.iter().enumerate() {
        let mut first_chunk = 0;
        for row in &segment.content.documents {
            let stored = Stored {
                source,
                segment,
                row,
                first_chunk,
            };
            first_chunk = stored.chunks().end;
            documents.insert(row.id, Origin::Segment(stored));
        }
    }
    for entry in entries {
        documents.insert(entry.document, Origin::Entry(entry));
    }
    documents.retain(|id, _| !without.contains(id));
    documents
}

/// Every term that is used, once, in order. The set's own order is never seen.
fn all_terms(documents: &BTreeMap<DocumentId, Origin<'_>>) -> Terms {
    let mut seen: HashSet<&str> = HashSet::new();
    for origin in documents.values() {
        match origin {
            Origin::Entry(entry) => seen.extend(entry.terms.iter()),
            Origin::Segment(stored) => {
                let segment = stored.segment;
                for chunk in stored.chunks() {
                    let counts = segment.counts(chunk);
                    seen.extend(counts.map(|count| segment.content.terms.get(count.term as usize)));
                }
            }
        }
    }
    let mut sorted: Vec<&str> = seen.into_iter().collect();
    sorted.sort_unstable();
    let mut terms = Terms::default();
    for term in sorted {
        terms.push(term);
    }
    terms
}

/// The position of each term of a segment among all terms. Both lists are sorted, so one pass finds them. A term that
/// is no longer used gets the position of the next one, which is never read.
fn term_positions(own: &Terms, all: &Terms) -> Vec<u32> {
    let mut position = 0_u32;
    own.iter()
        .map(|term| {
            while (position as usize) < all.len() && all.get(position as usize) < term {
                position += 1;
            }
            position
        })
        .collect()
}

fn find_position(terms: &Terms, term: &str) -> u32 {
    let (mut low, mut high) = (0, terms.len());
    while low < high {
        let middle = low.midpoint(high);
        if terms.get(middle) < term {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    u32::try_from(low).unwrap_or(u32::MAX)
}

fn add_entry(builder: &mut ContentBuilder, entry: &Entry, terms: &Terms) {
    let positions: Vec<u32> = entry
        .terms
        .iter()
        .map(|term| find_position(terms, term))
        .collect();
    builder.document(DocumentRow {
        id: entry.document,
        title: entry.title.clone(),
        kind: entry.kind,
        date: entry.date.clone(),
        tags: entry.tags.clone(),
        language: entry.language,
        chunks: u32::try_from(entry.chunks.len()).unwrap_or(u32::MAX),
    });
    for (number, chunk) in (0_u32..).zip(&entry.chunks) {
        let counts = chunk.counts.iter().map(|count| Count {
            term: positions[count.term as usize],
            ..*count
        });
        let vector = chunk
            .vector
            .as_ref()
            .map(|vector| (vector.scale, vector.parts.as_slice()));
        builder.chunk(number, chunk.lengths, counts, vector);
    }
}

fn add_stored(builder: &mut ContentBuilder, stored: Stored<'_>, positions: &[u32]) {
    let segment = stored.segment;
    builder.document(stored.row.clone());
    for chunk in stored.chunks() {
        let row = segment.content.chunks[chunk];
        let counts = segment.counts(chunk).map(|count| Count {
            term: positions[count.term as usize],
            ..count
        });
        let vector = segment.content.vectors.get(chunk);
        builder.chunk(row.number, row.lengths, counts, vector);
    }
}
