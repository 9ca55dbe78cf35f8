//! Compares the word lists of the product with the vocabulary of the samples.
//!
//! Rules that answer without a language model are worth something only on documents that nobody fitted them to. A list that
//! holds the words of one sample is such a fit. Here all lists are found, in Rust sources and in data files, and each word
//! is held against every sample. Nothing of this is part of the product.

mod compare;
mod data_lists;
mod english;
mod rust_lists;
mod rust_tokens;
mod samples;
mod scopes;
mod tree;
mod words;

pub use compare::{Kind, Leak, leaks};
pub use english::English;
pub use rust_lists::rust_lists;
pub use samples::{Sample, Visibility};
pub use scopes::{Compared, Scope, scopes};
pub use tree::{read_sample, word_lists};

/// Words that stand together in a source or data file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordList {
    /// The path from the root of the tree, with slashes.
    pub file: String,
    pub line: usize,
    /// The constant, or the function it stands in.
    pub name: String,
    pub entries: Vec<String>,
}
