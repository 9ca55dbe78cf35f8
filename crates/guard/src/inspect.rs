//! Puts the looking together: read, look, decode, weigh, and take out what is not seen.

use std::ops::Range;

use crate::document::{Document, Shape};
use crate::encoded::{self, Coat, Decoded};
use crate::finding::Finding;
use crate::markup::{self, Hidden, Hiding};
use crate::reading::{Disguise, Reading, Trick};
use crate::threat::{Inspected, Limits, Origin, Severity, Threat, ThreatKind};
use crate::{ciphers, delimiters, links, rules, scorer, snippets, spelling};

/// Broken or look-alike words in one text before it is taken for a trick.
const BROKEN_WORDS_MIN: usize = 3;
/// Words of drawn letters from which on a text hides behind them; one or two are ornament.
const STYLED_WORDS_MIN: usize = 4;
/// Decoded or hidden text shorter than this says nothing.
const SAYING_BYTES_MIN: usize = 6;

/// Looks at a text from outside before a model sees it.
pub fn inspect(text: &str, origin: Origin, limits: &Limits) -> Inspected {
    let cut = text.floor_char_boundary(limits.text_bytes_max.min(text.len()));
    let kept = &text[..cut];
    let mut look = Look::at(kept, limits.decode_depth_max);
    if cut < text.len() {
        let reason = format!(
            "longer than {} bytes; the rest was left out",
            limits.text_bytes_max
        );
        look.threats.push(Threat {
            kind: ThreatKind::TooLong,
            severity: Severity::Medium,
            span: cut..text.len(),
            reason,
        });
    }
    bad_letters(kept, &mut look.threats);
    let mut threats = look.threats;
    if origin.may_instruct() {
        threats.retain(|threat| threat.kind != ThreatKind::Instruction);
    }
    tidy(&mut threats, limits.threats_max);
    let (text, passages) = visible(kept, &look.reading, &look.hidden, origin, &threats);
    Inspected {
        severity: threats.iter().map(|threat| threat.severity).max(),
        threats,
        text,
        passages,
    }
}

/// Letters that stand for bytes that were none.
fn bad_letters(text: &str, threats: &mut Vec<Threat>) {
    let mut bad = text.match_indices('\u{FFFD}').map(|(at, _)| at);
    let Some(first) = bad.next() else { return };
    let count = 1 + bad.count();
    let severity = if count * 20 > text.len() {
        Severity::Medium
    } else {
        Severity::Low
    };
    let span = first..first + '\u{FFFD}'.len_utf8();
    let reason = format!("{count} letters could not be read");
    threats.push(Threat {
        kind: ThreatKind::BadEncoding,
        severity,
        span,
        reason,
    });
}

struct Look {
    reading: Reading,
    hidden: Vec<Hidden>,
    threats: Vec<Threat>,
}

impl Look {
    fn at(text: &str, depth: usize) -> Self {
        let reading = Reading::of(text);
        let hidden = markup::find(text);
        let mut findings = Vec::new();
        let decoded: Vec<Decoded>;
        {
            let document = Document::of(text, &reading);
            rules::find(&document, &mut findings);
            scorer::find(&document, &mut findings);
            let is_code = |at: usize| {
                let after = document
                    .sentences
                    .partition_point(|sentence| sentence.span.start <= at);
                let sentence = after
                    .checked_sub(1)
                    .and_then(|index| document.sentences.get(index));
                sentence.is_some_and(|sentence| sentence.shape == Shape::Code)
            };
            delimiters::find(document.view, is_code, &mut findings);
            links::find(document.view, &mut findings);
            encoded::find(&document, &mut findings);
            snippets::find(document.view, &mut findings);
            decoded = encoded::decode(&reading.seen)
                .into_iter()
                .chain(ciphers::decode(&reading.seen))
                .chain(spelling::decode(&reading.seen))
                .collect();
        }
        let mut look = Self {
            threats: Vec::new(),
            reading,
            hidden,
        };
        look.findings(text, findings);
        look.disguises(depth);
        look.decoded(text, decoded, depth);
        look.hidden_parts();
        look
    }

