//! The formulas, from counts alone.

use serde::Serialize;

/// What the formulas need of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Counts {
    pub(super) sentences: usize,
    pub(super) words: usize,
    pub(super) letters: usize,
    pub(super) syllables: usize,
    pub(super) three_syllables: usize,
    pub(super) one_syllable: usize,
    /// Words of more than six letters.
    pub(super) long_words: usize,
    /// Words of three syllables that are hard in Gunning's sense.
    pub(super) hard_words: usize,
}

/// One figure and what it means.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measure {
    pub name: &'static str,
    pub value: f64,
    pub meaning: String,
}

pub(super) fn rounded(value: f64) -> f64 {
    libm::round(value * 100.0) / 100.0
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

pub(super) fn flesch(counts: &Counts) -> f64 {
    206.835
        - 1.015 * share(counts.words, counts.sentences)
        - 84.6 * share(counts.syllables, counts.words)
}

pub(super) fn flesch_kincaid(counts: &Counts) -> f64 {
    0.39 * share(counts.words, counts.sentences) + 11.8 * share(counts.syllables, counts.words)
        - 15.59
}

pub(super) fn gunning_fog(counts: &Counts) -> f64 {
    0.4 * (share(counts.words, counts.sentences) + 100.0 * share(counts.hard_words, counts.words))
}

pub(super) fn smog(counts: &Counts) -> f64 {
    1.043 * libm::sqrt(30.0 * share(counts.three_syllables, counts.sentences)) + 3.1291
}

pub(super) fn coleman_liau(counts: &Counts) -> f64 {
    5.8 * share(counts.letters, counts.words) - 29.6 * share(counts.sentences, counts.words) - 15.8
}

pub(super) fn automated(counts: &Counts) -> f64 {
    4.71 * share(counts.letters, counts.words) + 0.5 * share(counts.words, counts.sentences) - 21.43
}

pub(super) fn amstad(counts: &Counts) -> f64 {
    180.0 - share(counts.words, counts.sentences) - 58.5 * share(counts.syllables, counts.words)
}

pub(super) fn wiener(counts: &Counts) -> f64 {
    let percent = |part: usize| 100.0 * share(part, counts.words);
    0.1935 * percent(counts.three_syllables)
        + 0.1672 * share(counts.words, counts.sentences)
        + 0.1297 * percent(counts.long_words)
        - 0.0327 * percent(counts.one_syllable)
        - 0.875
}

pub(super) fn english(counts: &Counts) -> Vec<Measure> {
    vec![
        measure("flesch_reading_ease", flesch(counts), ease(flesch(counts))),
        grade("flesch_kincaid_grade", flesch_kincaid(counts)),
        grade("gunning_fog", gunning_fog(counts)),
        grade("smog", smog(counts)),
        grade("coleman_liau", coleman_liau(counts)),
        grade("automated_readability_index", automated(counts)),
    ]
}

pub(super) fn german(counts: &Counts) -> Vec<Measure> {
    let level = wiener(counts);
    vec![
        measure("flesch_amstad", amstad(counts), ease(amstad(counts))),
        measure(
            "wiener_sachtextformel_1",
            level,
            format!(
                "about school year {:.0} of 4 (very easy) to 15 (very hard)",
                level.clamp(4.0, 15.0)
            ),
        ),
    ]
}

fn measure(name: &'static str, value: f64, meaning: impl Into<String>) -> Measure {
    Measure {
        name,
        value: rounded(value),
        meaning: meaning.into(),
    }
}

fn grade(name: &'static str, value: f64) -> Measure {
    let years = libm::round(value.max(1.0));
    let meaning = match years {
        years if years <= 12.0 => format!("about {years} years of school in the United States"),
        years if years <= 16.0 => "college".to_owned(),
        _ => "beyond college".to_owned(),
    };
    measure(name, value, meaning)
}

fn ease(score: f64) -> &'static str {
    match score {
        score if score >= 90.0 => "very easy",
        score if score >= 80.0 => "easy",
        score if score >= 70.0 => "fairly easy",
        score if score >= 60.0 => "plain",
        score if score >= 50.0 => "fairly hard",
        score if score >= 30.0 => "hard",
        _ => "very hard",
    }
}
