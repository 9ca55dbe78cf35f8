//! What is kept of a namespace.

use std::fmt;
use std::str::FromStr;

use adjutant_journal::ContentKey;
use adjutant_knowledge_index::{Chunk, Document, DocumentId, DocumentKind, Vector};
use adjutant_mission::Timestamp;
use serde::{Deserialize, Serialize};

use crate::KnowledgeError;

/// Most namespaces of a tenant.
pub const NAMESPACES_MAX: usize = 1_000;
const NAME_BYTES_MAX: usize = 64;

/// What people call a set of documents.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NamespaceName(String);

impl NamespaceName {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for NamespaceName {
    type Error = KnowledgeError;

    fn try_from(name: String) -> Result<Self, KnowledgeError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let first = name
            .bytes()
            .next()
            .is_some_and(|byte| byte.is_ascii_alphanumeric());
        match first && name.len() <= NAME_BYTES_MAX && name.bytes().all(plain) {
            true => Ok(Self(name)),
            false => Err(KnowledgeError::BadName { name }),
        }
    }
}

impl FromStr for NamespaceName {
    type Err = KnowledgeError;

    fn from_str(name: &str) -> Result<Self, KnowledgeError> {
        name.to_owned().try_into()
    }
}

impl From<NamespaceName> for String {
    fn from(name: NamespaceName) -> Self {
        name.0
    }
}

impl fmt::Display for NamespaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The same wherever it is kept, so that the same question finds the same passages in the same order.
pub fn document_id(namespace: &NamespaceName, source: &str) -> DocumentId {
    let mut hasher = blake3::Hasher::new_derive_key("adjutant document id v1");
    hasher.update(namespace.as_str().as_bytes());
    hasher.update(&[0]);
    hasher.update(source.as_bytes());
    let mut id = [0; 16];
    hasher.finalize_xof().fill(&mut id);
    DocumentId(id)
}

/// A folder whose files are taken in, and looked at again for what has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Folder {
    pub path: String,
    /// What its files are tagged with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// A document to be taken in.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Incoming {
    /// What it is called in its namespace: a path below the folder it came from, or a file's name.
    pub source: String,
    /// Where the file is, for looking at it again.
    pub path: String,
    /// The hash of the file.
    pub hash: String,
    pub bytes: u64,
    pub tags: Vec<String>,
    pub document: Document,
}

/// The vectors of a document's passages.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Embedded {
    pub source: String,
    /// The record that the passages were read from: what has changed since keeps none of these.
    pub record: String,
    /// In the order of the passages; none where the endpoint made nothing of it.
    pub vectors: Vec<Option<Vector>>,
}

/// What a namespace says of one of its documents.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptDocument {
    pub source: String,
    pub path: String,
    pub hash: String,
    pub bytes: u64,
    pub kind: DocumentKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    pub language: String,
    pub characters: u64,
    pub passages: u32,
    pub added_at: Timestamp,
    /// Whose vectors its passages have, as `provider/model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedded_by: Option<String>,
    /// The record that has its content, and the key that opens it.
    pub record: String,
    pub key: ContentKey,
}

/// A part of the index.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptSegment {
    pub record: String,
    pub documents: u32,
    pub passages: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamespaceRecord {
    pub name: NamespaceName,
    /// The number that the next record of it is named by.
    pub next: u64,
    /// By their source.
    pub documents: Vec<KeptDocument>,
    pub segments: Vec<KeptSegment>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<Folder>,
}

impl NamespaceRecord {
    pub(crate) fn new(name: NamespaceName) -> Self {
        Self {
            name,
            next: 1,
            documents: Vec::new(),
            segments: Vec::new(),
            folders: Vec::new(),
        }
    }

    pub fn document(&self, source: &str) -> Option<&KeptDocument> {
        self.documents.iter().find(|of| of.source == source)
    }

    /// Whether any of its passages has a vector by this model.
    pub fn is_embedded_by(&self, model: &str) -> bool {
        let mut documents = self.documents.iter();
        documents.any(|of| of.embedded_by.as_deref() == Some(model))
    }

    pub fn passages(&self) -> u64 {
        self.segments.iter().map(|of| u64::from(of.passages)).sum()
    }
}

/// A document's content as it is kept: cut once, so that a citation stays what it was.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Content {
    pub(crate) document: Document,
    pub(crate) chunks: Vec<Chunk>,
}
