//! What is known about a word as a name: lists of given names and surnames, which of them are also ordinary words,
//! places, firms or units, and words that are never part of a name.

use std::sync::LazyLock;

use crate::text::same_word;

static GIVEN: LazyLock<Vec<String>> = LazyLock::new(|| folded(include_str!("../lists/given.txt")));
static SURNAMES: LazyLock<Vec<String>> = LazyLock::new(|| folded(include_str!("../lists/surname.txt")));
static AMBIGUOUS: LazyLock<Vec<String>> = LazyLock::new(|| folded(include_str!("../lists/ambiguous.txt")));
static ORDINARY: LazyLock<Vec<String>> = LazyLock::new(|| folded(include_str!("../lists/ordinary.txt")));

/// Of a word in the place of a name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) given: bool,
    pub(crate) surname: bool,
    /// Also an ordinary word, a place or a firm.
    pub(crate) ambiguous: bool,
    /// Never part of a name, unless it is also in the lists.
    pub(crate) ordinary: bool,
}

impl Known {
    pub(crate) fn of(word: &str) -> Self {
        let key = fold(word);
        let has = |list: &[String]| list.binary_search(&key).is_ok();
        let given = has(&GIVEN);
        let surname = has(&SURNAMES);
        Self { given, surname, ambiguous: (given || surname) && has(&AMBIGUOUS), ordinary: !(given || surname) && has(&ORDINARY) || is_never(word) }
    }

    pub(crate) fn is_name(self) -> bool {
        self.given || self.surname
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            given: self.given || other.given,
            surname: self.surname || other.surname,
            ambiguous: self.ambiguous && other.ambiguous,
            ordinary: self.ordinary && other.ordinary,
        }
    }
}

/// In the lists of names, and yet at the beginning of too many sentences.
fn is_never(word: &str) -> bool {
    ["an", "in", "is", "so", "he", "do", "das", "per", "via", "le", "la", "da", "pan"].iter().any(|never| same_word(word, never))
}

fn folded(list: &str) -> Vec<String> {
    let mut list: Vec<String> = list.lines().map(fold).collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// Lower case without accents and apostrophes, so that `Müller`, `MULLER` and `Muller` are one.
pub(crate) fn fold(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for character in word.chars().flat_map(char::to_lowercase) {
        match character {
            'à'..='å' | 'ā' | 'ă' | 'ą' => folded.push('a'),
            'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => folded.push('e'),
            'ì'..='ï' | 'ī' | 'į' | 'ı' => folded.push('i'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => folded.push('o'),
            'ù'..='ü' | 'ū' | 'ů' | 'ű' | 'ų' => folded.push('u'),
            'ç' | 'ć' | 'č' => folded.push('c'),
            'ñ' | 'ń' | 'ň' => folded.push('n'),
            'ś' | 'š' | 'ş' | 'ș' => folded.push('s'),
            'ź' | 'ż' | 'ž' => folded.push('z'),
            'ł' => folded.push('l'),
            'ý' | 'ÿ' => folded.push('y'),
            'ğ' => folded.push('g'),
            'ď' | 'đ' => folded.push('d'),
            'ř' => folded.push('r'),
            'ť' | 'ţ' | 'ț' => folded.push('t'),
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            '\'' | '’' | '\u{300}'..='\u{36f}' => {}
            other => folded.push(other),
        }
    }
    folded
}
