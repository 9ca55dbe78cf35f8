//! Whether quotes are in the sources they name, spaces and line ends aside.

use std::collections::BTreeMap;

use adjutant_questions::{Evidence, Source};

use crate::text::plain;

/// Fewer characters than this are in nearly every text and prove nothing.
const QUOTE_CHARS_MIN: usize = 3;

/// The sources' texts in one line each, by id.
pub(crate) struct Quotes {
    texts: BTreeMap<String, String>,
}

impl Quotes {
    pub(crate) fn of(sources: &[Source]) -> Self {
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for source in sources {
            // The same source may be given in parts.
            let text = texts.entry(source.id.clone()).or_default();
            text.push('\n');
            text.push_str(&plain(&source.text));
        }
        Self { texts }
    }

    pub(crate) fn hold(&self, evidence: &Evidence) -> bool {
        let quote = plain(&evidence.quote);
        quote.chars().count() >= QUOTE_CHARS_MIN
            && self
                .texts
                .get(&evidence.source)
                .is_some_and(|text| text.contains(&quote))
    }
}
