//! Runs the whole inspection: read, find, decode, rate, and remove what is invisible.

use std::ops::Range;

use crate::document::{Document, Shape};
use crate::encoded::{self, Decoded, Encoding};
use crate::finding::Finding;
use crate::markup::{self, Hidden, HidingMethod};
use crate::reading::{Disguise, DisguiseKind, Reading};
use crate::threat::{Inspected, Limits, Origin, Severity, Threat, ThreatKind};
use crate::{ciphers, delimiters, links, rules, scorer, snippets, spelling};

/// Broken or look-alike words in one text that count as deliberate.
const BROKEN_WORDS_MIN: usize = 3;
/// Words in styled letters that count as hiding a text; fewer are decoration.
const STYLED_WORDS_MIN: usize = 4;
/// Shorter decoded or hidden text is ignored.
const REVEALED_BYTES_MIN: usize = 6;

/// Inspects a text from outside before a model sees it.
pub fn inspect(text: &str, origin: Origin, limits: &Limits) -> Inspected {
    let cut = text.floor_char_boundary(limits.text_bytes_max.min(text.len()));
    let kept = &text[..cut];
    let mut inspection = Inspection::new(kept, limits.decode_depth_max);
    if cut < text.len() {
        let reason = format!(
            "longer than {} bytes; the rest was removed",
            limits.text_bytes_max
        );
        inspection.threats.push(Threat {
            kind: ThreatKind::TooLong,
            severity: Severity::Medium,
            span: cut..text.len(),
            reason,
        });
    }
    add_unreadable_characters(kept, &mut inspection.threats);
    let mut threats = inspection.threats;
    if origin.may_instruct() {
        threats.retain(|threat| threat.kind != ThreatKind::Instruction);
    }
    sort_and_limit(&mut threats, limits.threats_max);
    let (text, passages) = render_visible_text(
        kept,
        &inspection.reading,
        &inspection.hidden,
        origin,
        &threats,
    );
    Inspected {
        severity: threats.iter().map(|threat| threat.severity).max(),
        threats,
        text,
        passages,
    }
}

/// Replacement characters stand for bytes that were not valid text.
fn add_unreadable_characters(text: &str, threats: &mut Vec<Threat>) {
    let mut bad = text.match_indices('\u{FFFD}').map(|(at, _)| at);
    let Some(first) = bad.next() else { return };
    let count = 1 + bad.count();
    let severity = if count * 20 > text.len() {
        Severity::Medium
    } else {
        Severity::Low
    };
    let span = first..first + '\u{FFFD}'.len_utf8();
    let reason = format!("{count} characters could not be decoded");
    threats.push(Threat {
        kind: ThreatKind::BadEncoding,
        severity,
        span,
        reason,
    });
}

struct Inspection {
    reading: Reading,
    hidden: Vec<Hidden>,
    threats: Vec<Threat>,
}

impl Inspection {
    fn new(text: &str, depth: usize) -> Self {
        let reading = Reading::new(text);
        let hidden = markup::find_hidden_text(text);
        let mut findings = Vec::new();
        let decoded: Vec<Decoded>;
        {
            let document = Document::new(text, &reading);
            rules::find_threats(&document, &mut findings);
            scorer::find_threats(&document, &mut findings);
            let is_code = |at: usize| {
                let after = document
                    .sentences
                    .partition_point(|sentence| sentence.span.start <= at);
                let sentence = after
                    .checked_sub(1)
                    .and_then(|index| document.sentences.get(index));
                sentence.is_some_and(|sentence| sentence.shape == Shape::Code)
            };
            delimiters::find_threats(document.folded, is_code, &mut findings);
            links::find_threats(document.folded, &mut findings);
            encoded::find_threats(&document, &mut findings);
            snippets::find_threats(document.folded, &mut findings);
            decoded = encoded::decode(&reading.visible)
                .into_iter()
                .chain(ciphers::decode(&reading.visible))
                .chain(spelling::decode(&reading.visible))
                .collect();
        }
        let mut inspection = Self {
            threats: Vec::new(),
            reading,
            hidden,
        };
        inspection.add_findings(text, findings);
        inspection.add_disguises(depth);
        inspection.add_decoded(text, decoded, depth);
        inspection.add_hidden_parts();
        inspection
    }

