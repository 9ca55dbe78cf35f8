//! From an intent in words to a graph of tasks.
//!
//! [`Suggester`] is built once from the tools that exist, the graphs of templates and the workflows that ended. For an
//! intent it finds tools by their words, orders them by what each gives and needs and by what followed what, fills in the
//! arguments that the intent states, names those that are missing, and says how sure it is and why.
//!
//! Pure: it reads no files, asks nobody and runs nothing. It does not know missions, journals or registries.

mod arrange;
mod choose;
mod clauses;
mod confidence;
mod coverage;
mod extract;
mod find;
mod flow;
mod graph;
mod learned;
mod order;
mod past;
mod repeat;
mod replan;
mod search;
mod suggester;
mod suggestion;
mod tool;
mod words;

pub use confidence::{Confidence, SURE_ENOUGH, Weights};
pub use graph::{Graph, GraphTask};
pub use learned::{Learned, Odds, Pairs, said};
pub use past::{Covers, PastWorkflow, WorkflowOutcome};
pub use replan::{Revision, TaskState};
pub use suggester::{INTENT_CHARS_MAX, IntentRefused, Suggester};
pub use suggestion::{AilReason, Missing, Nearest, Suggestion, Why};
pub use tool::{KnownTool, ToolEffect};
