//! The collection in our own index.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_knowledge_index::{
    Chunk, Document, DocumentId, DocumentKind, Entry, Form, Index, Namespace, Part, Query, Ranking,
    Segment, Span, Ways, chunks, search_with,
};

use crate::collection::{Collection, Text};
use crate::measures::{Half, in_half};

/// How the abstracts are cut.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    AsAlways,
    /// A few sentences each, so that a document has several passages.
    Small,
}

pub fn document(text: &Text) -> Document {
    let body = text.body.clone();
    let span = Span {
        start: 0,
        end: body.len() as u32,
    };
    Document {
        kind: DocumentKind::Text,
        title: Some(text.title.clone()),
        author: None,
        date: None,
        text: body,
        parts: vec![Part {
            span,
            form: Form::Paragraph,
            page: None,
        }],
    }
}

fn small(document: &Document) -> Vec<Chunk> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut words = 0;
    for (at, letter) in document.text.char_indices() {
        words += usize::from(letter == ' ' || letter == '\n');
        let end = at + letter.len_utf8();
        if (letter == '.' && words >= 50) || end == document.text.len() {
            found.push(Chunk {
                span: Span {
                    start: start as u32,
                    end: end as u32,
                },
                headings: Vec::new(),
                pages: None,
            });
            start = end;
            words = 0;
        }
    }
    found
}

pub fn id(number: u32) -> DocumentId {
    let mut bytes = [0; 16];
    bytes[12..].copy_from_slice(&number.to_be_bytes());
    DocumentId(bytes)
}

fn number(id: DocumentId) -> u32 {
    let [.., a, b, c, d] = id.0;
    u32::from_be_bytes([a, b, c, d])
}

pub fn index(collection: &Collection, cut: Cut) -> Index {
    let entries: Vec<Entry> = collection
        .texts
        .iter()
        .map(|text| {
            let document = document(text);
            let chunks = match cut {
                Cut::AsAlways => chunks(&document),
                Cut::Small => small(&document),
            };
            Entry::new(id(text.id), &document, &chunks)
        })
        .collect();
    let segment = Arc::new(Segment::from_entries(&entries));
    Index::new(vec![(Namespace("collection".to_owned()), segment)])
}

/// Documents by their best passage.
pub fn rankings(
    collection: &Collection,
    index: &Index,
    ways: &Ways,
    ranking: &Ranking,
    halves: &[Half],
) -> BTreeMap<usize, Vec<u32>> {
    let mut rankings = BTreeMap::new();
    for (place, question) in collection.questions.iter().enumerate() {
        if !halves.iter().any(|half| in_half(place, *half)) {
            continue;
        }
        let mut query = Query::new(question.text.clone(), 1_000);
        query.ways = ways.clone();
        let mut documents = Vec::new();
        for hit in search_with(index, &query, ranking).hits {
            let document = number(hit.document);
            if !documents.contains(&document) {
                documents.push(document);
            }
        }
        rankings.insert(place, documents);
    }
    rankings
}
