//! Which language a text is in, paragraph by paragraph. Short or doubtful text stays `unsure`.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use whatlang::{Detector, Lang, Script};

use crate::Refusal;
use crate::answer::{Answer, Content, truncate_with_note};
use crate::character_offsets::{CharacterOffsets, Span};
use crate::request::{check, new_answer};
use crate::words::{SupportedLanguage, has_letter, words};

/// Paragraphs that are listed.
const PARAGRAPHS_MAX: usize = 2_000;
/// So much of a paragraph decides its language.
const READ_BYTES_MAX: usize = 4_096;
/// Fewer letters than this say nothing certain in an alphabet that many languages share.
const LETTERS_MIN: usize = 18;
/// A script of one language needs less.
const OWN_SCRIPT_LETTERS_MIN: usize = 4;
/// From here on letter statistics are trusted on their own.
const CONFIDENCE_MIN: f64 = 0.9;
/// Stop words that must agree, and how far ahead of the next language.
const STOP_WORDS_MIN: usize = 2;
const STOP_WORDS_LEAD: usize = 2;

/// Where letters and stop words point to the same language, each of them weakly.
const AGREED: f64 = 0.75;

/// Asks for the language of a text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanguageRequest {
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LanguageAnswer {
    /// The language most of the text is in.
    #[serde(flatten)]
    pub whole: DetectedLanguage,
    /// Each paragraph, where the text has several languages or doubtful parts.
    pub paragraphs: Vec<Paragraph>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Paragraph {
    #[serde(flatten)]
    pub span: Span,
    #[serde(flatten)]
    pub judged: DetectedLanguage,
}

/// The language of a piece of text, or why it is not certain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DetectedLanguage {
    /// ISO 639-1 where there is one, else ISO 639-3; `unsure` where none is certain.
    pub language: &'static str,
    pub name: &'static str,
    /// From 0 to 1; 0 where unsure.
    pub confidence: f64,
    pub script: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsure: Option<Unsure>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unsure {
    pub reason: String,
    /// What it might be, if it had to be said.
    pub perhaps: Vec<&'static str>,
}

pub(crate) fn answer(request: &LanguageRequest) -> Result<Answer, Refusal> {
    let text = request.text.as_str();
    check("text", text)?;
    let places = CharacterOffsets::new(text);
    let mut notes = Vec::new();
    let judged: Vec<(Range<usize>, DetectedLanguage)> = paragraphs(text)
        .into_iter()
        .map(|range| {
            let one = judge(&text[range.clone()]);
            (range, one)
        })
        .collect();
    let whole = whole(text, &judged);
    let languages: BTreeMap<&str, usize> =
        judged
            .iter()
            .fold(BTreeMap::new(), |mut matched, (_, one)| {
                *matched.entry(one.language).or_default() += 1;
                matched
            });
    let certain = languages.keys().filter(|code| **code != UNSURE).count();
    if certain > 1 {
        notes.push("The text is in several languages: see each paragraph.".to_owned());
    }
    let mut listed = Vec::new();
    if languages.len() > 1 {
        listed = judged
            .into_iter()
            .map(|(range, judged)| Paragraph {
                span: places.span(&range),
                judged,
            })
            .collect();
        truncate_with_note(&mut listed, PARAGRAPHS_MAX, "paragraphs", &mut notes);
    }
    if whole.unsure.is_some() {
        notes.push("No language is certain: give a longer passage of running text.".to_owned());
    }
    let content = LanguageAnswer {
        whole,
        paragraphs: listed,
    };
    Ok(new_answer(
        "language",
        Content::Language(content),
        "script and letter trigrams (whatlang), checked against stop words of seven languages; per paragraph, the whole \
         by what most letters are in",
        notes,
    ))
}

const UNSURE: &str = "unsure";

/// The language of a text where it is one that has stop words.
pub(crate) fn detect_supported(text: &str) -> Result<SupportedLanguage, DetectedLanguage> {
    let mut judged = judge(text);
    if judged.unsure.is_some() {
        // The start may be a table or a title: the rest of the text may still tell.
        let parts: Vec<_> = paragraphs(text)
            .into_iter()
            .map(|range| (range.clone(), judge(&text[range])))
            .collect();
        judged = whole(text, &parts);
    }
    SupportedLanguage::from_code(judged.language).ok_or(judged)
}

/// Paragraphs: pieces between lines without text.
fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    let mut open = false;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.trim_end().len();
        at += line.len();
        if line.trim().is_empty() {
            open = false;
            continue;
        }
        match found.last_mut() {
            Some(last) if open => last.end = range.end,
            _ => {
                let indent = line.len() - line.trim_start().len();
                found.push(range.start + indent..range.end);
            }
        }
        open = true;
    }
    found.retain(|range| has_letter(&text[range.clone()]));
    found
}

