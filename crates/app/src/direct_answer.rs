//! Answers a question directly out of documents: all of them are read, and the statements that fit best are quoted.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use adjutant_knowledge_base::{Address, KeptDocument, KnowledgeBase, NamespaceName};
use adjutant_knowledge_index::{Document, Namespace, Query, Span};
use adjutant_reader::{Given, Question, Quote, Reading, Standing, Verdict};
use adjutant_store::TenantStore;
use serde::Serialize;

use crate::error::AppError;

/// Of more documents, only those are read that a search for the question finds.
const DOCUMENTS_MAX: usize = 500;
const PASSAGES_SEARCHED: usize = 400;

/// What documents say on a question.
#[derive(Debug, Serialize)]
pub struct DirectAnswer {
    /// Whether the passages answer the question. If not, they are the nearest ones.
    pub found: bool,
    /// The best first.
    pub passages: Vec<AnswerPassage>,
    /// Words of the question that nothing near the best passage has.
    pub missing: Vec<String>,
    pub documents_read: usize,
    pub documents: usize,
    #[serde(skip)]
    pub took: Duration,
}

/// A statement, letter for letter, and where it stands.
#[derive(Debug, Serialize)]
pub struct AnswerPassage {
    pub sentence: String,
    /// The sentence with its lead-in and its neighbours.
    pub context: String,
    /// The address of the context; `kb show` opens it.
    pub address: String,
    pub title: String,
    pub headings: Vec<String>,
    pub date: Option<String>,
    /// A later version of the document, if there is one.
    pub replaced_by: Option<String>,
}

struct Taken {
    namespace: NamespaceName,
    kept: KeptDocument,
    document: Document,
}

pub async fn direct_answer<T: TenantStore>(
    base: &KnowledgeBase<'_, T>,
    namespaces: &[String],
    question: &str,
) -> Result<DirectAnswer, AppError> {
    let began = Instant::now();
    let all = base.namespaces().await?;
    let wanted = |name: &str| namespaces.is_empty() || namespaces.iter().any(|own| own == name);
    let wanted: Vec<_> = all
        .into_iter()
        .filter(|of| wanted(of.name.as_str()))
        .collect();
    let documents = wanted.iter().map(|of| of.documents.len()).sum();
    let narrowed = match documents > DOCUMENTS_MAX {
        true => Some(found_sources(base, namespaces, question).await?),
        false => None,
    };
    let mut taken = Vec::new();
    for of in &wanted {
        for (kept, document) in base
            .documents(of, |kept| {
                narrowed
                    .as_ref()
                    .is_none_or(|found| found.contains(&(of.name.to_string(), kept.source.clone())))
            })
            .await?
        {
            taken.push(Taken {
                namespace: of.name.clone(),
                kept,
                document,
            });
        }
    }
    let given: Vec<Given<'_>> = taken
        .iter()
        .map(|one| Given {
            name: &one.kept.source,
            document: &one.document,
        })
        .collect();
    let reading = Reading::new(&given);
    let answer = reading.answer(&Question::new(question));
    let passages = answer
        .quotes
        .iter()
        .map(|quote| passage(&taken, &reading, quote));
    Ok(DirectAnswer {
        found: answer.verdict == Verdict::Answered,
        passages: passages.collect(),
        missing: answer.missing,
        documents_read: taken.len(),
        documents,
        took: began.elapsed(),
    })
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

fn passage(taken: &[Taken], reading: &Reading<'_>, quote: &Quote) -> AnswerPassage {
    let one = &taken[quote.document];
    let text = &one.document.text;
    let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span {
        start: byte(quote.context.start),
        end: byte(quote.context.end),
    };
    let statement = &reading.statements()[quote.statement];
    let replaced_by = match reading.documents()[quote.document].standing {
        Standing::Current => None,
        Standing::ReplacedBy(later) => Some(taken[later].kept.source.clone()),
    };
    let title = one.kept.title.as_ref().unwrap_or(&one.kept.source);
    AnswerPassage {
        sentence: text[quote.span.clone()].to_owned(),
        context: text[quote.context.clone()].to_owned(),
        address: Address::of(&one.namespace, &one.kept.source, text, span).to_string(),
        title: title.clone(),
        headings: statement
            .headings
            .iter()
            .map(|at| text[at.clone()].to_owned())
            .collect(),
        date: one.kept.date.clone(),
        replaced_by,
    }
}
