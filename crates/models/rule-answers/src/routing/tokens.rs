//! A question as a row of words: their stems, where they stand, and where a part of a sentence ends.

use crate::text::{Stems, words};

/// What is read of a question. Longer ones say what they want in the beginning.
pub(crate) const TOKENS_MAX: usize = 400;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Form {
    /// The stem of a word in lower case.
    Word(String),
    /// Something that begins with a digit.
    Number,
    /// A year of this century.
    Year,
    /// A capital within a sentence: a name, of which the letters say nothing.
    Name,
}

impl Form {
    pub(crate) fn key(&self) -> &str {
        match self {
            Self::Word(stem) => stem,
            Self::Number => "#",
            Self::Year => "#year",
            Self::Name => "@",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    /// The end of a sentence or of a part of one, or the beginning of the text.
    Stop,
    Comma,
    Nothing,
}

#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) form: Form,
    pub(crate) before: Before,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

pub(crate) fn tokens(text: &str, stems: &mut Stems) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    for word in words(text).into_iter().take(TOKENS_MAX) {
        let between = &text[found.last().map_or(0, |last| last.end)..word.start];
        let before = match between {
            _ if found.is_empty() => Before::Stop,
            _ if between.contains(['.', '?', '!', ':', ';', '\n']) => Before::Stop,
            _ if between.contains(',') => Before::Comma,
            _ => Before::Nothing,
        };
        found.push(Token {
            form: form(word.text, before, stems),
            before,
            start: word.start,
            end: word.end,
        });
    }
    found
}

fn form(word: &str, before: Before, stems: &mut Stems) -> Form {
    if word.starts_with(|char: char| char.is_numeric()) {
        let is_year = word.len() == 4 && word.starts_with("20") && word.parse::<u16>().is_ok();
        return if is_year { Form::Year } else { Form::Number };
    }
    let small = word.to_lowercase().replace('’', "'");
    let is_capital = word.starts_with(char::is_uppercase);
    let is_speaker = small == "i" || small.starts_with("i'");
    match is_capital && before != Before::Stop && !is_speaker {
        true => Form::Name,
        false => Form::Word(stems.stem(&small).to_owned()),
    }
}
