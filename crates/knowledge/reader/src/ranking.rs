//! Which statements bear on a question, best first.

use std::collections::BTreeSet;

use adjutant_text::bm25::inverse_document_frequency;
use adjutant_text::dates::Date;

use crate::reading::Reading;
use crate::same_meaning::{phrases, same_meaning};
use crate::terms::{Term, stem};
use crate::values::{Placed, Unit, Value, values};
use crate::words::{is_stop_word, words};

/// What a word counts where it does not stand in the statement itself: under the nearest heading, the lead-in or the head of
/// a column, in the title, beside the statement, in a heading further up, elsewhere in the section, elsewhere in the document.
const NEAR: f64 = 0.75;
const TITLE: f64 = 0.75;
const NEIGHBOUR: f64 = 0.6;
const FAR: f64 = 0.5;
const SECTION: f64 = 0.3;
const DOCUMENT: f64 = 0.1;
/// What a word counts that is made from the one in the question, and one that only means nearly the same.
const MADE_FROM: f64 = 0.9;
const SAME_MEANING: f64 = 0.75;
/// What a word counts that means the same as a phrase.
const SAME_AS_PHRASE: f64 = 0.8;
/// What another name of the same thing counts.
const SAME_THING: f64 = 0.95;
/// How much statements with a word of the same meaning make a word less rare.
const MEANT_SPREAD: f64 = 0.2;
/// How much a long statement counts less.
const LENGTH: f64 = 0.12;
const USUAL_WORDS: f64 = 14.0;

/// How steeply a word weighs more the rarer it is: documents have few of the words that people ask in, and such a word is rare
/// without being what the question is about.
const RARITY: f64 = 0.6;
/// How much more two words weigh that a hyphen joins than one.
const JOINED: f64 = 1.5;
/// How far apart words are that stand side by side.
const PAIR_WORDS: usize = 3;
/// How many letters a short form has.
const SHORT_FORM: std::ops::RangeInclusive<usize> = 2..=5;
/// What is measured, and its units.
const MEASURES: &[(&str, &[&str])] = &[
    ("temperature", &["degrees", "c", "celsius", "fahrenheit"]),
    ("distance", &["km", "kilometres", "metres", "miles"]),
    (
        "length",
        &["km", "kilometres", "metres", "mm", "cm", "miles"],
    ),
    ("weight", &["kg", "kilograms", "grams", "tonnes", "tons"]),
];

/// Words of questions that are not what is asked about.
const ASKING: &[&str] = &[
    "many",
    "much",
    "long",
    "often",
    "when",
    "what",
    "which",
    "who",
    "whom",
    "whose",
    "where",
    "why",
    "how",
    "there",
    "say",
    "says",
    "said",
    "tell",
    "document",
    "documents",
    "according",
    "exactly",
    "actually",
    "currently",
    "please",
    "happen",
    "happened",
    "name",
    "give",
    "us",
    "get",
    "anyone",
    "anybody",
    "someone",
    "somebody",
    "anything",
    "thing",
    "things",
    "ahead",
    "away",
    "true",
    "sure",
    "able",
    "simply",
    "normally",
    "usually",
    "roughly",
    "approximately",
];

/// Turns of phrase that say nothing about what is asked.
const IDLE: &[&[&str]] = &[
    &["as", "it", "stands"],
    &["as", "things", "stand"],
    &["so", "far"],
    &["to", "date"],
    &["right", "now"],
    &["these", "days"],
    &["at", "the", "moment"],
    &["at", "present"],
    &["for", "now"],
    &["in", "the", "end"],
    &["after", "all"],
    &["in", "fact"],
    &["of", "course"],
    &["do", "we", "know"],
    &["is", "it", "true"],
    &["at", "all"],
    &["in", "total"],
    &["all", "in", "all"],
    &["under", "way"],
];