/// The judgement of the parts that hold most of the text.
fn whole(text: &str, parts: &[(Range<usize>, DetectedLanguage)]) -> DetectedLanguage {
    let mut weights: BTreeMap<&str, usize> = BTreeMap::new();
    for (range, judged) in parts.iter().filter(|(_, judged)| judged.unsure.is_none()) {
        *weights.entry(judged.language).or_default() += range.len();
    }
    let heaviest = weights.iter().max_by_key(|(_, weight)| **weight);
    let Some((language, _)) = heaviest else {
        return judge(text);
    };
    let of_it = parts
        .iter()
        .filter(|(_, judged)| judged.language == *language);
    let longest = of_it.max_by_key(|(range, _)| range.len());
    longest.map_or_else(|| judge(text), |(_, judged)| judged.clone())
}

fn judge(text: &str) -> DetectedLanguage {
    let read = &text[..text.floor_char_boundary(READ_BYTES_MAX)];
    let letters = read.chars().filter(|c| c.is_alphabetic()).count();
    let Some(script) = whatlang::detect_script(read) else {
        return unsure("none", "there are no letters".to_owned(), Vec::new());
    };
    let own = script.langs().len() == 1 || script == Script::Mandarin;
    let needed = if own {
        OWN_SCRIPT_LETTERS_MIN
    } else {
        LETTERS_MIN
    };
    if letters < needed {
        let reason = format!("it has {letters} letters and needs at least {needed}");
        return unsure(script.name(), reason, Vec::new());
    }
    let Some(guess) = Detector::new().detect(read) else {
        return unsure(script.name(), "no language matches".to_owned(), Vec::new());
    };
    if own {
        return sure(guess.lang(), 1.0, script);
    }
    let votes = votes(read);
    let (first, lead) = match votes.as_slice() {
        [] => (None, 0),
        [first] => (Some(first), first.0),
        [first, second, ..] => (Some(first), first.0 - second.0),
    };
    if script == Script::Latin
        && let Some(&(count, language)) = first
        && count >= STOP_WORDS_MIN
        && lead >= STOP_WORDS_LEAD
    {
        let voted = to_whatlang(language);
        let confidence = if voted == guess.lang() {
            guess.confidence().max(CONFIDENCE_MIN)
        } else {
            share(count, lead)
        };
        return sure(voted, confidence, script);
    }
    let most = first.map_or(0, |(count, _)| *count);
    let voted = votes
        .iter()
        .any(|(count, language)| *count == most && to_whatlang(*language) == guess.lang());
    if script == Script::Latin && voted {
        return sure(guess.lang(), guess.confidence().max(AGREED), script);
    }
    let agrees =
        first.is_none_or(|(_, language)| to_whatlang(*language) == guess.lang()) || lead == 0;
    if guess.confidence() >= CONFIDENCE_MIN && agrees {
        return sure(guess.lang(), guess.confidence(), script);
    }
    let mut perhaps = vec![code(guess.lang())];
    if let Some((_, language)) = first
        && language.code() != perhaps[0]
    {
        perhaps.push(language.code());
    }
    unsure(
        script.name(),
        "its letters and its common words do not point to one language".to_owned(),
        perhaps,
    )
}

