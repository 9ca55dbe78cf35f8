//! The rules of VADER (Hutto and Gilbert 2014) over its lexicon. One rule is read as it is described and not as the
//! reference program does it: the words before and after "but" are weighed by their place, where the program looks a
//! weight up by its value and may hit an earlier word of the same weight.

use std::collections::HashMap;
use std::sync::LazyLock;

const BOOST: f64 = 0.293;
const CAPITALS: f64 = 0.733;
const NEGATED: f64 = -0.74;
const ALPHA: f64 = 15.0;
const BUT_BEFORE: f64 = 0.5;
const BUT_AFTER: f64 = 1.5;

static LEXICON: LazyLock<HashMap<&'static str, f64>> = LazyLock::new(|| {
    include_str!("../../data/vader/lexicon.tsv")
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(word, value)| Some((word, value.parse().ok()?)))
        .collect()
});

static EMOJI: LazyLock<HashMap<char, &'static str>> = LazyLock::new(|| {
    include_str!("../../data/vader/emoji.tsv")
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(emoji, words)| Some((emoji.chars().next()?, words)))
        .collect()
});

const STRONGER: &str = " absolutely amazingly awfully completely considerable considerably decidedly deeply effing enormous \
    enormously entirely especially exceptional exceptionally extreme extremely fabulously flipping flippin frackin fracking fricking \
    frickin frigging friggin fully fuckin fucking fuggin fugging greatly hella highly hugely incredible incredibly intensely major \
    majorly more most particularly purely quite really remarkably so substantially thoroughly total totally tremendous tremendously \
    uber unbelievably unusually utter utterly very ";
const WEAKER: &str = " almost barely hardly kinda kindof kind-of less little marginal marginally occasional occasionally partly \
    scarce scarcely slight slightly somewhat sorta sortof sort-of ";
const WEAKER_PAIRS: [&str; 3] = ["just enough", "kind of", "sort of"];
const NEGATIONS: &str = " aint arent cannot cant couldnt darent didnt doesnt dont hadnt hasnt havent isnt mightnt mustnt neither \
    neednt never none nope nor not nothing nowhere oughtnt shant shouldnt uhuh wasnt werent uh-uh without wont wouldnt rarely \
    seldom despite ";
const IDIOMS: [(&str, f64); 9] = [
    ("the shit", 3.0),
    ("the bomb", 3.0),
    ("bad ass", 1.5),
    ("badass", 1.5),
    ("bus stop", 0.0),
    ("yeah right", -2.0),
    ("kiss of death", -1.5),
    ("to die for", 3.0),
    ("beating heart", 3.5),
];

pub(super) struct Score {
    pub(super) compound: f64,
    pub(super) positive: f64,
    pub(super) neutral: f64,
    pub(super) negative: f64,
    pub(super) words: Vec<(String, f64)>,
}

/// Capitals stress a word only where other words have none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Capitals {
    Mixed,
    Even,
}

struct Word<'t> {
    written: &'t str,
    small: String,
}

pub(super) fn score(sentence: &str) -> Score {
    let text = described(sentence);
    let words: Vec<Word<'_>> = text
        .split_whitespace()
        .map(stripped)
        .map(|written| Word {
            written,
            small: written.to_lowercase(),
        })
        .collect();
    let shouted = words.iter().filter(|word| is_upper(word.written)).count();
    let capitals = if shouted > 0 && shouted < words.len() {
        Capitals::Mixed
    } else {
        Capitals::Even
    };
    let mut values: Vec<f64> = (0..words.len())
        .map(|at| valence(&words, at, capitals))
        .collect();
    if let Some(but) = words.iter().position(|word| word.small == "but") {
        for (at, value) in values.iter_mut().enumerate() {
            match at.cmp(&but) {
                std::cmp::Ordering::Less => *value *= BUT_BEFORE,
                std::cmp::Ordering::Greater => *value *= BUT_AFTER,
                std::cmp::Ordering::Equal => {}
            }
        }
    }
    summed(&text, &words, &values)
}

