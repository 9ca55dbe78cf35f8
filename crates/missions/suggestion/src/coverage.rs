//! Which words of an intent no task covers: things to do that none of its tools does, and figures that no argument takes.
//! Only the parts that the intent is read in are judged, and of them only what asks for something: what is told besides
//! needs no task.

use std::collections::BTreeSet;

use adjutant_text::stop_words::StopWordLanguage;
use serde_json::Value;

use crate::clauses::{Clause, bare, is_joining, may_come_before_verb};
use crate::extract;
use crate::graph::GraphTask;
use crate::suggester::Suggester;
use crate::words::{is_action, is_narrowing, stemmed, terms, words, worth};

/// As many pieces of an intent are named.
const NAMED_MAX: usize = 10;
/// A word that one of these follows is a verb that asks for something: `encrypt the file`, `mail it`.
const AFTER_VERB: [&str; 28] = [
    "a",
    "an",
    "the",
    "it",
    "them",
    "this",
    "that",
    "these",
    "those",
    "my",
    "our",
    "your",
    "his",
    "her",
    "its",
    "their",
    "me",
    "us",
    "all",
    "each",
    "every",
    "some",
    "any",
    "no",
    "both",
    "only",
    "out",
    "everything",
];
/// With these begins what a figure belongs to.
const BEFORE_FIGURE: [&str; 20] = [
    "plus", "minus", "less", "with", "without", "since", "over", "under", "above", "below",
    "before", "after", "until", "within", "between", "from", "by", "at", "and", "for",
];
/// A word that asks for something is not shorter.
const VERB_CHARS_MIN: usize = 3;
/// A word in `-ing` that is no longer may be a verb of its own, such as `bring`.
const GERUND_CHARS_MIN: usize = 5;

/// What a graph leaves of an intent, for tools that were chosen by words.
pub(crate) fn not_covered(
    index: &Suggester,
    parts: &[Clause],
    tools: &BTreeSet<usize>,
    tasks: &[GraphTask],
    is_complete: bool,
) -> Vec<String> {
    if tools.is_empty() {
        return named(parts.iter().map(|part| part.text.clone()));
    }
    let taken = Taken::by(tasks);
    let pieces = parts.iter().flat_map(|part| pieces(&part.text));
    let left = pieces.flat_map(|piece| {
        if piece.verb.is_some() && !is_done(index, &piece, tools) {
            return vec![piece.text()];
        }
        // What is missing may take the figure yet.
        match is_complete {
            true => piece.figures_left(&taken),
            false => Vec::new(),
        }
    });
    named(left)
}

/// What the graph of an earlier workflow leaves of an intent: pieces with a word that the earlier intent did not have, and
/// that no argument has.
pub(crate) fn not_covered_again(
    parts: &[Clause],
    before: &str,
    tasks: &[GraphTask],
) -> Vec<String> {
    let taken = Taken::by(tasks);
    let mut known = telling_words(before);
    known.extend(taken.words.iter().cloned());
    let pieces = parts.iter().flat_map(|part| pieces(&part.text));
    let left = pieces.filter(|piece| {
        let of_time = piece.seconds_taken(&taken);
        let mut told = telling_words(&piece.text()).into_iter();
        told.any(|word| !known.contains(&word) && !of_time.contains(&word))
    });
    named(left.map(|piece| piece.text()))
}

/// The words of a text by which one occasion differs from another, as stems; figures and names of files as they are.
pub(crate) fn telling_words(text: &str) -> BTreeSet<String> {
    let stop_words = StopWordLanguage::English.stop_words();
    let is_telling = |word: &String| {
        !stop_words.contains(word.as_str())
            && (is_figure(word) || terms(word).iter().any(|term| worth(term) >= 1.0))
    };
    said_words(text)
        .filter(|(word, _)| is_telling(word))
        .map(|(_, stem)| stem)
        .collect()
}

