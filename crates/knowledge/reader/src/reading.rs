//! Documents that were read: their statements, and how they can be found.

use std::collections::HashSet;
use std::ops::Range;

use adjutant_knowledge_index::Document;

use crate::document_facts::{DocumentFacts, facts};
use crate::names::Names;
use crate::statement::{Statement, statements};
use crate::terms::{Term, Terms};

/// A document and the name it is cited by, such as its path.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    pub name: &'a str,
    pub document: &'a Document,
}

/// All documents, read completely.
#[derive(Debug)]
pub struct Reading<'a> {
    pub(crate) given: Vec<Given<'a>>,
    pub(crate) facts: Vec<DocumentFacts>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) indexed: Vec<Indexed>,
    pub(crate) terms: Terms,
    pub(crate) names: Names,
    /// In how many statements a term is.
    pub(crate) spread: Vec<u32>,
    /// How late a document is among all, from 0 to 1.
    pub(crate) newness: Vec<f64>,
    /// All terms of each document.
    pub(crate) vocabulary: Vec<HashSet<Term>>,
    /// The terms of each document's title and name.
    pub(crate) titles: Vec<Vec<Term>>,
}

/// The terms of a statement, each list in order and each term once.
#[derive(Debug)]
pub(crate) struct Indexed {
    pub(crate) own: Vec<Term>,
    /// Of the nearest heading, the lead-in and the heads of columns.
    pub(crate) near: Vec<Term>,
    /// Of the headings further up.
    pub(crate) far: Vec<Term>,
    pub(crate) words: usize,
}

impl<'a> Reading<'a> {
    pub fn new(given: &[Given<'a>]) -> Self {
        let mut all = Vec::new();
        for (number, one) in given.iter().enumerate() {
            all.extend(statements(number, one.document));
        }
        let mut terms = Terms::default();
        let mut names = Names::default();
        let mut indexed = Vec::with_capacity(all.len());
        let mut spread: Vec<u32> = Vec::new();
        for statement in &all {
            let text = &given[statement.document].document.text;
            let own = terms.read(&text[statement.span.clone()]);
            names.read(&text[statement.span.clone()], &mut terms);
            let words = own.len();
            let own = once(own);
            spread.resize(terms.len().max(spread.len()), 0);
            for term in &own {
                spread[*term as usize] += 1;
            }
            let mut near = Vec::new();
            let mut far = Vec::new();
            let (last, above) = match statement.headings.split_last() {
                Some((last, above)) => (Some(last), above),
                None => (None, &[][..]),
            };
            let heads = statement.cells.iter().filter_map(|cell| cell.head.as_ref());
            for range in last.into_iter().chain(&statement.leads).chain(heads) {
                near.extend(terms.read(&text[range.clone()]));
            }
            for range in above {
                far.extend(terms.read(&text[range.clone()]));
            }
            indexed.push(Indexed {
                own,
                near: once(near),
                far: once(far),
                words,
            });
        }
        let titles = given.iter().map(|one| {
            let title = one.document.title.as_deref().unwrap_or_default();
            let name = one.name.replace(['/', '-', '_', '.'], " ");
            let mut own = terms.read(title);
            own.extend(terms.read(&name));
            once(own)
        });
        let titles = titles.collect();
        spread.resize(terms.len(), 0);
        let facts = facts(given);
        let mut vocabulary = vec![HashSet::new(); given.len()];
        for (statement, indexed) in all.iter().zip(&indexed) {
            vocabulary[statement.document].extend(&indexed.own);
        }
        Self {
            newness: newness(&facts),
            facts,
            given: given.to_vec(),
            statements: all,
            indexed,
            terms,
            names,
            spread,
            titles,
            vocabulary,
        }
    }

    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    pub fn documents(&self) -> &[DocumentFacts] {
        &self.facts
    }

    /// The words of a statement.
    pub fn text(&self, statement: usize) -> &'a str {
        let statement = &self.statements[statement];
        self.range(statement.document, &statement.span)
    }

    pub(crate) fn range(&self, document: usize, range: &Range<usize>) -> &'a str {
        &self.given[document].document.text[range.clone()]
    }
}

fn once(mut terms: Vec<Term>) -> Vec<Term> {
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// The share of dated documents that are not later; a half for those without a date.
fn newness(facts: &[DocumentFacts]) -> Vec<f64> {
    let mut dates: Vec<_> = facts.iter().filter_map(|of| of.date).collect();
    dates.sort_unstable();
    let share = |of: &DocumentFacts| match of.date {
        Some(date) => dates.partition_point(|other| *other <= date) as f64 / dates.len() as f64,
        None => 0.5,
    };
    facts.iter().map(share).collect()
}
