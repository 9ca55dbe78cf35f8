//! Citations, tables and filled-in documents.
//!
//! Pure: no clock, no files, no network. Nothing is invented: what a record lacks is left out of the text and
//! named in the notes. Everything that comes in is escaped for the markup that goes out.

mod answer;
mod citations;
mod csl;
mod exchange;
mod limits;
mod markup;
mod notes;
mod references;
mod refusal;
mod request;
mod rich;
mod style;
mod table;
mod template;

pub use answer::{Answer, Entry, Unread, answer_schema};
pub use citations::{Citations, Style};
pub use markup::Markup;
pub use references::{References, Source};
pub use refusal::Refusal;
pub use request::{Request, format, schema};
pub use table::{
    Align, Cells, Column, Footnote, Number, NumberStyle, Order, Sort, Table, Target, Total,
};
pub use template::{ReadyTemplate, Template, ready_templates};
