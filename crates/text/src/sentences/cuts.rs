//! Where a long paragraph may be cut in two.
//!
//! Simpler than `sentences` for a reason: it has to find enough places in any language, also where everything is in
//! lower case, and a cut at an unusual abbreviation does no harm.

/// Byte offsets after sentences, rising; the end of the text is the last.
pub fn cut_points(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut letters = text.char_indices().peekable();
    let mut word_letters = 0_usize;
    while let Some((at, letter)) = letters.next() {
        let after = at + letter.len_utf8();
        if is_wide_stop(letter) {
            ends.push(after);
            continue;
        }
        if !matches!(letter, '.' | '!' | '?') {
            word_letters = if letter.is_alphanumeric() {
                word_letters + 1
            } else {
                0
            };
            continue;
        }
        // Initials and short forms like "e.g." leave a single letter before their stop.
        let short = letter == '.' && word_letters == 1;
        word_letters = 0;
        let mut end = after;
        while let Some(&(at, letter)) = letters.peek() {
            if !is_closing(letter) {
                break;
            }
            end = at + letter.len_utf8();
            letters.next();
        }
        if !short && letters.peek().is_none_or(|(_, next)| next.is_whitespace()) {
            ends.push(end);
        }
    }
    if ends.last() != Some(&text.len()) && !text.is_empty() {
        ends.push(text.len());
    }
    ends
}

fn is_wide_stop(letter: char) -> bool {
    matches!(letter, '。' | '！' | '？' | '।')
}

fn is_closing(letter: char) -> bool {
    matches!(
        letter,
        '.' | '!' | '?' | '"' | '\'' | ')' | ']' | '”' | '’' | '»'
    )
}

#[cfg(test)]
#[path = "cuts_tests.rs"]
mod tests;
