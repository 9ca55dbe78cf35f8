//! XML as a tree. Entities that a file defines itself are never expanded, so they cannot blow up.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

const NESTING_MAX: usize = 200;
const NODES_MAX: usize = 2_000_000;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Node {
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Node(Node),
}

impl Node {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name)?;
        Some(&found.1)
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = &Self> {
        self.parts.iter().filter_map(|part| match part {
            Part::Node(node) => Some(node),
            Part::Text(_) => None,
        })
    }

    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.nodes().filter(move |node| node.name == name)
    }

    /// The first at the end of a path of names.
    pub(crate) fn at(&self, path: &[&str]) -> Option<&Self> {
        let Some((first, rest)) = path.split_first() else {
            return Some(self);
        };
        self.nodes()
            .filter(|node| node.name == *first)
            .find_map(|node| node.at(rest))
    }

    /// All text inside, with white space made one space; markup such as italics leaves its text.
    pub(crate) fn text(&self) -> String {
        let mut raw = String::new();
        self.collect(&mut raw);
        raw.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The text at the end of a path, unless there is none.
    pub(crate) fn text_at(&self, path: &[&str]) -> Option<String> {
        Some(self.at(path)?.text()).filter(|text| !text.is_empty())
    }

    fn collect(&self, into: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(text) => into.push_str(text),
                Part::Node(node) => node.collect(into),
            }
        }
    }
}

/// The outermost element, or why there is none.
pub(crate) fn parse(bytes: &[u8]) -> Result<Node, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut reader = Reader::from_str(&text);
    let mut open: Vec<Node> = vec![Node::default()];
    let mut nodes = 0;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                nodes += 1;
                if open.len() > NESTING_MAX {
                    return Err(format!("it is nested deeper than {NESTING_MAX}"));
                }
                open.push(element(&tag));
            }
            Ok(Event::Empty(tag)) => {
                nodes += 1;
                put(&mut open, Part::Node(element(&tag)));
            }
            Ok(Event::End(_)) => {
                if let Some(node) = open.pop() {
                    put(&mut open, Part::Node(node));
                }
            }
            Ok(Event::Text(text)) => put(&mut open, Part::Text(text.to_string())),
            Ok(Event::CData(text)) => put(&mut open, Part::Text(text.to_string())),
            Ok(Event::GeneralRef(entity)) => {
                if let Some(character) = character_of(&entity) {
                    put(&mut open, Part::Text(character.to_string()));
                }
            }
            Ok(Event::Eof) if open.len() > 1 => return Err("it ends too early".into()),
            Ok(Event::Eof) => break,
            Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
            Err(error) => return Err(error.to_string()),
        }
        if nodes > NODES_MAX {
            return Err(format!("it has more than {NODES_MAX} elements"));
        }
    }
    let root = open.pop().unwrap_or_default();
    let outermost = root.nodes().next().cloned();
    outermost.ok_or_else(|| "it has no element".into())
}

fn put(open: &mut [Node], part: Part) {
    if let Some(node) = open.last_mut() {
        node.parts.push(part);
    }
}

fn element(tag: &BytesStart) -> Node {
    let attributes = tag.attributes().flatten().map(|attribute| {
        let value = match quick_xml::escape::unescape(&attribute.value) {
            Ok(value) => value.into_owned(),
            Err(_) => attribute.value.clone().into_owned(),
        };
        (attribute.key.local_name().as_ref().to_owned(), value)
    });
    Node {
        name: tag.local_name().as_ref().to_owned(),
        attributes: attributes.collect(),
        parts: Vec::new(),
    }
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
