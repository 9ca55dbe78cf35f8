//! What happens to a question on its way out, and to its answer on the way back: texts from outside are looked at, and
//! what leaves the sensitive zone leaves with pseudonyms.
//!
//! **Invariant:** A question is inspected before it goes out, and goes to outsiders only with pseudonyms, unless `privacy.redact` is off. The key of
//! the pseudonyms derives from the mission's key and is stored nowhere; answers are restored before they are checked
//! and recorded.

mod clean_texts;
mod guarding;
mod leaving;
mod origin;
mod pseudonyms;
mod texts;

use std::fmt;

use adjutant_guard::{GuardPolicy, Limits};

pub(crate) use adjutant_guard::Origin;
pub use clean_texts::CleanTexts;
pub(crate) use guarding::{Guarding, Looked, look, unmark_answer, unmarked};
pub(crate) use leaving::kept_back;
pub use origin::{INPUTS, origin_of};
pub(crate) use origin::{Origins, origin_of_tool, origins};
pub(crate) use pseudonyms::{Masked, mask};
pub(crate) use texts::each;

/// How questions are protected.
#[derive(Debug, Clone, Default)]
pub struct Protection {
    pub guard: GuardPolicy,
    pub limits: Limits,
    pub redaction: Redaction,
    pub clean_texts: CleanTexts,
}

/// Whether personal data leaves as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Redaction {
    #[default]
    On,
    Off,
}

/// The key of one mission's pseudonyms.
#[derive(Clone, PartialEq, Eq)]
pub struct PseudonymKey(pub [u8; 32]);

impl fmt::Debug for PseudonymKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PseudonymKey(…)")
    }
}
