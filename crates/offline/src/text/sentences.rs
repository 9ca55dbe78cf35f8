//! Sentences as exact ranges of their text.

use std::ops::Range;

/// A longer stretch without an end is cut, at a space if it has one.
const SENTENCE_BYTES_MAX: usize = 800;

/// Words before a full stop that do not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "al", "approx", "ca", "cf", "dr", "e.g", "eq", "etc", "fig", "figs", "i.e", "inc", "jr", "ltd",
    "mr", "mrs", "ms", "no", "nos", "p", "pp", "prof", "ref", "refs", "sr", "st", "vol", "vs",
];

/// The sentences of a text, without the space around them. An empty line, a list's mark or a heading ends one too.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let after = at + char.len_utf8();
        let (ends, next) = match char {
            '.' | '!' | '?' => {
                let closed = end_of_marks(text, after);
                (ends_here(text, start, at, closed), closed)
            }
            '。' | '！' | '？' => (true, after),
            '\n' => (begins_anew(&text[after..]), after),
            _ => (false, after),
        };
        if ends {
            push(text, start..next, &mut found);
            start = next;
        }
        while chars.peek().is_some_and(|(at, _)| *at < next) {
            chars.next();
        }
    }
    push(text, start..text.len(), &mut found);
    found
}

/// Past further full stops, quotation marks and brackets that belong to the sentence.
fn end_of_marks(text: &str, from: usize) -> usize {
    let marks = |char: char| matches!(char, '.' | '!' | '?' | '"' | '\'' | '”' | '’' | ')' | ']');
    let rest = &text[from..];
    from + rest.find(|char| !marks(char)).unwrap_or(rest.len())
}

fn ends_here(text: &str, start: usize, at: usize, closed: usize) -> bool {
    let rest = &text[closed..];
    let Some(next) = rest.chars().next() else {
        return true;
    };
    if !next.is_whitespace() {
        return false;
    }
    // A full stop that stands by itself, or after another, ends one whatever follows.
    let marks = &text[at + 1..closed];
    let several = marks.starts_with('.') && !marks.starts_with("..");
    if several || text[start..at].ends_with(' ') {
        return true;
    }
    let next = rest.trim_start().chars().next();
    if next.is_none_or(|char| char.is_lowercase() && !rest.starts_with('\n')) {
        return next.is_none();
    }
    let before = &text[start..at];
    let word = before
        .rsplit(|char: char| char.is_whitespace() || char == '(')
        .next();
    let word = word.unwrap_or_default();
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    let abbreviated = ABBREVIATIONS.contains(&word.to_lowercase().as_str());
    // `No.` ends a sentence unless a number follows it.
    let numbered =
        !word.eq_ignore_ascii_case("no") || next.is_some_and(|char| char.is_ascii_digit());
    !text[at..].starts_with('.') || !(initial || (abbreviated && numbered))
}

/// Whether what follows a line's end is something new: an empty line, a list's mark, a heading.
fn begins_anew(rest: &str) -> bool {
    let line = rest.split('\n').next().unwrap_or_default().trim();
    let listed = ["- ", "* ", "• ", "#", "|"];
    line.is_empty() || listed.iter().any(|mark| line.starts_with(mark))
}

fn push(text: &str, mut span: Range<usize>, found: &mut Vec<Range<usize>>) {
    loop {
        let slice = &text[span.clone()];
        span.start += slice.len() - slice.trim_start().len();
        span.end = span.start + text[span.clone()].trim_end().len();
        if span.is_empty() {
            return;
        }
        if span.len() <= SENTENCE_BYTES_MAX {
            found.push(span);
            return;
        }
        let mut limit = span.start + SENTENCE_BYTES_MAX;
        while !text.is_char_boundary(limit) {
            limit -= 1;
        }
        let head = &text[span.start..limit];
        let cut = head.rfind(char::is_whitespace).filter(|at| *at > 0);
        let end = span.start + cut.unwrap_or(head.len());
        found.push(span.start..span.start + text[span.start..end].trim_end().len());
        span.start = end;
    }
}

#[cfg(test)]
#[path = "sentences_tests.rs"]
mod tests;
