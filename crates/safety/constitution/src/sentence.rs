//! A sentence as the rules see it: what it is about, what it cites, and in which mood it speaks.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use adjutant_text::sentences::sentences;
use regex::Regex;

use crate::concepts::{Concept, Hits};

/// How many sentences of one text are read; a longer one is cut into several texts by its caller.
const SENTENCES_MAX: usize = 20_000;

#[derive(Debug)]
pub(crate) struct Sentence {
    /// Where it is in the text.
    pub(crate) range: Range<usize>,
    words: Vec<Range<usize>>,
    hits: Hits,
    /// The numbers in its citations.
    pub(crate) cites: Vec<u32>,
    /// The numbers that it states.
    pub(crate) figures: Vec<String>,
    pub(crate) is_order: bool,
}

#[derive(Debug)]
pub(crate) struct Passage {
    pub(crate) sentences: Vec<Sentence>,
    pub(crate) cites: usize,
}

impl Passage {
    pub(crate) fn read(text: &str) -> Self {
        let found = sentences(text).into_iter().take(SENTENCES_MAX);
        let sentences: Vec<Sentence> = found.map(|range| Sentence::read(text, range)).collect();
        let cites = sentences.iter().map(|sentence| sentence.cites.len()).sum();
        Self { sentences, cites }
    }

    pub(crate) fn has(&self, concept: Concept) -> bool {
        self.sentences.iter().any(|sentence| sentence.has(concept))
    }

    /// Each sentence, with the one before it.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (Option<&Sentence>, &Sentence)> {
        let before = std::iter::once(None).chain(self.sentences.iter().map(Some));
        before.zip(&self.sentences)
    }
}

impl Sentence {
    fn read(text: &str, range: Range<usize>) -> Self {
        // The month is no sign of doubt.
        let lower = MAY.replace_all(&text[range.clone()], "$1 ").to_lowercase();
        let cites = CITATION
            .captures_iter(&lower)
            .filter_map(|found| found.get(1)?.as_str().parse().ok())
            .collect();
        let bare = CITATION.replace_all(&lower, " ");
        // What somebody is quoted with is not what the report says.
        let bare = match SAYS.is_match(&bare) {
            true => QUOTED.replace_all(&bare, " ").into_owned(),
            false => bare.into_owned(),
        };
        let words = WORD.find_iter(&bare).map(|word| word.range()).collect();
        let figures = FIGURE.find_iter(&bare);
        let figures = figures.map(|figure| figure.as_str());
        let figures = figures.filter(|figure| !is_year(figure));
        Self {
            range,
            words,
            hits: Hits::of(&bare),
            cites,
            figures: figures.map(str::to_owned).collect(),
            is_order: ORDER.is_match(&bare),
        }
    }

    pub(crate) fn has(&self, concept: Concept) -> bool {
        self.hits.has(concept)
    }

    pub(crate) fn has_any(&self, concepts: &[Concept]) -> bool {
        concepts.iter().any(|concept| self.has(*concept))
    }

    /// Whether both are said with at most so many words between them, or the second within the first, and are not the same
    /// words.
    pub(crate) fn near(&self, one: Concept, other: Concept, words_max: usize) -> bool {
        self.hits.at(one).any(|a| {
            self.hits.at(other).any(|b| {
                let within = a != b && a.start <= b.start && b.end <= a.end;
                let apart = a.end <= b.start || b.end <= a.start;
                within || (apart && self.words_between(a, b) <= words_max)
            })
        })
    }

    /// Whether the first is said before the second, with at most so many words between them.
    pub(crate) fn before(&self, first: Concept, second: Concept, words_max: usize) -> bool {
        self.hits.at(first).any(|a| {
            self.hits
                .at(second)
                .any(|b| a.end <= b.start && self.words_between(a, b) <= words_max)
        })
    }

    fn words_between(&self, a: &Range<usize>, b: &Range<usize>) -> usize {
        let (from, to) = match a.end <= b.start {
            true => (a.end, b.start),
            false => (b.end, a.start),
        };
        let between = self.words.iter();
        between
            .filter(|word| word.start >= from && word.end <= to)
            .count()
    }

    pub(crate) fn words(&self) -> usize {
        self.words.len()
    }

    /// What somebody did or may have done, rather than what is to be done.
    pub(crate) fn is_told_of_others(&self) -> bool {
        self.has(Concept::Reported)
    }

