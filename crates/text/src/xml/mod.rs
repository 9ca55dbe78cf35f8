//! XML as a run of events, or as a tree of elements.
//!
//! Entities that a document declares itself are never expanded, so they cannot blow up. Those of HTML are known, because
//! feeds use them without declaring them.

mod tree;

pub use tree::{Element, Tree, read};

use html5ever::data::NAMED_ENTITIES;
use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event as Token};
use thiserror::Error;

/// Deeper elements make no sense in any format that is read.
pub const NESTING_MAX: usize = 1_000;
/// Longer than any name that HTML has for a character.
const ENTITY_BYTES_MAX: usize = 40;

/// What happens to a document that is not well formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// It is refused.
    WellFormed,
    /// Lone ampersands stay, ends without a start are overlooked, and an end further out ends what is inside, too.
    Lenient,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum XmlError {
    #[error("its elements are nested deeper than {NESTING_MAX}")]
    TooDeep,
    #[error("it has more than {max} elements")]
    TooManyElements { max: usize },
    #[error("it declares entities of its own, which are not read")]
    DeclaresEntities,
    #[error("there is no XML in it")]
    Empty,
    #[error("{0}")]
    Broken(String),
}

#[derive(Debug)]
pub enum Event<'a> {
    Start(Tag<'a>),
    /// With the name of the element, without its prefix.
    End(&'a str),
    /// All text up to the next tag.
    Text(&'a str),
}

#[derive(Debug)]
pub struct Tag<'a> {
    /// Without its prefix.
    pub name: &'a str,
    token: &'a BytesStart<'a>,
}

impl Tag<'_> {
    /// An attribute by its name without prefix.
    pub fn attribute(&self, name: &str) -> Option<String> {
        self.attributes()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value)
    }

    /// Names without prefix, and values. What declares a namespace is not among them.
    fn attributes(&self) -> impl Iterator<Item = (String, String)> {
        let mut attributes = self.token.attributes();
        attributes.with_checks(false);
        attributes
            .flatten()
            .filter(|attribute| !attribute.key.as_ref().starts_with("xmlns"))
            .map(|attribute| {
                let name = attribute.key.local_name().as_ref().to_owned();
                (name, resolve_entities(&attribute.value))
            })
    }

    fn prefix(&self) -> &str {
        let whole = self.token.name().into_inner();
        whole.split_once(':').map_or("", |(prefix, _)| prefix)
    }
}

/// Shows every element and text to `see`. An element without content is shown as a start and an end.
pub fn each<E: From<XmlError>>(
    text: &str,
    strictness: Strictness,
    see: impl FnMut(Event) -> Result<(), E>,
) -> Result<(), E> {
    each_after_doctype(text, strictness, |_| Ok(()), see)
}

fn each_after_doctype<E: From<XmlError>>(
    text: &str,
    strictness: Strictness,
    see_doctype: impl Fn(&str) -> Result<(), E>,
    see: impl FnMut(Event) -> Result<(), E>,
) -> Result<(), E> {
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}').trim_start());
    if strictness == Strictness::Lenient {
        let config = reader.config_mut();
        config.allow_dangling_amp = true;
        config.allow_unmatched_ends = true;
        config.check_end_names = false;
    }
    let mut run = Run {
        see,
        open: Vec::new(),
        text: String::new(),
    };
    loop {
        match reader.read_event() {
            Ok(Token::Start(tag)) => run.start(&tag)?,
            Ok(Token::Empty(tag)) => {
                run.start(&tag)?;
                run.end(tag.local_name().as_ref())?;
            }
            Ok(Token::End(tag)) => run.end(tag.local_name().as_ref())?,
            Ok(Token::Text(text)) => run.text.push_str(&text),
            Ok(Token::CData(text)) => run.text.push_str(&text),
            Ok(Token::GeneralRef(entity)) => push_entity(&mut run.text, &entity),
            Ok(Token::DocType(declared)) => see_doctype(&declared)?,
            Ok(Token::Comment(_) | Token::Decl(_) | Token::PI(_)) => {}
            Ok(Token::Eof) => {
                run.flush()?;
                if run.open.is_empty() {
                    return Ok(());
                }
                return Err(XmlError::Broken("it ends too early".to_owned()).into());
            }
            Err(error) => {
                run.flush()?;
                return Err(XmlError::Broken(error.to_string()).into());
            }
        }
    }
}

struct Run<S> {
    see: S,
    /// The names of the open elements.
    open: Vec<String>,
    /// What has come since the last tag.
    text: String,
}

impl<S> Run<S> {
    fn start<E: From<XmlError>>(&mut self, token: &BytesStart) -> Result<(), E>
    where
        S: FnMut(Event) -> Result<(), E>,
    {
        self.flush()?;
        if self.open.len() >= NESTING_MAX {
            return Err(XmlError::TooDeep.into());
        }
        let local = token.local_name();
        let name = local.as_ref();
        self.open.push(name.to_owned());
        (self.see)(Event::Start(Tag { name, token }))
    }

    fn end<E>(&mut self, name: &str) -> Result<(), E>
    where
        S: FnMut(Event) -> Result<(), E>,
    {
        self.flush()?;
        let Some(place) = self.open.iter().rposition(|open| open == name) else {
            return Ok(());
        };
        while self.open.len() > place
            && let Some(closed) = self.open.pop()
        {
            (self.see)(Event::End(&closed))?;
        }
        Ok(())
    }

    fn flush<E>(&mut self) -> Result<(), E>
    where
        S: FnMut(Event) -> Result<(), E>,
    {
        if self.text.is_empty() {
            return Ok(());
        }
        let result = (self.see)(Event::Text(&self.text));
        self.text.clear();
        result
    }
}

/// An entity that is not known stays as it is written.
fn push_entity(text: &mut String, entity: &BytesRef) {
    let number = entity.resolve_char_ref().ok().flatten();
    // The table has parts of names, too, which stand for nothing.
    let named = NAMED_ENTITIES.get(format!("{};", &**entity).as_str());
    match (number, named) {
        (Some(character), _) => text.push(character),
        (None, Some((first, second))) if *first != 0 => {
            let codes = [*first, *second].into_iter().filter(|code| *code != 0);
            text.extend(codes.filter_map(char::from_u32));
        }
        _ => text.push_str(&format!("&{};", &**entity)),
    }
}

/// For attributes, in which a lone ampersand stays.
fn resolve_entities(value: &str) -> String {
    let mut resolved = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('&') {
        resolved.push_str(before);
        let length = after.bytes().take(ENTITY_BYTES_MAX);
        let length = length
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#')
            .count();
        match after.split_at_checked(length) {
            Some((name, tail)) if tail.starts_with(';') => {
                push_entity(&mut resolved, &BytesRef::new(name));
                rest = tail.strip_prefix(';').unwrap_or(tail);
            }
            _ => {
                resolved.push('&');
                rest = after;
            }
        }
    }
    resolved.push_str(rest);
    resolved
}

#[cfg(test)]
#[path = "xml_tests.rs"]
mod tests;
