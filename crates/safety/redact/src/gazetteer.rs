//! Looks up words in lists of given names and surnames, of names that are also ordinary words,
//! places, firms or units, and words that are never part of a name.

use std::sync::LazyLock;

use crate::text::is_same_word;

const GIVEN: u8 = 1;
const SURNAME: u8 = 2;
const AMBIGUOUS: u8 = 4;
const ORDINARY: u8 = 8;

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        (GIVEN, include_str!("../lists/given.txt")),
        (SURNAME, include_str!("../lists/surname.txt")),
        (AMBIGUOUS, include_str!("../lists/ambiguous.txt")),
        (ORDINARY, include_str!("../lists/ordinary.txt")),
    ])
});

/// All lists in one hash table with open addressing, because every capitalised word is looked up, some repeatedly.
struct Words {
    slots: Vec<(String, u8)>,
}

impl Words {
    fn new(lists: &[(u8, &str)]) -> Self {
        let count: usize = lists.iter().map(|(_, list)| list.lines().count()).sum();
        let mut words = Self {
            slots: vec![(String::new(), 0); (count * 2).next_power_of_two()],
        };
        for (flag, list) in lists {
            for word in list.lines().map(fold) {
                let slot = words.slot(&word);
                words.slots[slot] = (word, words.slots[slot].1 | flag);
            }
        }
        words
    }

    /// The slot of a word, or the free slot where it would be. Half of the table is always free.
    fn slot(&self, word: &str) -> usize {
        let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mask = self.slots.len() - 1;
        let mut slot = usize::try_from(hash >> 32).unwrap_or(0) & mask;
        while self.slots[slot].1 != 0 && self.slots[slot].0 != word {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

/// What the lists say about a word.
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
    pub(crate) fn look_up(word: &str) -> Self {
        let flags = WORDS.slots[WORDS.slot(&fold(word))].1;
        let has = |flag: u8| flags & flag != 0;
        let named = has(GIVEN) || has(SURNAME);
        Self {
            given: has(GIVEN),
            surname: has(SURNAME),
            ambiguous: named && has(AMBIGUOUS),
            ordinary: !named && has(ORDINARY) || is_never_a_name(word),
        }
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

/// Listed names that start too many sentences as ordinary words.
fn is_never_a_name(word: &str) -> bool {
    [
        "an", "in", "is", "so", "he", "do", "das", "per", "via", "le", "la", "da", "pan",
    ]
    .iter()
    .any(|never| is_same_word(word, never))
}

/// Lower case without accents and apostrophes, so that `Müller`, `MULLER` and `Muller` are equal.
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
