//! What missions read: documents as passages that can be found and cited.
//!
//! Nothing is read from disk or kept here: `adjutant-documents` reads files, the host keeps what was made of them.

mod document;

pub use document::{Document, DocumentKind, Form, Part, Span};
