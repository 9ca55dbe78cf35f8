//! What an intent says literally: addresses, paths, quoted texts, numbers, days, sums.

use serde_json::{Map, Value, json};

use crate::tool::{Argument, Kind, Way};
use crate::words::{is_action, words};

/// Arguments that take what is looked for, as words; and as a whole sentence.
const TOPICS: [&str; 14] = [
    "query",
    "q",
    "words",
    "term",
    "terms",
    "search",
    "keywords",
    "topic",
    "subject",
    "name",
    "product",
    "substance",
    "failure",
    "thesis",
];
/// Of these, those that say what is searched for even where they are not required.
const SEARCHED: [&str; 2] = ["query", "words"];
const SENTENCES: [&str; 5] = ["question", "objective", "prompt", "looked_for", "purpose"];
const ADDRESSES: [&str; 4] = ["url", "uri", "link", "address"];
const PATHS: [&str; 5] = ["path", "file", "filename", "file_path", "output_path"];
const COUNTS: [&str; 7] = [
    "most",
    "limit",
    "count",
    "top",
    "max_results",
    "size",
    "per_page",
];
/// Words after which the topic of a part begins.
const ABOUT: [&str; 11] = [
    "for",
    "about",
    "on",
    "regarding",
    "concerning",
    "of",
    "mentioning",
    "into",
    "why",
    "whether",
    "with",
];
/// Words with which something else begins than the topic.
const ENDS_TOPIC: [&str; 4] = ["as", "using", "via", "since"];
/// A description that names so many single words lists values.
const LISTED_MIN: usize = 3;
/// Longest text that is taken over.
const TEXT_CHARS_MAX: usize = 2_000;

/// The arguments that a part of an intent gives for one way of calling a tool.
pub(crate) fn arguments(way: &Way, clause: &str, intent: &str) -> Map<String, Value> {
    let said = Said::read(clause, intent);
    let mut given = Map::new();
    if let Some((name, value)) = &way.chosen_by {
        given.insert(name.clone(), json!(value));
    }
    for argument in &way.arguments {
        if given.contains_key(&argument.name) {
            continue;
        }
        if let Some(value) = said.value_of(argument) {
            given.insert(argument.name.clone(), value);
        }
    }
    given
}

/// What a part of an intent holds literally that some tools take: how much each speaks for them.
pub(crate) fn literal(clause: &str) -> Vec<(&'static str, f64)> {
    let said = Said::read(clause, "");
    let found = [
        ("expression", sum(clause).is_some(), 1.5),
        ("url", !said.urls.is_empty(), 0.6),
        ("path", !said.paths.is_empty(), 0.5),
        ("seconds", said.number("seconds").is_some(), 0.8),
    ];
    found
        .into_iter()
        .filter(|(_, is_said, _)| *is_said)
        .map(|(argument, _, worth)| (argument, worth))
        .collect()
}

/// What stands in a part of an intent.
struct Said<'a> {
    clause: &'a str,
    words: Vec<String>,
    urls: Vec<String>,
    paths: Vec<String>,
    quoted: Vec<String>,
}

impl<'a> Said<'a> {
    fn read(clause: &'a str, intent: &str) -> Self {
        let mut urls = addresses(clause);
        if urls.is_empty() {
            urls = addresses(intent);
        }
        Self {
            clause,
            words: words(clause).collect(),
            urls,
            paths: paths(clause),
            quoted: quoted(clause),
        }
    }

    fn value_of(&self, argument: &Argument) -> Option<Value> {
        let name = argument.name.as_str();
        if !argument.choices.is_empty() {
            return self.choice(argument).map(|choice| json!(choice));
        }
        match argument.kind {
            Kind::Number => self.number(name).map(|number| json!(number)),
            Kind::Text | Kind::Any => self.text(argument).map(|text| json!(text)),
            Kind::List if matches!(name, "urls" | "links") && !self.urls.is_empty() => {
                Some(json!(self.urls))
            }
            Kind::Truth | Kind::List | Kind::Object => None,
        }
    }

