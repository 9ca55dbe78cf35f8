//! Writes what the verdict on every question rests on and whether what is quoted is right, one question per line: what
//! `bench/reader/learn_confidence.py` learns from.

use std::io::Write;

use adjutant_reader::{Given, Question, Reading};
use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::is_right;

pub(crate) fn dump(
    into: &mut dyn Write,
    world: &str,
    key: &Value,
    reading: &Reading<'_>,
    given: &[Given<'_>],
) -> Result<()> {
    for key in key["questions"].as_array().context("questions")? {
        let text = key["question"].as_str().context("question")?;
        let question = Question::new(text);
        let Some(signs) = reading.signs(&question) else {
            continue;
        };
        let has_answer = key["unanswerable"] != true;
        let answer = reading.answer(&question);
        let line = json!({
            "world": world,
            "question": key["id"],
            "has_answer": has_answer,
            "is_right": has_answer && is_right(key, &answer, given, usize::MAX)?,
            "is_first_right": has_answer && is_right(key, &answer, given, 1)?,
            "fit": answer.fit,
            "signs": signs.0,
        });
        writeln!(into, "{line}")?;
    }
    Ok(())
}
