//! Title case and sentence case.

/// Words that are lowercase inside of a title.
const SMALL: &[&str] = &[
    "a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "into", "nor", "of", "on",
    "or", "so", "the", "to", "up", "via", "vs", "with", "yet",
];
/// A title with fewer long words than this does not show which case it is in.
const LONG_WORDS_MIN: usize = 3;
const LONG_WORD_LETTERS_MIN: usize = 4;

/// A title in title case as sentence case; `None` for other titles and other languages.
pub(super) fn sentence(title: &str, language: &str) -> Option<String> {
    if !is_english(title, language) || !is_title_case(title) {
        return None;
    }
    let mut words = Vec::new();
    let mut starts = true;
    for word in title.split(' ') {
        if starts || !is_capitalised(word) {
            words.push(word.to_owned());
        } else {
            words.push(lowercase(word));
        }
        starts = word.ends_with(['?', '!', '.']);
    }
    Some(words.join(" "))
}

/// A capital at the beginning and after each colon: APA.
pub(super) fn with_capital_subtitle(title: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut starts = true;
    for word in title.split(' ') {
        if starts && is_small(word) {
            words.push(capitalise(word));
        } else {
            words.push(word.to_owned());
        }
        starts = word.ends_with([':', '?', '!', '—']);
    }
    words.join(" ")
}

/// Title case: books in AMA, titles cited in the text in APA.
pub(super) fn title(title: &str, language: &str) -> String {
    if !is_english(title, language) {
        return title.to_owned();
    }
    let count = title.split(' ').count();
    let mut words: Vec<String> = Vec::new();
    let mut starts = true;
    for (at, word) in title.split(' ').enumerate() {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        let inside = !starts && at + 1 < count && SMALL.contains(&bare);
        if is_small(word) && !inside {
            words.push(capitalise(word));
        } else {
            words.push(word.to_owned());
        }
        starts = word.ends_with([':', '?', '!', '.', '—']);
    }
    words.join(" ")
}

fn is_english(title: &str, language: &str) -> bool {
    if !language.is_empty() {
        return language.to_lowercase().starts_with("en");
    }
    title
        .chars()
        .all(|letter| letter.is_ascii() || !letter.is_alphabetic() || is_greek(letter))
}

/// Greek letters stand in English titles: "TNF-α".
fn is_greek(letter: char) -> bool {
    ('\u{370}'..='\u{3ff}').contains(&letter)
}

fn is_title_case(title: &str) -> bool {
    let long_words = title.split(' ').skip(1).filter(|word| {
        let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
        letters >= LONG_WORD_LETTERS_MIN && (is_small(word) || is_capitalised(word))
    });
    let (mut capitals, mut all) = (0_usize, 0_usize);
    for word in long_words {
        all += 1;
        capitals += usize::from(is_capitalised(word));
    }
    all >= LONG_WORDS_MIN && capitals * 5 >= all * 4
}

/// `Word` or `Word-Word`, but not `DNA`, `mRNA`, `Covid-19` or `A`.
fn is_capitalised(word: &str) -> bool {
    let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    !bare.is_empty()
        && bare.split('-').all(|part| {
            let mut letters = part.chars();
            letters.next().is_some_and(char::is_uppercase)
                && letters.all(|letter| letter.is_lowercase() || letter == '\'' || letter == '’')
                && (part.chars().count() > 1 || part == "A")
        })
}

/// No capital and no digit in it.
fn is_small(word: &str) -> bool {
    let mut letters = word.chars().filter(|letter| letter.is_alphanumeric());
    let first = letters.clone().next();
    first.is_some_and(char::is_lowercase)
        && letters.all(|letter| !letter.is_uppercase() && !letter.is_numeric())
}

fn lowercase(word: &str) -> String {
    word.to_lowercase()
}

fn capitalise(word: &str) -> String {
    let mut raised = String::with_capacity(word.len());
    let mut first = true;
    for letter in word.chars() {
        if first && letter.is_alphabetic() {
            raised.extend(letter.to_uppercase());
            first = false;
        } else {
            raised.push(letter);
        }
    }
    raised
}
