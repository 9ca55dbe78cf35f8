//! Classifies invisible characters and folds letters for matching. Works on single characters only.

use unicode_normalization::char::decompose_compatible;

use crate::confusables::{is_combining_mark, is_latin, plain_look_alike};

/// Kinds of invisible characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Invisible {
    ZeroWidth,
    /// Joins letters in scripts that need it; between Latin letters it is a disguise.
    Joiner,
    SoftHyphen,
    Direction,
    /// Displays the following letters in another order.
    Reversal,
    Tag,
    Variation,
    Control,
}

pub(crate) fn classify_invisible(letter: char) -> Option<Invisible> {
    Some(match letter {
        '\u{200B}'
        | '\u{2060}'..='\u{2064}'
        | '\u{FEFF}'
        | '\u{180E}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{3164}'
        | '\u{FFA0}'
        | '\u{206A}'..='\u{206F}'
        | '\u{FFF9}'..='\u{FFFB}' => Invisible::ZeroWidth,
        '\u{200C}' | '\u{200D}' | '\u{034F}' => Invisible::Joiner,
        '\u{00AD}' => Invisible::SoftHyphen,
        '\u{200E}'
        | '\u{200F}'
        | '\u{061C}'
        | '\u{202A}'
        | '\u{202B}'
        | '\u{202C}'
        | '\u{2066}'..='\u{2069}' => Invisible::Direction,
        '\u{202D}' | '\u{202E}' => Invisible::Reversal,
        '\u{E0000}'..='\u{E007F}' => Invisible::Tag,
        '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => Invisible::Variation,
        '\u{0000}'..='\u{0008}'
        | '\u{000B}'
        | '\u{000E}'..='\u{001F}'
        | '\u{007F}'..='\u{009F}' => Invisible::Control,
        _ => return None,
    })
}

/// The byte a variation selector can encode.
pub(crate) fn variation_byte(letter: char) -> Option<u8> {
    let code = letter as u32;
    let byte = match letter {
        '\u{FE00}'..='\u{FE0F}' => code - 0xFE00,
        '\u{E0100}'..='\u{E01EF}' => code - 0xE0100 + 16,
        _ => return None,
    };
    u8::try_from(byte).ok()
}

/// The ASCII character that a tag character encodes.
pub(crate) fn tag_letter(letter: char) -> Option<char> {
    char::from_u32((letter as u32).checked_sub(0xE0000)?).filter(|c| (' '..='~').contains(c))
}

/// Scripts in which direction marks have a legitimate use.
pub(crate) fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{0590}'..='\u{08FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}')
}

/// Scripts written without spaces between words.
pub(crate) fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{0E00}'..='\u{0E7F}')
}

/// Writes the folded form of a letter: compatibility form, lower case, no accents, and Latin look-alikes as the plain
/// letters they resemble.
pub(crate) fn fold_letter(letter: char, write: &mut impl FnMut(char)) {
    if letter.is_ascii() {
        write(letter.to_ascii_lowercase());
        return;
    }
    match letter {
        '\u{2018}' | '\u{2019}' | '\u{201A}' | '\u{02BC}' => write('\''),
        '\u{201C}' | '\u{201D}' | '\u{201E}' | '«' | '»' => write('"'),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => write('-'),
        '\u{2028}' | '\u{2029}' | '\u{0085}' => write('\n'),
        '\u{4E00}'..='\u{9FFF}' => write(letter),
        _ => decompose_compatible(letter, |part| {
            part.to_lowercase()
                .filter(|low| !is_combining_mark(*low))
                .for_each(|low| fold_latin(low, write));
        }),
    }
}

fn fold_latin(letter: char, write: &mut impl FnMut(char)) {
    let plain = match letter.is_ascii() || !is_latin(letter) {
        true => None,
        false => plain_look_alike(letter),
    };
    match plain {
        Some(plain) => plain.chars().for_each(write),
        None => write(letter),
    }
}

/// Folds a whole phrase.
pub(crate) fn fold_text(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars() {
        fold_letter(letter, &mut |part| folded.push(part));
    }
    folded
}
