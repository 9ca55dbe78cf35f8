//! Words of everyday English that mean nearly the same: people ask in other words than documents are written in.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::terms::stem;
use crate::words::is_stop_word;

/// Words that may stand for one another, one group per line. Words joined by `_` are a phrase.
const GROUPS: &str = include_str!("../data/same_meaning.txt");

static WORDS: LazyLock<HashMap<String, Vec<&str>>> = LazyLock::new(|| {
    let mut found: HashMap<String, Vec<&str>> = HashMap::new();
    for line in GROUPS.lines() {
        let (phrases, single): (Vec<&str>, Vec<&str>) =
            line.split(' ').partition(|word| is_phrase(word));
        debug_assert!(!single.is_empty(), "{phrases:?}");
        for word in &single {
            let others = single.iter().filter(|other| *other != word);
            found.entry(stem(word)).or_default().extend(others);
        }
    }
    found
});

static PHRASES: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
    let mut found = Vec::new();
    for line in GROUPS.lines() {
        let (phrases, single): (Vec<&str>, Vec<&str>) =
            line.split(' ').partition(|word| is_phrase(word));
        for phrase in phrases {
            let parts: Vec<String> = phrase.split(['_', '-']).map(stem).collect();
            found.push(Phrase {
                parts,
                means: single.clone(),
            });
        }
    }
    found
});

struct Phrase {
    /// The stems of its words.
    parts: Vec<String>,
    means: Vec<&'static str>,
}

fn is_phrase(word: &str) -> bool {
    word.contains(['_', '-'])
}

/// The words that may stand for a word in lower case.
pub(crate) fn same_meaning(small: &str) -> &'static [&'static str] {
    WORDS.get(&stem(small)).map_or(&[], Vec::as_slice)
}

/// A phrase in a list of words: which of them it is made of, and the words that may stand for it.
pub(crate) struct PhraseAt {
    pub(crate) places: Vec<usize>,
    pub(crate) means: Vec<&'static str>,
}

/// The phrases among the words of a text in lower case. A small word may stand inside: `make up their minds`.
pub(crate) fn phrases(words: &[&str]) -> Vec<PhraseAt> {
    let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
    let mut found: Vec<PhraseAt> = Vec::new();
    let mut taken: HashSet<usize> = HashSet::new();
    for start in 0..words.len() {
        let mut fitting: Vec<(Vec<usize>, &Phrase)> = PHRASES
            .iter()
            .filter_map(|phrase| Some((places(phrase, &stems, words, start)?, phrase)))
            .collect();
        let Some(longest) = fitting.iter().map(|(places, _)| places.len()).max() else {
            continue;
        };
        fitting.retain(|(places, _)| places.len() == longest);
        let places = fitting[0].0.clone();
        if places.iter().any(|place| taken.contains(place)) {
            continue;
        }
        taken.extend(&places);
        let means = fitting.iter().flat_map(|(_, phrase)| &phrase.means);
        found.push(PhraseAt {
            places,
            means: means.copied().collect(),
        });
    }
    found
}

fn places(phrase: &Phrase, stems: &[String], words: &[&str], start: usize) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    let mut at = start;
    for part in &phrase.parts {
        let skipped = at > start && stems.get(at) != Some(part) && is_stop_word(words.get(at)?);
        at += usize::from(skipped);
        if stems.get(at)? != part {
            return None;
        }
        found.push(at);
        at += 1;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::{phrases, same_meaning};

    #[test]
    fn words_stand_for_one_another_and_phrases_for_words() {
        assert!(same_meaning("purchases").contains(&"buy"));
        assert!(same_meaning("table").is_empty());
        let words = ["when", "did", "they", "give", "it", "up"];
        let found = phrases(&words);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].places, [3, 5]);
        assert!(found[0].means.contains(&"abandon"));
        assert!(phrases(&["give", "bread", "up"]).is_empty());
    }
}