/// How far ahead the stop words of one language are, as a confidence below certainty.
fn share(count: usize, lead: usize) -> f64 {
    let share = lead as f64 / count as f64;
    libm::round((0.5 + 0.4 * share) * 100.0) / 100.0
}

/// How many words are stop words of each language, most first.
fn votes(text: &str) -> Vec<(usize, SupportedLanguage)> {
    let words: Vec<String> = words(text)
        .map(|range| text[range].to_lowercase().replace('’', "'"))
        .collect();
    let mut votes: Vec<(usize, SupportedLanguage)> = SupportedLanguage::ALL
        .iter()
        .map(|language| {
            let known = language.stop_words();
            let count = words.iter().filter(|word| known.contains(word.as_str()));
            (count.count(), *language)
        })
        .filter(|(count, _)| *count > 0)
        .collect();
    votes.sort_by_key(|(count, language)| (std::cmp::Reverse(*count), *language));
    votes
}

fn sure(lang: Lang, confidence: f64, script: Script) -> DetectedLanguage {
    DetectedLanguage {
        language: code(lang),
        name: lang.eng_name(),
        confidence: libm::round(confidence * 100.0) / 100.0,
        script: script.name().to_owned(),
        unsure: None,
    }
}

fn unsure(script: &str, reason: String, perhaps: Vec<&'static str>) -> DetectedLanguage {
    DetectedLanguage {
        language: UNSURE,
        name: UNSURE,
        confidence: 0.0,
        script: script.to_owned(),
        unsure: Some(Unsure { reason, perhaps }),
    }
}

fn to_whatlang(language: SupportedLanguage) -> Lang {
    match language {
        SupportedLanguage::English => Lang::Eng,
        SupportedLanguage::German => Lang::Deu,
        SupportedLanguage::French => Lang::Fra,
        SupportedLanguage::Spanish => Lang::Spa,
        SupportedLanguage::Italian => Lang::Ita,
        SupportedLanguage::Dutch => Lang::Nld,
        SupportedLanguage::Portuguese => Lang::Por,
    }
}

/// Two letters where ISO 639-1 has them for the languages that are met often.
fn code(lang: Lang) -> &'static str {
    match lang {
        Lang::Eng => "en",
        Lang::Deu => "de",
        Lang::Fra => "fr",
        Lang::Spa => "es",
        Lang::Ita => "it",
        Lang::Nld => "nl",
        Lang::Por => "pt",
        Lang::Swe => "sv",
        Lang::Dan => "da",
        Lang::Nob => "no",
        Lang::Fin => "fi",
        Lang::Pol => "pl",
        Lang::Ces => "cs",
        Lang::Slk => "sk",
        Lang::Slv => "sl",
        Lang::Hrv => "hr",
        Lang::Srp => "sr",
        Lang::Bul => "bg",
        Lang::Mkd => "mk",
        Lang::Ron => "ro",
        Lang::Hun => "hu",
        Lang::Est => "et",
        Lang::Lav => "lv",
        Lang::Lit => "lt",
        Lang::Ell => "el",
        Lang::Tur => "tr",
        Lang::Rus => "ru",
        Lang::Ukr => "uk",
        Lang::Bel => "be",
        Lang::Ara => "ar",
        Lang::Heb => "he",
        Lang::Pes => "fa",
        Lang::Hin => "hi",
        Lang::Ben => "bn",
        Lang::Tha => "th",
        Lang::Vie => "vi",
        Lang::Ind => "id",
        Lang::Cmn => "zh",
        Lang::Jpn => "ja",
        Lang::Kor => "ko",
        Lang::Cat => "ca",
        Lang::Lat => "la",
        other => other.code(),
    }
}