    /// Findings in hidden or disguised text are one step more severe.
    fn add_findings(&mut self, text: &str, findings: Vec<Finding>) {
        let hidden_parts = merge_ranges(self.hidden.iter().map(|hidden| &hidden.span));
        let disguises = merge_ranges(self.reading.disguises.iter().map(|disguise| &disguise.span));
        for finding in findings {
            let span = self
                .reading
                .folded_offsets
                .source_range(&finding.span, text);
            let hidden = overlaps_any(&hidden_parts, &span);
            let disguised = overlaps_any(&disguises, &span);
            let (severity, reason) = match (hidden, disguised) {
                (true, _) => (
                    raise_severity(finding.severity),
                    format!("{}, in hidden text", finding.reason),
                ),
                (_, true) => (
                    raise_severity(finding.severity),
                    format!("{}, in disguised letters", finding.reason),
                ),
                _ => (finding.severity, finding.reason.to_owned()),
            };
            self.threats.push(Threat {
                kind: finding.kind,
                severity,
                span,
                reason,
            });
        }
    }

    fn add_disguises(&mut self, depth: usize) {
        let disguises = std::mem::take(&mut self.reading.disguises);
        let broken = disguises
            .iter()
            .filter(|disguise| {
                matches!(
                    disguise.kind,
                    DisguiseKind::BrokenWord | DisguiseKind::LookAlike
                )
            })
            .count();
        let styled = disguises
            .iter()
            .filter(|disguise| disguise.kind == DisguiseKind::Styled);
        let styled = styled.count();
        for disguise in &disguises {
            let (severity, reason) = match disguise.kind {
                DisguiseKind::Tags => (Severity::High, "contains invisible letters (Unicode tags)"),
                DisguiseKind::Variations => (
                    Severity::High,
                    "contains bytes hidden in variation selectors",
                ),
                DisguiseKind::Bits => (
                    Severity::High,
                    "contains bits hidden in zero-width characters",
                ),
                DisguiseKind::Styled if styled >= STYLED_WORDS_MIN => (
                    Severity::Medium,
                    "words are written in mathematical or enclosed letters",
                ),
                DisguiseKind::Styled => (
                    Severity::Low,
                    "a word is written in mathematical or enclosed letters",
                ),
                DisguiseKind::Reversed => (
                    Severity::Medium,
                    "is displayed in a different order than it is stored",
                ),
                DisguiseKind::BrokenWord if broken >= BROKEN_WORDS_MIN => {
                    (Severity::Medium, "words are split by zero-width characters")
                }
                DisguiseKind::BrokenWord => {
                    (Severity::Low, "a word is split by a zero-width character")
                }
                DisguiseKind::LookAlike if broken >= BROKEN_WORDS_MIN => (
                    Severity::Medium,
                    "words use look-alike letters of other scripts",
                ),
                DisguiseKind::LookAlike => (
                    Severity::Low,
                    "a word uses look-alike letters of another script",
                ),
                DisguiseKind::Directions => (
                    Severity::Low,
                    "contains characters that change the writing direction",
                ),
                DisguiseKind::Controls => (Severity::Low, "contains control characters"),
            };
            let severity = severity.max(self.revealed_severity(disguise, depth));
            let (kind, span) = (ThreatKind::HiddenText, disguise.span.clone());
            self.threats.push(Threat {
                kind,
                severity,
                span,
                reason: reason.to_owned(),
            });
        }
        self.reading.disguises = disguises;
    }

    fn revealed_severity(&self, disguise: &Disguise, depth: usize) -> Severity {
        if disguise.revealed.len() < REVEALED_BYTES_MIN || depth == 0 {
            return Severity::Low;
        }
        let inner = Self::new(&disguise.revealed, depth - 1);
        inner
            .threats
            .iter()
            .map(|threat| raise_severity(threat.severity))
            .max()
            .unwrap_or(Severity::Low)
    }

    fn add_decoded(&mut self, text: &str, decoded: Vec<Decoded>, depth: usize) {
        for Decoded {
            span,
            text: plain,
            encoding,
        } in decoded
        {
            if depth == 0 || plain.len() < REVEALED_BYTES_MIN {
                continue;
            }
            let inner = Self::new(&plain, depth - 1);
            // Encoded images and programs contain control characters; that alone means nothing.
            let bytes = |threat: &Threat| {
                threat.kind == ThreatKind::HiddenText && threat.severity == Severity::Low
            };
            // Search terms and form templates in URLs contain requests and placeholders.
            let at_home = |threat: &Threat| match threat.kind {
                ThreatKind::Instruction => true,
                ThreatKind::DelimiterForgery => threat.severity < Severity::High,
                _ => false,
            };
            let counts = |threat: &&Threat| {
                !bytes(threat) && (encoding != Encoding::UrlEscapes || !at_home(threat))
            };
            let grave = inner
                .threats
                .iter()
                .filter(counts)
                .max_by_key(|threat| threat.severity);
            let (severity, reason) = match grave {
                Some(threat) => (
                    raise_severity(threat.severity),
                    format!("encoded: {}", threat.reason),
                ),
                None if encoding == Encoding::LetterCipher => {
                    (Severity::Medium, "text in a letter cipher".to_owned())
                }
                None => (Severity::Low, "encoded text".to_owned()),
            };
            let span = self.reading.visible_offsets.source_range(&span, text);
            self.threats.push(Threat {
                kind: ThreatKind::EncodedText,
                severity,
                span,
                reason,
            });
        }
    }