/// A word or phrase that is looked for.
#[derive(Debug)]
pub(crate) struct Sought {
    pub(crate) word: String,
    /// Where it stands among the words of the question.
    pub(crate) place: usize,
    /// The terms it is found by, and what each counts; none if no statement has it.
    pub(crate) terms: Vec<(Term, f64)>,
    pub(crate) weight: f64,
    /// Written as a name, or a number.
    pub(crate) is_name: bool,
    /// Everyday English that has many words for it.
    pub(crate) is_everyday: bool,
    /// Two words that a hyphen joins.
    pub(crate) is_compound: bool,
    /// The date it is part of: a document of that date has it.
    pub(crate) date: Option<Date>,
    /// Statements that have it in another form: `CEO` as its words, `temperature` as a number of degrees.
    pub(crate) also: BTreeSet<usize>,
}

/// A statement that bears on a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hit {
    pub(crate) statement: usize,
    /// What statements are ordered by.
    pub(crate) score: f64,
}

/// How well each statement has each word that is looked for.
pub(crate) struct Held {
    words: usize,
    /// By statement and word: in the statement itself, and with what it stands under and beside.
    own: Vec<f64>,
    all: Vec<f64>,
}

impl Held {
    pub(crate) fn own(&self, statement: usize, word: usize) -> f64 {
        self.own[statement * self.words + word]
    }

    pub(crate) fn all(&self, statement: usize, word: usize) -> f64 {
        self.all[statement * self.words + word]
    }
}

