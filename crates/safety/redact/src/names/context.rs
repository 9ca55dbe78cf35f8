//! Classifies what precedes and follows a possible name.

use super::parts::is_capital;
use crate::gazetteer::Known;
use crate::list::List;
use crate::text::{Class, Text};

const CITATION_TOKENS_MAX: usize = 40;

pub(crate) static TITLES: List = List::new(include_str!("../../lists/name_titles.txt"));

/// Titles that are also ordinary words, so a listed name must follow. They are treated as relations.
static WEAK_TITLES: List = List::new(include_str!("../../lists/name_weak_titles.txt"));

/// Words that are followed only by a person's name, with or without a colon.
static PERSON_CUES: List = List::new(include_str!("../../lists/name_person_cues.txt"));

static PERSON_LABELS: List = List::new(include_str!("../../lists/name_person_labels.txt"));

/// Labels that are also used for things, so a listed name must follow.
static WEAK_LABELS: List = List::new(include_str!("../../lists/name_weak_labels.txt"));

/// Words for people directly before their names, without a colon.
static RELATIONS: List = List::new(include_str!("../../lists/name_relations.txt"));

/// Closing words of a letter; the name is on the next line.
static CLOSINGS: List = List::new(include_str!("../../lists/name_closings.txt"));

/// Words after a name that make it a thing.
static THINGS: List = List::new(include_str!("../../lists/name_things.txt"));

/// Words before a name that make it a place or a thing.
static THINGS_BEFORE: List = List::new(include_str!("../../lists/name_things_before.txt"));

