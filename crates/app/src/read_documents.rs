//! Documents of the knowledge base, to be read completely.

use std::collections::BTreeSet;

use adjutant_knowledge_base::{Address, KeptDocument, KnowledgeBase, NamespaceName};
use adjutant_knowledge_index::{Document, Namespace, Query, Span};
use adjutant_reader::{Given, Reading};
use adjutant_store::TenantStore;

use crate::error::AppError;

/// Of more documents, only those are read that a search for the question finds.
const DOCUMENTS_MAX: usize = 500;
const PASSAGES_SEARCHED: usize = 400;

/// Documents that were taken out of their namespaces.
#[derive(Debug)]
pub(crate) struct ReadDocuments {
    pub(crate) taken: Vec<Taken>,
    /// How many there are.
    pub(crate) documents: usize,
}

#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) namespace: NamespaceName,
    pub(crate) kept: KeptDocument,
    pub(crate) document: Document,
}

impl ReadDocuments {
    /// All documents of the namespaces, or of many those that a question concerns.
    pub(crate) async fn of<T: TenantStore>(
        base: &KnowledgeBase<'_, T>,
        namespaces: &[String],
        question: Option<&str>,
    ) -> Result<Self, AppError> {
        let wanted = base.namespaces().await?.into_iter();
        let wanted: Vec<_> = wanted
            .filter(|of| {
                namespaces.is_empty() || namespaces.iter().any(|own| own == of.name.as_str())
            })
            .collect();
        let documents = wanted.iter().map(|of| of.documents.len()).sum();
        let narrowed = match question {
            Some(question) if documents > DOCUMENTS_MAX => {
                Some(found_sources(base, namespaces, question).await?)
            }
            _ => None,
        };
        let mut taken = Vec::new();
        for of in &wanted {
            let is_wanted = |kept: &KeptDocument| {
                let source = (of.name.to_string(), kept.source.clone());
                narrowed
                    .as_ref()
                    .is_none_or(|found| found.contains(&source))
            };
            for (kept, document) in base.documents(of, is_wanted).await? {
                taken.push(Taken {
                    namespace: of.name.clone(),
                    kept,
                    document,
                });
            }
        }
        Ok(Self { taken, documents })
    }

    pub(crate) fn reading(&self) -> Reading<'_> {
        let given: Vec<Given<'_>> = self
            .taken
            .iter()
            .map(|one| Given {
                name: &one.kept.source,
                document: &one.document,
            })
            .collect();
        Reading::new(&given)
    }
}

impl Taken {
    pub(crate) fn title(&self) -> &str {
        self.kept.title.as_ref().unwrap_or(&self.kept.source)
    }

    /// The address of the whole document: that of each part without the part.
    pub(crate) fn id(&self) -> String {
        let address = self.address(&(0..0));
        let document = address
            .split_once('#')
            .map(|(document, _)| document.to_owned());
        document.unwrap_or(address)
    }

    /// The address of a part of the text; `kb show` opens it.
    pub(crate) fn address(&self, part: &std::ops::Range<usize>) -> String {
        let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let span = Span {
            start: byte(part.start),
            end: byte(part.end),
        };
        let (source, text) = (&self.kept.source, &self.document.text);
        Address::of(&self.namespace, source, text, span).to_string()
    }
}

/// The documents in which a search for the question finds something.
async fn found_sources<T: TenantStore>(
    base: &KnowledgeBase<'_, T>,
    namespaces: &[String],
    question: &str,
) -> Result<BTreeSet<(String, String)>, AppError> {
    let mut query = Query::new(question.to_owned(), PASSAGES_SEARCHED);
    query.filters.namespaces = namespaces.iter().cloned().map(Namespace).collect();
    let found = base.search(&query, None).await?;
    let found = found.passages.into_iter();
    let source = |at: Address| (at.namespace.to_string(), at.source);
    Ok(found.map(|passage| source(passage.address)).collect())
}
