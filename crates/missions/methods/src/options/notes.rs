//! Changes to options and criteria that a person wrote into a note. Reads a few plain forms and lists what it could not
//! read; it never guesses.

use super::{CRITERIA_MAX, Choice, Dimension, Frame, OPTIONS_MAX, Origin};
use crate::method::Answer;
use crate::text::{plain, written};

const WITH_MY_NOTE: &str = "with_my_note";
const EQUAL_WEIGHTS: &str = "equal_weights";
const PARTS_MAX: usize = 40;
const WEIGHT_MAX: f64 = 1e6;

/// What became of the notes.
#[derive(Debug, Default)]
pub(super) struct Noted {
    pub(super) applied: Vec<String>,
    pub(super) not_understood: Vec<String>,
}

pub(super) fn amend(frame: &mut Frame, answers: &[Answer]) -> Noted {
    let mut noted = Noted::default();
    for answer in answers {
        match answer.option.as_deref() {
            Some(EQUAL_WEIGHTS) => {
                for one in &mut frame.criteria {
                    one.weight = 1.0;
                }
                noted
                    .applied
                    .push("All criteria have the same weight".to_owned());
            }
            Some(WITH_MY_NOTE) => read_note(frame, answer.note(), &mut noted),
            _ => {}
        }
    }
    noted
}

fn read_note(frame: &mut Frame, note: &str, noted: &mut Noted) {
    for part in note.split([';', '\n']).take(PARTS_MAX) {
        let part = plain(part);
        let part = part.trim_end_matches('.').trim();
        if part.is_empty() || is_of_limits(part) {
            continue;
        }
        match change(frame, part) {
            Some(applied) => noted.applied.push(applied),
            None => noted.not_understood.push(part.to_owned()),
        }
    }
}

/// `limit: TEXT` and `without limit NUMBER` are for the list of limits to read.
fn is_of_limits(part: &str) -> bool {
    let number = part.strip_prefix("without limit ");
    part.starts_with("limit:")
        || number.is_some_and(|number| number.trim().parse::<usize>().is_ok())
}

fn change(frame: &mut Frame, part: &str) -> Option<String> {
    if let Some(name) = after_word(part, &["without", "drop", "remove", "leave out"]) {
        return leave_out(frame, name);
    }
    if let Some(name) = after_word(part, &["add option", "add the option"]) {
        let made = Choice::new(
            name.trim_start_matches(':').trim(),
            Origin::Note,
            Vec::new(),
        );
        let name = made.name.clone();
        let is_added = frame.options.len() < OPTIONS_MAX && frame.add_option(made);
        return is_added.then(|| format!("The option {name} was added"));
    }
    if let Some(rest) = after_word(part, &["add"]) {
        let (name, weight) = match rest.split_once('(') {
            Some((name, inner)) => (
                name,
                weight(after_word(inner.trim_end_matches(')'), &["weight"])?)?,
            ),
            None => (rest, 1.0),
        };
        let made = Dimension {
            weight,
            ..Dimension::new(name, Origin::Note, Vec::new())
        };
        let name = made.name.clone();
        let is_added = frame.criteria.len() < CRITERIA_MAX && frame.add_criterion(made);
        return is_added.then(|| {
            format!(
                "The criterion {name} was added with weight {}",
                written(weight)
            )
        });
    }
    let (name, what) = part.split_once(':')?;
    let value = weight(after_word(what.trim(), &["weight"])?)?;
    let at = frame.criterion(name.trim())?;
    frame.criteria[at].weight = value;
    Some(format!(
        "{} has the weight {}",
        frame.criteria[at].name,
        written(value)
    ))
}

fn leave_out(frame: &mut Frame, name: &str) -> Option<String> {
    let name = name.trim_start_matches("the ").trim();
    let left_out = if let Some(at) = frame.option(name) {
        frame.options.remove(at).name
    } else {
        let at = frame.criterion(name)?;
        frame.criteria.remove(at).name
    };
    Some(format!("{left_out} was left out"))
}

fn weight(text: &str) -> Option<f64> {
    let value: f64 = text
        .trim()
        .trim_start_matches(['=', ':'])
        .trim()
        .parse()
        .ok()?;
    (value > 0.0 && value <= WEIGHT_MAX).then_some(value)
}

/// What follows one of these words at the beginning.
fn after_word<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    words.iter().find_map(|word| {
        let (head, rest) = text.split_at_checked(word.len())?;
        (head.eq_ignore_ascii_case(word) && rest.starts_with([' ', ':'])).then(|| rest.trim())
    })
}
