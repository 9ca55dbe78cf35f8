//! The same collection in tantivy, with its own BM25 and its English stemmer.

use std::collections::BTreeMap;

use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{
    Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value,
};
use tantivy::tokenizer::{
    Language, LowerCaser, SimpleTokenizer, Stemmer, StopWordFilter, TextAnalyzer, TokenStream,
};
use tantivy::{Index, TantivyDocument, Term, doc};

use crate::collection::Collection;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum StopWords {
    Kept,
    Removed,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Titles {
    /// The body alone, which in this collection begins with the title.
    InBody,
    /// The title once more before the body.
    Before,
}

fn analyser(stop_words: StopWords) -> anyhow::Result<TextAnalyzer> {
    let lower = TextAnalyzer::builder(SimpleTokenizer::default()).filter(LowerCaser);
    let stemmer = Stemmer::new(Language::English);
    Ok(match stop_words {
        StopWords::Kept => lower.filter(stemmer).build(),
        StopWords::Removed => {
            let stop = StopWordFilter::new(Language::English)
                .ok_or_else(|| anyhow::anyhow!("no stop words"))?;
            lower.filter(stop).filter(stemmer).build()
        }
    })
}

pub fn rankings(
    collection: &Collection,
    stop_words: StopWords,
    titles: Titles,
) -> anyhow::Result<BTreeMap<usize, Vec<u32>>> {
    let mut schema = Schema::builder();
    let number = schema.add_u64_field("number", STORED);
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("english")
        .set_index_option(IndexRecordOption::WithFreqs);
    let text = schema.add_text_field(
        "text",
        TextOptions::default().set_indexing_options(indexing),
    );
    let index = Index::create_in_ram(schema.build());
    index
        .tokenizers()
        .register("english", analyser(stop_words)?);
    let mut writer = index.writer_with_num_threads(1, 50_000_000)?;
    for one in &collection.texts {
        let body = match titles {
            Titles::InBody => one.body.clone(),
            Titles::Before => format!("{}\n{}", one.title, one.body),
        };
        writer.add_document(doc!(number => u64::from(one.id), text => body))?;
    }
    writer.commit()?;
    let searcher = index.reader()?.searcher();
    let mut rankings = BTreeMap::new();
    for (place, question) in collection.questions.iter().enumerate() {
        let query = query(&question.text, text, &mut analyser(stop_words)?);
        let mut documents = Vec::new();
        for (_, address) in searcher.search(&query, &TopDocs::with_limit(1_000).order_by_score())? {
            let found: TantivyDocument = searcher.doc(address)?;
            let id = found.get_first(number).and_then(|value| value.as_u64());
            documents.push(u32::try_from(id.unwrap_or_default())?);
        }
        rankings.insert(place, documents);
    }
    Ok(rankings)
}

/// Any of the words, each as often as the question has it.
fn query(question: &str, field: Field, analyser: &mut TextAnalyzer) -> BooleanQuery {
    let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
    let mut tokens = analyser.token_stream(question);
    while let Some(token) = tokens.next() {
        let term = Term::from_field_text(field, &token.text);
        let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
        clauses.push((Occur::Should, Box::new(query)));
    }
    BooleanQuery::new(clauses)
}
