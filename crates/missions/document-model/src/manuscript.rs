//! What a reader sees, in order and in words: every format writes this, so that no format says less than
//! another. How a journal is told is decided here; how it looks is decided by the formats.

use std::collections::{BTreeMap, BTreeSet};

use crate::document::{
    Align, Block, Callout, Checked, Column, Concluded, Document, Made, Mark, Passage, Section,
    Source, Span, Standing, Tone, Used,
};

pub const SOURCES_HEADING: &str = "Sources and passages";
const SUMMARY_HEADING: &str = "Summary";
const MADE_HEADING: &str = "How this document was made";

const DRAFT_TITLE: &str = "Draft";
const DRAFT_TEXT: &str =
    "This document has not been reviewed or approved yet. Do not distribute it.";
const REJECTED_TITLE: &str = "Rejected";
const REJECTED_TEXT: &str = "The reviewer rejected this document. Do not distribute it.";
const UNREVIEWED_TITLE: &str = "Not reviewed";
const UNREVIEWED_TEXT: &str = "This document has not been reviewed: the person who started the mission approved the result in advance.";
const STAND_IN_TITLE: &str = "With stand-ins";
const STAND_IN_TEXT: &str = "Queries to public databases were answered by a local stand-in with fictional records. Do not rely on citations from them.";
const OFFLINE_TITLE: &str = "Made offline";
const OFFLINE_TEXT: &str =
    "No language model was used: rules composed this document from the passages it quotes.";

/// How many places a passage leads back to: beyond that the list helps nobody.
pub const BACK_LINKS_MAX: u32 = 12;

/// Of the words at the edge of a page, which have one line.
const RUNNING_CHARS_MAX: usize = 72;

#[derive(Debug, Clone, PartialEq)]
pub struct Manuscript<'a> {
    pub kind: &'a str,
    pub title: &'a str,
    pub objective: &'a str,
    /// When it was finished, or else begun.
    pub date: Option<&'a str>,
    pub standing: Standing,
    pub notices: Vec<Callout>,
    /// The summary, if there is one, and then the document's own sections.
    pub sections: Vec<Section>,
    pub sources: &'a [Source],
    pub made: Section,
}

impl<'a> Manuscript<'a> {
    #[must_use]
    pub fn new(document: &'a Document, made: &'a Made) -> Self {
        let mut sections = Vec::new();
        if !document.summary.is_empty() {
            sections.push(Section {
                heading: SUMMARY_HEADING.to_owned(),
                blocks: document.summary.clone(),
            });
        }
        sections.extend(document.sections.iter().cloned());
        Self {
            kind: &document.kind,
            title: &document.title,
            objective: objective(document),
            date: [made.ended.as_str(), made.begun.as_str()]
                .into_iter()
                .find(|date| !date.trim().is_empty()),
            standing: made.standing,
            notices: notices(document, made),
            sections,
            sources: &document.sources,
            made: Section {
                heading: MADE_HEADING.to_owned(),
                blocks: how_made(made),
            },
        }
    }
}

/// What the document is for, unless its title says that already.
fn objective(document: &Document) -> &str {
    match document.objective.trim() == document.title.trim() {
        true => "",
        false => &document.objective,
    }
}

/// Which passages there are, and how often each was cited so far: a citation is named by its number and
/// its turn, so that a passage can lead back to each of them.
#[derive(Debug, Clone)]
pub struct Citations {
    known: BTreeSet<u32>,
    turns: BTreeMap<u32, u32>,
}

/// One place where a passage is cited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Citation {
    /// The how-manieth citation of this passage it is, from 1.
    Found { number: u32, turn: u32 },
    /// No source has a passage of this number.
    Missing { number: u32 },
}

impl Citations {
    #[must_use]
    pub fn new(sources: &[Source]) -> Self {
        Self {
            known: sources
                .iter()
                .flat_map(|source| &source.passages)
                .map(|passage| passage.number)
                .collect(),
            turns: BTreeMap::new(),
        }
    }

    pub fn cite(&mut self, number: u32) -> Citation {
        if !self.known.contains(&number) {
            return Citation::Missing { number };
        }
        let turn = self.turns.entry(number).or_default();
        *turn += 1;
        Citation::Found {
            number,
            turn: *turn,
        }
    }

    /// How often a passage was cited so far.
    #[must_use]
    pub fn turns(&self, number: u32) -> u32 {
        self.turns.get(&number).copied().unwrap_or(0)
    }
}

/// What is written behind a span that is no cited fact.
#[must_use]
pub fn mark_word(mark: Mark) -> &'static str {
    match mark {
        Mark::Interpretation => "interpretation",
        Mark::Calculation => "calculation",
    }
}