/// The words of a text in lower case, each with its stem. The name of a file is one more word; its ending alone is none.
pub(crate) fn said_words(text: &str) -> impl Iterator<Item = (String, String)> + '_ {
    let tokens = text.split(|char: char| char.is_whitespace() || char == '/');
    tokens.flat_map(|token| {
        let token = token.trim_matches(|char: char| !char.is_alphanumeric());
        let is_ending = |ending: &str| {
            ending.chars().any(char::is_alphabetic) && ending.chars().all(char::is_alphanumeric)
        };
        let (name, file) = match token.rsplit_once('.') {
            Some((name, ending)) if !name.is_empty() && is_ending(ending) => {
                (name, Some(token.to_lowercase()))
            }
            _ => (token, None),
        };
        let words: Vec<String> = words(name).collect();
        let words = words.into_iter().map(|word| {
            let stem = stemmed(&word);
            (word, stem)
        });
        words.chain(file.map(|file| (file.clone(), file)))
    })
}

fn is_figure(word: &str) -> bool {
    word.contains(|char: char| char.is_ascii_digit())
}

fn named(pieces: impl Iterator<Item = String>) -> Vec<String> {
    let mut named: Vec<String> = Vec::new();
    for piece in pieces {
        let piece = piece.trim_end_matches([',', ';', ':', '.', '?', '!']);
        let words = piece.split_whitespace();
        let words: Vec<&str> = words.skip_while(|word| joins_only(word)).collect();
        let piece = words.join(" ");
        if !piece.is_empty() && named.len() < NAMED_MAX && !named.contains(&piece) {
            named.push(piece);
        }
    }
    named
}

/// Whether a word says nothing but that something follows; `plus` says what is done.
fn joins_only(word: &str) -> bool {
    let word = bare(word);
    is_joining(&word) && word != "plus"
}

/// What the arguments of all tasks hold.
struct Taken {
    words: BTreeSet<String>,
    numbers: Vec<f64>,
}

impl Taken {
    fn by(tasks: &[GraphTask]) -> Self {
        let mut taken = Self {
            words: BTreeSet::new(),
            numbers: Vec::new(),
        };
        for value in tasks.iter().flat_map(|task| task.arguments.values()) {
            taken.add(value);
        }
        taken
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.words.extend(said_words(text).map(|(_, stem)| stem)),
            Value::Number(number) => {
                if let Some(number) = number.as_f64() {
                    self.numbers.push(number);
                    self.words.extend(words(&number.to_string()));
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.add(item)),
            Value::Object(fields) => fields.values().for_each(|field| self.add(field)),
            Value::Bool(_) | Value::Null => {}
        }
    }
}

/// Words that belong together: what begins with something to do, up to the next such thing.
struct Piece<'a> {
    words: Vec<&'a str>,
    /// Where the verb stands, if it begins with one.
    verb: Option<usize>,
}

/// The pieces of a part of an intent.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let mut is_quoted = false;
    let mut begin = 0;
    let mut verb = asked_at(&words);
    for at in 1..words.len() {
        is_quoted ^= words[at - 1].matches(['"', '“', '”']).count() % 2 == 1;
        let is_apart = words[at - 1].ends_with(',') || is_joining(&bare(words[at]));
        let is_joined = is_joining(&bare(words[at - 1]));
        if is_quoted || !is_apart || is_joined {
            continue;
        }
        if let Some(next) = asked_at(&words[at..]) {
            pieces.push(Piece {
                words: words[begin..at].to_vec(),
                verb,
            });
            begin = at;
            verb = Some(next);
        }
    }
    pieces.push(Piece {
        words: words[begin..].to_vec(),
        verb,
    });
    pieces
}

/// Where the verb stands if these words begin with one that asks for something.
fn asked_at(words: &[&str]) -> Option<usize> {
    let is_between = |word: &&&str| {
        let word = bare(word);
        word != "i" && may_come_before_verb(&word)
    };
    let at = words.iter().take_while(is_between).count();
    let verb = bare(words.get(at)?);
    let is_known = is_action(&verb) || is_narrowing(&verb);
    (is_known || looks_like_verb(&verb, words, at)).then_some(at)
}

fn looks_like_verb(verb: &str, words: &[&str], at: usize) -> bool {
    let Some(next) = words.get(at + 1) else {
        return false;
    };
    let is_alone = words[at].ends_with(|char: char| char.is_alphabetic());
    let is_word = verb.chars().all(char::is_alphabetic) && verb.chars().count() >= VERB_CHARS_MIN;
    is_alone
        && is_word
        && !(verb.chars().count() > GERUND_CHARS_MIN && verb.ends_with("ing"))
        && !verb.ends_with("ed")
        && !StopWordLanguage::English.stop_words().contains(verb)
        && AFTER_VERB.contains(&bare(next).as_str())
}

