//! What a mission hands over: one document model. How it is written is another matter.

mod document;

pub use document::{
    Align, Block, Callout, Column, Decided, Document, Figure, Made, Mark, Passage, Section, Source,
    Span, Standing, Tone, Used,
};
