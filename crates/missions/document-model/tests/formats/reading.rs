//! Reads each format back with a parser that is not ours: the words, and the shape around them.

use std::cell::RefCell;
use std::io::{Cursor, Read};

use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
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
            Event::Code(words) => {
                reading.shape.push("code".to_owned());
                reading.words.push_str(&words);
            }
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
    let tokens = Tokenizer::new(Tokens::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(text.into());
    let _ = tokens.feed(&input);
    tokens.end();
    let mut reading = Reading {
        words: String::new(),
        shape: Vec::new(),
    };
    for token in tokens.sink.0.take() {
        match token {
            Token::CharacterTokens(words) => reading.words.push_str(&words),
            Token::TagToken(tag) => reading.shape.push(shape_of(&tag)),
            Token::EOFToken => {}
            other => reading.shape.push(format!("{other:?}")),
        }
    }
    reading
}

#[derive(Default)]
struct Tokens(RefCell<Vec<Token>>);

impl TokenSink for Tokens {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        self.0.borrow_mut().push(token);
        TokenSinkResult::Continue
    }
}

fn shape_of(tag: &html5ever::tokenizer::Tag) -> String {
    if tag.kind == TagKind::EndTag {
        return format!("/{}", &*tag.name);
    }
    let mut shape = tag.name.to_string();
    for attribute in &tag.attrs {
        shape.push_str(&format!(" {}", &*attribute.name.local));
        // The one attribute that holds a text of the document.
        if !attribute.value.starts_with("Table: ") {
            shape.push_str(&format!("={}", &*attribute.value));
        }
    }
    shape
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
