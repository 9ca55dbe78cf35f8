//! Key phrases: runs of words that carry meaning, weighed by how often they stand on their own (C-value).

use std::collections::HashMap;
use std::ops::Range;

use adjutant_text::sentences::sentences;
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Content};
use crate::character_offsets::CharacterOffsets;
use crate::request::{check, new_answer};
use crate::words::{SupportedLanguage, WORD_BYTES_MAX, has_letter, words};
use crate::{Refusal, language};

const PHRASE_WORDS_MAX: usize = 4;
const COUNT_DEFAULT: usize = 20;
/// Phrases that may be asked for.
pub const PHRASES_MAX: usize = 200;
/// CharacterOffsets that are listed for a phrase.
const PLACES_MAX: usize = 20;
/// Phrases of the first sentences count up to twice; the bonus is half gone after so many sentences.
const EARLY_SENTENCES: f64 = 10.0;

/// Asks for the key phrases of a text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhrasesRequest {
    pub text: String,
    /// Found out where it is left out.
    #[serde(default)]
    pub language: Option<SupportedLanguage>,
    #[serde(default)]
    pub count: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PhrasesAnswer {
    pub language: &'static str,
    pub phrases: Vec<Phrase>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Phrase {
    pub text: String,
    /// From 0 to 1, the best phrase has 1.
    pub score: f64,
    pub count: usize,
    /// Other forms that were counted with it.
    pub variants: Vec<String>,
    pub places: Vec<CharacterRange>,
}

/// From character `start` to before character `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CharacterRange {
    pub start: usize,
    pub end: usize,
}

pub(crate) fn answer(request: &PhrasesRequest) -> Result<Answer, Refusal> {
    let text = request.text.as_str();
    check("text", text)?;
    let count = request.count.unwrap_or(COUNT_DEFAULT);
    if !(1..=PHRASES_MAX).contains(&count) {
        return Err(Refusal::OutOfRange {
            field: "count",
            got: count,
            low: 1,
            high: PHRASES_MAX,
        });
    }
    let language = match request.language {
        Some(language) => language,
        None => detect_or_refuse("text", text)?,
    };
    let places = CharacterOffsets::new(text);
    let mut notes = Vec::new();
    let best = ranked(text, language, count);
    if best.iter().all(|(phrase, _)| phrase.places.len() == 1) {
        notes.push(
            "No phrase is repeated: the order follows length and place more than importance."
                .to_owned(),
        );
    }
    let top = best.first().map_or(1.0, |(_, score)| *score);
    let phrases = best
        .into_iter()
        .map(|(group, score)| shown(text, &places, &group, score / top))
        .collect();
    Ok(new_answer(
        "phrases",
        Content::Phrases(PhrasesAnswer {
            language: language.code(),
            phrases,
        }),
        "runs of up to four words without stop words, weighed by C-value (Frantzi and Ananiadou 2000) with log2(words + 1) and \
         up to twice for an early first place; forms that differ in case or a light ending are one",
        notes,
    ))
}

pub(crate) fn detect_or_refuse(
    field: &'static str,
    text: &str,
) -> Result<SupportedLanguage, Refusal> {
    language::detect_supported(text).map_err(|judged| match judged.unsure {
        Some(unsure) => Refusal::UnsureLanguage {
            field,
            reason: unsure.reason,
            advice: "give `language`",
        },
        None => Refusal::OtherLanguage {
            what: "a list of stop words",
            language: judged.name.to_owned(),
            advice: "there is one for en, de, fr, es, it, nl and pt",
        },
    })
}

/// The best phrases of a text as they are written most often, with their form for comparing.
pub(crate) fn best(text: &str, language: SupportedLanguage, count: usize) -> Vec<(String, String)> {
    ranked(text, language, count)
        .into_iter()
        .filter_map(|(group, _)| {
            let written = &text[group.places.first()?.clone()];
            let form: Vec<String> = words(written)
                .map(|range| term(&written[range], language))
                .collect();
            Some((
                form.join(" "),
                written.split_whitespace().collect::<Vec<_>>().join(" "),
            ))
        })
        .collect()
}

/// A word in the form in which words are compared.
pub(crate) fn term(word: &str, language: SupportedLanguage) -> String {
    base(&word.to_lowercase().replace('’', "'"), language).to_owned()
}

type Key = [u32; PHRASE_WORDS_MAX];

#[derive(Default, Clone)]
struct Group {
    places: Vec<Range<usize>>,
    first_sentence: usize,
}

fn ranked(text: &str, language: SupportedLanguage, count: usize) -> Vec<(Group, f64)> {
    let groups = grouped(text, language);
    let scores = scores(&groups);
    let mut order: Vec<(&Key, f64)> = scores.iter().map(|(key, score)| (*key, *score)).collect();
    order.sort_by(|(left, left_score), (right, right_score)| {
        right_score.total_cmp(left_score).then_with(|| {
            let place = |key: &Key| {
                groups[key]
                    .places
                    .first()
                    .map(|place| (place.start, std::cmp::Reverse(place.end)))
            };
            place(left).cmp(&place(right))
        })
    });
    let mut chosen: Vec<(&Key, f64)> = Vec::new();
    for (key, score) in order {
        if chosen.len() == count {
            break;
        }
        // A part of a phrase that is already there, or one around it, says nothing new.
        let known = chosen.iter().any(|(other, _)| {
            (holds(other, key) || holds(key, other))
                && groups[*other].places.len() * 2 > groups[key].places.len()
        });
        if !known {
            chosen.push((key, score));
        }
    }
    chosen
        .into_iter()
        .map(|(key, score)| (groups[key].clone(), score))
        .collect()
}