fn summed(text: &str, words: &[Word<'_>], values: &[f64]) -> Score {
    let emphasis = emphasis(text);
    let mut sum: f64 = values.iter().sum();
    if sum > 0.0 {
        sum += emphasis;
    } else if sum < 0.0 {
        sum -= emphasis;
    }
    // Words without a feeling count one each, so the others count one more.
    let mut positive: f64 = values
        .iter()
        .filter(|value| **value > 0.0)
        .map(|value| value + 1.0)
        .sum();
    let mut negative: f64 = values
        .iter()
        .filter(|value| **value < 0.0)
        .map(|value| 1.0 - value)
        .sum();
    let neutral = values.iter().filter(|value| **value == 0.0).count() as f64;
    if positive > negative {
        positive += emphasis;
    } else if positive < negative {
        negative += emphasis;
    }
    let total = (positive + negative + neutral).max(f64::MIN_POSITIVE);
    Score {
        compound: rounded((sum / libm::sqrt(sum * sum + ALPHA)).clamp(-1.0, 1.0), 4),
        positive: rounded(positive / total, 3),
        neutral: rounded(neutral / total, 3),
        negative: rounded(negative / total, 3),
        words: words
            .iter()
            .zip(values)
            .filter(|(_, value)| **value != 0.0)
            .map(|(word, value)| (word.written.to_owned(), rounded(*value, 3)))
            .collect(),
    }
}

pub(super) fn rounded(value: f64, places: i32) -> f64 {
    let scale = libm::pow(10.0, f64::from(places));
    libm::round(value * scale) / scale
}

/// The text with words in the place of pictures.
fn described(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut after_space = true;
    for c in text.chars() {
        match EMOJI.get(&c) {
            Some(words) => {
                if !after_space {
                    plain.push(' ');
                }
                plain.push_str(words);
                after_space = false;
            }
            None => {
                plain.push(c);
                after_space = c == ' ';
            }
        }
    }
    plain
}

/// A word without the marks around it; what is left with two characters was a face.
fn stripped(word: &str) -> &str {
    let bare = word.trim_matches(|c: char| c.is_ascii_punctuation());
    if bare.chars().count() <= 2 {
        word
    } else {
        bare
    }
}

fn is_upper(word: &str) -> bool {
    word.chars().any(char::is_uppercase) && !word.chars().any(char::is_lowercase)
}

fn holds(list: &str, word: &str) -> bool {
    !word.is_empty() && !word.contains(' ') && list.contains(&format!(" {word} "))
}

fn boost(word: &Word<'_>, value: f64, capitals: Capitals) -> f64 {
    let mut scalar = if holds(STRONGER, &word.small) {
        BOOST
    } else if holds(WEAKER, &word.small) {
        -BOOST
    } else {
        return 0.0;
    };
    if value < 0.0 {
        scalar = -scalar;
    }
    if is_upper(word.written) && capitals == Capitals::Mixed {
        scalar += if value > 0.0 { CAPITALS } else { -CAPITALS };
    }
    scalar
}

fn is_negation(word: &str) -> bool {
    word.contains("n't") || holds(NEGATIONS, word)
}

fn valence(words: &[Word<'_>], at: usize, capitals: Capitals) -> f64 {
    let word = &words[at];
    let small = |back: usize| {
        at.checked_sub(back)
            .map_or("", |at| words[at].small.as_str())
    };
    let next = words.get(at + 1).map_or("", |word| word.small.as_str());
    if holds(STRONGER, &word.small)
        || holds(WEAKER, &word.small)
        || word.small == "kind" && next == "of"
    {
        return 0.0;
    }
    let Some(&listed) = LEXICON.get(word.small.as_str()) else {
        return 0.0;
    };
    let mut value = listed;
    if word.small == "no" && LEXICON.contains_key(next) {
        value = 0.0;
    }
    if small(1) == "no" || small(2) == "no" || small(3) == "no" && matches!(small(1), "or" | "nor")
    {
        value = listed * NEGATED;
    }
    if is_upper(word.written) && capitals == Capitals::Mixed {
        value += if value > 0.0 { CAPITALS } else { -CAPITALS };
    }
    for back in 1..=3 {
        if at < back || LEXICON.contains_key(small(back)) {
            continue;
        }
        let scalar = boost(&words[at - back], value, capitals);
        value += match back {
            1 => scalar,
            2 => scalar * 0.95,
            _ => scalar * 0.9,
        };
        value = negated(value, back, &small);
        if back == 3 {
            value = idiom(value, words, at, &small);
        }
    }
    let least = small(1) == "least" && !LEXICON.contains_key("least");
    if least && !matches!(small(2), "at" | "very") {
        value *= NEGATED;
    }
    value
}

fn negated<'w>(value: f64, back: usize, small: &impl Fn(usize) -> &'w str) -> f64 {
    let so = |word: &str| matches!(word, "so" | "this");
    match back {
        2 if small(2) == "never" && so(small(1)) => return value * 1.25,
        2 if small(2) == "without" && small(1) == "doubt" => return value,
        3 if small(3) == "never" && so(small(2)) || back == 3 && so(small(1)) => {
            return value * 1.25;
        }
        3 if small(3) == "without" && (small(2) == "doubt" || small(1) == "doubt") => return value,
        _ => {}
    }
    if is_negation(small(back)) {
        value * NEGATED
    } else {
        value
    }
}

fn idiom<'w>(
    mut value: f64,
    words: &[Word<'_>],
    at: usize,
    small: &impl Fn(usize) -> &'w str,
) -> f64 {
    let listed = |phrase: &str| {
        IDIOMS
            .iter()
            .find(|(idiom, _)| *idiom == phrase)
            .map(|(_, value)| *value)
    };
    let here = words[at].small.as_str();
    let three_two_one = format!("{} {} {}", small(3), small(2), small(1));
    let three_two = format!("{} {}", small(3), small(2));
    let two_one = format!("{} {}", small(2), small(1));
    let before = [
        format!("{} {here}", small(1)),
        format!("{} {} {here}", small(2), small(1)),
        two_one.clone(),
        three_two_one.clone(),
        three_two.clone(),
    ];
    if let Some(special) = before.iter().find_map(|phrase| listed(phrase)) {
        value = special;
    }
    let word = |at: usize| words.get(at).map(|word| word.small.as_str());
    if let Some(one) = word(at + 1) {
        value = listed(&format!("{here} {one}")).unwrap_or(value);
        if let Some(two) = word(at + 2) {
            value = listed(&format!("{here} {one} {two}")).unwrap_or(value);
        }
    }
    for phrase in [three_two_one, three_two, two_one] {
        if WEAKER_PAIRS.contains(&phrase.as_str()) {
            value -= BOOST;
        }
    }
    value
}

fn emphasis(text: &str) -> f64 {
    let exclamations = text.matches('!').count().min(4) as f64;
    let questions = match text.matches('?').count() {
        0 | 1 => 0.0,
        count @ 2..=3 => count as f64 * 0.18,
        _ => 0.96,
    };
    exclamations * 0.292 + questions
}
