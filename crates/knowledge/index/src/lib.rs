//! What missions read: documents as passages that can be found and cited.
//!
//! Nothing is read from disk or kept here: `adjutant-import` reads files, `adjutant-knowledge-base` keeps what
//! was made of them.

mod chunk;
mod document;
mod entry;
mod index;
mod language;
mod pieces;
mod postings;
mod query;
mod ranking;
mod rows;
mod search;
mod search_result;
mod segment;
mod segment_build;
mod segment_bytes;
mod stop_words;
mod terms;
mod varint;
mod vector;
mod vectors;
mod words;

pub use chunk::{Chunk, chunks};
pub use document::{Document, DocumentKind, Form, Part, Span};
pub use entry::{DocumentId, Entry};
pub use index::Index;
pub use language::{Language, language};
pub use query::{Filters, HITS_MAX, Namespace, QUERY_WORDS_MAX, Query, Way, Ways};
pub use ranking::Ranking;
pub use search::{search, search_with};
pub use search_result::{Diversity, Explained, Hit, SearchResult, TermOrigin, TermShare, WayShare};
pub use segment::Segment;
pub use segment_bytes::SegmentError;
pub use vector::{VECTOR_DIMENSIONS_MAX, Vector, VectorError};
