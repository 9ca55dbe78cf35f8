//! XML as a tree of elements, for answers and feeds that are not always well formed.
//!
//! What a document declares itself is refused, so nothing in it can be expanded.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Deeper elements make no sense in any format read here.
const NESTING_MAX: usize = 128;
const ELEMENTS_MAX: usize = 200_000;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Element {
    /// Without its prefix.
    pub(crate) name: String,
    pub(crate) prefix: String,
    attributes: Vec<(String, String)>,
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    Element(Element),
    Text(String),
}

/// A document read as far as it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) root: Element,
    /// Why the rest could not be read.
    pub(crate) broken: Option<String>,
}

impl Element {
    /// By name without prefix; `xml:base` is asked for as `base`.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name)?;
        Some(found.1.trim())
    }

    pub(crate) fn children(&self) -> impl Iterator<Item = &Element> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    pub(crate) fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children().filter(move |child| child.name == name)
    }

    pub(crate) fn child(&self, name: &str) -> Option<&Element> {
        self.children().find(|child| child.name == name)
    }

    /// All elements of this name below here, in order.
    pub(crate) fn all<'a>(&'a self, name: &str, into: &mut Vec<&'a Element>) {
        for child in self.children() {
            if child.name == name {
                into.push(child);
            } else {
                child.all(name, into);
            }
        }
    }

    /// All text below here, with its white space as it is.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        self.gather(&mut text);
        text
    }

    /// The text on one line; nothing if there is none.
    pub(crate) fn line(&self) -> Option<String> {
        let line = one_line(&self.text());
        (!line.is_empty()).then_some(line)
    }

    fn gather(&self, into: &mut String) {
        for node in &self.nodes {
            match node {
                Node::Element(element) => element.gather(into),
                Node::Text(text) => into.push_str(text),
            }
        }
    }

    /// What is inside, as markup: for formats that put HTML into XML.
    pub(crate) fn markup(&self) -> String {
        let mut markup = String::new();
        self.write(&mut markup);
        markup
    }

    fn write(&self, into: &mut String) {
        for node in &self.nodes {
            match node {
                Node::Element(element) => {
                    into.push_str(&format!("<{}>", element.name));
                    element.write(into);
                    into.push_str(&format!("</{}>", element.name));
                }
                Node::Text(text) => {
                    into.push_str(&text.replace('&', "&amp;").replace('<', "&lt;"));
                }
            }
        }
    }
}

pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The root element and as much of what is in it as can be read, or why there is none.
pub(crate) fn read(text: &str) -> Result<Tree, String> {
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}').trim_start());
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    config.check_end_names = false;
    let mut growing = Growing::default();
    let broken = loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => growing.start(element_of(&tag))?,
            Ok(Event::Empty(tag)) => {
                growing.start(element_of(&tag))?;
                growing.end();
            }
            Ok(Event::End(tag)) => growing.end_named(tag.local_name().as_ref()),
            Ok(Event::Text(text)) => growing.text(&text),
            Ok(Event::CData(text)) => growing.text(&text),
            Ok(Event::GeneralRef(entity)) => match character_of(&entity) {
                Some(character) => growing.text(character.encode_utf8(&mut [0; 4])),
                None => growing.text(&format!("&{};", &*entity)),
            },
            Ok(Event::DocType(declared)) => {
                if declared.contains('[') || declared.to_ascii_uppercase().contains("!ENTITY") {
                    return Err("it declares entities of its own, which are not read".into());
                }
            }
            Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_)) => {}
            Ok(Event::Eof) if growing.open.is_empty() => break None,
            Ok(Event::Eof) => break Some("it ends too early".to_owned()),
            Err(error) => break Some(error.to_string()),
        }
    };
    growing.finish(broken)
}

#[derive(Default)]
struct Growing {
    root: Option<Element>,
    open: Vec<Element>,
    count: usize,
}

impl Growing {
    fn start(&mut self, element: Element) -> Result<(), String> {
        self.count += 1;
        if self.count > ELEMENTS_MAX {
            return Err(format!("it has more than {ELEMENTS_MAX} elements"));
        }
        if self.open.len() >= NESTING_MAX {
            return Err(format!("its elements are nested deeper than {NESTING_MAX}"));
        }
        self.open.push(element);
        Ok(())
    }

    fn end(&mut self) {
        let Some(done) = self.open.pop() else {
            return;
        };
        match self.open.last_mut() {
            Some(parent) => parent.nodes.push(Node::Element(done)),
            None => {
                self.root.get_or_insert(done);
            }
        }
    }

    /// An end without its start is nothing; one further out ends what is inside, too.
    fn end_named(&mut self, name: &str) {
        let Some(place) = self.open.iter().rposition(|open| open.name == name) else {
            return;
        };
        while self.open.len() > place {
            self.end();
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(open) = self.open.last_mut() {
            match open.nodes.last_mut() {
                Some(Node::Text(known)) => known.push_str(text),
                _ => open.nodes.push(Node::Text(text.to_owned())),
            }
        }
    }

    fn finish(mut self, broken: Option<String>) -> Result<Tree, String> {
        while !self.open.is_empty() {
            self.end();
        }
        match self.root {
            Some(root) => Ok(Tree { root, broken }),
            None => Err(broken.unwrap_or_else(|| "there is no XML in it".into())),
        }
    }
}

fn element_of(tag: &BytesStart) -> Element {
    let name = tag.name();
    let (prefix, local) = split_name(name.as_ref());
    let mut attributes = tag.attributes();
    Element {
        name: local.to_owned(),
        prefix: prefix.to_owned(),
        attributes: attributes
            .with_checks(false)
            .flatten()
            .filter(|attribute| !attribute.key.as_ref().starts_with("xmlns"))
            .map(|attribute| {
                let key = split_name(attribute.key.as_ref()).1.to_owned();
                let value = match quick_xml::escape::unescape(&attribute.value) {
                    Ok(value) => value.into_owned(),
                    Err(_) => attribute.value.into_owned(),
                };
                (key, value)
            })
            .collect(),
        nodes: Vec::new(),
    }
}

fn split_name(name: &str) -> (&str, &str) {
    name.split_once(':').unwrap_or(("", name))
}

/// The entities every XML file has, and the few of HTML that feeds use without declaring them.
fn character_of(entity: &str) -> Option<char> {
    let named = match entity {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        "ndash" => '–',
        "mdash" => '—',
        "lsquo" => '‘',
        "rsquo" => '’',
        "ldquo" => '“',
        "rdquo" => '”',
        "hellip" => '…',
        "euro" => '€',
        "copy" => '©',
        "auml" => 'ä',
        "ouml" => 'ö',
        "uuml" => 'ü',
        "Auml" => 'Ä',
        "Ouml" => 'Ö',
        "Uuml" => 'Ü',
        "szlig" => 'ß',
        "eacute" => 'é',
        "egrave" => 'è',
        "agrave" => 'à',
        _ => return numbered(entity),
    };
    Some(named)
}

fn numbered(entity: &str) -> Option<char> {
    let number = entity.strip_prefix('#')?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code)
}

#[cfg(test)]
#[path = "xml_tree_tests.rs"]
mod tests;