/// Firms and places that look like a given name with a surname.
const FIRMS: &[(&str, &str)] = &[
    ("eli", "lilly"),
    ("johns", "hopkins"),
    ("kaplan", "meier"),
    ("mann", "whitney"),
    ("marie", "curie"),
    ("morgan", "stanley"),
    ("goldman", "sachs"),
    ("charles", "river"),
    ("thomas", "cook"),
    ("christian", "dior"),
    ("louis", "vuitton"),
    ("calvin", "klein"),
    ("ralph", "lauren"),
    ("tommy", "hilfiger"),
    ("ben", "jerry"),
    ("mercedes", "benz"),
    ("robert", "bosch"),
    ("ernst", "young"),
    ("santa", "maria"),
    ("san", "jose"),
    ("walter", "reed"),
    ("jp", "morgan"),
    ("wells", "fargo"),
    ("monte", "carlo"),
    ("thomson", "reuters"),
    ("john", "deere"),
    ("jack", "daniels"),
    ("philip", "morris"),
    ("robert", "koch"),
    ("max", "planck"),
    ("martin", "luther"),
    ("virgin", "atlantic"),
    ("guillain", "barre"),
    ("guillain", "barré"),
    ("mary", "ann"),
    ("karl", "fischer"),
    ("friedrich", "schiller"),
    ("johann", "wolfgang"),
    ("michael", "addition"),
    ("victoria", "falls"),
    ("georgia", "tech"),
    ("alexander", "technique"),
    ("andrew", "file"),
    ("erlang", "solutions"),
    ("kruskal", "wallis"),
    ("charlotte", "north"),
    ("hans", "riegel"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    Title,
    Person,
    Relation,
    Thing,
    SentenceStart,
    Nothing,
}

pub(crate) fn classify_before(text: &Text<'_>, first: usize) -> Before {
    let mut at = first;
    let mut colon = false;
    let mut lines = 0;
    let mut stop = false;
    for _ in 0..8 {
        let Some(previous) = at.checked_sub(1) else {
            return Before::SentenceStart;
        };
        at = previous;
        match text.class(at) {
            Some(Class::Space) => {}
            Some(Class::Line) => lines += 1,
            Some(Class::Mark) if text.is_any_mark(at, ":=：") => colon = true,
            Some(Class::Mark) if text.is_any_mark(at, "\"'*_“„") => {}
            Some(Class::Mark) if text.is_mark(at, ".") => stop = true,
            Some(Class::Mark) if text.is_mark(at, ",") && is_closing(text, at, lines) => {
                return Before::Person;
            }
            Some(Class::Mark) if text.is_any_mark(at, "!?") => return Before::SentenceStart,
            Some(Class::Word) => return classify_word_before(text, at, colon, lines, stop),
            _ => {
                return if lines > 0 {
                    Before::SentenceStart
                } else {
                    Before::Nothing
                };
            }
        }
    }
    Before::Nothing
}

fn is_closing(text: &Text<'_>, comma: usize, lines: usize) -> bool {
    lines > 0 && comma > 0 && text.is_word(comma - 1, &CLOSINGS)
}

fn classify_word_before(
    text: &Text<'_>,
    at: usize,
    colon: bool,
    lines: usize,
    stop: bool,
) -> Before {
    if lines == 0 && !colon && text.is_word(at, &TITLES) && is_written_as_title(text, at) {
        return if text.is_word(at, &WEAK_TITLES) {
            Before::Relation
        } else {
            Before::Title
        };
    }
    // "Dr. med. Weber", "Dr. rer. nat. Weber"
    if stop
        && lines == 0
        && text.is_word(
            at,
            &[
                "med", "nat", "phil", "jur", "dent", "ing", "vet", "habil", "h", "c",
            ],
        )
    {
        return Before::Title;
    }
    if colon && lines <= 1 && text.cue_before(at + 1, &PERSON_LABELS, 1) {
        let weak = text.is_word(at, &WEAK_LABELS)
            && !text.cue_before(
                at + 1,
                &[
                    "patient name",
                    "first name",
                    "last name",
                    "full name",
                    "given name",
                    "family name",
                    "customer name",
                    "client name",
                    "employee name",
                    "middle name",
                    "maiden name",
                    "display name",
                ],
                1,
            );
        return if weak {
            Before::Relation
        } else {
            Before::Person
        };
    }
    if !stop && lines == 0 && !colon && text.is_word(at, &PERSON_CUES) {
        return Before::Person;
    }
    if lines > 0 && text.is_word(at, &CLOSINGS) {
        return Before::Person;
    }
    if stop && text.is_word(at, &["st", "mt", "sta", "ste"]) {
        return Before::Thing;
    }
    if stop || lines > 0 {
        return Before::SentenceStart;
    }
    if text.is_word(at, &THINGS_BEFORE) && is_capital(text, at) {
        return Before::Thing;
    }
    if text.is_word(at, &RELATIONS) {
        return Before::Relation;
    }
    Before::Nothing
}

/// A title is capitalised, except French and Italian ones inside a sentence, and "M" has a full stop.
fn is_written_as_title(text: &Text<'_>, at: usize) -> bool {
    let short = text.token_text(at).len() == 1;
    (is_capital(text, at) || text.token_text(at).chars().count() > 3)
        && (!short || text.is_mark(at + 1, "."))
}

/// Whether what follows (or a firm's well-known name) makes these tokens a thing.
pub(crate) fn is_thing(text: &Text<'_>, first: usize, last: usize) -> bool {
    let mut next = last + 1;
    let genitive = text.is_any_mark(next, "'’") && text.is_word(next + 1, &["s"]);
    if genitive {
        next += 2;
    } else if text.is_any_mark(next, "'’") {
        next += 1;
    }
    let known = Known::look_up(text.token_text(first));
    // "Anna's test" is about Anna; eponyms are surnames.
    if genitive && known.given && !known.surname && !known.ambiguous {
        return false;
    }
    let word = if text.is_mark(next, "-") || text.is(next, Class::Space) {
        next + 1
    } else {
        next
    };
    let hyphen = text.is_any_mark(next, "-–") && text.is(word, Class::Word);
    let ampersand = text.is_mark(word, "&");
    let firm = FIRMS.iter().any(|(one, two)| {
        text.is_word(first, &[*one])
            && (text.is_word(first + 2, &[*two]) || text.is_word(first + 4, &[*two]))
    });
    let known_thing = word > last
        && text.is_word(word, &THINGS)
        && (text.is(next, Class::Space) || hyphen)
        && (text.token_text(word).len() > 1 || genitive || hyphen)
        && (genitive || text.token_text(word).len() != 1)
        || hyphen && text.token_text(word).chars().count() == 1;
    // "Cushing's", "Cohen's d": the thing may have an adjective or an initial before it.
    let far = genitive
        && text.is_blank(next)
        && text.is(word, Class::Word)
        && text.is_blank(word + 1)
        && text.is_word(word + 2, &THINGS)
        && !is_personal(text, word);
    let two_before = first >= 4
        && text.is_mark(first - 2, "&")
        && is_capital(text, first - 4)
        && !Known::look_up(text.token_text(first)).given;
    firm || known_thing
        || far
        || ampersand && is_capital(text, word + 2) && first == last && !known.given
        || two_before
}

/// "Anna's blood test" is about Anna.
fn is_personal(text: &Text<'_>, word: usize) -> bool {
    text.is_word(
        word,
        &[
            "blood",
            "test",
            "last",
            "first",
            "next",
            "new",
            "latest",
            "recent",
            "pregnancy",
            "urine",
        ],
    )
}

/// `Smith et al.`, `Smith and Jones (2019)`, `(Smith, 2019)`, `Weber, A., & Smith, B. (2019)`.
pub(crate) fn is_citation(text: &Text<'_>, first: usize, last: usize) -> bool {
    for at in last + 1..last + 1 + CITATION_TOKENS_MAX {
        match text.class(at) {
            Some(Class::Word) if text.is_word(at, &["et"]) => {
                return text.is_word(text.skip_space(at + 1), &["al"]);
            }
            Some(Class::Word)
                if is_capital(text, at)
                    || text.is_word(at, &["and", "und", "y", "van", "der", "de"]) => {}
            Some(Class::Space) => {}
            Some(Class::Mark) if text.is_any_mark(at, ",.&-…") => {}
            Some(Class::Mark) if text.is_any_mark(at, "([") => return is_year(text, at + 1),
            Some(Class::Digits | Class::Mixed) => {
                let opened = first > 0 && text.is_any_mark(first - 1, "([;")
                    || text.cue_before(first, &["see"], 1);
                return is_year(text, at)
                    && (opened || text.is_any_mark(at + 1, ")];") && !text.is_mark(last + 1, "."));
            }
            _ => return false,
        }
    }
    false
}

fn is_year(text: &Text<'_>, at: usize) -> bool {
    let word = text.token_text(at);
    let digits = word.get(..4).unwrap_or("");
    matches!(text.class(at), Some(Class::Digits | Class::Mixed))
        && word.len() <= 5
        && (digits.starts_with("19") || digits.starts_with("20"))
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}