impl Reading<'_> {
    pub(crate) fn sought(&self, question: &str) -> Vec<Sought> {
        let mut found: Vec<Sought> = Vec::new();
        let mut seen = Vec::new();
        let dates: Vec<Placed> = values(question)
            .into_iter()
            .filter(|at| matches!(at.value, Value::Day(_)))
            .collect();
        let places = words(question);
        let small: Vec<String> = places
            .iter()
            .map(|word| question[word.clone()].to_lowercase())
            .collect();
        let all: Vec<&str> = small.iter().map(String::as_str).collect();
        let among: Vec<Term> = all.iter().filter_map(|word| self.terms.of(word)).collect();
        let mut in_phrase = idle(&all);
        for phrase in phrases(&all) {
            if phrase.places.iter().any(|at| in_phrase.contains(at)) {
                continue;
            }
            let written: Vec<&str> = phrase.places.iter().map(|at| all[*at]).collect();
            let meant = phrase.means.iter();
            let terms = meant.flat_map(|word| self.terms.family(word));
            let terms: Vec<_> = terms.map(|term| (term, SAME_AS_PHRASE)).collect();
            if terms.is_empty() {
                continue;
            }
            in_phrase.extend(phrase.places.iter().copied());
            let mut sought = Sought::new(&written.join(" "), terms);
            sought.place = phrase.places[0];
            found.push(self.weighed(sought));
        }
        for place in compounds(question, &places) {
            let is_free = !in_phrase.contains(&place) && !in_phrase.contains(&(place + 1));
            let joined = self.joined(place, [all[place], all[place + 1]]);
            if let Some(sought) = joined.filter(|_| is_free) {
                in_phrase.extend([place, place + 1]);
                found.push(sought);
            }
        }
        for (place, small) in all.iter().enumerate() {
            if in_phrase.contains(&place) || is_stop_word(small) || ASKING.contains(small) {
                continue;
            }
            let stem = stem(small);
            if seen.contains(&stem) {
                continue;
            }
            seen.push(stem);
            let written = &question[places[place].clone()];
            let date = dates
                .iter()
                .find(|at| at.span.contains(&places[place].start));
            let mut sought = Sought::new(written, self.terms_of(small, &among));
            sought.is_name = place > 0 && written.starts_with(|char: char| char.is_uppercase())
                || written.contains(|char: char| char.is_ascii_digit());
            sought.is_everyday = !sought.is_name && !same_meaning(small).is_empty();
            sought.place = place;
            sought.date = date.and_then(|at| match at.value {
                Value::Day(date) => Some(date),
                _ => None,
            });
            sought.also = self.in_another_form(written, small);
            sought.also.extend(self.by_another_name(small, &among));
            found.push(self.weighed(sought));
        }
        found.sort_by_key(|word| word.place);
        each_for_one(&mut found);
        found
    }

    /// Which share of the words that stand side by side in a question stand close together in a statement.
    pub(crate) fn together(&self, sought: &[Sought], statement: usize) -> f64 {
        let order = self.terms.known(self.text(statement));
        let at = |word: &Sought| -> Vec<usize> {
            let is_it = |term: &Option<Term>| {
                term.is_some_and(|term| word.terms.iter().any(|(own, _)| *own == term))
            };
            let places = order.iter().enumerate();
            places
                .filter(|(_, term)| is_it(term))
                .map(|(at, _)| at)
                .collect()
        };
        let mut all = 0.0;
        let mut close = 0.0;
        for pair in sought.windows(2) {
            if pair[1].place - pair[0].place > PAIR_WORDS {
                continue;
            }
            let weight = pair[0].weight.min(pair[1].weight);
            all += weight;
            let [first, second] = [at(&pair[0]), at(&pair[1])];
            let near = |one: &usize| {
                second
                    .iter()
                    .any(|two| one != two && one.abs_diff(*two) <= PAIR_WORDS)
            };
            close += if first.iter().any(near) { weight } else { 0.0 };
        }
        if all == 0.0 { 0.0 } else { close / all }
    }

    /// Two words that a hyphen joins, if any statement has them so.
    fn joined(&self, place: usize, pair: [&str; 2]) -> Option<Sought> {
        let with = self.with_both(pair);
        let count = u32::try_from(with.len()).ok().filter(|count| *count > 0)?;
        let rare = self.rarity(count);
        let mut sought = Sought::new(&pair.join("-"), Vec::new());
        sought.place = place;
        sought.weight = JOINED * rare;
        sought.is_compound = true;
        sought.also = with;
        Some(sought)
    }

    /// The statements that have both words side by side.
    fn with_both(&self, pair: [&str; 2]) -> BTreeSet<usize> {
        let [first, second] = pair.map(|word| self.terms.find(word));
        let has = |at: &usize| {
            let own = &self.indexed[*at].own;
            let has = |terms: &[Term]| terms.iter().any(|term| own.binary_search(term).is_ok());
            has(&first) && has(&second) && {
                let order = self.terms.known(self.text(*at));
                let is =
                    |term: &Option<Term>, of: &[Term]| term.is_some_and(|own| of.contains(&own));
                order
                    .windows(2)
                    .any(|run| is(&run[0], &first) && is(&run[1], &second))
            }
        };
        (0..self.statements.len()).filter(has).collect()
    }

    /// The terms that a word of a question is found by, the best first.
    fn terms_of(&self, small: &str, among: &[Term]) -> Vec<(Term, f64)> {
        let mut found: Vec<(Term, f64)> = Vec::new();
        let mut add = |terms: Vec<Term>, counts: f64| {
            for term in terms {
                if !found.iter().any(|(own, _)| *own == term) {
                    found.push((term, counts));
                }
            }
        };
        add(self.terms.find(small), 1.0);
        if let Some(own) = self.terms.of(small) {
            for other in self.names.others(own, among) {
                if let [one] = other {
                    add(vec![*one], SAME_THING);
                }
            }
        }
        add(self.terms.family(small), MADE_FROM);
        for other in same_meaning(small) {
            add(self.terms.family(other), SAME_MEANING);
        }
        found
    }

    /// A rare word weighs more. One that no statement has weighs as much as one that a single statement has.
    fn weighed(&self, mut sought: Sought) -> Sought {
        let spread = |is_it: &dyn Fn(f64) -> bool| -> f64 {
            let fitting = sought.terms.iter().filter(|(_, counts)| is_it(*counts));
            fitting
                .map(|(term, _)| f64::from(self.spread[*term as usize]))
                .sum()
        };
        let exact = spread(&|counts| counts == 1.0 || counts == MADE_FROM);
        let meant = spread(&|counts| counts <= SAME_AS_PHRASE);
        let spread = (exact + MEANT_SPREAD * meant).max(1.0);
        sought.weight = self.rarity(spread as u32);
        sought
    }

    fn rarity(&self, spread: u32) -> f64 {
        inverse_document_frequency(spread, self.statements.len()).powf(RARITY)
    }

    /// The statements that spell a short form out, or measure what is asked for.
    fn in_another_form(&self, written: &str, small: &str) -> BTreeSet<usize> {
        let all = 0..self.statements.len();
        if SHORT_FORM.contains(&written.len()) && written.chars().all(|c| c.is_ascii_uppercase()) {
            return all.filter(|at| spells_out(self.text(*at), small)).collect();
        }
        let measure = MEASURES.iter().find(|(name, _)| *name == small);
        let Some((_, units)) = measure else {
            return BTreeSet::new();
        };
        let units: Vec<String> = units
            .iter()
            .map(|unit| crate::words::stemmed(unit))
            .collect();
        let measured = |at: &usize| {
            let mut found = values(self.text(*at)).into_iter();
            found.any(|placed| match placed.value {
                Value::Amount {
                    unit: Unit::Of(unit),
                    ..
                } => units.contains(&unit),
                _ => false,
            })
        };
        all.filter(measured).collect()
    }

    /// The statements that have the whole of another name.
    fn by_another_name(&self, small: &str, among: &[Term]) -> Vec<usize> {
        let own = self.terms.of(small);
        let names = own.map_or(Vec::new(), |own| self.names.others(own, among));
        let long: Vec<&[Term]> = names.into_iter().filter(|name| name.len() > 1).collect();
        if long.is_empty() {
            return Vec::new();
        }
        let has = |at: &usize, name: &[Term]| {
            let own = &self.indexed[*at].own;
            name.iter().all(|term| own.binary_search(term).is_ok())
        };
        let all = 0..self.statements.len();
        all.filter(|at| long.iter().any(|name| has(at, name)))
            .collect()
    }

    /// How well every statement has every word: 1 in itself, less in what it stands under or beside.
    pub(crate) fn held(&self, sought: &[Sought]) -> Held {
        let words = sought.len();
        let mut by_term: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.terms.len()];
        for (number, word) in sought.iter().enumerate() {
            for (term, counts) in &word.terms {
                by_term[*term as usize].push((number, *counts));
            }
        }
        let mark = |row: &mut [f64], terms: &[Term], factor: f64| {
            for term in terms {
                for (word, counts) in &by_term[*term as usize] {
                    row[*word] = row[*word].max(counts * factor);
                }
            }
        };
        let count = self.statements.len();
        let mut own = vec![0.0; count * words];
        let mut all = vec![0.0; count * words];
        for statement in 0..count {
            let row = statement * words..(statement + 1) * words;
            let of = &self.indexed[statement];
            let document = self.statements[statement].document;
            let date = self.facts[document].date;
            mark(&mut own[row.clone()], &of.own, 1.0);
            for (number, word) in sought.iter().enumerate() {
                let dated = date.zip(word.date);
                if word.also.contains(&statement)
                    || dated.is_some_and(|(own, asked)| own.is_within(asked))
                {
                    own[row.start + number] = 1.0;
                }
            }
            let row = &mut all[row];
            mark(row, &of.near, NEAR);
            mark(row, &self.titles[document], TITLE);
            mark(row, &of.far, FAR);
        }
        self.spread_around(words, &own, &mut all);
        Held { words, own, all }
    }

    /// Counts for each statement what those around it have.
    fn spread_around(&self, words: usize, own: &[f64], all: &mut [f64]) {
        let row = |statement: usize| statement * words..(statement + 1) * words;
        let best = |into: &mut [f64], from: &[f64], factor: f64| {
            for (into, from) in into.iter_mut().zip(from) {
                *into = into.max(from * factor);
            }
        };
        let count = self.statements.len();
        let mut start = 0;
        let mut document = (usize::MAX, 0..0, Vec::new());
        while start < count {
            let first = &self.statements[start];
            let same = |other: &usize| {
                let other = &self.statements[*other];
                other.document == first.document && other.headings == first.headings
            };
            let end = start + (start..count).take_while(same).count();
            let mut section = vec![0.0; words];
            for statement in start..end {
                best(&mut section, &own[row(statement)], 1.0);
            }
            if document.0 != first.document {
                let of = |other: &usize| self.statements[*other].document == first.document;
                let end = start + (start..count).take_while(of).count();
                document = (first.document, start..end, vec![0.0; words]);
                for statement in start..end {
                    best(&mut document.2, &own[row(statement)], 1.0);
                }
            }
            for statement in start..end {
                let into = &mut all[row(statement)];
                best(into, &own[row(statement)], 1.0);
                best(into, &section, SECTION);
                best(into, &document.2, DOCUMENT);
                for other in self.beside(statement) {
                    best(into, &own[row(other)], NEIGHBOUR);
                }
            }
            start = end;
        }
    }

    /// The statements before and after in the same paragraph.
    pub(crate) fn beside(&self, statement: usize) -> impl Iterator<Item = usize> {
        let own = &self.statements[statement];
        let same = move |other: usize| {
            let other = self.statements.get(other)?;
            let together =
                other.document == own.document && other.block == own.block && own.cells.is_empty();
            together.then_some(())
        };
        let before = statement.checked_sub(1).filter(|at| same(*at).is_some());
        let after = Some(statement + 1).filter(|at| same(*at).is_some());
        before.into_iter().chain(after)
    }

    pub(crate) fn hits(&self, sought: &[Sought], held: &Held) -> Vec<Hit> {
        let total: f64 = sought.iter().map(|word| word.weight).sum();
        if total == 0.0 {
            return Vec::new();
        }
        let mut hits = Vec::new();
        for statement in 0..self.statements.len() {
            let sum = |of: &dyn Fn(usize) -> f64| -> f64 {
                let words = sought.iter().enumerate();
                words.map(|(at, word)| of(at) * word.weight).sum()
            };
            if sum(&|word| held.own(statement, word)) == 0.0 {
                continue;
            }
            let length = (self.indexed[statement].words as f64 / USUAL_WORDS - 1.0).max(0.0);
            let all = sum(&|word| held.all(statement, word));
            hits.push(Hit {
                statement,
                score: all / total / (1.0 + LENGTH * length),
            });
        }
        sort(&mut hits);
        hits
    }
}

