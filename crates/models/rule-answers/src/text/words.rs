//! Words and where they stand.

/// A word as it is written, with its place in the text it was found in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Runs of letters and digits; `1,204`, `0.5` and `don't` are one word each, a Chinese or Japanese sign is one by itself.
pub(crate) fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        if !first.is_alphanumeric() {
            continue;
        }
        let mut end = start + first.len_utf8();
        let mut last = first;
        while !is_sign(first)
            && let Some(&(at, char)) = chars.peek()
        {
            let after = text[at + char.len_utf8()..].chars().next();
            let inside = if char.is_alphanumeric() {
                !is_sign(char)
            } else {
                after.is_some_and(|after| joins(last, char, after))
            };
            if !inside {
                break;
            }
            chars.next();
            end = at + char.len_utf8();
            last = char;
        }
        found.push(Word {
            text: &text[start..end],
            start,
            end,
        });
    }
    found
}

fn joins(before: char, mark: char, after: char) -> bool {
    match mark {
        '.' | ',' => before.is_ascii_digit() && after.is_ascii_digit(),
        '\'' | '’' => before.is_alphabetic() && after.is_alphabetic(),
        _ => false,
    }
}

fn is_sign(char: char) -> bool {
    matches!(char, '\u{3040}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}