    /// Found where nobody looks, or in letters made to be overlooked, the same words weigh more.
    fn findings(&mut self, text: &str, findings: Vec<Finding>) {
        let hidden_parts = merged(self.hidden.iter().map(|hidden| &hidden.span));
        let disguises = merged(self.reading.disguises.iter().map(|disguise| &disguise.span));
        for finding in findings {
            let span = self.reading.view_back.back_range(&finding.span, text);
            let hidden = meets_any(&hidden_parts, &span);
            let disguised = meets_any(&disguises, &span);
            let (severity, reason) = match (hidden, disguised) {
                (true, _) => (
                    raised(finding.severity),
                    format!("{}, out of sight", finding.reason),
                ),
                (_, true) => (
                    raised(finding.severity),
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

    fn disguises(&mut self, depth: usize) {
        let disguises = std::mem::take(&mut self.reading.disguises);
        let broken = disguises
            .iter()
            .filter(|disguise| matches!(disguise.trick, Trick::BrokenWord | Trick::LookAlike))
            .count();
        let styled = disguises
            .iter()
            .filter(|disguise| disguise.trick == Trick::Styled);
        let styled = styled.count();
        for disguise in &disguises {
            let (severity, reason) = match disguise.trick {
                Trick::Tags => (Severity::High, "holds letters that are never shown"),
                Trick::Variations => (Severity::High, "holds bytes in marks that are never shown"),
                Trick::Bits => (Severity::High, "holds bits in letters without width"),
                Trick::Styled if styled >= STYLED_WORDS_MIN => (
                    Severity::Medium,
                    "words are drawn with signs of mathematics",
                ),
                Trick::Styled => (Severity::Low, "a word is drawn with signs of mathematics"),
                Trick::Reversed => (
                    Severity::Medium,
                    "is shown in another order than it is read",
                ),
                Trick::BrokenWord if broken >= BROKEN_WORDS_MIN => (
                    Severity::Medium,
                    "words are broken up by letters without width",
                ),
                Trick::BrokenWord => (
                    Severity::Low,
                    "a word is broken up by a letter without width",
                ),
                Trick::LookAlike if broken >= BROKEN_WORDS_MIN => {
                    (Severity::Medium, "words mix letters of several scripts")
                }
                Trick::LookAlike => (Severity::Low, "a word mixes letters of several scripts"),
                Trick::Directions => (
                    Severity::Low,
                    "holds marks that change the direction of writing",
                ),
                Trick::Controls => (Severity::Low, "holds control characters"),
            };
            let severity = severity.max(self.saying(disguise, depth));
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

    fn saying(&self, disguise: &Disguise, depth: usize) -> Severity {
        if disguise.says.len() < SAYING_BYTES_MIN || depth == 0 {
            return Severity::Low;
        }
        let inner = Self::at(&disguise.says, depth - 1);
        inner
            .threats
            .iter()
            .map(|threat| raised(threat.severity))
            .max()
            .unwrap_or(Severity::Low)
    }

    fn decoded(&mut self, text: &str, decoded: Vec<Decoded>, depth: usize) {
        for Decoded { span, says, coat } in decoded {
            if depth == 0 || says.len() < SAYING_BYTES_MIN {
                continue;
            }
            let inner = Self::at(&says, depth - 1);
            // Bytes of pictures and programs hold control characters; that alone says nothing.
            let bytes = |threat: &Threat| {
                threat.kind == ThreatKind::HiddenText && threat.severity == Severity::Low
            };
            // Searches and titles of new entries ask for things and have gaps to fill in.
            let at_home = |threat: &Threat| match threat.kind {
                ThreatKind::Instruction => true,
                ThreatKind::DelimiterForgery => threat.severity < Severity::High,
                _ => false,
            };
            let counts =
                |threat: &&Threat| !bytes(threat) && (coat != Coat::Address || !at_home(threat));
            let grave = inner
                .threats
                .iter()
                .filter(counts)
                .max_by_key(|threat| threat.severity);
            let (severity, reason) = match grave {
                Some(threat) => (
                    raised(threat.severity),
                    format!("encoded: {}", threat.reason),
                ),
                None if coat == Coat::Letters => {
                    (Severity::Medium, "text in moved letters".to_owned())
                }
                None => (Severity::Low, "encoded text".to_owned()),
            };
            let span = self.reading.seen_back.back_range(&span, text);
            self.threats.push(Threat {
                kind: ThreatKind::EncodedText,
                severity,
                span,
                reason,
            });
        }
    }

    fn hidden_parts(&mut self) {
        for hidden in &self.hidden {
            let (severity, reason) = match hidden.hiding {
                Hiding::Comment => (Severity::Low, "a comment that is not shown"),
                Hiding::NotShown => (Severity::Low, "an element that is not shown"),
                Hiding::Unreadable => (Severity::Medium, "an element made unreadable"),
                Hiding::Title => continue,
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

fn raised(severity: Severity) -> Severity {
    match severity {
        Severity::Low => Severity::Medium,
        Severity::Medium | Severity::High => Severity::High,
    }
}

/// Ranges that do not touch, in their order.
fn merged<'a>(ranges: impl Iterator<Item = &'a Range<usize>>) -> Vec<Range<usize>> {
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

fn meets_any(merged: &[Range<usize>], span: &Range<usize>) -> bool {
    let first = merged.partition_point(|range| range.end <= span.start);
    merged
        .get(first)
        .is_some_and(|range| range.start < span.end)
}

/// Each kind once for each place; the gravest stay when there are too many.
fn tidy(threats: &mut Vec<Threat>, most: usize) {
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

/// The text as it is seen, and where in it the passages to be fenced are.
fn visible(
    text: &str,
    reading: &Reading,
    hidden: &[Hidden],
    origin: Origin,
    threats: &[Threat],
) -> (String, Vec<Range<usize>>) {
    let mut seen = String::with_capacity(reading.seen.len());
    let mut back = crate::offsets::Offsets::default();
    let mut at = 0;
    let mut write = |range: Range<usize>, seen: &mut String| {
        let piece = reading.seen.get(range.clone()).unwrap_or_default();
        for (offset, letter) in piece.char_indices() {
            back.note(seen.len(), reading.seen_back.back(range.start + offset));
            seen.push(letter);
        }
    };
    for part in hidden {
        // A person's own markup is part of what they ask about.
        if origin.may_instruct() || part.hiding == Hiding::Title {
            continue;
        }
        let start = reading.seen_back.forward(part.span.start).max(at);
        let end = reading.seen_back.forward(part.span.end).max(start);
        write(at..start, &mut seen);
        at = end;
    }
    write(at..reading.seen.len(), &mut seen);
    let mut passages: Vec<Range<usize>> = Vec::new();
    for threat in threats
        .iter()
        .filter(|threat| threat.severity >= Severity::Medium && threat.span.end <= text.len())
    {
        let start = seen.floor_char_boundary(back.forward(threat.span.start).min(seen.len()));
        let end = seen.ceil_char_boundary(back.forward(threat.span.end).min(seen.len()));
        match passages.last_mut() {
            _ if start >= end => {}
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => passages.push(start..end),
        }
    }
    (seen, passages)
}