impl Sought {
    fn new(word: &str, terms: Vec<(Term, f64)>) -> Self {
        Self {
            word: word.to_owned(),
            place: 0,
            terms,
            weight: 0.0,
            is_name: false,
            is_everyday: false,
            is_compound: false,
            date: None,
            also: BTreeSet::new(),
        }
    }
}

/// Lets a term that only means the same stand for one word of the question: the one it fits best.
fn each_for_one(sought: &mut [Sought]) {
    let best = |sought: &[Sought], term: Term| {
        let counts = sought.iter().enumerate().filter_map(|(at, word)| {
            let (_, counts) = word.terms.iter().find(|(own, _)| *own == term)?;
            Some((at, *counts))
        });
        let best = counts.reduce(|a, b| if b.1 > a.1 { b } else { a });
        best.map(|(at, _)| at)
    };
    for at in 0..sought.len() {
        let terms = sought[at].terms.clone();
        let kept = terms
            .into_iter()
            .filter(|(term, counts)| *counts > SAME_AS_PHRASE || best(sought, *term) == Some(at));
        sought[at].terms = kept.collect();
    }
}

/// The places of words that a hyphen joins to the next, as in `half-life`.
fn compounds(text: &str, places: &[std::ops::Range<usize>]) -> Vec<usize> {
    let joined = |at: &usize| {
        let [first, second] = [&places[*at], &places[*at + 1]];
        let small =
            |word: &std::ops::Range<usize>| is_stop_word(&text[word.clone()].to_lowercase());
        &text[first.end..second.start] == "-" && !small(first) && !small(second)
    };
    (0..places.len().saturating_sub(1)).filter(joined).collect()
}

/// The places of words that say nothing about what is asked: turns of phrase, and `far` in `how far`.
fn idle(words: &[&str]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for start in 0..words.len() {
        for phrase in IDLE {
            if words[start..].starts_with(phrase) {
                found.extend(start..start + phrase.len());
            }
        }
        if start > 0 && words[start - 1] == "how" {
            found.insert(start);
        }
    }
    found
}

/// The best first.
pub(crate) fn sort(hits: &mut [Hit]) {
    hits.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then(a.statement.cmp(&b.statement))
    });
}

/// Whether words that follow one another begin with these letters: `chief executive officer` and `ceo`.
fn spells_out(text: &str, letters: &str) -> bool {
    let small = text.to_lowercase();
    let all = words(&small);
    let count = letters.len();
    all.windows(count).any(|run| {
        let mut pairs = run.iter().zip(letters.chars());
        pairs.all(|(word, letter)| word.len() > 1 && small[word.clone()].starts_with(letter))
    })
}
