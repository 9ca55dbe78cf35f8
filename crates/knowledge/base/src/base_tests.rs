use adjutant_journal::{MasterKey, Vault};
use adjutant_knowledge_index::{Document, DocumentKind, Form, Part, Query, SegmentError, Span};
use adjutant_store::{MemoryStore, MemoryTenant};

use super::*;

/// Where the version is written in a stored segment, after the four bytes that say what it is.
const VERSION_OFFSET: usize = 4;
/// The version whose terms were made by another stemmer.
const OLD_VERSION: u8 = 1;

fn knowledge_base<'a>(store: &MemoryStore, shelf: &'a Shelf) -> KnowledgeBase<'a, MemoryTenant> {
    let vault = Vault::new(MasterKey::parse(&"5e".repeat(32)).unwrap());
    KnowledgeBase::new(vault.tenant(store, &TenantId::new("acme").unwrap()), shelf)
}

fn one_paragraph(text: &str) -> Incoming {
    let span = Span {
        start: 0,
        end: u32::try_from(text.len()).unwrap(),
    };
    let part = Part {
        span,
        form: Form::Paragraph,
        page: None,
    };
    Incoming {
        source: "tanks.md".to_owned(),
        path: "/tanks.md".to_owned(),
        hash: "0".to_owned(),
        bytes: text.len() as u64,
        tags: Vec::new(),
        document: Document {
            omissions: Vec::new(),
            kind: DocumentKind::Markdown,
            title: None,
            author: None,
            date: None,
            text: text.to_owned(),
            parts: vec![part],
        },
    }
}

/// Writes every stored segment again with the version byte of an older program.
async fn age_segments(base: &KnowledgeBase<'_, MemoryTenant>, namespace: &NamespaceName) {
    let kind = RecordKind::Segment;
    for kept in base.namespace(namespace).await.unwrap().segments {
        let stored = base.journal.record_bytes(kind, &kept.record, None).await;
        let mut bytes = stored.unwrap().unwrap();
        bytes[VERSION_OFFSET] = OLD_VERSION;
        let written = base
            .journal
            .put_record_bytes(kind, &kept.record, None, &bytes);
        written.await.unwrap();
    }
}

#[tokio::test]
async fn an_index_of_an_older_version_is_refused_until_it_is_indexed_anew() {
    let (store, shelf) = (MemoryStore::new(), Shelf::default());
    let namespace: NamespaceName = "plant".parse().unwrap();
    let base = knowledge_base(&store, &shelf);
    let add = Change::Add {
        documents: vec![one_paragraph("Tanks are inspected every two years.")],
    };
    base.change(&namespace, add, Timestamp(1)).await.unwrap();
    age_segments(&base, &namespace).await;

    // What another process reads, which has not kept the segment in memory.
    let shelf = Shelf::default();
    let base = knowledge_base(&store, &shelf);
    let query = Query::new("inspecting tanks", 5);
    let refused = base.search(&query, None).await.unwrap_err();
    assert!(
        matches!(
            refused,
            KnowledgeError::IndexBroken {
                error: SegmentError::Version {
                    version: OLD_VERSION
                },
                ..
            }
        ),
        "{refused:?}"
    );
    assert!(refused.remedy().contains("adjutant kb reindex --anew"));

    base.change(&namespace, Change::Reindex, Timestamp(2))
        .await
        .unwrap();
    let found = base.search(&query, None).await.unwrap();
    assert_eq!(found.passages.len(), 1);
}
