//! Rust sources as tokens: names, texts and marks, without comments. Enough to find lists, and fast enough to read the tree
//! in a blink; whether the source compiles is the compiler's business.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) line: usize,
    pub(crate) is: Is<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Is<'a> {
    /// A name, a keyword or a number.
    Word(&'a str),
    /// What stands between the quotes, as it is written.
    Text(&'a str),
    Mark(char),
}

pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = source;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let (length, is) = next(rest, first);
        let (taken, after) = rest.split_at(length);
        found.extend(is.map(|is| Token { line, is }));
        line += taken.matches('\n').count();
        rest = after;
    }
    found
}

/// How many bytes the next token takes, and what it is; comments and spaces are nothing.
fn next(rest: &str, first: char) -> (usize, Option<Is<'_>>) {
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), None);
    }
    if rest.starts_with("/*") {
        return (comment(rest), None);
    }
    if let Some((length, text)) = text(rest) {
        return (length, Some(Is::Text(text)));
    }
    if first == '\'' {
        return (character(rest), None);
    }
    if is_word(first) {
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        return (length, Some(Is::Word(&rest[..length])));
    }
    let mark = (!first.is_whitespace()).then_some(Is::Mark(first));
    (first.len_utf8(), mark)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Comments may stand in comments.
fn comment(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while let Some(part) = rest.get(at..).filter(|part| !part.is_empty()) {
        let step = match part {
            part if part.starts_with("/*") => {
                depth += 1;
                2
            }
            part if part.starts_with("*/") => {
                depth -= 1;
                2
            }
            part => part.chars().next().map_or(1, char::len_utf8),
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at
}

/// A text with or without escapes: its length and what is inside.
fn text(rest: &str) -> Option<(usize, &str)> {
    let prefix = rest
        .bytes()
        .take_while(|byte| matches!(byte, b'b' | b'c' | b'r'))
        .count();
    let (prefix, after) = rest.split_at(prefix);
    if prefix.len() > 2 {
        return None;
    }
    if prefix.ends_with('r') {
        let hashes = after.bytes().take_while(|byte| *byte == b'#').count();
        let inside = after.get(hashes..)?.strip_prefix('"')?;
        let end = inside.find(&format!("\"{}", "#".repeat(hashes)))?;
        let length = prefix.len() + 2 * hashes + end + 2;
        return Some((length, &inside[..end]));
    }
    let inside = after.strip_prefix('"')?;
    let mut escaped = false;
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'\\' if !escaped => escaped = true,
            b'"' if !escaped => return Some((prefix.len() + at + 2, &inside[..at])),
            _ => escaped = false,
        }
    }
    None
}

/// `'a'`, `'\n'`, or the mark of a lifetime.
fn character(rest: &str) -> usize {
    let mut inside = rest.char_indices().skip(1);
    match inside.next() {
        Some((_, '\\')) => rest
            .get(3..)
            .and_then(|after| after.find('\''))
            .map_or(1, |end| end + 4),
        Some(_) => match inside.next() {
            Some((at, '\'')) => at + 1,
            _ => 1,
        },
        None => 1,
    }
}
