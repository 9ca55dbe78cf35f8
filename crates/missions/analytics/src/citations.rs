//! Whether what agents cite is in the sources that the mission had, word for word.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Fields under which answers hold passages of sources.
const PASSAGES: [&str; 2] = ["evidence", "citations"];
/// Fewer characters than this are in nearly every text and prove nothing.
const QUOTE_CHARS_MIN: usize = 3;

/// The texts of a mission's sources, and what is cited of them. A passage counts once for each agent that cites it.
#[derive(Debug, Default)]
pub(crate) struct Citations {
    texts: BTreeMap<String, String>,
    cited: BTreeSet<(String, String, String)>,
}

impl Citations {
    /// Keeps the texts of the sources in a value: `{id, text}`, wherever they are.
    pub(crate) fn learn(&mut self, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.learn(item)),
            Value::Object(fields) => {
                let part = |name| fields.get(name).and_then(Value::as_str);
                if let (Some(id), Some(text)) = (part("id"), part("text")) {
                    // The same source may be given in parts.
                    let kept = self.texts.entry(id.to_owned()).or_default();
                    let text = plain(text);
                    if !kept.contains(&text) {
                        kept.push('\n');
                        kept.push_str(&text);
                    }
                }
                fields.values().for_each(|field| self.learn(field));
            }
            _ => {}
        }
    }

    /// Notes every passage that an agent's answer cites.
    pub(crate) fn note(&mut self, agent: &str, answer: &Value) {
        match answer {
            Value::Array(items) => items.iter().for_each(|item| self.note(agent, item)),
            Value::Object(fields) => {
                for (name, field) in fields {
                    if PASSAGES.contains(&name.as_str()) {
                        let passages = field.as_array().into_iter().flatten();
                        for (source, quote) in passages.filter_map(passage) {
                            self.cited
                                .insert((agent.to_owned(), source.to_owned(), plain(quote)));
                        }
                    }
                    self.note(agent, field);
                }
            }
            _ => {}
        }
    }

    /// Who cited each passage, and whether it is in its source.
    pub(crate) fn checked(&self) -> impl Iterator<Item = (&str, bool)> {
        self.cited.iter().map(|(agent, source, quote)| {
            let holds = quote.chars().count() >= QUOTE_CHARS_MIN
                && self
                    .texts
                    .get(source)
                    .is_some_and(|text| text.contains(quote.as_str()));
            (agent.as_str(), holds)
        })
    }

    pub(crate) fn forget_cited(&mut self) {
        self.cited.clear();
    }
}

fn passage(value: &Value) -> Option<(&str, &str)> {
    let part = |name| value.get(name).and_then(Value::as_str);
    Some((part("source")?, part("quote")?))
}

/// A text on one line, with single spaces.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
