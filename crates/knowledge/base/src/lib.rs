//! The knowledge base of a tenant: documents that missions may read, in namespaces, with an index each.
//!
//! All of it is records of the tenant, sealed. A namespace's record names its documents and the segments of its index,
//! and is written last: until then nothing has changed, and what a crash leaves behind is swept by the next change.

#![cfg_attr(
    test,
    expect(clippy::unwrap_used, reason = "a test that fails may panic")
)]

mod base;
mod embed;
mod error;
mod namespace;
mod passage;
mod search;

pub use base::{Change, KnowledgeBase, Shelf};
pub use error::KnowledgeError;
pub use namespace::{
    Embedded, Folder, Incoming, KeptDocument, NAMESPACES_MAX, NamespaceName, NamespaceRecord,
    document_id,
};
pub use passage::{Address, Passage, Passages, Place};
