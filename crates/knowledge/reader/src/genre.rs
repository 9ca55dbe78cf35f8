//! What kind of document a document is, and how much its statements prove.
//!
//! Only the signs at the outside are read: title, first heading, opening lines, names of file and folders, kind of file, section
//! heads. What a document speaks of never decides what it is.

use adjutant_knowledge_index::{Document, DocumentKind, Form};

use crate::document_facts::{DocumentFacts, Standing};
use crate::genre_sections::from_sections;
use crate::genre_words::{Sign, from_folder, from_name, from_title, is_press_release};
use crate::reading::Given;
use crate::values::{Value, values};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Genre {
    Law,
    Contract,
    Specification,
    /// Rules, handbooks, procedures, runbooks.
    Policy,
    /// How a study or test is to be done.
    Protocol,
    /// Of a study, test, inspection, audit, review or failure.
    Report,
    /// A list that is kept up to date.
    Register,
    Minutes,
    /// Logs, measurements, exports of data.
    Record,
    /// Proposals, bids, offers, applications, requests.
    Proposal,
    Memo,
    /// Mails, letters and chats.
    Mail,
    /// What is said in public: press releases, statements, news, status pages.
    Notice,
    Article,
    Unknown,
}

impl Genre {
    pub fn name(self) -> &'static str {
        match self {
            Self::Law => "law",
            Self::Contract => "contract",
            Self::Specification => "specification",
            Self::Policy => "policy or procedure",
            Self::Protocol => "study or test protocol",
            Self::Report => "report",
            Self::Register => "register",
            Self::Minutes => "minutes",
            Self::Record => "record of data",
            Self::Proposal => "proposal or request",
            Self::Memo => "memo",
            Self::Mail => "mail or letter",
            Self::Notice => "press release or statement",
            Self::Article => "journal article",
            Self::Unknown => "unknown",
        }
    }

    /// Whether it says what was measured or examined.
    fn is_of_the_past(self) -> bool {
        matches!(self, Self::Record | Self::Report)
    }

    fn strength(self) -> Strength {
        match self {
            Self::Record | Self::Report => Strength::High,
            Self::Law
            | Self::Contract
            | Self::Specification
            | Self::Policy
            | Self::Protocol
            | Self::Register
            | Self::Minutes
            | Self::Article => Strength::Moderate,
            Self::Proposal | Self::Memo | Self::Mail | Self::Unknown => Strength::Low,
            Self::Notice => Strength::VeryLow,
        }
    }
}

/// How much a statement proves, by the document it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    High,
    Moderate,
    Low,
    VeryLow,
}

impl Strength {
    pub fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Moderate => "moderate",
            Self::Low => "low",
            Self::VeryLow => "very low",
        }
    }

    fn one_lower(self) -> Self {
        match self {
            Self::High => Self::Moderate,
            Self::Moderate => Self::Low,
            Self::Low | Self::VeryLow => Self::VeryLow,
        }
    }
}

impl DocumentFacts {
    /// How much a statement in this document proves. A draft or a replaced document proves one step less.
    pub fn strength(&self) -> Strength {
        let strength = self.genre.strength();
        match self.is_draft || self.standing != Standing::Current {
            true => strength.one_lower(),
            false => strength,
        }
    }
}

/// How many of the first lines can name the document, and how long each may be.
const OPENING_LINES_MAX: usize = 3;
const OPENING_BYTES_MAX: usize = 100;
/// How many lines are read to recognize a chat, and how many messages make one.
const CHAT_LINES_MAX: usize = 60;
const CHAT_MESSAGES_MIN: usize = 4;
/// How many rows of a table are read to see whether it holds data.
const ROWS_MAX: usize = 40;
/// Lines at the beginning of a mail.
const MAIL_FIELDS: &[&str] = &["from", "to", "cc", "copy", "date", "sent", "subject"];
/// A list with an owner and one of the others for each row is kept up to date.
const KEPT_COLUMNS: &[&str] = &["status", "due", "deadline", "state", "next review"];

/// The genre of one document.
pub(crate) fn genre(given: &Given<'_>) -> Genre {
    let document = given.document;
    let (folders, file) = given.name.rsplit_once('/').unwrap_or(("", given.name));
    let file = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if document.kind == DocumentKind::Email || is_chat(&document.text) {
        return Genre::Mail;
    }
    let opening = opening_lines(document);
    if is_press_release(file) || opening.iter().any(|line| is_press_release(line)) {
        return Genre::Notice;
    }
    let titles = document.title.as_deref().into_iter();
    let titles = titles.chain(first_heading(document)).chain(opening);
    let signs: Vec<Sign> = titles.map(from_title).chain([from_name(file)]).collect();
    if begins_as_mail(&document.text) {
        let is_memo = signs.contains(&Sign::Is(Genre::Memo));
        return if is_memo { Genre::Memo } else { Genre::Mail };
    }
    let sign = first_sign(&signs);
    let folder = folders
        .rsplit('/')
        .find_map(|folder| from_folder(folder).genre());
    match (sign, document.kind) {
        (_, DocumentKind::Csv | DocumentKind::Spreadsheet) => of_table(document, sign, folder),
        (Sign::Is(genre), _) => genre,
        _ => {
            let possible = |genre: &Genre| sign != Sign::Planned || !genre.is_of_the_past();
            folder
                .filter(possible)
                .or_else(|| from_sections(document).filter(possible))
                .unwrap_or(match sign {
                    Sign::Notes => Genre::Memo,
                    _ => Genre::Unknown,
                })
        }
    }
}

