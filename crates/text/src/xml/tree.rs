//! A document as a tree of elements.

use super::{Event, Strictness, Tag, XmlError, each_after_doctype};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Element {
    /// Without its prefix.
    pub name: String,
    pub prefix: String,
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
pub struct Tree {
    pub root: Element,
    /// Why the rest could not be read.
    pub broken: Option<String>,
}

impl Element {
    /// By name without prefix; `xml:base` is asked for as `base`.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name)?;
        Some(found.1.trim())
    }

    pub fn children(&self) -> impl Iterator<Item = &Self> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children().filter(move |child| child.name == name)
    }

    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children().find(|child| child.name == name)
    }

    /// The first at the end of a path of names.
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        let Some((first, rest)) = path.split_first() else {
            return Some(self);
        };
        self.children()
            .filter(|child| child.name == *first)
            .find_map(|child| child.at(rest))
    }

    /// All elements of this name below here, in order, but none inside another of them.
    pub fn descendants(&self, name: &str) -> Vec<&Self> {
        let mut found = Vec::new();
        self.gather_descendants(name, &mut found);
        found
    }

    fn gather_descendants<'a>(&'a self, name: &str, into: &mut Vec<&'a Self>) {
        for child in self.children() {
            if child.name == name {
                into.push(child);
            } else {
                child.gather_descendants(name, into);
            }
        }
    }

    /// All text below here, with its white space as it is. Markup such as italics leaves its text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.gather_text(&mut text);
        text
    }

    fn gather_text(&self, into: &mut String) {
        for node in &self.nodes {
            match node {
                Node::Element(element) => element.gather_text(into),
                Node::Text(text) => into.push_str(text),
            }
        }
    }

    /// All text below here, with white space made one space.
    pub fn one_line(&self) -> String {
        let text = self.text();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The text on one line; nothing if there is none.
    pub fn line(&self) -> Option<String> {
        Some(self.one_line()).filter(|line| !line.is_empty())
    }

    /// The line at the end of a path of names.
    pub fn line_at(&self, path: &[&str]) -> Option<String> {
        self.at(path)?.line()
    }

    /// What is inside, as markup: for formats that put HTML into XML.
    pub fn markup(&self) -> String {
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

/// The root element and what is in it, or why there is none.
///
/// A lenient reading gives as much of a broken document as can be read. One that declares entities is refused: what it
/// says would be missing.
pub fn read(text: &str, strictness: Strictness, elements_max: usize) -> Result<Tree, XmlError> {
    let mut growing = Growing {
        root: None,
        open: Vec::new(),
        count: 0,
        elements_max,
    };
    let result = each_after_doctype(text, strictness, refuse_entities, |event| {
        match event {
            Event::Start(tag) => growing.start(&tag)?,
            Event::End(_) => growing.end(),
            Event::Text(text) => growing.text(text),
        }
        Ok(())
    });
    let broken = match (result, strictness) {
        (Ok(()), _) => None,
        (Err(XmlError::Broken(why)), Strictness::Lenient) => Some(why),
        (Err(error), _) => return Err(error),
    };
    while !growing.open.is_empty() {
        growing.end();
    }
    match (growing.root, broken) {
        (Some(root), broken) => Ok(Tree { root, broken }),
        (None, Some(why)) => Err(XmlError::Broken(why)),
        (None, None) => Err(XmlError::Empty),
    }
}

fn refuse_entities(doctype: &str) -> Result<(), XmlError> {
    if doctype.contains('[') || doctype.to_ascii_uppercase().contains("!ENTITY") {
        return Err(XmlError::DeclaresEntities);
    }
    Ok(())
}

struct Growing {
    root: Option<Element>,
    open: Vec<Element>,
    count: usize,
    elements_max: usize,
}

impl Growing {
    fn start(&mut self, tag: &Tag) -> Result<(), XmlError> {
        self.count += 1;
        if self.count > self.elements_max {
            let max = self.elements_max;
            return Err(XmlError::TooManyElements { max });
        }
        self.open.push(Element {
            name: tag.name.to_owned(),
            prefix: tag.prefix().to_owned(),
            attributes: tag.attributes().collect(),
            nodes: Vec::new(),
        });
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

    fn text(&mut self, text: &str) {
        if let Some(open) = self.open.last_mut() {
            open.nodes.push(Node::Text(text.to_owned()));
        }
    }
}