/// Every run of words that may be a phrase, by its words without endings. Words are numbered from 1; 0 is no word.
fn grouped(text: &str, language: SupportedLanguage) -> HashMap<Key, Group> {
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut groups: HashMap<Key, Group> = HashMap::new();
    for (index, sentence) in sentences(text).into_iter().enumerate() {
        let mut run: Vec<(u32, Range<usize>)> = Vec::new();
        for range in words(&text[sentence.clone()]) {
            let range = sentence.start + range.start..sentence.start + range.end;
            let word = &text[range.clone()];
            let joined = run.last().is_none_or(|(_, last)| {
                text[last.end..range.start].chars().all(char::is_whitespace)
            });
            if !joined {
                add(&run, index, &mut groups);
                run.clear();
            }
            let small = word.to_lowercase().replace('’', "'");
            let stop = language.stop_words().contains(small.as_str());
            if stop || !has_letter(word) || word.chars().count() < 2 || word.len() > WORD_BYTES_MAX
            {
                add(&run, index, &mut groups);
                run.clear();
                continue;
            }
            let next = u32::try_from(numbers.len() + 1).unwrap_or(u32::MAX);
            let number = *numbers
                .entry(base(&small, language).to_owned())
                .or_insert(next);
            run.push((number, range));
        }
        add(&run, index, &mut groups);
    }
    groups
}

fn add(run: &[(u32, Range<usize>)], sentence: usize, groups: &mut HashMap<Key, Group>) {
    for start in 0..run.len() {
        for length in 1..=PHRASE_WORDS_MAX.min(run.len() - start) {
            let mut key = Key::default();
            for (slot, (number, _)) in key.iter_mut().zip(&run[start..start + length]) {
                *slot = *number;
            }
            let group = groups.entry(key).or_insert_with(|| Group {
                places: Vec::new(),
                first_sentence: sentence,
            });
            group
                .places
                .push(run[start].1.start..run[start + length - 1].1.end);
        }
    }
}

fn length(key: &Key) -> usize {
    key.iter().take_while(|number| **number != 0).count()
}

fn holds(long: &Key, short: &Key) -> bool {
    let (long, short) = (&long[..length(long)], &short[..length(short)]);
    long.windows(short.len().max(1)).any(|part| part == short)
}

/// C-value: how often a phrase stands, less how often on average it only stands inside a longer one.
fn scores(groups: &HashMap<Key, Group>) -> Vec<(&Key, f64)> {
    let mut inside: HashMap<Key, (usize, usize)> = HashMap::new();
    for (key, group) in groups {
        let words = length(key);
        for short in 1..words {
            for start in 0..=words - short {
                let mut part = Key::default();
                part[..short].copy_from_slice(&key[start..start + short]);
                let matched = inside.entry(part).or_default();
                matched.0 += group.places.len();
                matched.1 += 1;
            }
        }
    }
    groups
        .iter()
        .map(|(key, group)| {
            let often = group.places.len() as f64;
            let free = match inside.get(key) {
                Some((total, kinds)) => often - *total as f64 / *kinds as f64,
                None => often,
            };
            let early = 1.0 + EARLY_SENTENCES / (EARLY_SENTENCES + group.first_sentence as f64);
            (key, libm::log2(length(key) as f64 + 1.0) * free * early)
        })
        .filter(|(_, score)| *score > 0.0)
        .collect()
}

/// A word without a light ending.
fn base(word: &str, language: SupportedLanguage) -> &str {
    const BASE_BYTES_MIN: usize = 4;
    let endings: &[&str] = match language {
        SupportedLanguage::English => {
            if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
                return word;
            }
            &["'s", "s"]
        }
        SupportedLanguage::German => &["en", "er", "es", "em", "e", "n", "s"],
        SupportedLanguage::Dutch => &["en", "s"],
        SupportedLanguage::Italian => &["i", "e", "o", "a"],
        SupportedLanguage::French | SupportedLanguage::Spanish | SupportedLanguage::Portuguese => {
            &["s", "x"]
        }
    };
    endings
        .iter()
        .find_map(|ending| {
            word.strip_suffix(ending)
                .filter(|rest| rest.len() >= BASE_BYTES_MIN)
        })
        .unwrap_or(word)
}

fn shown(text: &str, places: &CharacterOffsets<'_>, group: &Group, score: f64) -> Phrase {
    let mut forms: Vec<(String, usize)> = Vec::new();
    for range in &group.places {
        let written = text[range.clone()]
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        match forms.iter().position(|(form, _)| *form == written) {
            Some(at) => forms[at].1 += 1,
            None if forms.len() < PLACES_MAX => forms.push((written, 1)),
            None => {}
        }
    }
    forms.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut forms = forms.into_iter().map(|(form, _)| form);
    Phrase {
        text: forms.next().unwrap_or_default(),
        score: libm::round(score * 1000.0) / 1000.0,
        count: group.places.len(),
        variants: forms.collect(),
        places: group
            .places
            .iter()
            .take(PLACES_MAX)
            .map(|range| {
                let span = places.span(range);
                CharacterRange {
                    start: span.start,
                    end: span.end,
                }
            })
            .collect(),
    }
}
