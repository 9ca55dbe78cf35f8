//! The words by which titles, file names and folders say what kind of document they name.

use crate::genre::Genre;
use crate::words::words;

/// What a title or name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Is(Genre),
    /// A plan, a forecast: not what was measured or examined.
    Planned,
    /// Notes, of whatever.
    Notes,
    Nothing,
}

impl Sign {
    pub(crate) fn genre(self) -> Option<Genre> {
        match self {
            Self::Is(genre) => Some(genre),
            Self::Planned | Self::Notes | Self::Nothing => None,
        }
    }
}

/// These name the kind of document wherever they are in a phrase. Of several the last counts, as in all English compounds.
const ANYWHERE: &[(Genre, &[&str])] = &[
    (Genre::Law, &["law", "regulation", "directive", "statute"]),
    (Genre::Contract, &["contract", "agreement", "service level"]),
    (
        Genre::Specification,
        &["specification", "requirements", "architecture"],
    ),
    (
        Genre::Policy,
        &[
            "policy",
            "rules",
            "handbook",
            "procedure",
            "guideline",
            "manual",
            "instructions",
        ],
    ),
    (Genre::Protocol, &["protocol", "test plan", "study plan"]),
    (
        Genre::Report,
        &["report", "audit", "inspection", "findings"],
    ),
    (Genre::Register, &["register"]),
    (Genre::Minutes, &["minutes", "meeting notes"]),
    (Genre::Record, &["measurements"]),
    (Genre::Proposal, &["proposal", "business case"]),
    (Genre::Memo, &["memo", "memorandum"]),
    (Genre::Mail, &["mail", "email", "correspondence"]),
    (Genre::Notice, &["announcement", "announces", "news"]),
    (Genre::Article, &["journal", "literature"]),
];
/// The same in the words of those who run software.
const OF_SOFTWARE: &[(Genre, &[&str])] = &[
    (Genre::Policy, &["runbook"]),
    (Genre::Report, &["post mortem"]),
    (Genre::Register, &["tracker"]),
];
/// These name it only as the last word of a phrase: a test report is no test, and a record high no record.
const AT_THE_END: &[(Genre, &[&str])] = &[
    (Genre::Law, &["act"]),
    (Genre::Contract, &["terms", "conditions"]),
    (Genre::Specification, &["standard", "design"]),
    (Genre::Policy, &["guide"]),
    (
        Genre::Report,
        &[
            "test",
            "study",
            "review",
            "assessment",
            "evaluation",
            "analysis",
            "survey",
        ],
    ),
    (Genre::Register, &["list"]),
    (Genre::Record, &["log", "record", "data", "export"]),
    (
        Genre::Proposal,
        &["offer", "bid", "request", "application", "invitation"],
    ),
    (Genre::Mail, &["letter", "chat"]),
    (Genre::Notice, &["statement", "notice"]),
    (Genre::Article, &["paper"]),
];
/// Names that go on after a preposition.
const WITH_PREPOSITION: &[(&str, Genre)] = &[
    ("terms of reference", Genre::Specification),
    ("statement of work", Genre::Contract),
    ("notes of the meeting", Genre::Minutes),
    ("letter to the editor", Genre::Article),
    ("letters to the editor", Genre::Article),
];
/// What follows these is what a document is about, not what it is.
const PREPOSITIONS: &[&str] = &[
    "about", "after", "against", "at", "before", "between", "by", "for", "from", "in", "of", "on",
    "to", "under", "with",
];
/// A part or a change of a document is of its kind.
const PARTS: &[&str] = &[
    "amendment",
    "addendum",
    "annex",
    "appendix",
    "conditions",
    "copy",
    "draft",
    "extract",
    "part",
    "schedule",
    "summary",
    "version",
];
const PLANNED: &[&str] = &["plan", "forecast", "budget", "estimate", "template"];
const NOTES: &[&str] = &["note", "notes"];
/// These distinguish versions and do not end a phrase.
const STATES: &[&str] = &["draft", "final", "revised", "signed", "copy", "version"];
/// A word of the first list before one of the second is something said in public: a press release, a status page.
const PUBLIC: &[&str] = &["media", "press", "public", "status"];
const PUBLISHED: &[&str] = &["notice", "page", "release", "statement"];
/// The usual first line of a press release.
const FOR_RELEASE: &str = "for immediate release";

/// What a title or a heading says of the document.
pub(crate) fn from_title(title: &str) -> Sign {
    let mut weak = Sign::Nothing;
    let dashes = title.replace(" - ", "\n");
    let segments = dashes.split(['\n', ':', ',', ';', '(', ')', '|', '–', '—']);
    for segment in segments {
        match from_segment(&tokens(segment)) {
            Sign::Is(genre) => return Sign::Is(genre),
            Sign::Nothing => {}
            other => weak = other,
        }
    }
    weak
}

