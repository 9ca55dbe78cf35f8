//! Blocks of lines that belong together: a paragraph that was wrapped is one block, a heading or a point of a list too.

use std::ops::Range;

/// A line with more characters than this was wrapped and is no heading.
const HEADING_CHARACTERS_MAX: usize = 60;
const HEADING_WORDS_MAX: usize = 10;

pub(super) fn blocks(text: &str) -> Vec<Range<usize>> {
    let lines = lines(text);
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut joins = false;
    for (index, line) in lines.iter().enumerate() {
        let words = &text[line.clone()];
        if words.trim().is_empty() {
            joins = false;
            continue;
        }
        let next = lines.get(index + 1).map_or("", |next| &text[next.clone()]);
        match blocks.last_mut() {
            Some(last) if joins && !opens(words) => last.end = line.end,
            _ => {
                blocks.push(line.clone());
                joins = false;
            }
        }
        // Only the first line of a block can be a heading.
        let first = !joins;
        joins = !(first && is_heading(words, next));
    }
    blocks
}

fn lines(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    text.split_inclusive(['\n', '\u{2028}', '\u{2029}'])
        .map(|line| {
            let range = at..at + line.len();
            at += line.len();
            range
        })
        .collect()
}

/// Whether a line begins something new: a point of a list, a numbered item, a row of a table, a heading in Markdown.
fn opens(line: &str) -> bool {
    let line = line.trim_start();
    let Some(first) = line.chars().next() else {
        return false;
    };
    let rest = &line[first.len_utf8()..];
    if matches!(
        first,
        '•' | '‣' | '◦' | '▪' | '●' | '·' | '□' | '☐' | '☑' | '|'
    ) {
        return true;
    }
    if matches!(first, '-' | '*' | '+' | '–' | '—') {
        return rest.starts_with([' ', '\t']);
    }
    first == '#' && line.trim_start_matches('#').starts_with(' ') || marker(line).is_some()
}

/// The length of a marker that begins a numbered item: `1.`, `2)`, `(a)`, `3.1`, `iv.`
pub(super) fn marker(line: &str) -> Option<usize> {
    let open = usize::from(line.starts_with('('));
    let inner = &line[open..];
    let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
    let letters = inner
        .bytes()
        .take_while(|byte| byte.is_ascii_lowercase())
        .count();
    let label = match (digits, letters) {
        (1..=3, _) => digits,
        (0, 1) => 1,
        (0, 2..=4)
            if inner
                .bytes()
                .take(letters)
                .all(|byte| b"ivx".contains(&byte)) =>
        {
            letters
        }
        _ => return None,
    };
    let mut end = open + label;
    // A number of a section: 3.1.2
    while line[end..].starts_with('.') && line[end + 1..].starts_with(|c: char| c.is_ascii_digit())
    {
        end += 1 + line[end + 1..]
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
    }
    let close = line[end..].chars().next()?;
    let closed = match close {
        ')' => end + 1,
        '.' if open == 0 => end + 1,
        _ => return None,
    };
    line[closed..].starts_with([' ', '\t']).then_some(closed)
}

/// Whether a line stands above what follows and is no sentence of its own.
fn is_heading(line: &str, next: &str) -> bool {
    let line = line.trim();
    if line.starts_with('#') && line.trim_start_matches('#').starts_with(' ') {
        return true;
    }
    let next = next.trim();
    if next.is_empty() {
        return true;
    }
    let last = line.chars().next_back().unwrap_or(' ');
    let short = line.chars().count() <= HEADING_CHARACTERS_MAX
        && line.split_whitespace().count() <= HEADING_WORDS_MAX;
    if !short || matches!(last, ',' | ';' | '-' | '.' | '(' | '–') {
        return false;
    }
    let next_begins =
        next.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || !c.is_alphabetic());
    let shouted = line.chars().any(char::is_uppercase) && !line.chars().any(char::is_lowercase);
    let titled = line.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    // A wrapped line is about as long as the one below it; a heading is much shorter.
    let shorter = line.chars().count() * 3 < next.chars().count() * 2;
    next_begins && titled && (shouted || last == ':' || shorter && !ends_open(line))
}

/// Whether the last word of a line asks for another one.
fn ends_open(line: &str) -> bool {
    let last = line.rsplit(char::is_whitespace).next().unwrap_or_default();
    super::abbreviations::is_opener(&last.to_lowercase())
}
