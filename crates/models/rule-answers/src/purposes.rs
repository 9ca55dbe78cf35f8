//! One module for each purpose.

use adjutant_questions::Evidence;

use crate::text::clipped;

mod act;
mod causes;
mod cells;
mod cite;
mod cluster;
mod compare;
mod conclude;
mod conflicts;
mod constitution;
mod contradictions;
mod criticism;
mod draft;
mod extract;
mod flag;
mod gaps;
mod grade;
mod hypothesize;
mod object;
mod plan;
mod route;
mod scenarios;
mod score;
mod split;
mod summarize;
mod think;
mod thoughts;
mod timeline;
mod weigh;

pub(crate) use act::act;
pub(crate) use causes::causes;
pub(crate) use cite::cite;
pub(crate) use cluster::cluster;
pub(crate) use compare::compare;
pub(crate) use conclude::conclude;
pub(crate) use constitution::constitution;
pub(crate) use draft::draft;
pub(crate) use extract::extract;
pub(crate) use flag::flag;
pub(crate) use gaps::gaps;
pub(crate) use grade::grade;
pub(crate) use hypothesize::hypothesize;
pub(crate) use object::object;
pub(crate) use plan::plan;
pub(crate) use route::route;
pub(crate) use scenarios::scenarios;
pub(crate) use score::score;
pub(crate) use split::split;
pub(crate) use summarize::summarize;
pub(crate) use think::think;
pub(crate) use timeline::timeline;
pub(crate) use weigh::weigh;

const OPEN_CHARS_MAX: usize = 230;
const EVIDENCE_MAX: usize = 5;

/// The question itself, if nothing was found on it.
fn nothing_on(question: &str, is_empty: bool) -> Vec<String> {
    let question = clipped(question, OPEN_CHARS_MAX);
    let open = (is_empty && !question.is_empty()).then_some(question);
    open.into_iter().collect()
}

/// Adds evidence, each piece once.
fn join(known: &mut Vec<Evidence>, more: Vec<Evidence>) {
    for one in more {
        if known.len() < EVIDENCE_MAX && !known.contains(&one) {
            known.push(one);
        }
    }
}
