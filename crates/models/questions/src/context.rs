//! What a question carries, cut to a number of tokens: the passages that bear on it most, and a record of the rest.
//!
//! What is kept is letter for letter what the source says, in its order, so that quotes can still be found in it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{Finding, Input, Source, Thought, token_bound};

/// A longer paragraph is cut, at a line's or a sentence's end if it has one.
const PASSAGE_BYTES_MAX: usize = 1_200;
/// Shorter words than this say too little of what is asked.
const TERM_CHARS_MIN: usize = 3;
/// What stands around a source and around a finding in a prompt.
const SOURCE_MARK: &str = "<source id=\"\" title=\"\" published=\"\">\n\n</source>\n\n";
const FINDING_MARK: &str = "- (interpretation, confidence 0.123456789012345678)\n";
const BREAK: &str = "\n\n";

/// An input that fits, and what it lost.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    pub input: Input,
    pub left_out: Vec<LeftOut>,
}

/// What a question does not carry though it was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// The source's id; of a draft, `finding 3`; of an earlier thought, `finding 2 of step 5`.
    pub source: String,
    pub passages: u32,
    /// At most so many.
    pub tokens: u64,
}

/// Cuts sources (of a draft: findings) until they take `tokens_max` tokens at most. What is asked is never cut, nor
/// what was thought before; what earlier thoughts found shares the room with the sources, half each if both are long.
pub fn fit(mut input: Input, tokens_max: u64) -> Fitted {
    let question = input.question();
    let left_out = match &mut input {
        Input::Draft(draft) => fit_findings(&mut draft.findings, tokens_max),
        other => {
            let for_sources = sources_bound(other.sources()).min(tokens_max / 2);
            let thoughts = other.thoughts_mut();
            let mut left_out = fit_thoughts(thoughts, tokens_max - for_sources);
            let thought: u64 = thoughts.iter().map(|at| findings_bound(&at.findings)).sum();
            if let Some(sources) = other.sources_mut() {
                left_out.extend(fit_sources(sources, &question, tokens_max - thought));
            }
            left_out
        }
    };
    Fitted { input, left_out }
}

/// How many tokens sources take at most, with what stands around them.
pub fn sources_bound(sources: &[Source]) -> u64 {
    sources
        .iter()
        .map(|source| head_bound(source) + token_bound(&source.text))
        .sum()
}

/// How many tokens findings take at most, with their evidence.
pub fn findings_bound(findings: &[Finding]) -> u64 {
    findings.iter().map(finding_bound).sum()
}

fn head_bound(source: &Source) -> u64 {
    let published = source.published.as_deref().unwrap_or_default();
    [SOURCE_MARK, &source.id, &source.title, published]
        .map(token_bound)
        .iter()
        .sum()
}

fn finding_bound(finding: &Finding) -> u64 {
    let evidence = finding.evidence.iter().map(|evidence| {
        token_bound(SOURCE_MARK) + token_bound(&evidence.source) + token_bound(&evidence.quote)
    });
    token_bound(FINDING_MARK) + token_bound(&finding.text) + evidence.sum::<u64>()
}

fn fit_findings(findings: &mut Vec<Finding>, tokens_max: u64) -> Vec<LeftOut> {
    let lost = weakest(&findings.iter().collect::<Vec<_>>(), tokens_max);
    let left_out = lost.iter().map(|at| LeftOut {
        source: format!("finding {}", at + 1),
        passages: 1,
        tokens: finding_bound(&findings[*at]),
    });
    let left_out = left_out.collect();
    keep_others(findings, &lost);
    left_out
}

/// Cuts what earlier thoughts found, as if it were one list.
fn fit_thoughts(thoughts: &mut [Thought], tokens_max: u64) -> Vec<LeftOut> {
    let findings: Vec<&Finding> = thoughts.iter().flat_map(|at| &at.findings).collect();
    let lost = weakest(&findings, tokens_max);
    let mut left_out = Vec::new();
    let mut first = 0;
    for thought in thoughts {
        let count = thought.findings.len();
        let own = lost.range(first..first + count).map(|at| at - first);
        let own: BTreeSet<usize> = own.collect();
        left_out.extend(own.iter().map(|at| LeftOut {
            source: format!("finding {} of step {}", at + 1, thought.step),
            passages: 1,
            tokens: finding_bound(&thought.findings[*at]),
        }));
        keep_others(&mut thought.findings, &own);
        first += count;
    }
    left_out
}

