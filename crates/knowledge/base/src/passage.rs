//! Passages that were found, and where they stand.

use std::fmt;
use std::str::FromStr;

use adjutant_knowledge_index::{Explained, Span};
use serde::Serialize;

use crate::{KeptDocument, KnowledgeError, NamespaceName};

/// Where a passage stands, as a citation says it: `kb:NAMESPACE/SOURCE#FROM-TO`, in characters of the document's text,
/// the first is 0.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    pub namespace: NamespaceName,
    pub source: String,
    pub characters: Option<(u64, u64)>,
}

impl Address {
    pub fn of(namespace: &NamespaceName, source: &str, text: &str, span: Span) -> Self {
        let before = |byte: u32| {
            let text = text.get(..byte as usize).unwrap_or(text);
            text.chars().count() as u64
        };
        Self {
            namespace: namespace.clone(),
            source: source.to_owned(),
            characters: Some((before(span.start), before(span.end))),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kb:{}/{}", self.namespace, self.source)?;
        match self.characters {
            Some((from, to)) => write!(f, "#{from}-{to}"),
            None => Ok(()),
        }
    }
}

impl FromStr for Address {
    type Err = KnowledgeError;

    fn from_str(text: &str) -> Result<Self, KnowledgeError> {
        let wrong = || KnowledgeError::BadName { name: text.into() };
        let rest = text.strip_prefix("kb:").unwrap_or(text);
        let (namespace, source) = rest.split_once('/').ok_or_else(wrong)?;
        let place = source.rsplit_once('#').and_then(|(source, place)| {
            let (from, to) = place.split_once('-')?;
            Some((source, (from.parse().ok()?, to.parse().ok()?)))
        });
        let (source, characters) = match place {
            Some((source, characters)) => (source, Some(characters)),
            None => (source, None),
        };
        Ok(Self {
            namespace: namespace.parse()?,
            source: source.to_owned(),
            characters,
        })
    }
}

/// A passage and all that is known of it.
#[derive(Debug, Clone)]
pub struct Passage {
    pub address: Address,
    pub document: KeptDocument,
    pub place: Place,
    pub text: String,
    pub score: f64,
    pub explained: Explained,
}

/// Where a reader looks for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    pub headings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<(u32, u32)>,
}

/// What a search found, best first.
#[derive(Debug, Clone)]
pub struct Passages {
    pub passages: Vec<Passage>,
    /// Words that were added to the question, and their weights.
    pub expanded_with: Vec<(String, f64)>,
    pub searched: u32,
    pub with_vector: u32,
}
