//! Syllables by spelling. Not a dictionary: vowels that stand together count once, with the exceptions that matter most.

use crate::words::SupportedLanguage;

pub(super) fn syllables(word: &str, language: SupportedLanguage) -> usize {
    let small = word.to_lowercase();
    small
        .split(['-', '‑'])
        .filter(|part| !part.is_empty())
        .map(|part| match language {
            SupportedLanguage::German => german(part),
            _ => english(part),
        })
        .sum::<usize>()
        .max(1)
}

/// Hard in Gunning's sense: three syllables, and not only by an inflected ending or a hyphen.
pub(super) fn is_hard(word: &str, syllables: usize) -> bool {
    if word.contains(['-', '‑']) {
        return false;
    }
    let inflected = ["es", "ed", "ing"]
        .iter()
        .any(|ending| word.ends_with(ending));
    syllables >= 3 + usize::from(inflected)
}

fn english(word: &str) -> usize {
    let word = word.trim_end_matches("'s").trim_end_matches("’s");
    let letters: Vec<char> = word.chars().filter(|c| c.is_alphabetic()).collect();
    if letters.len() <= 3 {
        let silent_e = letters.len() == 3 && ends(&letters, "e") && groups(&letters) > 1;
        return groups(&letters).max(1) - usize::from(silent_e);
    }
    let mut count = groups(&letters);
    let silent_e =
        ends(&letters, "e") && !ends_in_any(&letters, &["le", "ee", "ie", "oe", "ue", "ye", "ae"]);
    let le = ends(&letters, "le") && !before_is_consonant(&letters, 2);
    let silent_es = ends(&letters, "es")
        && !ends_in_any(
            &letters,
            &[
                "ses", "zes", "xes", "ches", "shes", "ges", "ces", "les", "ies", "ees", "oes",
                "ues",
            ],
        );
    let silent_les = ends(&letters, "les") && !before_is_consonant(&letters, 3);
    let silent_ed = ends(&letters, "ed")
        && !ends_in_any(
            &letters,
            &[
                "ted", "ded", "eed", "ied", "ued", "oed", "led", "dred", "cred", "tred",
            ],
        );
    let silent_led =
        ends(&letters, "led") && !before_is_consonant(&letters, 3) || ends(&letters, "lled");
    if silent_e || le || silent_es || silent_les || silent_ed || silent_led {
        count -= 1;
    }
    count += hiatus(&letters);
    if ends(&letters, "sm") || ends(&letters, "thm") {
        count += 1;
    }
    // "something", "therefore", "placement": an e before a suffix is silent.
    for suffix in [
        "ment", "ments", "ly", "less", "ful", "ness", "fore", "where", "thing",
    ] {
        let Some(stem) = word.strip_suffix(suffix) else {
            continue;
        };
        if stem.len() > 2
            && stem.ends_with('e')
            && !stem.ends_with("ee")
            && !(stem.ends_with("le") && suffix == "ment")
        {
            count -= 1;
            break;
        }
    }
    count.max(1)
}

/// Vowels that are next to each other and sound apart.
fn hiatus(letters: &[char]) -> usize {
    let mut more = 0;
    for (at, pair) in letters.windows(2).enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let after = letters.get(at + 2).copied();
        let apart = match (pair[0], pair[1]) {
            ('i', 'a') => {
                !matches!(before, Some('c' | 't' | 's'))
                    && !matches!((before, after), (Some('r'), Some('g')))
            }
            ('i', 'o') => {
                !matches!(before, Some('t' | 's' | 'c' | 'g' | 'x'))
                    || matches!((before, after), (Some('t' | 's' | 'c'), Some('l')))
            }
            ('i', 'u') => true,
            ('e', 'o') => !matches!(before, Some('p')) || at == 0 || matches!(after, Some('r')),
            ('u', 'a') => !matches!(before, Some('q' | 'g')),
            ('u', 'o') => !matches!(before, Some('q')),
            ('i', 'e') => {
                matches!(after, Some('n' | 't'))
                    && !matches!(before, Some('c' | 't' | 'r' | 's' | 'f'))
                    || matches!((before, after), (Some('r' | 'd'), Some('n'))) && at > 2
            }
            ('e', 'a') => {
                matches!(before, Some('r'))
                    && matches!(after, Some('c' | 't'))
                    && at < 4
                    && letters.len() > 5
            }
            ('y', 'a' | 'e' | 'o') => before.is_some(),
            ('e', 'i') => {
                matches!(after, Some('n'))
                    && matches!(before, Some('b' | 't'))
                    && matches!(letters.get(at + 3), Some('g') | None)
            }
            ('u', 'i') => matches!(after, Some('t')) && matches!(before, Some('n')),
            _ => false,
        };
        more += usize::from(apart);
    }
    more
}

fn german(word: &str) -> usize {
    const PAIRS: [&str; 12] = [
        "aa", "ai", "au", "äu", "ay", "ee", "ei", "eu", "ey", "ie", "oo", "ou",
    ];
    let letters: Vec<char> = word.chars().filter(|c| c.is_alphabetic()).collect();
    let mut count: usize = 0;
    let mut at = 0;
    while at < letters.len() {
        if !is_vowel(letters[at]) || letters[at] == 'u' && at > 0 && letters[at - 1] == 'q' {
            at += 1;
            continue;
        }
        count += 1;
        let pair: String = letters[at..(at + 2).min(letters.len())].iter().collect();
        at += if PAIRS.contains(&pair.as_str()) { 2 } else { 1 };
    }
    // "Studie", "Linie" and "Aktien" have one more, "-tion" is two in German too.
    let end: String = letters[letters.len().saturating_sub(4)..].iter().collect();
    if ["udie", "inie", "tien", "ilie", "nien", "lien", "dien"].contains(&end.as_str())
        && letters.len() > 5
    {
        count += 1;
    }
    count.max(1)
}

fn is_vowel(c: char) -> bool {
    matches!(
        c,
        'a' | 'e'
            | 'i'
            | 'o'
            | 'u'
            | 'y'
            | 'ä'
            | 'ö'
            | 'ü'
            | 'é'
            | 'è'
            | 'ê'
            | 'á'
            | 'à'
            | 'â'
            | 'ó'
            | 'ô'
            | 'í'
            | 'ú'
            | 'û'
    )
}

fn groups(letters: &[char]) -> usize {
    let mut count = 0;
    let mut inside = false;
    for (at, letter) in letters.iter().enumerate() {
        // A y before a vowel at the start of a word is a consonant.
        let vowel = is_vowel(*letter) && !(*letter == 'y' && at == 0);
        count += usize::from(vowel && !inside);
        inside = vowel;
    }
    count
}

fn ends(letters: &[char], ending: &str) -> bool {
    let ending: Vec<char> = ending.chars().collect();
    letters.ends_with(&ending)
}

fn ends_in_any(letters: &[char], endings: &[&str]) -> bool {
    endings.iter().any(|ending| ends(letters, ending))
}

/// Whether the letter before the last so many is a consonant.
fn before_is_consonant(letters: &[char], last: usize) -> bool {
    letters
        .len()
        .checked_sub(last + 1)
        .is_some_and(|at| !is_vowel(letters[at]))
}
