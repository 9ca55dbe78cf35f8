//! Puts a document together: numbers passages, drops quotes that are not in their sources, says nothing twice.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_charts::{Chart, Theme, draw};
use adjutant_document_model as deliverable;
use adjutant_document_model::{Align, Block, Callout, Column, Mark, Passage, Section, Span, Tone};
use adjutant_questions::{Evidence, Source};

use crate::quotes::Quotes;
use crate::text::{counts_missing, numbers, numbers_missing, plain, sentence, short};

/// Passages cited by one statement.
const CITES_MAX: usize = 6;
/// Between the title of a document and a heading within it.
const WITHIN: &str = " · ";
/// What titles of charts may take.
const LABEL_CHARS_MAX: usize = 160;

pub(crate) struct Builder<'a> {
    /// The first of each id, and the first date of each id.
    titles: BTreeMap<&'a str, &'a str>,
    dates: BTreeMap<&'a str, &'a str>,
    quotes: Quotes,
    grades: BTreeMap<String, String>,
    /// In the order of their first use.
    passages: Vec<Cited>,
    /// Where a passage stands among them, by its source and its text.
    numbers: BTreeMap<(String, String), usize>,
    pub(crate) dropped: Vec<Evidence>,
    said: BTreeSet<String>,
}

struct Cited {
    /// The id of the source in which it is.
    source: String,
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
            passages: Vec::new(),
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
        let next = self.passages.len();
        let text = plain(&evidence.quote);
        let key = (evidence.source.clone(), text.clone());
        let at = *self.numbers.entry(key).or_insert(next);
        if at == next {
            self.passages.push(Cited {
                source: evidence.source.clone(),
                text,
            });
        }
        u32::try_from(at + 1).unwrap_or(u32::MAX)
    }

    /// A cited passage: the id of its source, and its text.
    pub(crate) fn passage(&self, number: u32) -> Option<(String, String)> {
        let at = self.passages.get((number as usize).checked_sub(1)?)?;
        Some((at.source.clone(), at.text.clone()))
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
        let evidence = agreeing(&text, evidence);
        let cites = self.cite(&evidence);
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

    /// Either a passage was graded, or its document.
    pub(crate) fn grade(&self, source: &str) -> Option<&str> {
        let ids = [source, document_of(source)];
        let grades = ids.iter().filter_map(|id| self.grades.get(*id));
        grades.max_by_key(|grade| rank(grade)).map(String::as_str)
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

    /// The cited documents in the order of their first use, each with its passages, numbered as they were cited.
    pub(crate) fn sources(&self) -> Vec<deliverable::Source> {
        let mut documents: Vec<(&str, Vec<usize>)> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, cited) in self.passages.iter().enumerate() {
            let id = document_of(&cited.source);
            let place = *places.entry(id).or_insert(documents.len());
            match documents.get_mut(place) {
                Some((_, own)) => own.push(at),
                None => documents.push((id, vec![at])),
            }
        }
        let document = |(id, own): (&str, Vec<usize>)| self.document(id, &own);
        documents.into_iter().map(document).collect()
    }

    /// A cited document. What is known of it may be known of the document or of any of its passages.
    fn document(&self, id: &str, own: &[usize]) -> deliverable::Source {
        let cited: Vec<&Cited> = own.iter().filter_map(|at| self.passages.get(*at)).collect();
        let ids = || cited.iter().map(|at| at.source.as_str()).chain([id]);
        let title = self.document_title(id);
        let grade = ids()
            .filter_map(|id| self.grade(id))
            .max_by_key(|at| rank(at));
        let passage = |(at, cited): (&usize, &&Cited)| {
            Some(Passage {
                number: u32::try_from(at + 1).ok()?,
                text: cited.text.clone(),
                place: self.place_within(&title, &cited.source),
                address: cited
                    .source
                    .starts_with("kb:")
                    .then(|| cited.source.clone()),
            })
        };
        deliverable::Source {
            id: id.to_owned(),
            published: ids().find_map(|id| self.published(id)),
            place: None,
            grade: grade.map(str::to_owned),
            passages: own.iter().zip(&cited).filter_map(passage).collect(),
            title,
        }
    }

    /// The title of a document of which passages are given, as `Title · Heading`: what all these titles begin with.
    fn document_title(&self, id: &str) -> String {
        if self.titles.contains_key(id) {
            return self.title(id);
        }
        // All ids between these are of the document or of one whose name is longer.
        let own = self
            .titles
            .range(id..)
            .take_while(|(at, _)| at.starts_with(id));
        let own = own.filter(|(at, _)| document_of(at) == id);
        let titles: BTreeSet<String> = own.map(|(_, title)| plain(title)).collect();
        let mut titles = titles
            .iter()
            .map(String::as_str)
            .filter(|at| !at.is_empty());
        let Some(first) = titles.next() else {
            return plain(id);
        };
        let (mut title, mut distinct) = (first, false);
        for other in titles {
            distinct = true;
            title = beginning(title, other);
        }
        if !distinct || title.is_empty() {
            title = first.rsplit_once(WITHIN).map_or(first, |(title, _)| title);
        }
        title.to_owned()
    }

    /// The heading below which a passage stands, if its title tells it.
    fn place_within(&self, title: &str, source: &str) -> Option<String> {
        if document_of(source) == source {
            return None;
        }
        let own = self.title(source);
        let behind = own.strip_prefix(title);
        let place = match behind.and_then(|rest| rest.strip_prefix(WITHIN)) {
            Some(place) => place,
            None if behind == Some("") => return None,
            None => own.rsplit_once(WITHIN)?.1,
        };
        (!place.is_empty()).then(|| place.to_owned())
    }
}

/// How good a grade is, against others.
pub(crate) fn rank(grade: &str) -> usize {
    let order = ["very low", "low", "moderate", "high"];
    let bare = grade.split(" (").next().unwrap_or(grade);
    order.iter().position(|at| *at == bare).unwrap_or(0)
}

/// The parts that two titles have in common at their beginning.
fn beginning<'t>(one: &'t str, other: &str) -> &'t str {
    let common = one.split(WITHIN).zip(other.split(WITHIN));
    let common = common.take_while(|(a, b)| a == b).map(|(a, _)| a.len());
    let bytes = common.fold(0, |sum, len| sum + len + WITHIN.len());
    &one[..bytes.saturating_sub(WITHIN.len())]
}

/// The evidence with all numbers of a text, written as figures or as words; all of it if none has them: then the text is
/// marked.
fn agreeing(text: &str, evidence: &[Evidence]) -> Vec<Evidence> {
    let agrees = |one: &&Evidence| {
        let quote = plain(&one.quote);
        numbers_missing(text, &quote).is_empty() && counts_missing(text, &quote).is_empty()
    };
    let agreeing: Vec<Evidence> = evidence.iter().filter(agrees).cloned().collect();
    match agreeing.is_empty() {
        true => evidence.to_vec(),
        false => agreeing,
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

/// A document may be given in passages, whose ids end in `#FROM-TO`. Other ids are whole, whatever signs they have.
pub(crate) fn document_of(source: &str) -> &str {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match source.rsplit_once('#') {
        Some((document, place))
            if !document.is_empty()
                && place
                    .split_once('-')
                    .is_some_and(|(from, to)| number(from) && number(to)) =>
        {
            document
        }
        _ => source,
    }
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

#[cfg(test)]
#[path = "builder_tests.rs"]
mod tests;