    fn add_hidden_parts(&mut self) {
        for hidden in &self.hidden {
            let (severity, reason) = match hidden.method {
                HidingMethod::Comment => (Severity::Low, "a comment that is not displayed"),
                HidingMethod::NotShown => (Severity::Low, "an element that is not displayed"),
                HidingMethod::Unreadable => {
                    (Severity::Medium, "an element styled to be unreadable")
                }
                HidingMethod::Title => continue,
            };
            if !hidden.span.is_empty() {
                let (kind, span) = (ThreatKind::HiddenText, hidden.span.clone());
                self.threats.push(Threat {
                    kind,
                    severity,
                    span,
                    reason: reason.to_owned(),
                });
            }
        }
    }
}

fn raise_severity(severity: Severity) -> Severity {
    match severity {
        Severity::Low => Severity::Medium,
        Severity::Medium | Severity::High => Severity::High,
    }
}

/// Merges ranges that overlap or touch; the result is sorted.
fn merge_ranges<'a>(ranges: impl Iterator<Item = &'a Range<usize>>) -> Vec<Range<usize>> {
    let mut sorted: Vec<_> = ranges.cloned().collect();
    sorted.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in sorted {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

fn overlaps_any(merged: &[Range<usize>], span: &Range<usize>) -> bool {
    let first = merged.partition_point(|range| range.end <= span.start);
    merged
        .get(first)
        .is_some_and(|range| range.start < span.end)
}

/// Keeps one threat per kind and location, and the most severe ones if there are too many.
fn sort_and_limit(threats: &mut Vec<Threat>, most: usize) {
    threats.sort_by(|a, b| {
        b.severity
            .cmp(&a.severity)
            .then(a.span.start.cmp(&b.span.start))
            .then(a.kind.cmp(&b.kind))
            .then(a.span.end.cmp(&b.span.end))
    });
    threats.dedup_by(|later, earlier| {
        later.kind == earlier.kind && later.span.start == earlier.span.start
    });
    threats.truncate(most);
    threats.sort_by(|a, b| {
        a.span
            .start
            .cmp(&b.span.start)
            .then(b.severity.cmp(&a.severity))
            .then(a.kind.cmp(&b.kind))
    });
}

/// The visible text, and the ranges in it that `fence` marks.
fn render_visible_text(
    text: &str,
    reading: &Reading,
    hidden: &[Hidden],
    origin: Origin,
    threats: &[Threat],
) -> (String, Vec<Range<usize>>) {
    let mut visible = String::with_capacity(reading.visible.len());
    let mut back = crate::offsets::Offsets::default();
    let mut at = 0;
    let mut write = |range: Range<usize>, visible: &mut String| {
        let piece = reading.visible.get(range.clone()).unwrap_or_default();
        for (offset, letter) in piece.char_indices() {
            back.record(
                visible.len(),
                reading.visible_offsets.to_source(range.start + offset),
            );
            visible.push(letter);
        }
    };
    for part in hidden {
        // A person's own markup is part of their question.
        if origin.may_instruct() || part.method == HidingMethod::Title {
            continue;
        }
        let start = reading.visible_offsets.to_derived(part.span.start).max(at);
        let end = reading.visible_offsets.to_derived(part.span.end).max(start);
        write(at..start, &mut visible);
        at = end;
    }
    write(at..reading.visible.len(), &mut visible);
    let mut passages: Vec<Range<usize>> = Vec::new();
    for threat in threats
        .iter()
        .filter(|threat| threat.severity >= Severity::Medium && threat.span.end <= text.len())
    {
        let start =
            visible.floor_char_boundary(back.to_derived(threat.span.start).min(visible.len()));
        let end = visible.ceil_char_boundary(back.to_derived(threat.span.end).min(visible.len()));
        match passages.last_mut() {
            _ if start >= end => {}
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => passages.push(start..end),
        }
    }
    (visible, passages)
}
