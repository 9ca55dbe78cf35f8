//! XML as a run of events. Entities a file defines itself are never expanded, so they cannot blow up.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::ReadFailure;

const NESTING_MAX: usize = 1000;

pub(super) enum Seen<'a> {
    Start(Element<'a>),
    End(&'a str),
    Text(&'a str),
}

pub(super) struct Element<'a> {
    /// Without its prefix.
    pub(super) name: &'a str,
    tag: &'a BytesStart<'a>,
}

impl Element<'_> {
    /// An attribute by its name without prefix.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        self.tag
            .attributes()
            .flatten()
            .find(|attribute| attribute.key.local_name().as_ref() == name)
            .map(
                |attribute| match quick_xml::escape::unescape(&attribute.value) {
                    Ok(value) => value.into_owned(),
                    Err(_) => attribute.value.into_owned(),
                },
            )
    }
}

/// Shows every element and text to `see`; an element without content is shown as a start and an end.
pub(super) fn each(
    bytes: &[u8],
    mut see: impl FnMut(Seen) -> Result<(), ReadFailure>,
) -> Result<(), ReadFailure> {
    let text = crate::encoding::decode(bytes)?;
    let mut reader = Reader::from_str(&text);
    let mut depth: usize = 0;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                depth += 1;
                if depth > NESTING_MAX {
                    return Err(ReadFailure::too_much(format!(
                        "XML nested deeper than {NESTING_MAX}"
                    )));
                }
                start(&tag, &mut see)?;
            }
            Ok(Event::Empty(tag)) => {
                start(&tag, &mut see)?;
                see(Seen::End(tag.local_name().as_ref()))?;
            }
            Ok(Event::End(tag)) => {
                depth = depth.saturating_sub(1);
                see(Seen::End(tag.local_name().as_ref()))?;
            }
            Ok(Event::Text(text)) => see(Seen::Text(&text))?,
            Ok(Event::CData(text)) => see(Seen::Text(&text))?,
            Ok(Event::GeneralRef(entity)) => {
                if let Some(character) = character_of(&entity) {
                    see(Seen::Text(character.encode_utf8(&mut [0; 4])))?;
                }
            }
            Ok(Event::Eof) if depth > 0 => {
                return Err(ReadFailure::broken("its XML ends too early"));
            }
            Ok(Event::Eof) => return Ok(()),
            Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
            Err(error) => return Err(ReadFailure::broken(error.to_string())),
        }
    }
}

fn start(
    tag: &BytesStart,
    see: &mut impl FnMut(Seen) -> Result<(), ReadFailure>,
) -> Result<(), ReadFailure> {
    let name = tag.local_name();
    see(Seen::Start(Element {
        name: name.as_ref(),
        tag,
    }))
}

/// The entities every XML file has; others would be the file's own.
fn character_of(entity: &str) -> Option<char> {
    match entity {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => {}
    }
    let number = entity.strip_prefix('#')?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code)
}
