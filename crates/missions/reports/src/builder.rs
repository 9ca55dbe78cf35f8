//! Puts a document together: numbers passages, drops quotes that are not in their sources, says nothing twice.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_charts::{Chart, Theme, draw};
use adjutant_document_model as deliverable;
use adjutant_document_model::{Align, Block, Callout, Column, Mark, Passage, Section, Span, Tone};
use adjutant_questions::{Evidence, Source};

use crate::quotes::Quotes;
use crate::text::{numbers, numbers_missing, plain, sentence, short};

/// Passages cited by one statement.
const CITES_MAX: usize = 6;
/// What titles of charts may take.
const LABEL_CHARS_MAX: usize = 160;

pub(crate) struct Builder<'a> {
    /// The first of each id, and the first date of each id.
    titles: BTreeMap<&'a str, &'a str>,
    dates: BTreeMap<&'a str, &'a str>,
    quotes: Quotes,
    grades: BTreeMap<String, String>,
    /// Sources in the order of their first use, with the places of their passages.
    used: Vec<(String, Vec<usize>)>,
    passages: Vec<Cited>,
    /// Where a source stands among those used, and a passage among the passages.
    places: BTreeMap<String, usize>,
    numbers: BTreeMap<(usize, String), usize>,
    pub(crate) dropped: Vec<Evidence>,
    said: BTreeSet<String>,
}

struct Cited {
    text: String,
}

/// What a statement is when nothing proves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nature {
    Fact,
    Interpretation,
    Calculation,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(sources: &'a [Source], grades: BTreeMap<String, String>) -> Self {
        let mut titles = BTreeMap::new();
        let mut dates = BTreeMap::new();
        for source in sources {
            titles
                .entry(source.id.as_str())
                .or_insert(source.title.as_str());
            if let Some(date) = &source.published {
                dates.entry(source.id.as_str()).or_insert(date.as_str());
            }
        }
        Self {
            titles,
            dates,
            quotes: Quotes::of(sources),
            grades,
            used: Vec::new(),
            passages: Vec::new(),
            places: BTreeMap::new(),
            numbers: BTreeMap::new(),
            dropped: Vec::new(),
            said: BTreeSet::new(),
        }
    }

    /// The numbers of the passages; what is in no source is dropped and remembered.
    pub(crate) fn cite(&mut self, evidence: &[Evidence]) -> Vec<u32> {
        let mut cites = Vec::new();
        for one in evidence {
            if !self.quotes.hold(one) {
                if !self.dropped.contains(one) {
                    self.dropped.push(one.clone());
                }
                continue;
            }
            if cites.len() == CITES_MAX {
                break;
            }
            let number = self.number(one);
            if !cites.contains(&number) {
                cites.push(number);
            }
        }
        cites
    }

    fn number(&mut self, evidence: &Evidence) -> u32 {
        let place = match self.places.get(&evidence.source) {
            Some(place) => *place,
            None => {
                self.used.push((evidence.source.clone(), Vec::new()));
                let place = self.used.len() - 1;
                self.places.insert(evidence.source.clone(), place);
                place
            }
        };
        let next = self.passages.len();
        let text = plain(&evidence.quote);
        let at = *self.numbers.entry((place, text.clone())).or_insert(next);
        if at == next {
            self.passages.push(Cited { text });
            if let Some((_, own)) = self.used.get_mut(place) {
                own.push(at);
            }
        }
        u32::try_from(at + 1).unwrap_or(u32::MAX)
    }

    fn passages_text(&self, cites: &[u32]) -> String {
        let at = |number: &u32| self.passages.get((*number as usize).wrapping_sub(1));
        let texts = cites.iter().filter_map(at).map(|at| at.text.as_str());
        texts.collect::<Vec<_>>().join("\n")
    }

    /// A statement with what it rests on. What has no passage, or numbers that its passages do not have, is no fact
    /// and is marked.
    pub(crate) fn statement(
        &mut self,
        text: &str,
        evidence: &[Evidence],
        nature: Nature,
    ) -> Option<Span> {
        let text = self.unsaid(&sentence(text));
        if text.is_empty() {
            return None;
        }
        let mut span = self.cell(&text, evidence);
        span.mark = match nature {
            Nature::Calculation => Some(Mark::Calculation),
            Nature::Interpretation => Some(Mark::Interpretation),
            Nature::Fact => span
                .mark
                .or_else(|| span.cites.is_empty().then_some(Mark::Interpretation)),
        };
        Some(span)
    }

    /// The same for a table's cell: there, labels without evidence need no mark.
    pub(crate) fn cell(&mut self, text: &str, evidence: &[Evidence]) -> Span {
        let text = plain(text);
        let cites = self.cite(evidence);
        let unproved =
            !cites.is_empty() && !numbers_missing(&text, &self.passages_text(&cites)).is_empty();
        Span {
            text,
            cites,
            mark: unproved.then_some(Mark::Interpretation),
            ..Span::default()
        }
    }

    /// The sentences of a text that were not said before.
    fn unsaid(&mut self, text: &str) -> String {
        let mut kept = Vec::new();
        for range in adjutant_rule_answers::sentences(text) {
            let said = &text[range];
            if self.said.insert(key(said)) {
                kept.push(said);
            }
        }
        kept.join(" ")
    }

    pub(crate) fn grade(&self, source: &str) -> Option<&str> {
        self.grades.get(source).map(String::as_str)
    }

    pub(crate) fn title(&self, id: &str) -> String {
        let title = self.titles.get(id).map(|title| plain(title));
        title
            .filter(|at| !at.is_empty())
            .unwrap_or_else(|| plain(id))
    }

    pub(crate) fn published(&self, id: &str) -> Option<String> {
        self.dates.get(id).map(|date| (*date).to_owned())
    }

    /// The cited sources with their passages, numbered as they were cited.
    pub(crate) fn sources(&self) -> Vec<deliverable::Source> {
        let source = |(id, own): &(String, Vec<usize>)| deliverable::Source {
            id: id.clone(),
            title: self.title(id),
            published: self.published(id),
            place: None,
            grade: self.grade(id).map(str::to_owned),
            passages: own
                .iter()
                .filter_map(|at| {
                    Some(Passage {
                        number: u32::try_from(at + 1).ok()?,
                        text: self.passages.get(*at)?.text.clone(),
                    })
                })
                .collect(),
        };
        self.used.iter().map(source).collect()
    }
}

