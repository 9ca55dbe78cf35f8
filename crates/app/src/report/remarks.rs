//! What the constitutional checks add to a report: safety warnings, and the passages that are to be looked at.

use adjutant_constitution::{Area, Finding};
use adjutant_document_model::{Block, Callout, Document, Span, Tone};

use crate::constitution::{ByModel, Released};

/// Further passages are counted.
const PASSAGES_SHOWN_MAX: usize = 5;
const PASSAGE_CHARS_MAX: usize = 160;

pub(super) fn add(document: &mut Document, released: &Released) {
    document.summary.extend(safety_warning(released));
    document.summary.extend(flagged(released));
    document.summary.extend(model_missing(&released.by_model));
    if released.overruled > 0 {
        let text = format!(
            "A person overruled {} of the constitutional checks and gave the reason; see the decisions.",
            count(released.overruled, "finding")
        );
        document
            .summary
            .push(callout(Tone::Note, "Overruled", &text));
    }
}

/// Nothing clinical without a caveat.
fn safety_warning(released: &Released) -> Option<Block> {
    let medical = released.check.area(Area::MedicalSafety)?;
    if medical.triggers.is_empty() {
        return None;
    }
    let text = format!(
        "This report contains {}. It is no medical advice: the current label and the guidance of the authorities come first, \
         and treatment is decided by a qualified professional.",
        medical.triggers.join(", ")
    );
    Some(callout(Tone::Warning, "Medical safety", &text))
}

/// A check by a model was to be made, and is not what it should be.
fn model_missing(by_model: &ByModel) -> Option<Block> {
    let text = match by_model {
        ByModel::NotAsked | ByModel::Complete => return None,
        ByModel::Incomplete(missing) => format!(
            "The constitutional checks by a model are incomplete ({missing}). The rest was checked by rules alone, which see \
             words and not meaning."
        ),
        ByModel::OfAnotherText => "This is not word for word the text that a model checked. The rules checked it again; what \
                                   the model found holds where its words are still there."
            .to_owned(),
    };
    Some(callout(Tone::Note, "Checked by rules", &text))
}

fn flagged(released: &Released) -> Option<Block> {
    let findings = &released.check.findings;
    let open: Vec<&Finding> = findings
        .iter()
        .filter(|finding| finding.area != Area::HarmfulContent)
        .collect();
    if open.is_empty() {
        return None;
    }
    let shown = open.iter().take(PASSAGES_SHOWN_MAX).map(|finding| {
        let passage = shortened(&finding.excerpt);
        format!("{}: {} (“{passage}”)", finding.area.title(), finding.reason)
    });
    let mut text: Vec<String> = shown.collect();
    let more = open.len() - text.len() + released.check.not_listed;
    if more > 0 {
        text.push(format!("And {}.", count(more, "more passage")));
    }
    Some(callout(Tone::Note, "To be looked at", &text.join(" ")))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(PASSAGE_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

fn callout(tone: Tone, title: &str, text: &str) -> Block {
    Block::Callout(Callout {
        tone,
        title: title.to_owned(),
        text: vec![Span {
            text: text.to_owned(),
            ..Span::default()
        }],
    })
}
