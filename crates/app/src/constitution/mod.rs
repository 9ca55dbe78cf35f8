//! The constitutional checks of missions: the tool that records one, and what every exit asks before it lets a text out.

mod answers;
mod overrule;
mod pieces;
mod release;
mod texts;
mod tool;

pub use answers::found_by_model;
pub use overrule::{RESULT_BLOCKED, overrule_all, review_answer};
pub use pieces::{Cut, PIECES, cut};
pub use release::{BLOCKED, ByModel, Release, Released, check_result, is_check};
pub use tool::{ModelCheck, TOOL, check_in_words};

pub(crate) use tool::checking_tools;

use adjutant_constitution::{Remembered, WITHHELD, is_blocked};

/// A line of text as it may be shown: itself, or a mark in its place if the rules block it.
pub fn shown(text: String) -> String {
    let nothing_before = Remembered::default();
    match is_blocked(&text, &nothing_before, &|_| false) {
        true => WITHHELD.to_owned(),
        false => text,
    }
}
