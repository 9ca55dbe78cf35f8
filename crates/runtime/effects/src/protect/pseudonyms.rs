//! Pseudonyms for what leaves the sensitive zone, and back.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_redact::{Kind, Pseudonyms};
use serde_json::Value;

use super::PseudonymKey;

/// What was replaced in a question, and how to take it back in its answer.
#[derive(Debug)]
pub(crate) struct Masked {
    pseudonyms: Pseudonyms,
    /// How many different values of each kind.
    counts: BTreeMap<Kind, usize>,
}

/// Puts pseudonyms in the place of personal data in every text of all inputs.
pub(crate) fn mask<'a>(
    inputs: impl IntoIterator<Item = &'a mut Value>,
    key: &PseudonymKey,
) -> Masked {
    let mut inputs: Vec<&mut Value> = inputs.into_iter().collect();
    let mut pseudonyms = Pseudonyms::new(key.0);
    // Read once before: what a later text gives away is hidden in an earlier one too, and the same text is always
    // replaced the same way.
    for input in &mut inputs {
        super::each(input, &mut |_, text| {
            pseudonyms.redact(text);
            None
        });
    }
    let mut values: BTreeSet<(Kind, String)> = BTreeSet::new();
    for input in &mut inputs {
        super::each(input, &mut |_, text| {
            let redacted = pseudonyms.redact(text);
            let found = redacted.found.iter();
            values.extend(found.map(|one| (one.kind, text[one.span.clone()].to_owned())));
            (!redacted.found.is_empty()).then_some(redacted.text)
        });
    }
    let mut counts = BTreeMap::new();
    for (kind, _) in values {
        *counts.entry(kind).or_default() += 1;
    }
    Masked { pseudonyms, counts }
}

impl Masked {
    pub(crate) fn restore(&self, text: &str) -> String {
        self.pseudonyms.restore(text)
    }

    pub(crate) fn restore_all(&self, value: &mut Value) {
        super::each(value, &mut |_, text| Some(self.restore(text)));
    }

    /// Adds how much was replaced to a record of who answered; never what.
    pub(crate) fn record(&self, by: &mut Value) {
        if let Value::Object(fields) = by {
            let counts = serde_json::to_value(&self.counts).unwrap_or_default();
            fields.insert("replaced".to_owned(), counts);
        }
    }
}
