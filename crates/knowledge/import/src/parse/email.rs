//! E-mail: its head, its words with what they answer to, and its attachments.

use adjutant_knowledge_index::{Document, DocumentKind, Form};
use adjutant_text::dates::Date;
use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders, PartType};

use super::{csv, html, json, markdown, plain};
use crate::kind::by_name;
use crate::writing::{About, Writing, one_line};
use crate::{Limits, ReadFailure, encoding};

const ATTACHMENTS_MAX: usize = 200;
/// Messages inside messages.
const NESTING_MAX: usize = 3;

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, ReadFailure> {
    let message = MessageParser::default()
        .parse(bytes)
        .ok_or_else(|| ReadFailure::broken("there is no message in it"))?;
    if message.from().is_none() && message.subject().is_none() && message.date().is_none() {
        return Err(ReadFailure::broken(
            "it has none of the lines an e-mail begins with",
        ));
    }
    if is_encrypted(&message) {
        return Err(ReadFailure::PasswordProtected);
    }
    let mut writing = Writing::new(limits);
    put(&mut writing, &message, 0)?;
    let about = About {
        title: message.subject().map(str::to_owned),
        author: message.from().map(people),
        date: message
            .date()
            .and_then(|date| Date::new(date.year, Some(date.month), Some(date.day)))
            .map(Date::iso),
    };
    writing.finish(DocumentKind::Email, about)
}

fn is_encrypted(message: &Message) -> bool {
    let root = message.root_part();
    root.is_content_type("multipart", "encrypted")
        || (root.is_content_type("application", "pkcs7-mime")
            && root
                .content_type()
                .and_then(|kind| kind.attribute("smime-type"))
                .is_none_or(|kind| kind != "signed-data"))
}

fn put(writing: &mut Writing, message: &Message, depth: usize) -> Result<(), ReadFailure> {
    writing.put(Form::Paragraph, &head(message))?;
    for part in message.text_bodies() {
        match &part.body {
            PartType::Text(text) => plain::put(writing, text)?,
            PartType::Html(text) => {
                html::put(writing, text)?;
            }
            _ => {}
        }
    }
    let mut count = 0;
    for part in message.attachments() {
        count += 1;
        if count > ATTACHMENTS_MAX {
            return Err(ReadFailure::too_much(format!(
                "more than {ATTACHMENTS_MAX} attachments"
            )));
        }
        put_attachment(writing, part, depth)?;
    }
    Ok(())
}

fn head(message: &Message) -> String {
    let mut lines = Vec::new();
    let mut line = |name: &str, value: Option<String>| {
        if let Some(value) = value.as_deref().and_then(one_line) {
            lines.push(format!("{name}: {value}"));
        }
    };
    line("From", message.from().map(people));
    line("To", message.to().map(people));
    line("Cc", message.cc().map(people));
    line("Date", message.header_raw("Date").map(str::to_owned));
    line("Subject", message.subject().map(str::to_owned));
    lines.join("\n")
}

fn people(address: &Address) -> String {
    let all: Vec<String> = address
        .iter()
        .map(|one| match (one.name(), one.address()) {
            (Some(name), Some(address)) => format!("{name} <{address}>"),
            (name, address) => name.or(address).unwrap_or_default().to_owned(),
        })
        .collect();
    all.join(", ")
}

/// Attachments that are text are read; the others are named, so that a reader knows there is more.
fn put_attachment(
    writing: &mut Writing,
    part: &MessagePart,
    depth: usize,
) -> Result<(), ReadFailure> {
    let name = part
        .attachment_name()
        .and_then(one_line)
        .unwrap_or_else(|| "without a name".to_owned());
    let kind = part.content_type().map_or_else(
        || "unknown".to_owned(),
        |kind| match kind.subtype() {
            Some(subtype) => format!("{}/{subtype}", kind.ctype()),
            None => kind.ctype().to_owned(),
        },
    );
    let label = format!("Attachment: {name} ({kind})");
    match &part.body {
        PartType::Text(text) => {
            writing.put(Form::Heading(2), &label)?;
            put_text(writing, &name, text)
        }
        PartType::Html(text) => {
            writing.put(Form::Heading(2), &label)?;
            html::put(writing, text)?;
            Ok(())
        }
        PartType::Message(message) if depth < NESTING_MAX => {
            writing.put(Form::Heading(2), &label)?;
            put(writing, message, depth + 1)
        }
        PartType::Binary(bytes) | PartType::InlineBinary(bytes) if is_text_by_name(&name) => {
            writing.put(Form::Heading(2), &label)?;
            match encoding::decode(bytes) {
                Ok(text) => put_text(writing, &name, &text),
                // A name that promises text and holds none: it stays named, as every other binary.
                Err(_) => Ok(()),
            }
        }
        _ => writing.put_marked(Form::ListItem, "- ", &label),
    }
}

fn is_text_by_name(name: &str) -> bool {
    matches!(
        by_name(name),
        Some(DocumentKind::Markdown | DocumentKind::Csv | DocumentKind::Json | DocumentKind::Html)
    ) || name.to_ascii_lowercase().ends_with(".txt")
}

fn put_text(writing: &mut Writing, name: &str, text: &str) -> Result<(), ReadFailure> {
    match by_name(name) {
        Some(DocumentKind::Csv) => csv::put(writing, text),
        Some(DocumentKind::Json) if json::is_whole(text) => json::put(writing, text),
        Some(DocumentKind::Html) => html::put(writing, text).map(drop),
        Some(DocumentKind::Markdown) => markdown::put(writing, text).map(drop),
        _ => plain::put(writing, text),
    }
}
