//! Citations, tables and filled-in documents.
//!
//! Pure: no clock, no files, no network. Nothing is invented: fields that a record lacks are left out of the
//! text and named in the notes. All input is escaped for the markup of the output.

mod answer;
mod citations;
mod csl;
mod exchange;
mod limits;
mod list;
mod markup;
mod notes;
mod processor;
mod references;
mod refusal;
mod request;
mod rich;
mod style;
mod style_choice;
mod table;
mod template;
mod works;

pub use answer::{Answer, Entry, Unread, answer_schema};
pub use citations::Citations;
pub use markup::Markup;
pub use references::{References, Source};
pub use refusal::Refusal;
pub use request::{Request, format, schema};
pub use style_choice::Styles;
pub use table::{
    Align, Cells, Column, Footnote, Number, NumberStyle, Order, Sort, Table, Target, Total,
};
pub use template::{ReadyTemplate, Template, count_what_is_built, ready_templates, render_counted};
