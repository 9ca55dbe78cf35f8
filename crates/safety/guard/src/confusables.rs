//! Letters and words that look alike, by the confusables table of UTS 39 (crate `unicode-security`).
//! Says what something looks like; whether that makes a word suspicious is decided in `look_alikes`.

use unicode_script::{Script, UnicodeScript};
use unicode_security::skeleton;

/// The plain lower-case letters that a letter outside ASCII looks like, usually one.
pub(crate) fn plain_look_alike(letter: char) -> Option<String> {
    if let Some(plain) = enclosed_letter(letter) {
        return Some(plain.to_string());
    }
    let mut buffer = [0; 4];
    let mut plain = String::new();
    for part in skeleton(letter.encode_utf8(&mut buffer)) {
        if is_combining_mark(part) || part == '\'' {
            continue;
        }
        let part = plain_prototype(part).to_ascii_lowercase();
        if !part.is_ascii_lowercase() {
            return None;
        }
        plain.push(part);
    }
    match plain.as_str() {
        "" => None,
        // UTS 39 writes every m as rn, and every capital I as l.
        "rn" => Some("m".to_owned()),
        "l" if letter.is_uppercase() => Some("i".to_owned()),
        _ => Some(plain),
    }
}

/// UTS 39 keeps small capitals and a few other letters apart from the plain letters that readers take them for.
fn plain_prototype(prototype: char) -> char {
    match prototype {
        'ᴀ' => 'a',
        'ʙ' => 'b',
        'ᴅ' => 'd',
        'ᴇ' | 'ꞓ' | 'Ꞓ' => 'e',
        'ꜰ' => 'f',
        'ɢ' => 'g',
        'ʜ' => 'h',
        'ᴊ' => 'j',
        'ĸ' => 'k',
        'ʟ' => 'l',
        'ʍ' => 'm',
        'ɴ' => 'n',
        'ᴘ' => 'p',
        'ʀ' => 'r',
        'ᴛ' => 't',
        'χ' => 'x',
        other => other,
    }
}

/// White letters on black circles and squares, for which neither UTS 39 nor compatibility mappings name a plain letter.
fn enclosed_letter(letter: char) -> Option<char> {
    let first = match letter {
        '\u{1F150}'..='\u{1F169}' => 0x1F150,
        '\u{1F170}'..='\u{1F189}' => 0x1F170,
        _ => return None,
    };
    let index = u8::try_from(letter as u32 - first).ok()?;
    Some(char::from(b'a' + index))
}

pub(crate) fn is_combining_mark(letter: char) -> bool {
    matches!(letter, '\u{0300}'..='\u{036F}')
}

/// Latin letters and symbols made of them: reading them as plain letters changes no other language.
pub(crate) fn is_latin(letter: char) -> bool {
    letter.script() == Script::Latin || enclosed_letter(letter).is_some()
}

/// Greek letters have good reasons to be in Latin words (units, formulas); Cyrillic or Armenian ones do not.
pub(crate) fn is_greek(letter: char) -> bool {
    letter.script() == Script::Greek
}

/// The key that words of the same look share: i, l, 1 and | are one letter, so are o and 0, and m is rn.
/// Expects a folded word; this is what UTS 39 and ignoring case together make of ASCII.
pub(crate) fn look_key(word: &str) -> impl Iterator<Item = u8> {
    word.bytes().flat_map(|byte| {
        let (first, second) = match byte {
            b'i' | b'1' | b'|' => (b'l', None),
            b'0' => (b'o', None),
            b'm' => (b'r', Some(b'n')),
            other => (other, None),
        };
        std::iter::once(first).chain(second)
    })
}

#[cfg(test)]
#[path = "confusables_tests.rs"]
mod tests;
