//! Reads each format back with a parser that is not ours: the words, and the shape around them.

use std::io::{Cursor, Read};

use html5gum::{Token, Tokenizer};
use pulldown_cmark::{Event, Options, Parser, Tag};
use quick_xml::events::Event as Xml;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) words: String,
    /// The markup alone, without the words: what must not depend on them.
    pub(crate) shape: Vec<String>,
}

impl Reading {
    pub(crate) fn times(&self, text: &str) -> usize {
        self.words.matches(text).count()
    }
}

pub(crate) fn of_markdown(text: &str) -> Reading {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS;
    let mut reading = Reading {
        words: String::new(),
        shape: Vec::new(),
    };
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Text(words) => reading.words.push_str(&words),
            Event::SoftBreak | Event::HardBreak => reading.words.push('\n'),
            Event::Start(Tag::Link { dest_url, .. }) => {
                reading.shape.push(format!("link {dest_url}"));
            }
            Event::Start(tag) => {
                reading.words.push('\n');
                reading.shape.push(format!("{tag:?}"));
            }
            Event::End(tag) => reading.shape.push(format!("/{tag:?}")),
            other => reading.shape.push(format!("{other:?}")),
        }
    }
    reading
}

pub(crate) fn of_html(text: &str) -> Reading {
    let mut reading = Reading {
        words: String::new(),
        shape: Vec::new(),
    };
    for token in Tokenizer::new(text) {
        let Ok(token) = token;
        match token {
            Token::String(words) => {
                reading.words.push_str(std::str::from_utf8(&words).unwrap());
            }
            Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                let mut shape = name;
                for (name, value) in &tag.attributes {
                    shape.push(' ');
                    shape.push_str(&String::from_utf8_lossy(name));
                    let value = String::from_utf8_lossy(value);
                    // The one attribute that holds a text of the document.
                    if !value.starts_with("Table: ") {
                        shape.push_str(&format!("={value}"));
                    }
                }
                reading.shape.push(shape);
            }
            Token::EndTag(tag) => reading
                .shape
                .push(format!("/{}", String::from_utf8_lossy(&tag.name))),
            other => reading.shape.push(format!("{other:?}")),
        }
    }
    reading
}

/// A part of a Word document.
pub(crate) fn part(docx: &[u8], name: &str) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(docx)).unwrap();
    let mut text = String::new();
    archive
        .by_name(name)
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    text
}

pub(crate) fn of_xml(text: &str) -> Reading {
    let mut reading = Reading {
        words: String::new(),
        shape: Vec::new(),
    };
    let mut reader = quick_xml::Reader::from_str(text);
    loop {
        match reader.read_event().unwrap() {
            Xml::Eof => return reading,
            Xml::Text(words) => reading.words.push_str(&words),
            Xml::GeneralRef(reference) => {
                let character = match (&*reference, reference.resolve_char_ref().unwrap()) {
                    (_, Some(character)) => character,
                    ("amp", _) => '&',
                    ("lt", _) => '<',
                    ("gt", _) => '>',
                    ("quot", _) => '"',
                    (other, _) => unreachable!("the entity {other}"),
                };
                reading.words.push(character);
            }
            Xml::Start(tag) | Xml::Empty(tag) => {
                reading.shape.push(tag.to_string());
            }
            Xml::End(tag) => {
                if tag.name().as_ref() == "w:p" {
                    reading.words.push('\n');
                }
                reading.shape.push(format!("/{}", &*tag));
            }
            other => reading.shape.push(format!("{other:?}")),
        }
    }
}
