//! Where sentences begin and end. Lines that are headings or points of a list stand for themselves.

mod abbreviations;
mod cuts;
mod lines;
mod stops;

use std::ops::Range;

pub use cuts::cut_points;

/// The sentences of a text as byte ranges, in order, without white space around them.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for block in lines::blocks(text) {
        let mut start = block.start;
        for end in stops::sentence_ends(&text[block.clone()]) {
            keep(text, start..block.start + end, &mut found);
            start = block.start + end;
        }
        keep(text, start..block.end, &mut found);
    }
    found
}

fn keep(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let piece = &text[range.clone()];
    let trimmed = piece.trim();
    if trimmed.is_empty() {
        return;
    }
    let start = range.start + (piece.len() - piece.trim_start().len());
    let range = start..start + trimmed.len();
    // What has no letter or digit belongs to the sentence before it.
    let bare = !trimmed.chars().any(char::is_alphanumeric);
    match found.last_mut() {
        Some(last)
            if bare && last.end <= range.start && !text[last.end..range.start].contains('\n') =>
        {
            last.end = range.end;
        }
        _ if bare => {}
        _ => found.push(range),
    }
}
