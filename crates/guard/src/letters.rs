//! Single letters: which are not seen, which look like others, and how each is folded for looking.

use unicode_normalization::char::decompose_compatible;

/// Why a letter is not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unseen {
    ZeroWidth,
    /// Joins letters where scripts need it, and hides between Latin ones.
    Joiner,
    SoftHyphen,
    Direction,
    /// Shows the letters after it in the reverse order.
    Reversal,
    Tag,
    Variation,
    Control,
}

pub(crate) fn unseen(letter: char) -> Option<Unseen> {
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
        | '\u{FFF9}'..='\u{FFFB}' => Unseen::ZeroWidth,
        '\u{200C}' | '\u{200D}' | '\u{034F}' => Unseen::Joiner,
        '\u{00AD}' => Unseen::SoftHyphen,
        '\u{200E}'
        | '\u{200F}'
        | '\u{061C}'
        | '\u{202A}'
        | '\u{202B}'
        | '\u{202C}'
        | '\u{2066}'..='\u{2069}' => Unseen::Direction,
        '\u{202D}' | '\u{202E}' => Unseen::Reversal,
        '\u{E0000}'..='\u{E007F}' => Unseen::Tag,
        '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => Unseen::Variation,
        '\u{0000}'..='\u{0008}'
        | '\u{000B}'
        | '\u{000E}'..='\u{001F}'
        | '\u{007F}'..='\u{009F}' => Unseen::Control,
        _ => return None,
    })
}

/// The byte a variation selector can carry.
pub(crate) fn variation_byte(letter: char) -> Option<u8> {
    let code = letter as u32;
    let byte = match letter {
        '\u{FE00}'..='\u{FE0F}' => code - 0xFE00,
        '\u{E0100}'..='\u{E01EF}' => code - 0xE0100 + 16,
        _ => return None,
    };
    u8::try_from(byte).ok()
}

/// The ASCII letter a tag stands for.
pub(crate) fn tag_letter(letter: char) -> Option<char> {
    char::from_u32((letter as u32).checked_sub(0xE0000)?).filter(|c| (' '..='~').contains(c))
}

/// Right-to-left scripts have a use for marks of direction.
pub(crate) fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{0590}'..='\u{08FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}')
}

/// Scripts written without spaces between words.
pub(crate) fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{0E00}'..='\u{0E7F}')
}

/// The Latin letter that a Cyrillic, Greek or Armenian one looks like.
pub(crate) fn looks_like(letter: char) -> Option<char> {
    Some(match letter {
        'а' | 'А' | 'α' | 'Α' => 'a',
        'В' | 'Β' | 'в' => 'b',
        'с' | 'С' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'Е' | 'Ε' | 'ё' => 'e',
        'ց' => 'g',
        'һ' | 'Н' | 'Η' | 'н' | 'հ' => 'h',
        'і' | 'І' | 'ι' | 'Ι' | 'ї' => 'i',
        'ј' | 'Ј' => 'j',
        'К' | 'к' | 'Κ' | 'κ' => 'k',
        'ӏ' | 'Ӏ' => 'l',
        'М' | 'Μ' | 'м' => 'm',
        'Ν' | 'ո' => 'n',
        'о' | 'О' | 'ο' | 'Ο' | 'օ' => 'o',
        'р' | 'Р' | 'ρ' | 'Ρ' => 'p',
        'ԛ' => 'q',
        'ѕ' | 'Ѕ' => 's',
        'Т' | 'т' | 'Τ' | 'τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ԝ' | 'ѡ' => 'w',
        'х' | 'Х' | 'Χ' | 'χ' => 'x',
        'у' | 'У' | 'Υ' | 'γ' => 'y',
        'Ζ' => 'z',
        _ => return None,
    })
}

/// Greek stands in Latin words for good reasons (alpha, mu); Cyrillic and Armenian do not.
pub(crate) fn is_greek(letter: char) -> bool {
    matches!(letter, '\u{0370}'..='\u{03FF}')
}

/// Writes a letter as it is looked at: compatible, lower case, without accents.
pub(crate) fn fold(letter: char, write: &mut impl FnMut(char)) {
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
            if !matches!(part, '\u{0300}'..='\u{036F}') {
                part.to_lowercase()
                    .filter(|low| !matches!(low, '\u{0300}'..='\u{036F}'))
                    .for_each(&mut *write);
            }
        }),
    }
}

/// A whole phrase as it is looked at.
pub(crate) fn fold_all(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars() {
        fold(letter, &mut |part| folded.push(part));
    }
    folded
}
