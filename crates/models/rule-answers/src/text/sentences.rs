//! Sentences as exact ranges of their text.
//!
//! Apart from `adjutant_text::sentences` because reports quote these sentences: list marks and heading marks are left
//! out, rows of a table stand alone, what never ends is cut, and a line ends a sentence if the next word had room on it.

use std::ops::Range;

use super::is_stop_word;

/// A longer stretch without an end is cut, at a space if it has one.
const SENTENCE_BYTES_MAX: usize = 800;

/// Words before a full stop that do not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "al", "approx", "ca", "cf", "dr", "e.g", "eq", "etc", "fig", "figs", "i.e", "inc", "jr", "ltd",
    "mr", "mrs", "ms", "no", "nos", "p", "pp", "prof", "ref", "refs", "sr", "st", "vol", "vs",
];

/// A line that has room for the next word and is shorter than this was ended on purpose.
const LINE_BYTES_MIN: usize = 60;
/// What a line of a list or a heading begins with.
const LISTED: &[&str] = &["- ", "* ", "• ", "– ", "#", "|", "> "];

/// The sentences of a text, without the space and the list's mark before them. An empty line, a list's mark, a heading
/// or a line that was ended on purpose ends one too.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let widths = widths(text);
    let mut line = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let after = at + char.len_utf8();
        let (ends, next) = match char {
            '.' | '!' | '?' => {
                let closed = end_of_marks(text, after);
                (ends_here(text, start, at, closed), closed)
            }
            '。' | '！' | '？' => (true, after),
            '\n' => {
                let width = widths.get(line).copied().unwrap_or(LINE_BYTES_MIN);
                line += 1;
                (line_ends(&text[start..at], &text[after..], width), after)
            }
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

/// The longest line of the block each line stands in; blocks are parted by empty lines.
fn widths(text: &str) -> Vec<usize> {
    let mut widths: Vec<usize> = Vec::new();
    let mut first = 0;
    for line in text.split('\n') {
        let line = line.trim();
        widths.push(line.len());
        if line.is_empty() {
            first = widths.len();
        } else {
            let widest = widths[first].max(line.len());
            widths[first] = widest;
        }
    }
    // Only the first line of a block has its width so far.
    let mut width = 0;
    let mut inside = false;
    for (at, line) in text.split('\n').enumerate() {
        if line.trim().is_empty() {
            inside = false;
        } else if inside {
            widths[at] = width;
        } else {
            width = widths[at];
            inside = true;
        }
    }
    widths
}

/// Whether a sentence ends with a line: before an empty line, a list's mark or a heading, after a heading, and where
/// the next word had room on the line.
fn line_ends(said: &str, rest: &str, width: usize) -> bool {
    let next = rest.split('\n').next().unwrap_or_default().trim();
    let line = said.rsplit('\n').next().unwrap_or_default().trim();
    if line.contains(" | ") || next.contains(" | ") {
        return true;
    }
    if next.is_empty() || LISTED.iter().any(|mark| next.starts_with(mark)) || line.starts_with('#')
    {
        return true;
    }
    let word = next.split_whitespace().next().unwrap_or_default();
    let opens = word.starts_with(|char: char| char.is_uppercase() || char.is_ascii_digit());
    let last = line.rsplit(' ').next().unwrap_or_default();
    let goes_on = last.ends_with([',', '-', '(', '&']) || is_stop_word(&last.to_lowercase());
    let room = line.len() + 1 + word.len() < width.max(LINE_BYTES_MIN);
    opens && !goes_on && room
}

fn push(text: &str, mut span: Range<usize>, found: &mut Vec<Range<usize>>) {
    loop {
        let slice = &text[span.clone()];
        span.start += slice.len() - unlisted(slice).len();
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

/// Without the space and the marks of lists, headings and quotes before it.
fn unlisted(mut text: &str) -> &str {
    loop {
        let bare = text.trim_start();
        let hashes = bare.trim_start_matches('#');
        let after = ["- ", "* ", "• ", "– ", "> "]
            .iter()
            .find_map(|mark| bare.strip_prefix(mark))
            .or_else(|| {
                hashes
                    .strip_prefix(' ')
                    .filter(|_| hashes.len() < bare.len())
            });
        match after {
            Some(rest) => text = rest,
            None => return bare,
        }
    }
}

#[cfg(test)]
#[path = "sentences_tests.rs"]
mod tests;
