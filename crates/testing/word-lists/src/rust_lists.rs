//! Word lists in Rust sources: arrays with two or more texts in them, alternatives of a pattern or of a regular expression,
//! and single texts that a function looks for. Tests are left out.

use crate::WordList;
use crate::rust_tokens::{Is, Token, tokens};

/// Methods that hold a text against another: what they are given is a word list of one entry.
const LOOKING: &[&str] = &[
    "contains",
    "ends_with",
    "find",
    "matches",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
];
/// What gives what follows its name.
const NAMING: &[&str] = &["const", "fn", "static"];

/// The lists of one source.
pub fn rust_lists(file: &str, source: &str) -> Vec<WordList> {
    let mut reader = Reader {
        file,
        inside: "file".to_owned(),
        found: Vec::new(),
    };
    reader.read(&tokens(source));
    reader.found
}

struct Reader<'a> {
    file: &'a str,
    /// The constant or function that is being read.
    inside: String,
    found: Vec<WordList>,
}

impl Reader<'_> {
    fn read(&mut self, tokens: &[Token<'_>]) {
        let mut alternatives: Vec<(usize, String)> = Vec::new();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let rest = tokens.get(at..).unwrap_or_default();
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            let next = tokens.get(at + 1);
            match token.is {
                Is::Mark('#') if is_mark(next, '[') || is_mark(next, '!') => {
                    at += attribute(rest);
                    continue;
                }
                Is::Mark('[' | '(' | '{') => {
                    let length = group(rest);
                    self.group(token, rest.get(1..length - 1).unwrap_or_default(), before);
                    at += length;
                    continue;
                }
                Is::Word(word) if NAMING.iter().any(|naming| is_word(before, naming)) => {
                    word.clone_into(&mut self.inside);
                }
                Is::Text(text) if text.matches('|').count() > 1 => {
                    self.list(token.line, in_expression(text));
                }
                Is::Text(text) if is_mark(before, '|') || is_mark(next, '|') => {
                    alternatives.push((token.line, text.to_owned()));
                }
                _ => {}
            }
            at += 1;
        }
        if let Some((line, _)) = alternatives.first() {
            let entries = alternatives.iter().map(|(_, text)| text.clone());
            self.list(*line, entries.collect());
        }
    }

    fn group(&mut self, open: &Token<'_>, inside: &[Token<'_>], before: Option<&Token<'_>>) {
        let texts = texts(inside);
        let looks = LOOKING.iter().any(|word| is_word(before, word));
        if open.is == Is::Mark('[') && texts.len() > 1 {
            self.list(open.line, texts);
            return;
        }
        if open.is == Is::Mark('(') && looks && !texts.is_empty() {
            self.list(open.line, texts);
        }
        self.read(inside);
    }

    fn list(&mut self, line: usize, entries: Vec<String>) {
        self.found.push(WordList {
            file: self.file.to_owned(),
            line,
            name: self.inside.clone(),
            entries,
        });
    }
}

/// How many tokens a group takes, its brackets included. A group that is not closed takes all.
fn group(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.is {
            Is::Mark('[' | '(' | '{') => depth += 1,
            Is::Mark(']' | ')' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len() + 1
}

/// How many tokens an attribute takes; one of tests takes what it stands before along.
fn attribute(tokens: &[Token<'_>]) -> usize {
    let begin = if is_mark(tokens.get(1), '!') { 2 } else { 1 };
    let end = begin + group(tokens.get(begin..).unwrap_or_default());
    let inside = tokens.get(begin..end).unwrap_or_default();
    let says = |word: &str| inside.iter().any(|token| is_word(Some(token), word));
    if begin > 1 || !says("cfg") || !says("test") || says("not") {
        return end;
    }
    let mut at = end;
    while let Some(token) = tokens.get(at) {
        match token.is {
            Is::Mark(';') => return at + 1,
            Is::Mark('{') => return at + group(tokens.get(at..).unwrap_or_default()),
            Is::Mark('[' | '(') => at += group(tokens.get(at..).unwrap_or_default()),
            _ => at += 1,
        }
    }
    at
}

fn texts(tokens: &[Token<'_>]) -> Vec<String> {
    let texts = tokens.iter().filter_map(|token| match token.is {
        Is::Text(text) => Some(text.replace("\\n", " ").replace("\\t", " ")),
        _ => None,
    });
    texts.collect()
}

/// The alternatives of a regular expression, without the classes of characters between them.
fn in_expression(text: &str) -> Vec<String> {
    let mut kept = String::new();
    let mut escaped = false;
    for character in text.chars() {
        match character {
            '\\' if !escaped => escaped = true,
            _ if escaped => {
                kept.push(' ');
                escaped = false;
            }
            '?' | '(' | ')' => {}
            other => kept.push(other),
        }
    }
    kept.split('|').map(str::to_owned).collect()
}

fn is_word(token: Option<&Token<'_>>, word: &str) -> bool {
    token.is_some_and(|token| token.is == Is::Word(word))
}

fn is_mark(token: Option<&Token<'_>>, mark: char) -> bool {
    token.is_some_and(|token| token.is == Is::Mark(mark))
}