/// The first sign of a genre, in the order of trust. What is only planned has not been measured or examined, whatever a weaker
/// sign says.
fn first_sign(signs: &[Sign]) -> Sign {
    let mut weak = Sign::Nothing;
    for sign in signs {
        match (*sign, weak) {
            (Sign::Is(genre), Sign::Planned) if genre.is_of_the_past() => {}
            (Sign::Is(_), _) => return *sign,
            (Sign::Planned, _) | (Sign::Notes, Sign::Nothing) => weak = *sign,
            _ => {}
        }
    }
    weak
}

/// A table is data unless its name or its columns say that it is something else.
fn of_table(document: &Document, sign: Sign, folder: Option<Genre>) -> Genre {
    let folder = folder.filter(|genre| *genre == Genre::Proposal);
    match sign.genre().or(folder) {
        Some(genre) if !genre.is_of_the_past() => genre,
        _ if has_columns_of_a_register(document) => Genre::Register,
        _ if sign != Sign::Planned && holds_data(document) => Genre::Record,
        _ => Genre::Unknown,
    }
}

fn has_columns_of_a_register(document: &Document) -> bool {
    let mut heads = document
        .parts
        .iter()
        .filter(|part| part.form == Form::RowHead);
    let Some(head) = heads.next() else {
        return false;
    };
    let head = document
        .text
        .get(head.span.start as usize..head.span.end as usize);
    let head = head.unwrap_or_default().to_lowercase().replace('_', " ");
    let columns: Vec<&str> = head
        .split([',', ';', '|', '\t'])
        .map(|column| column.trim_matches(|char: char| !char.is_alphanumeric()))
        .collect();
    columns.contains(&"owner") && KEPT_COLUMNS.iter().any(|kept| columns.contains(kept))
}

/// Whether most rows have a number or a date in them, besides the first cell, which may be the row's own number.
fn holds_data(document: &Document) -> bool {
    let rows = document.parts.iter().filter(|part| part.form == Form::Row);
    let rows: Vec<&str> = rows
        .take(ROWS_MAX)
        .filter_map(|part| {
            document
                .text
                .get(part.span.start as usize..part.span.end as usize)
        })
        .collect();
    let of_data = rows.iter().filter(|row| {
        let dated = values(row)
            .iter()
            .any(|at| matches!(at.value, Value::Day(_)));
        let cells = row.split([',', ';', '|', '\t']).map(str::trim);
        dated
            || cells
                .skip_while(|cell| cell.is_empty())
                .skip(1)
                .any(is_number)
    });
    !rows.is_empty() && of_data.count() * 2 > rows.len()
}

fn is_number(cell: &str) -> bool {
    cell.trim_matches(['"', '%', ' ']).parse::<f64>().is_ok()
}

fn first_heading(document: &Document) -> Option<&str> {
    let mut parts = document.parts.iter();
    let heading = parts.find(|part| matches!(part.form, Form::Heading(_)))?;
    document
        .text
        .get(heading.span.start as usize..heading.span.end as usize)
}

/// The first lines, if they are short and neither a sentence nor a field with its value.
fn opening_lines(document: &Document) -> Vec<&str> {
    if matches!(
        document.kind,
        DocumentKind::Csv | DocumentKind::Spreadsheet | DocumentKind::Json
    ) {
        return Vec::new();
    }
    let lines = document.text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty());
    lines
        .take(OPENING_LINES_MAX)
        .filter(|line| line.len() <= OPENING_BYTES_MAX)
        .filter(|line| !line.contains(": ") && !line.ends_with(['.', ':']))
        .collect()
}

/// Whether the first lines are the fields of a mail: its sender, its receiver and its subject.
fn begins_as_mail(text: &str) -> bool {
    let field = |line: &str| {
        let (label, _) = line.split_once(':')?;
        let label = label.trim_matches(|char: char| !char.is_alphanumeric());
        let label = label.to_lowercase();
        MAIL_FIELDS.iter().find(|field| **field == label).copied()
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let fields: Vec<&str> = lines.map_while(field).collect();
    ["from", "to", "subject"]
        .iter()
        .all(|needed| fields.contains(needed))
}

/// Whether most lines are messages: `[10:04] Jane Doe: text`.
fn is_chat(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<&str> = lines.take(CHAT_LINES_MAX).collect();
    let messages = lines.iter().filter(|line| is_message(line)).count();
    messages >= CHAT_MESSAGES_MIN && messages * 2 > lines.len()
}

fn is_message(line: &str) -> bool {
    let line = line.trim_start().strip_prefix('[');
    let Some((time, rest)) = line.and_then(|line| line.split_once(']')) else {
        return false;
    };
    let Some((name, _)) = rest.split_once(':') else {
        return false;
    };
    // `ERROR` and `disk` are words of a log, `Jane` is a name.
    let mut words = name.split_whitespace();
    let is_name = |word: &str| {
        word.starts_with(char::is_uppercase)
            && (word.ends_with('.') || word.contains(char::is_lowercase))
    };
    time.contains(':') && (1..=3).contains(&words.clone().count()) && words.all(is_name)
}