    /// The listed value whose words are said; the only one there is.
    fn choice<'c>(&self, argument: &'c Argument) -> Option<&'c str> {
        // As they are: that an article may be called a journal does not make it one.
        let score = |choice: &str| {
            let wanted: Vec<String> = words(&choice.replace('_', " ")).collect();
            let said = wanted
                .iter()
                .filter(|word| self.words.contains(word))
                .count();
            (said, said == wanted.len())
        };
        let best = argument.choices.iter().max_by_key(|choice| {
            let (said, is_whole) = score(choice);
            (said, is_whole, std::cmp::Reverse(choice.len()))
        })?;
        let is_said = score(best).0 > 0;
        (is_said || (argument.is_required && argument.choices.len() == 1)).then_some(best.as_str())
    }

    /// A word of the part that the description of an argument lists as a value.
    fn listed(&self, about: &str) -> Option<String> {
        let values: Vec<&str> = about
            .split([',', ';', '(', ')', ':', '`'])
            .map(str::trim)
            .filter(|value| !value.is_empty() && !value.contains(' '))
            .collect();
        if values.len() < LISTED_MIN {
            return None;
        }
        let said = values
            .iter()
            .find(|value| self.words.contains(&value.to_lowercase()));
        said.map(|value| (*value).to_owned())
    }

    fn number(&self, name: &str) -> Option<f64> {
        let words: Vec<&str> = self.clause.split_whitespace().collect();
        if name == "seconds" {
            return words.windows(2).find_map(|pair| seconds(pair[0], pair[1]));
        }
        if COUNTS.contains(&name) {
            return words.windows(2).find_map(|pair| {
                let counts = ["top", "first", "latest", "most", "to", "last"];
                let number =
                    as_number(pair[1]).filter(|number| number.fract() == 0.0 && *number <= 1_000.0);
                number.filter(|_| counts.contains(&pair[0].to_lowercase().as_str()))
            });
        }
        None
    }

    fn text(&self, argument: &Argument) -> Option<String> {
        let name = argument.name.as_str();
        if ADDRESSES.contains(&name) {
            return self.urls.first().cloned();
        }
        if PATHS.contains(&name) {
            return self.paths.first().cloned();
        }
        if name == "expression" {
            return sum(self.clause);
        }
        let found = match name {
            _ if !argument.pattern.is_empty() => None,
            _ if SENTENCES.contains(&name) => Some(self.clause.to_owned()),
            _ if TOPICS.contains(&name) && (argument.is_required || SEARCHED.contains(&name)) => {
                Some(self.topic())
            }
            _ if is_content(name) => self.quoted.first().cloned(),
            _ if argument.is_required => self.listed(&argument.about),
            _ => None,
        };
        found
            .map(|text| {
                text.trim_matches([' ', ',', '.', ';', '?', '!', ':'])
                    .to_owned()
            })
            .filter(|text| !text.is_empty())
            .map(|text| text.chars().take(TEXT_CHARS_MAX).collect())
    }

    /// What a part is about: what is quoted, or what stands after `for`, `about` and the like, or all but the verb.
    fn topic(&self) -> String {
        if let Some(quoted) = self.quoted.first() {
            return quoted.clone();
        }
        let words: Vec<&str> = self.clause.split_whitespace().collect();
        let bare = |word: &str| {
            word.trim_matches(|char: char| !char.is_alphanumeric())
                .to_lowercase()
        };
        let about = words
            .iter()
            .position(|word| ABOUT.contains(&bare(word).as_str()));
        let begin = match about {
            Some(at) if at + 1 < words.len() => at + 1,
            _ => words
                .iter()
                .position(|word| !is_joining(&bare(word)) && !is_action(&bare(word)))
                .unwrap_or(0),
        };
        let rest = &words[begin..];
        let end = rest
            .iter()
            .enumerate()
            .skip(1)
            .find(|(_, word)| ENDS_TOPIC.contains(&bare(word).as_str()))
            .map_or(rest.len(), |(at, _)| at);
        rest[..end].join(" ")
    }
}