/// What the name of a file says. Prepositions are not always written in it, so it is read a second time without regard to them.
pub(crate) fn from_name(file: &str) -> Sign {
    let tokens = tokens(&spaced(file));
    match from_segment(&tokens) {
        Sign::Nothing => from_phrase(&tokens),
        sign => sign,
    }
}

/// What the name of a folder says. Folders of data hold more than records.
pub(crate) fn from_folder(folder: &str) -> Sign {
    match from_name(folder) {
        Sign::Is(Genre::Record) => Sign::Nothing,
        sign => sign,
    }
}

/// Whether a file name or a line begins with the words that mark a press release, and is not a policy or a memo about them.
pub(crate) fn is_press_release(text: &str) -> bool {
    let own = tokens(&spaced(text));
    let begins = own.get(..2).is_some_and(is_published);
    let marked = own.join(" ").starts_with(FOR_RELEASE);
    marked || begins && from_name(text) == Sign::Is(Genre::Notice)
}

fn is_published(pair: &[String]) -> bool {
    let [first, second] = pair else {
        return false;
    };
    PUBLIC.contains(&first.as_str()) && PUBLISHED.iter().any(|name| is_same_word(second, name))
}

fn spaced(name: &str) -> String {
    name.replace(['/', '-', '_', '.'], " ")
}

fn tokens(text: &str) -> Vec<String> {
    let small = text.to_lowercase();
    words(&small)
        .into_iter()
        .map(|word| small[word].to_owned())
        .collect()
}

fn from_segment(tokens: &[String]) -> Sign {
    let joined = format!(" {} ", tokens.join(" "));
    for (name, genre) in WITH_PREPOSITION {
        if joined.contains(&format!(" {name} ")) {
            return Sign::Is(*genre);
        }
    }
    let mut pieces = tokens.split(|token| PREPOSITIONS.contains(&token.as_str()));
    let first = pieces.next().unwrap_or_default();
    let sign = from_phrase(first);
    let is_part = first.iter().any(|token| PARTS.contains(&token.as_str()));
    if sign.genre().is_some() || !is_part {
        return sign;
    }
    pieces
        .map(from_phrase)
        .find(|sign| sign.genre().is_some())
        .unwrap_or(sign)
}

fn ends_in(phrase: &[String], list: &[&str]) -> bool {
    without_versions(phrase)
        .last()
        .is_some_and(|last| list.contains(&last.as_str()))
}

/// What a phrase without prepositions says: its last word of a kind counts.
fn from_phrase(phrase: &[String]) -> Sign {
    let phrase = without_versions(phrase);
    let published = phrase.windows(2).rposition(is_published);
    let mut best = published.map(|at| (at + 2, 2, Genre::Notice));
    for (list, only_last) in [(ANYWHERE, false), (OF_SOFTWARE, false), (AT_THE_END, true)] {
        for (genre, names) in list {
            for name in *names {
                let name: Vec<&str> = name.split(' ').collect();
                let ends = (name.len()..=phrase.len())
                    .filter(|end| !only_last || *end == phrase.len())
                    .filter(|end| is_named(&phrase[..*end], &name));
                for end in ends {
                    let found = (end, name.len(), *genre);
                    if best.is_none_or(|best| (found.0, found.1) > (best.0, best.1)) {
                        best = Some(found);
                    }
                }
            }
        }
    }
    let end = best.map_or(0, |best| best.0);
    match best {
        _ if end < phrase.len() && ends_in(phrase, PLANNED) => Sign::Planned,
        Some((_, _, genre)) => Sign::Is(genre),
        None if ends_in(phrase, NOTES) => Sign::Notes,
        None => Sign::Nothing,
    }
}

/// Whether the last words of a text are these. `15 minutes` is a time.
fn is_named(text: &[String], name: &[&str]) -> bool {
    let (before, own) = text.split_at(text.len() - name.len());
    let counted = before.last().is_some_and(|word| is_numeral(word));
    let mut pairs = own.iter().zip(name);
    !(counted && name == ["minutes"]) && pairs.all(|(own, name)| is_same_word(own, name))
}

/// The same word, or its plural.
fn is_same_word(own: &str, name: &str) -> bool {
    if own == name || own.strip_suffix('s') == Some(name) {
        return true;
    }
    let bare = own.strip_suffix('s').and_then(|own| own.strip_suffix("ie"));
    bare.is_some_and(|bare| name.strip_suffix('y') == Some(bare))
}

fn is_numeral(word: &str) -> bool {
    word.chars().all(|char| char.is_ascii_digit())
}

/// A phrase without the numbers, codes and states at its end.
fn without_versions(phrase: &[String]) -> &[String] {
    let is_version = |word: &String| {
        word.contains(|char: char| char.is_ascii_digit()) || STATES.contains(&word.as_str())
    };
    let kept = phrase.iter().rposition(|word| !is_version(word));
    &phrase[..kept.map_or(0, |last| last + 1)]
}