/// Which findings have to go for the rest to take so many tokens.
fn weakest(findings: &[&Finding], tokens_max: u64) -> BTreeSet<usize> {
    let costs: Vec<u64> = findings.iter().map(|at| finding_bound(at)).collect();
    let mut total: u64 = costs.iter().sum();
    let mut weakest: Vec<usize> = (0..findings.len()).collect();
    // Of two that are as weak, the later goes first: the best stand first.
    weakest.sort_by(|&a, &b| {
        let by_confidence = findings[a].confidence.total_cmp(&findings[b].confidence);
        by_confidence.then(b.cmp(&a))
    });
    let mut lost = BTreeSet::new();
    for at in weakest {
        if total <= tokens_max {
            break;
        }
        total -= costs[at];
        lost.insert(at);
    }
    lost
}

fn keep_others(findings: &mut Vec<Finding>, lost: &BTreeSet<usize>) {
    let mut at = 0;
    findings.retain(|_| {
        at += 1;
        !lost.contains(&(at - 1))
    });
}

/// A piece of a source's text.
struct Passage {
    source: usize,
    span: Range<usize>,
    tokens: u64,
}

fn fit_sources(sources: &mut Vec<Source>, question: &str, tokens_max: u64) -> Vec<LeftOut> {
    if sources_bound(sources) <= tokens_max {
        return Vec::new();
    }
    let passages: Vec<Passage> = sources
        .iter()
        .enumerate()
        .flat_map(|(at, source)| passages_of(at, &source.text))
        .collect();
    let heads: Vec<u64> = sources.iter().map(head_bound).collect();
    let order = most_relevant_first(&passages, sources, question);
    let mut kept = vec![false; passages.len()];
    let mut begun = vec![false; sources.len()];
    let mut used = 0;
    for at in &order {
        let passage = &passages[*at];
        let head = if begun[passage.source] {
            0
        } else {
            heads[passage.source]
        };
        if used + head + passage.tokens <= tokens_max {
            used += head + passage.tokens;
            kept[*at] = true;
            begun[passage.source] = true;
        }
    }
    // Passages that meet again can take a token more than each by itself; then the least relevant goes too.
    let mut texts = kept_texts(&passages, &kept, sources);
    for at in order.iter().rev() {
        let bound: u64 = texts
            .iter()
            .map(|(source, text)| heads[*source] + token_bound(text))
            .sum();
        if bound <= tokens_max {
            break;
        }
        if std::mem::take(&mut kept[*at]) {
            texts = kept_texts(&passages, &kept, sources);
        }
    }
    let left_out = record(&passages, &kept, sources);
    let mut at = 0;
    sources.retain_mut(|source| {
        at += 1;
        match texts.remove(&(at - 1)) {
            Some(text) => {
                source.text = text;
                true
            }
            None => false,
        }
    });
    left_out
}

fn record(passages: &[Passage], kept: &[bool], sources: &[Source]) -> Vec<LeftOut> {
    let mut lost: BTreeMap<usize, LeftOut> = BTreeMap::new();
    for (passage, _) in passages.iter().zip(kept).filter(|(_, kept)| !**kept) {
        let source = &sources[passage.source];
        let left_out = lost.entry(passage.source).or_insert_with(|| LeftOut {
            source: source.id.clone(),
            passages: 0,
            tokens: 0,
        });
        left_out.passages += 1;
        left_out.tokens += passage.tokens;
    }
    lost.into_values().collect()
}

/// What remains of each source. Neighbours keep what stands between them; between others there is an empty line.
fn kept_texts(passages: &[Passage], kept: &[bool], sources: &[Source]) -> BTreeMap<usize, String> {
    let mut texts: BTreeMap<usize, String> = BTreeMap::new();
    let mut reached = (0, 0);
    for (passage, _) in passages.iter().zip(kept).filter(|(_, kept)| **kept) {
        let whole = &sources[passage.source].text;
        let text = texts.entry(passage.source).or_default();
        let between = match reached {
            (source, end) if source == passage.source && end <= passage.span.start => {
                whole.get(end..passage.span.start)
            }
            _ => None,
        };
        let follows = passages_meet(between);
        if !text.is_empty() {
            text.push_str(if follows {
                between.unwrap_or(BREAK)
            } else {
                BREAK
            });
        }
        text.push_str(whole.get(passage.span.clone()).unwrap_or_default());
        reached = (passage.source, passage.span.end);
    }
    texts
}

