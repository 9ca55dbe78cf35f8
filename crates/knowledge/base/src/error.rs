use adjutant_journal::JournalError;
use adjutant_knowledge_index::{SegmentError, VectorError};

use crate::NamespaceName;

#[derive(Debug, thiserror::Error)]
pub enum KnowledgeError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("`{name}` is no name for a namespace")]
    BadName { name: String },
    #[error("there is no namespace `{0}`")]
    NoNamespace(NamespaceName),
    #[error("namespace `{namespace}` has no document `{source_name}`")]
    NoDocument {
        namespace: NamespaceName,
        source_name: String,
    },
    #[error("the index of namespace `{namespace}` cannot be read")]
    IndexBroken {
        namespace: NamespaceName,
        #[source]
        error: SegmentError,
    },
    #[error("a part of namespace `{namespace}` is missing: {what}")]
    Incomplete {
        namespace: NamespaceName,
        what: String,
    },
    #[error("the embeddings do not fit")]
    Vectors(#[from] VectorError),
}

impl KnowledgeError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::Journal(error) => error.code(),
            Self::BadName { .. } => "ADJ-8001",
            Self::NoNamespace(_) => "ADJ-8002",
            Self::NoDocument { .. } => "ADJ-8003",
            Self::IndexBroken { .. } | Self::Incomplete { .. } => "ADJ-8004",
            Self::Vectors(_) => "ADJ-8005",
        }
    }

    /// What to do about it, in one sentence.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Journal(error) => error.remedy(),
            Self::BadName { .. } => {
                "Use up to 64 letters, digits, `-`, `_` and `.`, beginning with a letter or digit."
            }
            Self::NoNamespace(_) => "See `adjutant kb list` for the namespaces there are.",
            Self::NoDocument { .. } => "See `adjutant kb list NAMESPACE` for its documents.",
            Self::IndexBroken { .. } | Self::Incomplete { .. } => {
                "Run `adjutant kb reindex --anew`; if that fails too, restore the store from a backup."
            }
            Self::Vectors(_) => {
                "Check the embeddings in the settings, then run `adjutant kb reindex`."
            }
        }
    }
}