/// Sentences of one paragraph, with a space between them.
pub(crate) fn in_a_row(spans: Vec<Span>) -> Vec<Span> {
    let parted = spans.into_iter().enumerate().map(|(nth, mut span)| {
        if nth > 0 && !span.text.starts_with(' ') {
            span.text.insert(0, ' ');
        }
        span
    });
    parted.collect()
}

/// A document may be given in passages; their ids differ behind the sign.
pub(crate) fn document_of(source: &str) -> &str {
    source
        .split_once('#')
        .map_or(source, |(document, _)| document)
}

fn key(text: &str) -> String {
    let small = plain(text).to_lowercase();
    small.trim_end_matches(['.', '!', '?', ':']).to_owned()
}

pub(crate) fn section(heading: impl Into<String>, blocks: Vec<Block>) -> Section {
    Section {
        heading: heading.into(),
        blocks,
    }
}

/// What was done or not done, said outside the report's own statements.
pub(crate) fn note(title: &str, text: &str) -> Block {
    let text = sentence(text);
    let mark = (!numbers(&text).is_empty()).then_some(Mark::Interpretation);
    Block::Callout(Callout {
        tone: Tone::Note,
        title: title.to_owned(),
        text: vec![Span {
            text,
            mark,
            ..Span::default()
        }],
    })
}

pub(crate) fn label(text: impl Into<String>) -> Vec<Span> {
    vec![Span {
        text: text.into(),
        ..Span::default()
    }]
}

pub(crate) fn strong(text: impl Into<String>) -> Vec<Span> {
    vec![Span {
        text: text.into(),
        strong: true,
        ..Span::default()
    }]
}

pub(crate) fn column(heading: &str, width: u16) -> Column {
    Column {
        heading: heading.to_owned(),
        align: Align::Left,
        width,
    }
}

pub(crate) fn figures(heading: &str, width: u16) -> Column {
    Column {
        heading: heading.to_owned(),
        align: Align::Right,
        width,
    }
}

/// Left out if there are no rows: an empty table says nothing.
pub(crate) fn table(
    caption: impl Into<String>,
    columns: Vec<Column>,
    rows: Vec<Vec<Vec<Span>>>,
) -> Option<Block> {
    (!rows.is_empty()).then(|| Block::Table {
        caption: caption.into(),
        columns,
        rows,
    })
}

/// A chart that can be drawn; one that cannot is left out, since its data stand in a table as well.
pub(crate) fn chart(caption: impl Into<String>, chart: Chart) -> Option<Block> {
    let caption = short(&caption.into(), LABEL_CHARS_MAX);
    draw(&chart, Theme::default()).ok().map(|_| Block::Chart {
        caption,
        chart: Box::new(chart),
    })
}