fn passages_meet(between: Option<&str>) -> bool {
    between.is_some_and(|between| between.trim().is_empty())
}

/// The paragraphs of a text, long ones in pieces. A text of nothing is one passage of nothing.
fn passages_of(source: usize, text: &str) -> Vec<Passage> {
    let mut spans = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let line_start = start;
        start += line.len();
        if line.trim().is_empty() {
            continue;
        }
        let end = line_start + line.trim_end().len();
        match spans.last_mut() {
            // A single line end does not end a paragraph.
            Some(Range { end: last, .. })
                if text[*last..line_start].matches('\n').count() == 1
                    && text[*last..line_start].trim().is_empty() =>
            {
                *last = end;
            }
            _ => spans.push(line_start..end),
        }
    }
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for span in spans {
        cut(text, span, &mut pieces);
    }
    if pieces.is_empty() {
        pieces.push(0..0);
    }
    let nexts: Vec<usize> = pieces[1..].iter().map(|piece| piece.start).collect();
    let nexts = nexts.into_iter().chain([text.len()]);
    let passages = pieces.iter().zip(nexts).map(|(span, next)| Passage {
        source,
        span: span.clone(),
        tokens: token_bound(&text[span.start..next])
            .max(token_bound(&text[span.clone()]) + token_bound(BREAK)),
    });
    passages.collect()
}

fn cut(text: &str, mut span: Range<usize>, pieces: &mut Vec<Range<usize>>) {
    while span.len() > PASSAGE_BYTES_MAX {
        let mut limit = span.start + PASSAGE_BYTES_MAX;
        while !text.is_char_boundary(limit) {
            limit -= 1;
        }
        let head = &text[span.start..limit];
        let at = [
            head.rfind('\n'),
            head.rfind(". ").map(|at| at + 1),
            head.rfind(' '),
        ];
        let length = at.into_iter().flatten().find(|at| *at > 0);
        let end = span.start + length.unwrap_or(head.len());
        pieces.push(span.start..end);
        let rest = &text[end..span.end];
        span.start = end + (rest.len() - rest.trim_start().len());
    }
    if !span.is_empty() {
        pieces.push(span);
    }
}

/// Words that many passages have weigh little, long passages no more than short ones.
fn most_relevant_first(passages: &[Passage], sources: &[Source], question: &str) -> Vec<usize> {
    let asked = terms(question);
    let said: Vec<BTreeSet<String>> = passages
        .iter()
        .map(|passage| {
            let text = &sources[passage.source].text[passage.span.clone()];
            terms(text).intersection(&asked).cloned().collect()
        })
        .collect();
    let mut spread: BTreeMap<&str, f64> = BTreeMap::new();
    for term in said.iter().flatten() {
        *spread.entry(term).or_default() += 1.0;
    }
    let all = passages.len() as f64;
    let mean = passages.iter().map(|passage| passage.tokens).sum::<u64>() as f64 / all.max(1.0);
    let score = |at: usize| {
        let weights = said[at].iter().filter_map(|term| spread.get(term.as_str()));
        let sum: f64 = weights.map(|spread| (1.0 + all / spread).ln()).sum();
        sum / (0.7 + 0.3 * passages[at].tokens as f64 / mean.max(1.0))
    };
    let mut order: Vec<(usize, f64)> = (0..passages.len()).map(|at| (at, score(at))).collect();
    order.sort_by(|(a, of_a), (b, of_b)| of_b.total_cmp(of_a).then(a.cmp(b)));
    order.into_iter().map(|(at, _)| at).collect()
}

/// Words in small letters; a plural is taken for its singular.
pub(crate) fn terms(text: &str) -> BTreeSet<String> {
    let words = text.split(|char: char| !char.is_alphanumeric());
    let words = words.filter(|word| word.chars().count() >= TERM_CHARS_MIN);
    words
        .map(|word| {
            let small = word.to_lowercase();
            match small.strip_suffix('s') {
                Some(singular) if !singular.ends_with('s') => singular.to_owned(),
                _ => small,
            }
        })
        .collect()
}
