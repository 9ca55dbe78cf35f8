//! Finding tools by words: ranked as for a suggestion, by what they say of themselves and by what was learned. Nothing is left
//! out for being no beginning of a task: whoever looks for a tool decides that.

use std::collections::BTreeMap;

use adjutant_text::stop_words::StopWordLanguage;

use crate::choose::{asked_terms, fit_of_all};
use crate::clauses::{Clause, clauses};
use crate::suggester::Suggester;
use crate::words::{terms, words};

/// How well a tool fits of which two thirds of the best strength is said.
const STRENGTH_SCALE: f64 = 1.6;
/// What it counts that the id of a tool holds a word of the query, or a part of one.
const IN_ID: f64 = 0.25;
/// A shorter word is in too many ids by chance.
const IN_ID_CHARS_MIN: usize = 3;
/// How many words of a query are looked for in ids.
const QUERY_WORDS_MAX: usize = 100;
/// A tool whose words do not fit is found if it is so likely that it is wanted.
const LIKELY: f64 = 0.05;

impl Suggester {
    /// The ids of the tools that a query asks for, best first. A query that is the name of a tool finds it first.
    pub fn find_tools(&self, query: &str) -> Vec<&str> {
        let named = spaced(query);
        let stop_words = StopWordLanguage::English.stop_words();
        let telling = words(query).filter(|word| !stop_words.contains(word.as_str()));
        let all: Vec<String> = telling.take(QUERY_WORDS_MAX).collect();
        let whole = Clause {
            text: query.to_owned(),
            terms: terms(query),
            topic: Vec::new(),
        };
        let fits = fit_of_all(self, &clauses(query), &asked_terms(self, &whole));
        let chances: BTreeMap<&str, f64> = self.learned.chances(query);
        let score = |at: usize| {
            let tool = &self.tools[at].tool;
            if spaced(&tool.id) == named || spaced(&tool.name) == named {
                return f64::INFINITY;
            }
            // Of two tools that do the same only one is suggested, and both are found.
            let same = self.tools[at].twin_of.unwrap_or(at);
            let strength = 1.0 - libm::exp(-fits[same] / STRENGTH_SCALE);
            let id = tool.id.to_lowercase();
            let is_in_id =
                |word: &String| word.chars().count() >= IN_ID_CHARS_MIN && id.contains(word);
            let of_id = if all.iter().any(is_in_id) { IN_ID } else { 0.0 };
            let learned = chances.get(self.tools[same].tool.id.as_str());
            match learned {
                Some(chance) if strength > 0.0 || *chance >= LIKELY => {
                    (strength + chance) / 2.0 + of_id
                }
                Some(_) => of_id,
                None => strength + of_id,
            }
        };
        let mut found: Vec<(f64, &str)> = (0..self.tools.len())
            .map(|at| (score(at), self.tools[at].tool.id.as_str()))
            .filter(|(score, _)| *score > 0.0)
            .collect();
        found.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
        found.into_iter().map(|(_, id)| id).collect()
    }
}

/// The words of a name, however they are joined.
fn spaced(name: &str) -> String {
    words(name).collect::<Vec<_>>().join(" ")
}