/// A text for the edge of a page: one line, cut where it is too long.
#[must_use]
pub fn running_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= RUNNING_CHARS_MAX {
        return line;
    }
    let mut short: String = line.chars().take(RUNNING_CHARS_MAX - 1).collect();
    short.truncate(short.trim_end().len());
    short.push('\u{2026}');
    short
}

/// When a source was published and how it was graded, as far as that is known.
#[must_use]
pub fn source_facts(source: &Source) -> Vec<String> {
    let said = |words: &str, value: &Option<String>| {
        value
            .as_deref()
            .filter(|value| !value.trim().is_empty())
            .map(|value| format!("{words}{value}"))
    };
    [
        said("published ", &source.published),
        said("grade: ", &source.grade),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The place of a source, if a click may lead there: nothing but the web, whatever the place pretends to be.
#[must_use]
pub fn web_address(source: &Source) -> Option<&str> {
    let place = source.place.as_deref()?.trim();
    let web = ["https://", "http://"]
        .iter()
        .any(|scheme| place.starts_with(scheme) && place.len() > scheme.len());
    let plain = place
        .chars()
        .all(|c| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c));
    (web && plain).then_some(place)
}

/// A part of the line that says where a passage stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whereabout<'a> {
    /// The heading within the source.
    Place(&'a str),
    /// What a reader copies to open the passage, so it is written letter for letter.
    Address(&'a str),
}

/// What is known of where a passage stands, in the order in which it is written.
#[must_use]
pub fn whereabouts(passage: &Passage) -> Vec<Whereabout<'_>> {
    let place = passage.place.as_deref().map(str::trim);
    let address = passage.address.as_deref().map(str::trim);
    [
        place.filter(|it| !it.is_empty()).map(Whereabout::Place),
        address.filter(|it| !it.is_empty()).map(Whereabout::Address),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn notices(document: &Document, made: &Made) -> Vec<Callout> {
    let notice = |tone, title: &str, text: &str| Callout {
        tone,
        title: title.to_owned(),
        text: vec![plain(text)],
    };
    let mut notices = Vec::new();
    match made.standing {
        Standing::Delivered => {}
        Standing::Unreviewed => {
            notices.push(notice(Tone::Warning, UNREVIEWED_TITLE, UNREVIEWED_TEXT));
        }
        Standing::Rejected => {
            notices.push(notice(Tone::Warning, REJECTED_TITLE, REJECTED_TEXT));
        }
        Standing::Draft => notices.push(notice(Tone::Warning, DRAFT_TITLE, DRAFT_TEXT)),
    }
    if made.stand_in {
        notices.push(notice(Tone::Warning, STAND_IN_TITLE, STAND_IN_TEXT));
    }
    if document.offline {
        notices.push(notice(Tone::Note, OFFLINE_TITLE, OFFLINE_TEXT));
    }
    notices
}

fn how_made(made: &Made) -> Vec<Block> {
    // A document about many missions came out of none.
    if made.mission.is_empty() {
        return not_checked(made);
    }
    let mut blocks = vec![table(
        "The mission",
        &[("Fact", Align::Left, 1), ("Value", Align::Left, 3)],
        facts(made),
    )];
    let used = [
        ("Models used", "Answered", &made.answered_by),
        ("Tools used", "Tool", &made.tools),
    ];
    for (caption, name, used) in used {
        if !used.is_empty() {
            blocks.push(use_table(caption, name, used));
        }
    }
    if !made.conclusions.is_empty() {
        blocks.push(table(
            "Confidence of each conclusion",
            &[
                ("Conclusion", Align::Left, 4),
                ("Sure", Align::Left, 3),
                ("Rests on", Align::Left, 3),
                ("Meant so far", Align::Left, 3),
                ("Problems during the mission", Align::Left, 4),
            ],
            made.conclusions.iter().map(sureness).collect(),
        ));
    }
    if made.decisions.is_empty() {
        blocks.push(Block::Paragraph(vec![plain(
            "No decisions were requested during the mission.",
        )]));
    } else {
        blocks.push(table(
            "Decisions taken",
            &[
                ("Question", Align::Left, 4),
                ("Answer", Align::Left, 3),
                ("By", Align::Left, 2),
                ("When", Align::Left, 2),
            ],
            made.decisions
                .iter()
                .map(|d| vec![d.question.as_str(), &d.answer, &d.by, &d.at])
                .map(|cells| cells.into_iter().map(str::to_owned).collect())
                .collect(),
        ));
    }
    if !made.checked.is_empty() {
        blocks.push(Block::Heading("How it was checked".to_owned()));
        blocks.push(rounds(&made.checked));
        let faults = faults(&made.checked);
        if !faults.is_empty() {
            blocks.push(Block::Bullets(faults));
        }
    }
    blocks.extend(not_checked(made));
    blocks
}

fn not_checked(made: &Made) -> Vec<Block> {
    let mut blocks = vec![Block::Heading("What was not checked".to_owned())];
    if made.not_checked.is_empty() {
        blocks.push(Block::Paragraph(vec![plain(
            "No unchecked items are recorded.",
        )]));
    } else {
        blocks.push(Block::Bullets(
            made.not_checked.iter().map(|it| vec![plain(it)]).collect(),
        ));
    }
    blocks
}

/// A row for each time that the document was checked, a column for each kind of check that there was.
fn rounds(checked: &[Checked]) -> Block {
    let mut kinds: Vec<&str> = Vec::new();
    for kind in checked.iter().flat_map(|round| &round.kinds) {
        if !kinds.contains(&kind.name.as_str()) {
            kinds.push(&kind.name);
        }
    }
    let mut columns = vec![("Round", Align::Right, 1)];
    columns.extend(kinds.iter().map(|kind| (*kind, Align::Left, 2)));
    columns.push(("Result", Align::Left, 3));
    let row = |round: &Checked| {
        let held = kinds.iter().map(|name| {
            let kind = round.kinds.iter().find(|kind| kind.name == *name);
            kind.map_or_else(String::new, |kind| kind.held.clone())
        });
        let mut cells = vec![round.round.to_string()];
        cells.extend(held);
        cells.push(round.then.clone());
        cells
    };
    table(
        "Checks that the document passed, by kind",
        &columns,
        checked.iter().map(row).collect(),
    )
}

/// What was wrong, each fault once with the rounds that found it.
fn faults(checked: &[Checked]) -> Vec<Vec<Span>> {
    let mut found: Vec<(&str, Vec<String>)> = Vec::new();
    for round in checked {
        for fault in &round.faults {
            let number = round.round.to_string();
            match found.iter_mut().find(|(said, _)| said == fault) {
                Some((_, rounds)) => rounds.push(number),
                None => found.push((fault, vec![number])),
            }
        }
    }
    let told = found.into_iter().map(|(fault, rounds)| {
        let word = if rounds.len() == 1 { "Round" } else { "Rounds" };
        vec![plain(&format!("{word} {}: {fault}", rounds.join(", ")))]
    });
    told.collect()
}

fn sureness(of: &Concluded) -> Vec<String> {
    let title = match of.by.as_str() {
        "" => of.title.clone(),
        by => format!("{} ({by})", of.title),
    };
    let trouble = match of.trouble.as_str() {
        "" => "none",
        trouble => trouble,
    };
    let sure = format!("{}: {}", of.sure, of.made_of);
    let cells = [&title, &sure, &of.evidence, &of.so_far];
    let mut cells: Vec<String> = cells.into_iter().cloned().collect();
    cells.push(trouble.to_owned());
    cells
}

fn facts(made: &Made) -> Vec<Vec<String>> {
    let standing = match made.standing {
        Standing::Delivered => "reviewed and delivered",
        Standing::Unreviewed => "delivered without a review: approved in advance",
        Standing::Rejected => "reviewed and rejected",
        Standing::Draft => "draft, not approved",
    };
    [
        ("Mission", made.mission.clone()),
        ("Begun", made.begun.clone()),
        ("Ended", made.ended.clone()),
        ("Standing", standing.to_owned()),
        ("Cost", made.cost.clone()),
        ("Tokens", grouped(made.tokens)),
        ("Steps", grouped(made.steps)),
        ("Personal data", replaced(made)),
        ("Journal head", made.journal_head.clone()),
    ]
    .into_iter()
    .filter(|(_, value)| !value.trim().is_empty())
    .map(|(fact, value)| vec![fact.to_owned(), value])
    .collect()
}

fn replaced(made: &Made) -> String {
    match made.replaced.trim() {
        "" => String::new(),
        counts => format!("replaced by marks: {counts}; the journal has the originals"),
    }
}

fn use_table(caption: &str, name: &str, used: &[Used]) -> Block {
    table(
        caption,
        &[
            (name, Align::Left, 4),
            ("Times", Align::Right, 1),
            ("Cost", Align::Right, 1),
        ],
        used.iter()
            .map(|it| vec![it.name.clone(), grouped(it.times), it.cost.clone()])
            .collect(),
    )
}

fn table(caption: &str, columns: &[(&str, Align, u16)], rows: Vec<Vec<String>>) -> Block {
    Block::Table {
        caption: caption.to_owned(),
        columns: columns
            .iter()
            .map(|(heading, align, width)| Column {
                heading: (*heading).to_owned(),
                align: *align,
                width: *width,
            })
            .collect(),
        rows: rows
            .into_iter()
            .map(|row| row.into_iter().map(|cell| vec![plain(&cell)]).collect())
            .collect(),
    }
}

fn plain(text: &str) -> Span {
    Span {
        text: text.to_owned(),
        ..Span::default()
    }
}

/// Thousands apart, as `1 234 567`, with a space that never breaks.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202F}');
        }
        text.push(digit);
    }
    text
}