impl Piece<'_> {
    fn text(&self) -> String {
        self.words.join(" ")
    }

    /// The figures that no argument has, each with the words that it belongs to.
    fn figures_left(&self, taken: &Taken) -> Vec<String> {
        let of_time = self.seconds_taken(taken);
        let mut left: Vec<String> = Vec::new();
        let mut is_quoted = false;
        let mut named_until = 0;
        for (at, word) in self.words.iter().enumerate() {
            let quotes = word.matches(['"', '“', '”']).count();
            let is_data = is_quoted || quotes > 0 || word.contains("://") || is_name(word);
            is_quoted ^= quotes % 2 == 1;
            let mut figures = words(word).filter(|part| is_figure(part));
            let is_left =
                |figure: String| !taken.words.contains(&figure) && !of_time.contains(&figure);
            if is_data || at < named_until || !figures.any(is_left) {
                continue;
            }
            let is_edge = |at: usize| self.words[at].ends_with([',', ';', ':', '.']);
            let begins = |from: &usize| {
                BEFORE_FIGURE.contains(&bare(self.words[*from]).as_str())
                    || *from == 0
                    || is_edge(from - 1)
            };
            let from = (0..=at).rev().find(begins).unwrap_or(at);
            let ends = |to: &usize| {
                is_edge(*to)
                    || self
                        .words
                        .get(to + 1)
                        .is_none_or(|next| is_joining(&bare(next)))
            };
            let to = (at..self.words.len()).find(ends).unwrap_or(at);
            named_until = to + 1;
            left.push(self.words[from..=to].join(" "));
        }
        left
    }

    /// Figures with a unit of time that an argument has in seconds.
    fn seconds_taken(&self, taken: &Taken) -> BTreeSet<String> {
        let pairs = self.words.windows(2);
        let taken = pairs.filter(|pair| {
            let seconds = extract::seconds(pair[0], pair[1]);
            seconds.is_some_and(|seconds| taken.numbers.contains(&seconds))
        });
        taken
            .flat_map(|pair| words(pair[0]).chain(words(pair[1])))
            .map(|word| stemmed(&word))
            .collect()
    }
}

/// A letter and a figure in one word are the name of something: `Q3`, `sales2024.csv`.
fn is_name(word: &str) -> bool {
    word.contains(char::is_alphabetic)
}

/// Whether one of the tools does what a piece asks for.
fn is_done(index: &Suggester, piece: &Piece<'_>, tools: &BTreeSet<usize>) -> bool {
    let Some(at) = piece.verb else {
        return true;
    };
    let verb = bare(piece.words[at]);
    let text = piece.text();
    if !is_spoken_for(index, &text, tools) {
        return false;
    }
    let is_telling = is_narrowing(&verb) || terms(&verb).iter().any(|term| worth(term) >= 1.0);
    let are_known = tools
        .iter()
        .all(|tool| index.learned.knows(&index.tools[*tool].tool.id));
    if !is_telling || !are_known {
        return true;
    }
    // What the thing is called that something is to be done with says nothing of whether it is done.
    let next = piece
        .words
        .get(at + 1)
        .map_or_else(String::new, |next| bare(next));
    is_learned(index, &verb, tools)
        || is_learned(index, &format!("{verb} {next}"), tools)
        || is_in_words_of(index, &verb, tools)
}

/// Whether the words of a piece speak for one of the tools, as was learned or as it describes itself.
fn is_spoken_for(index: &Suggester, text: &str, tools: &BTreeSet<usize>) -> bool {
    is_learned(index, text, tools) || is_in_words_of(index, text, tools)
}

fn is_learned(index: &Suggester, text: &str, tools: &BTreeSet<usize>) -> bool {
    let spoken_for = index.learned.spoken_for(text);
    let mut ids = tools.iter().map(|tool| index.tools[*tool].tool.id.as_str());
    ids.any(|id| spoken_for.contains(id))
}

fn is_in_words_of(index: &Suggester, text: &str, tools: &BTreeSet<usize>) -> bool {
    let mut terms = terms(text).into_iter();
    terms.any(|term| index.serves_any(&term, tools))
}
