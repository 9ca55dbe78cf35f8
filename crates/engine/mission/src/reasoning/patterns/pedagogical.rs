//! Understanding by teaching: the matter is put into lessons, each is explained and the explanation tested by what a
//! learner would ask; all explanations are weighed, and those that do not reach the threshold are given once more.

use alloc::vec::Vec;

use super::super::StepRole;
use super::super::run::{Halt, Run, with};

const LESSONS_MAX: u16 = 6;

struct Lesson {
    part: Option<(u16, u16)>,
    explanation: u16,
    check: u16,
}

pub(super) fn play(run: &mut Run<'_>, given: &[u16]) -> Result<Vec<u16>, Halt> {
    let split = run.split(StepRole::Lessons, given.to_vec())?;
    let mut parts: Vec<Option<(u16, u16)>> = split
        .parts(LESSONS_MAX)
        .map(|lesson| Some((split.number, lesson)))
        .collect();
    let mut ground = given.to_vec();
    if parts.is_empty() {
        // It cannot be put into lessons: it is one.
        parts.push(None);
        ground.push(split.number);
    }
    let mut lessons: Vec<Lesson> = Vec::new();
    for part in parts {
        // Lessons build on those before them.
        let before: Vec<u16> = lessons.iter().map(|lesson| lesson.explanation).collect();
        let uses = with(&ground, &before);
        let explanation = run.think_of_part(StepRole::Explain, 1, uses, part)?.number;
        let check = run
            .think_of_part(
                StepRole::CheckUnderstanding,
                1,
                [explanation].to_vec(),
                part,
            )?
            .number;
        lessons.push(Lesson {
            part,
            explanation,
            check,
        });
    }
    let explanations: Vec<u16> = lessons.iter().map(|lesson| lesson.explanation).collect();
    let weighed = run.weigh(StepRole::Fit, 1, explanations.clone())?;
    if run.iterations() < SECOND {
        return Ok(explanations);
    }
    let mut understood = Vec::new();
    for (place, lesson) in lessons.iter().enumerate() {
        understood.push(if weighed.score(place) < run.threshold() {
            let uses = with(given, &[lesson.explanation, lesson.check]);
            run.think_of_part(StepRole::Explain, SECOND, uses, lesson.part)?
                .number
        } else {
            lesson.explanation
        });
    }
    Ok(understood)
}

/// The round in which lessons are explained once more, if there may be a second.
const SECOND: u16 = 2;

pub(super) fn steps_max(iterations: u32) -> u32 {
    let lessons = u32::from(LESSONS_MAX);
    let once_more = if iterations < u32::from(SECOND) {
        0
    } else {
        lessons
    };
    1 + 2 * lessons + 1 + once_more
}
