//! Small corpora: one that reads like text, and random ones.

use std::sync::Arc;

use adjutant_knowledge_index::{
    Document, DocumentId, DocumentKind, Entry, Form, Index, Namespace, Part, Segment, Span, Vector,
    chunks,
};
use proptest::prelude::*;

pub(crate) fn id(number: u8) -> DocumentId {
    let mut bytes = [0; 16];
    bytes[0] = number.reverse_bits();
    bytes[15] = number;
    DocumentId(bytes)
}

/// The number an id was made of.
pub(crate) fn number(id: DocumentId) -> u8 {
    id.0[15]
}

pub(crate) fn document(title: Option<&str>, parts: &[(Form, &str)]) -> Document {
    let mut text = String::new();
    let mut found = Vec::new();
    for (form, part) in parts {
        let start = u32::try_from(text.len()).unwrap();
        text.push_str(part);
        found.push(Part {
            span: Span {
                start,
                end: u32::try_from(text.len()).unwrap(),
            },
            form: *form,
            page: None,
        });
        text.push_str("\n\n");
    }
    Document {
        kind: DocumentKind::Markdown,
        title: title.map(str::to_owned),
        author: None,
        date: None,
        text,
        parts: found,
        omissions: Vec::new(),
    }
}

pub(crate) fn entry(number: u8, document: &Document) -> Entry {
    Entry::new(id(number), document, &chunks(document))
}

pub(crate) fn paragraph(number: u8, title: &str, text: &str) -> Entry {
    entry(number, &document(Some(title), &[(Form::Paragraph, text)]))
}

pub(crate) fn space(name: &str) -> Namespace {
    Namespace(name.to_owned())
}

pub(crate) fn index(entries: &[Entry]) -> Index {
    Index::new(vec![(
        space("all"),
        Arc::new(Segment::from_entries(entries)),
    )])
}

pub(crate) fn readable() -> Vec<Entry> {
    vec![
        paragraph(
            1,
            "Storage of hydrogen",
            "Hydrogen is kept under pressure in steel tanks. Embrittlement weakens the steel over the years.",
        ),
        paragraph(
            2,
            "Maintenance of tanks",
            "Tanks are inspected every two years. Cracks in the steel are welded, and the weld is tested.",
        ),
        paragraph(
            3,
            "Travel expenses",
            "Employees hand in receipts within thirty days. Rail travel is preferred over flights.",
        ),
        paragraph(
            4,
            "Lagerung von Wasserstoff",
            "Der Wasserstoff wird unter hohem Druck in Behältern aus Stahl gelagert, die alle zwei Jahre geprüft werden müssen.",
        ),
        paragraph(
            5,
            "Canteen",
            "The canteen opens at noon. Vegetarian dishes are served every day except on holidays.",
        ),
    ]
}

/// Documents over few words, so that they have much in common.
pub(crate) fn random_document() -> impl Strategy<Value = Document> {
    let word = prop::sample::select(vec![
        "steel", "tank", "tanks", "pressure", "the", "of", "valve", "weld", "1.5", "welding",
        "Zürich", "面積", "crack",
    ]);
    let text = prop::collection::vec(word, 1..30).prop_map(|words| words.join(" "));
    let form = prop::sample::select(vec![
        Form::Heading(1),
        Form::Heading(2),
        Form::Paragraph,
        Form::ListItem,
        Form::RowHead,
        Form::Row,
    ]);
    let kind = prop::sample::select(vec![DocumentKind::Text, DocumentKind::Pdf]);
    let date = prop::option::of(prop::sample::select(vec!["2023", "2024-03", "2024-03-07"]));
    (prop::collection::vec((form, text), 1..8), kind, date).prop_map(|(parts, kind, date)| {
        let borrowed: Vec<(Form, &str)> = parts.iter().map(|(f, t)| (*f, t.as_str())).collect();
        let mut made = document(Some("steel tank"), &borrowed);
        made.kind = kind;
        made.date = date.map(str::to_owned);
        made
    })
}

/// Numbered from 0, some with tags and embeddings.
pub(crate) fn random_entries() -> impl Strategy<Value = Vec<Entry>> {
    prop::collection::vec((random_document(), any::<u8>()), 1..14).prop_map(|made| {
        (0_u8..)
            .zip(made)
            .map(|(number, (document, bits))| {
                let mut entry = entry(number, &document);
                if bits & 1 == 1 {
                    entry.tags.push("safety".to_owned());
                }
                if bits & 2 == 2 {
                    let vector = vec![f32::from(bits), 1.0, -f32::from(number)];
                    let vector = Vector::of(&vector).unwrap();
                    let vectors = vec![Some(vector); entry.chunk_count()];
                    entry.set_vectors(vectors).unwrap();
                }
                entry
            })
            .collect()
    })
}
