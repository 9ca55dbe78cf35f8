//! A mission's journal as an OpenTelemetry trace, and what sends it on.
//!
//! Traces are a projection of the journal, as live events are: [`Spans`] has no clock and asks nobody, so a host that was
//! started anew tells the same spans with the same ids. What leaves here are names, counts, costs and how things ended;
//! never what was asked or answered. [`Sender`] posts them to a collector, and holds no mission up: what cannot be sent
//! is dropped, and counted.

mod destination;
mod otlp;
mod queue;
mod sender;
mod span;
mod spans;

pub use destination::{Destination, WrongDestination};
pub use otlp::{rejected, request};
pub use queue::{Dropped, Queue, Tell};
pub use sender::{Heard, Sender, Source};
pub use span::{Attribute, Kind, Span, SpanId, Status, TraceId, trace_of};
pub use spans::{Spans, spans_of};
