//! What every reader of text needs, written once: sentences, dates, numbers, ranking by words, and markup.
//!
//! Pure: text in, values out. Knows nothing of missions, documents in a knowledge base, or tools.

#![cfg_attr(
    test,
    expect(clippy::unwrap_used, reason = "a test that fails may panic")
)]

pub mod bm25;
pub mod causes;
pub mod dates;
pub mod errors;
pub mod html;
pub mod lines;
pub mod numbers;
pub mod phrases;
pub mod sentences;
pub mod stated_dates;
pub mod stems;
pub mod stop_words;
pub mod word_vectors;
pub mod xml;