fn as_number(word: &str) -> Option<f64> {
    let bare = word.trim_matches(|char: char| !char.is_ascii_digit());
    bare.parse().ok()
}

/// A number with a unit of time, in seconds.
pub(crate) fn seconds(number: &str, unit: &str) -> Option<f64> {
    let unit = match unit.trim_matches(|char: char| !char.is_alphabetic()) {
        "second" | "seconds" | "s" | "sec" => 1.0,
        "minute" | "minutes" | "min" => 60.0,
        "hour" | "hours" | "h" => 3_600.0,
        _ => return None,
    };
    as_number(number).map(|number| number * unit)
}

fn is_joining(word: &str) -> bool {
    matches!(word, "and" | "then" | "also" | "finally" | "please")
}

/// Whether an argument of this name takes what was made before, such as the text of a file.
pub(crate) fn is_content(name: &str) -> bool {
    matches!(
        name,
        "text"
            | "body"
            | "content"
            | "contents"
            | "message"
            | "data"
            | "json"
            | "input"
            | "html"
            | "markdown"
            | "xml"
    )
}

pub(crate) fn addresses(text: &str) -> Vec<String> {
    let words = text.split_whitespace().map(|word| {
        word.trim_matches(['"', '\'', '(', ')', '<', '>', ',', ';', '“', '”'])
            .trim_end_matches(['.', '?', '!'])
    });
    words
        .filter(|word| word.starts_with("http://") || word.starts_with("https://"))
        .map(str::to_owned)
        .collect()
}

/// Words that are names of files.
fn paths(text: &str) -> Vec<String> {
    let words = text.split_whitespace().map(|word| {
        word.trim_matches(['"', '\'', '(', ')', ',', ';', '`', '“', '”'])
            .trim_end_matches(['.', '?', '!'])
    });
    words
        .filter(|word| !word.contains("://"))
        .filter(|word| {
            let ending = word.rsplit_once('.');
            ending.is_some_and(|(stem, ending)| {
                !stem.is_empty()
                    && (1..=5).contains(&ending.len())
                    && ending.chars().any(|char| char.is_ascii_alphabetic())
                    && ending.chars().all(|char| char.is_ascii_alphanumeric())
            })
        })
        .map(str::to_owned)
        .collect()
}

fn quoted(text: &str) -> Vec<String> {
    let straight = text.replace(['“', '”'], "\"");
    let parts: Vec<&str> = straight.split('"').collect();
    let inside = parts.iter().skip(1).step_by(2);
    let count = parts.len() / 2;
    inside
        .take(count)
        .filter(|part| !part.trim().is_empty())
        .map(|part| (*part).to_owned())
        .collect()
}

/// The longest run of numbers and signs that is a sum: a sign stands between two numbers.
fn sum(text: &str) -> Option<String> {
    let is_part = |char: char| char.is_ascii_digit() || " .+-*/^()×÷".contains(char);
    let runs = text.split(|char| !is_part(char));
    let plain = runs.map(|run| {
        let run = run.trim_matches([' ', '.', '-', '+', '*', '/']);
        run.replace('×', "*").replace('÷', "/")
    });
    plain.filter(|run| is_sum(run)).max_by_key(String::len)
}

fn is_sum(run: &str) -> bool {
    let has_digit = |part: &str| part.contains(|char: char| char.is_ascii_digit());
    let joins = |sign: &&str| {
        run.split_once(*sign)
            .is_some_and(|(before, after)| has_digit(before) && has_digit(after))
    };
    // Without spaces these signs stand in dates and numbers of things.
    ["+", "*", "^", " - ", " / "].iter().any(joins)
}
