//! Answers a question directly out of documents: all of them are read, and the statements that fit best are quoted.

use std::time::{Duration, Instant};

use adjutant_knowledge_base::KnowledgeBase;
use adjutant_reader::{Question, Quote, Reading, Standing, Verdict};
use adjutant_store::TenantStore;
use serde::Serialize;

use crate::error::AppError;
use crate::read_documents::{ReadDocuments, Taken};

/// What documents say on a question.
#[derive(Debug, Serialize)]
pub struct DirectAnswer {
    /// Whether the passages answer the question. If not, they are the nearest ones.
    pub found: bool,
    /// The best first.
    pub passages: Vec<AnswerPassage>,
    /// Words of the question that nothing near the best passage has.
    pub missing: Vec<String>,
    /// How likely it is that the passages answer the question, from 0 to 1.
    #[serde(skip)]
    pub fit: f64,
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

pub async fn direct_answer<T: TenantStore>(
    base: &KnowledgeBase<'_, T>,
    namespaces: &[String],
    question: &str,
) -> Result<DirectAnswer, AppError> {
    let began = Instant::now();
    let read = ReadDocuments::of(base, namespaces, Some(question)).await?;
    let reading = read.reading();
    let answer = reading.answer(&Question::new(question));
    let passages = answer
        .quotes
        .iter()
        .map(|quote| passage(&read.taken, &reading, quote));
    Ok(DirectAnswer {
        found: answer.verdict == Verdict::Answered,
        passages: passages.collect(),
        missing: answer.missing,
        fit: answer.fit,
        documents_read: read.taken.len(),
        documents: read.documents,
        took: began.elapsed(),
    })
}

pub(crate) fn passage(taken: &[Taken], reading: &Reading<'_>, quote: &Quote) -> AnswerPassage {
    let one = &taken[quote.document];
    let text = &one.document.text;
    let statement = &reading.statements()[quote.statement];
    let replaced_by = match reading.documents()[quote.document].standing {
        Standing::Current => None,
        Standing::ReplacedBy(later) => Some(taken[later].kept.source.clone()),
    };
    AnswerPassage {
        sentence: text[quote.span.clone()].to_owned(),
        context: text[quote.context.clone()].to_owned(),
        address: one.address(&quote.context),
        title: one.title().to_owned(),
        headings: statement
            .headings
            .iter()
            .map(|at| text[at.clone()].to_owned())
            .collect(),
        date: one.kept.date.clone(),
        replaced_by,
    }
}
