//! The child parsed a stranger's file, so its answer is not believed either: it must hold together.

use adjutant_knowledge_index::{Document, Form};

use crate::writing::OMISSIONS_MAX;
use crate::{Limits, ReadFailure};

const ABOUT_BYTES_MAX: usize = 4096;
const OMISSION_BYTES_MAX: usize = 1024;

pub(crate) fn check(document: &Document, limits: &Limits) -> Result<(), ReadFailure> {
    let wrong = |what: &str| {
        Err(ReadFailure::Crashed {
            what: format!("its answer does not hold together: {what}"),
        })
    };
    if document.text.len() as u64 > limits.text_bytes_max {
        return wrong("the text is too long");
    }
    if document.parts.is_empty() || document.parts.len() as u64 > limits.parts_max {
        return wrong("the number of parts");
    }
    if document
        .text
        .chars()
        .any(|character| character.is_control() && !matches!(character, '\n' | '\t'))
    {
        return wrong("control characters in the text");
    }
    let mut end = 0;
    for part in &document.parts {
        let inside = document
            .text
            .get(part.span.start as usize..part.span.end as usize);
        if part.span.start < end || inside.is_none_or(str::is_empty) {
            return wrong("the place of a part");
        }
        if matches!(part.form, Form::Heading(level) if !(1..=9).contains(&level)) {
            return wrong("the level of a heading");
        }
        end = part.span.end;
    }
    let about = [&document.title, &document.author, &document.date];
    let too_long = about
        .into_iter()
        .flatten()
        .any(|text| text.len() > ABOUT_BYTES_MAX || text.chars().any(char::is_control));
    if too_long {
        return wrong("what it says of itself");
    }
    let mut omissions = document.omissions.iter();
    if omissions.len() > OMISSIONS_MAX
        || omissions
            .any(|text| text.len() > OMISSION_BYTES_MAX || text.chars().any(char::is_control))
    {
        return wrong("what was left out");
    }
    Ok(())
}
