//! Reads documents completely, and says what they state.
//!
//! [`Reading::new`] turns every document into [`Statement`]s: sentences, list items and rows of tables, each with the headings, the
//! lead-in and the column heads it stands under. [`Reading::answer`] answers a question out of them, or says that they do not.
//! Pure: the same documents have the same reading, everywhere.

mod answer;
mod derivation;
mod document_facts;
mod irregular;
mod names;
mod question;
mod ranking;
mod reading;
mod same_meaning;
mod statement;
mod terms;
mod values;
mod wanted;
mod words;

pub use answer::{Answer, Quote, Verdict};
pub use document_facts::{DocumentFacts, Standing};
pub use question::{Asked, Question};
pub use reading::{Given, Reading};
pub use statement::{Cell, Statement, StatementForm};
pub use values::{Unit, Value, values};
