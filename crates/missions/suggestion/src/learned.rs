//! What intents with known tools have taught: how far each word of an intent speaks for a tool or against it. A tool that was
//! in none of them has no line, and is chosen by its own words alone.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use adjutant_text::word_vectors::meaning;

use crate::clauses::Clause;
use crate::words::{lines, pairs, words};

/// What is said of every tool.
const ALL: &str = "*";
/// What speaks for a tool whatever is asked.
const ALWAYS: &str = "(always)";
/// How well its own words fit.
const FITS: &str = "(fits)";
/// That it is chosen by its own words.
const CHOSEN: &str = "(chosen)";
const HUNDREDTHS: f64 = 100.0;
/// By what the numbers of a meaning are multiplied, so that about ten of them count what one word counts.
const MEANING: f64 = 3.0;

/// Weights by tool and by what speaks for it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Learned {
    weights: BTreeMap<String, BTreeMap<String, f64>>,
}

/// What of an intent may speak for a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSigns {
    pub tool: String,
    /// How well its own words fit, from 0 to 1.
    pub fit: f64,
    /// Whether it is chosen by its own words.
    pub is_chosen: bool,
}

impl ToolSigns {
    /// What speaks for the tool besides the words of the intent, each with how much there is of it.
    pub fn besides_words(&self) -> [(&'static str, f64); 3] {
        [
            (ALWAYS, 1.0),
            (FITS, self.fit),
            (CHOSEN, f64::from(u8::from(self.is_chosen))),
        ]
    }
}

impl Learned {
    /// What the program was built with.
    pub fn built_in() -> Arc<Self> {
        static BUILT_IN: LazyLock<Arc<Learned>> = LazyLock::new(|| {
            // A test reads every line of it.
            let read = Learned::parse(include_str!("../data/learned.txt"));
            Arc::new(read.unwrap_or_default())
        });
        Arc::clone(&BUILT_IN)
    }

    /// Reads lines of a tool, what speaks for it, and the weight in hundredths; or names the line that is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut learned = Self::default();
        for line in lines(text) {
            let mut cells = line.split('\t');
            let read = (|| {
                let (tool, sign, weight) = (cells.next()?, cells.next()?, cells.next()?);
                let weight: i32 = weight.parse().ok()?;
                cells.next().is_none().then_some((tool, sign, weight))
            })();
            let (tool, sign, weight) = read.ok_or_else(|| line.to_owned())?;
            learned.set(tool, sign, f64::from(weight) / HUNDREDTHS);
        }
        Ok(learned)
    }

    /// The lines that [`Learned::parse`] reads. Weights that round to nothing are left out; a tool keeps a line, so that it
    /// is known to have been learned about.
    pub fn render(&self) -> String {
        let mut text = String::new();
        for (tool, signs) in &self.weights {
            for (sign, weight) in signs {
                let hundredths = libm::round(weight * HUNDREDTHS);
                if hundredths != 0.0 || sign == ALWAYS {
                    text.push_str(&format!("{tool}\t{sign}\t{hundredths:.0}\n"));
                }
            }
        }
        text
    }

    pub fn set(&mut self, tool: &str, sign: &str, weight: f64) {
        let signs = self.weights.entry(tool.to_owned()).or_default();
        signs.insert(sign.to_owned(), weight);
    }

    /// Sets what something counts for every tool.
    pub fn set_for_all(&mut self, sign: &str, weight: f64) {
        self.set(ALL, sign, weight);
    }

    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// The tools that were learned about.
    pub(crate) fn tools(&self) -> impl Iterator<Item = &str> {
        let tools = self.weights.keys().map(String::as_str);
        tools.filter(|tool| *tool != ALL)
    }

    /// How likely a tool is wanted, if it was learned about.
    pub fn chance(&self, signs: &ToolSigns, said: &BTreeMap<String, f64>) -> Option<f64> {
        let of_tool = self.weights.get(&signs.tool)?;
        let none = BTreeMap::new();
        let of_all = self.weights.get(ALL).unwrap_or(&none);
        let of_words = said
            .iter()
            .filter_map(|(term, much)| Some(much * of_tool.get(term)?));
        let mut odds: f64 = of_words.sum();
        for (sign, much) in signs.besides_words() {
            let weights = [of_tool.get(sign), of_all.get(sign)];
            odds += much * weights.into_iter().flatten().sum::<f64>();
        }
        Some(1.0 / (1.0 + libm::exp(-odds)))
    }
}

/// What an intent says, each with how much there is of it: its terms, those that stand next to each other, apart from them
/// what it is about, and what all its words together have to do with.
pub(crate) fn said(parts: &[Clause]) -> BTreeMap<String, f64> {
    let mut said = BTreeMap::new();
    for part in parts {
        let terms = part.terms.iter().cloned().chain(pairs(&part.terms));
        let topics = part.topic.iter().map(|term| format!("@{term}"));
        said.extend(terms.chain(topics).map(|term| (term, 1.0)));
    }
    let words: Vec<String> = parts.iter().flat_map(|part| words(&part.text)).collect();
    let meaning = meaning(words.iter().map(String::as_str));
    for (at, much) in meaning.into_iter().flatten().enumerate() {
        said.insert(format!("~{at}"), much * MEANING);
    }
    said
}

#[cfg(test)]
#[path = "learned_tests.rs"]
mod tests;
