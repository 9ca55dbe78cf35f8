//! The constitutional checks of missions: the tool that records one, and what every exit asks before it lets a text out.

mod overrule;
mod release;
mod texts;
mod tool;

pub use overrule::{overrule_all, review_answer};
pub use release::{BLOCKED, Release, Released, check_result, is_check};
pub use tool::{TOOL, check_in_words};

pub(crate) use tool::checking_tool;

/// A line of text as it may be shown: itself, or a mark in its place if the rules block it.
pub fn shown(text: String) -> String {
    match adjutant_constitution::is_blocked(&text, &|_| false) {
        true => adjutant_constitution::WITHHELD.to_owned(),
        false => text,
    }
}
