//! A draft's Markdown as blocks: its numbers become citations of passages.

use adjutant_document_model::{Block, Span};
use adjutant_questions::{Drafted, Evidence};
use regex::Regex;

use crate::pattern::Pattern;

use crate::builder::{Builder, Nature, in_a_row};
use crate::text::{capital, plain, short};

const BLOCKS_MAX: usize = 120;
/// Words that link a sentence to the one before it.
const LINKS: [&str; 4] = [
    "In addition, ",
    "In addition: ",
    "By contrast, ",
    "By contrast: ",
];

static NUMBERS: Pattern = Pattern::new(|| Regex::new(r"\s*\[(\d{1,4}(?:\s*,\s*\d{1,4})*)\]"));

pub(crate) fn blocks(builder: &mut Builder<'_>, draft: &Drafted) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut items: Vec<Vec<Span>> = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    for line in draft.text.lines().chain([""]) {
        let line = line.trim();
        let item = ["- ", "* ", "• "]
            .iter()
            .find_map(|mark| line.strip_prefix(mark));
        let heading = line.starts_with('#').then(|| line.trim_start_matches('#'));
        if (line.is_empty() || item.is_some() || heading.is_some()) && !lines.is_empty() {
            let spans = spans(builder, &lines.join(" "), &draft.citations);
            lines.clear();
            if !spans.is_empty() {
                blocks.push(Block::Paragraph(spans));
            }
        }
        if item.is_none() && !items.is_empty() {
            blocks.push(Block::Bullets(std::mem::take(&mut items)));
        }
        match (item, heading) {
            (Some(item), _) => {
                let spans = spans(builder, item, &draft.citations);
                if !spans.is_empty() {
                    items.push(spans);
                }
            }
            (_, Some(heading)) => {
                let heading = short(&heading.replace(['*', '`'], ""), 120);
                if !heading.is_empty() {
                    blocks.push(Block::Heading(heading));
                }
            }
            _ if line.is_empty() => {}
            _ => lines.push(line),
        }
    }
    if !items.is_empty() {
        blocks.push(Block::Bullets(items));
    }
    blocks.truncate(BLOCKS_MAX);
    without_empty_headings(blocks)
}

/// A heading whose text was all said before would announce nothing.
fn without_empty_headings(blocks: Vec<Block>) -> Vec<Block> {
    let mut kept: Vec<Block> = Vec::new();
    for block in blocks {
        if matches!(block, Block::Heading(_)) && matches!(kept.last(), Some(Block::Heading(_))) {
            kept.pop();
        }
        kept.push(block);
    }
    if matches!(kept.last(), Some(Block::Heading(_))) {
        kept.pop();
    }
    kept
}

/// The sentences of a paragraph. Its numbers stand behind a sentence, before or after its full stop.
fn spans(builder: &mut Builder<'_>, text: &str, citations: &[Evidence]) -> Vec<Span> {
    let text = plain(&text.replace(['*', '`'], ""));
    // Numbers after a full stop are drawn before it, so that they stay with their sentence.
    let text = BEHIND.replace_all(&text, "$2$1");
    let mut spans = Vec::new();
    for range in adjutant_rule_answers::sentences(&text) {
        let said = &text[range];
        let evidence: Vec<Evidence> = NUMBERS
            .captures_all(said)
            .into_iter()
            .flat_map(|found| {
                let list = found.get(1).map(|at| at.as_str()).unwrap_or_default();
                list.split(',')
                    .map(|at| at.trim().to_owned())
                    .collect::<Vec<_>>()
            })
            .filter_map(|number| number.parse::<usize>().ok()?.checked_sub(1))
            .filter_map(|at| citations.get(at).cloned())
            .collect();
        let bare = NUMBERS.replace_all(said, "");
        // What it was linked to may have been said before.
        let link = LINKS.iter().find_map(|link| bare.trim().strip_prefix(link));
        let said = match link.filter(|_| spans.is_empty()) {
            Some(rest) => capital(rest),
            None => bare.to_string(),
        };
        spans.extend(builder.statement(&said, &evidence, Nature::Fact));
    }
    in_a_row(spans)
}

static BEHIND: Pattern =
    Pattern::new(|| Regex::new(r"([.!?])((?:\s*\[\d{1,4}(?:\s*,\s*\d{1,4})*\])+)"));

#[cfg(test)]
pub(crate) const PATTERNS: &[&Pattern] = &[&NUMBERS, &BEHIND];