    /// Speaks against what it is about.
    pub(crate) fn is_against(&self) -> bool {
        self.has(Concept::Prohibits)
    }

    pub(crate) fn is_hedged(&self) -> bool {
        self.has(Concept::Hedge)
    }

    pub(crate) fn is_cited(&self) -> bool {
        !self.cites.is_empty()
    }
}

/// A sentence without the numbers of its citations.
pub(crate) fn without_citations(sentence: &str) -> Cow<'_, str> {
    CITATION.replace_all(sentence, " ")
}

/// A number that is more likely a year than a quantity.
fn is_year(figure: &str) -> bool {
    let number: Option<u32> = figure.parse().ok();
    figure.len() == 4 && number.is_some_and(|number| (1900..2100).contains(&number))
}

/// An expression that is fixed; a test reads them all.
fn fixed(expression: &str) -> Regex {
    match Regex::new(expression) {
        Ok(expression) => expression,
        // An expression that never matches: the test below tells.
        Err(_) => NEVER.clone(),
    }
}

#[expect(clippy::unwrap_used, reason = "a constant that a test compiles")]
static NEVER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[^\s\S]").unwrap());
static CITATION: LazyLock<Regex> = LazyLock::new(|| fixed(r"\[(\d{1,4})\]"));
static SAYS: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r"\b(?:say|says|said|state|states|stated|claim|claims|claimed|read|reads|write|writes|wrote|ask|asks|asked|call|calls|called|announce|announces|announced)\b",
    )
});
static QUOTED: LazyLock<Regex> = LazyLock::new(|| fixed(r#"["“][^"“”]{4,300}["”]"#));
static MAY: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r"\b((?:[Ii]n|of|by|[Ss]ince|until|from|to|on|[Ee]nd|early|late|mid|\d{1,2}\.?))[ -]May\b",
    )
});
static WORD: LazyLock<Regex> = LazyLock::new(|| fixed(r"[\w'’-]+"));
static FIGURE: LazyLock<Regex> = LazyLock::new(|| fixed(r"\d+(?:[.,]\d+)*"));
/// A sentence or a clause that begins with what is to be done.
static ORDER: LazyLock<Regex> = LazyLock::new(|| {
    let verbs = "take|stop|start|begin|double|halve|give|use|skip|keep|delete|move|add|apply|inject|repeat|increase|raise|\
                 reduce|lower|switch|combine|label|ship|register|ask|code|leave|put|place|split|submit|file|send|present|\
                 describe|call|rename|avoid|let|make|choose|swallow|omit|hide|wait|hold|treat|record|buy|order|quote|drop|\
                 write|tell|show|set|book|route|invoice|change|replace|wipe|destroy|shred|remove|exclude|report|list|spread|pay|answer|hire|invent|copy|forge|sign|mention|claim|promise|blame|transfer|hand|mix|swap";
    let objects = "the|a|an|it|them|this|these|those|that|your|their|its|all|any|each|every|half|one|two|three|four|only|no|\
                   both|single|ten|twenty|fifty|hundred|many|several|some|more|whatever|everything|nothing|with|from|under|until|taking|up|down|out|off|at|to|or|\\d+";
    fixed(&format!(
        r"^\W*for (?:the|a|this) \w+ (?:{verbs})\s+(?:{objects})\b|^\W*(?:(?:then|also|instead|simply|just|please|never mind and)\W+)?(?:{verbs})\s+(?:{objects})\b|^\W*(?:to|if|for|when|once|before|since|as|because)\b[^,;:]*[,;:]\s+(?:then\s+|simply\s+|just\s+)?(?:{verbs})\s+(?:{objects})\b|[;:]\s+(?:{verbs})\s+(?:{objects})\b"
    ))
});

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Sentence {
        let mut read = Passage::read(text);
        assert_eq!(read.sentences.len(), 1, "{text}");
        read.sentences.remove(0)
    }

    #[test]
    fn what_is_to_be_done_is_told_from_what_is() {
        assert!(only("Take two of them with water.").is_order);
        assert!(only("To be sure, repeat the test on Monday.").is_order);
        assert!(!only("Use of the old form has ended.").is_order);
        assert!(!only("The teams take the bus to the site.").is_order);
    }

    #[test]
    fn citations_are_no_figures() {
        let sentence = only("It rose by 9.5 percent [1][12].");
        assert_eq!(sentence.cites, [1, 12]);
        assert_eq!(sentence.figures, ["9.5"]);
    }
}
