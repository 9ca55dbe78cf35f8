//! The prompt guard: inspects text from outside before a model sees it.
//!
//! Finds attempts to steer the model (new roles, forged delimiters, hidden or encoded text, requests to disclose data or
//! to call a tool, planted instructions), reports where and why, and marks them as data. Pure: no I/O, no clock, no
//! randomness. It never decides alone: a [`GuardPolicy`] turns severities into actions.

mod addressee;
mod ciphers;
mod confusables;
mod courtesy;
mod delimiters;
mod document;
mod encoded;
mod features;
mod fence;
mod finding;
mod inspect;
mod letters;
mod lexicon;
mod links;
mod look_alikes;
mod markup;
mod offsets;
mod opening;
mod policy;
mod reading;
mod rules;
mod scorer;
mod snippets;
mod spelling;
mod surroundings;
mod threat;
mod wording;

pub use fence::{fence, strip_label_end, strip_marks, unfence};
pub use inspect::inspect;
pub use policy::{Action, Actions, GuardPolicy};
#[doc(hidden)]
pub use scorer::{Explained, SCORER_REASON, explain};
pub use threat::{Inspected, Limits, Origin, Severity, Threat, ThreatKind};
