//! What a CSL file may make the processor do, measured before the processor reads it.
//!
//! A file can call macros from macros, so a short one may expand without end. Checks size and shape only; whether
//! the file is valid CSL is decided by the parser.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::Refusal;
use crate::limits::{CSL_BYTES_MAX, CSL_DEPTH_MAX, CSL_EXPANDED_BYTES_MAX};

/// The argument a CSL file is given in.
pub(super) const FIELD: &str = "csl";

/// What writing one item may take at most, with every macro call expanded and the longest branch taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Expansion {
    pub(super) bytes: usize,
    pub(super) depth: usize,
}

#[derive(Debug, Default)]
struct Element {
    name: String,
    bytes: usize,
    /// The macro that a `text` or a sort key calls.
    called_macro: Option<String>,
    /// The name of a `macro` element.
    macro_name: Option<String>,
    children: Vec<Element>,
}

/// Measures a file, and refuses one that is too large, too deep or calls itself.
pub(super) fn measure(csl: &str) -> Result<Expansion, Refusal> {
    Refusal::check_length(FIELD, csl.len(), CSL_BYTES_MAX)?;
    let style = read_elements(csl)?;
    let (macros, layouts): (Vec<&Element>, Vec<&Element>) = style
        .children
        .iter()
        .partition(|child| child.macro_name.is_some());
    let mut expander = Expander {
        macros: macros
            .into_iter()
            .filter_map(|element| Some((element.macro_name.as_deref()?, element)))
            .collect(),
        open_macros: Vec::new(),
        open_elements: 0,
        done: BTreeMap::new(),
    };
    let mut total = Expansion::default();
    for layout in layouts {
        total = total.followed_by(expander.expand(layout)?);
    }
    if total.bytes > CSL_EXPANDED_BYTES_MAX {
        let advice = format!(
            "with its macros expanded it has {} bytes, more than {CSL_EXPANDED_BYTES_MAX}",
            total.bytes
        );
        return Err(unusable(csl, advice));
    }
    Ok(total)
}

/// The `style` element with all that is in it.
fn read_elements(csl: &str) -> Result<Element, Refusal> {
    let mut reader = Reader::from_str(csl);
    let mut open: Vec<Element> = vec![Element::default()];
    loop {
        let event = reader
            .read_event()
            .map_err(|error| unusable(csl, format!("it is not valid XML: {error}")))?;
        match event {
            Event::Start(tag) => open.push(element(&tag)),
            Event::Empty(tag) => {
                open.push(element(&tag));
                close(&mut open);
            }
            Event::End(_) => close(&mut open),
            Event::DocType(_) => {
                return Err(unusable(csl, "a document type is not allowed in it"));
            }
            Event::Eof => break,
            _ => {}
        }
        if open.len() > CSL_DEPTH_MAX {
            return Err(too_deep(csl));
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(document), true) => document
            .children
            .into_iter()
            .find(|element| element.name == "style")
            .ok_or_else(|| unusable(csl, "it has no `style` element")),
        _ => Err(unusable(csl, "its XML ends prematurely")),
    }
}

fn element(tag: &BytesStart<'_>) -> Element {
    let name = tag.local_name().as_ref().to_owned();
    Element {
        macro_name: (name == "macro").then(|| attribute(tag, "name")).flatten(),
        called_macro: attribute(tag, "macro"),
        bytes: tag.len(),
        children: Vec::new(),
        name,
    }
}

/// Puts the innermost open element into the one around it.
fn close(open: &mut Vec<Element>) {
    if open.len() > 1
        && let Some(element) = open.pop()
        && let Some(parent) = open.last_mut()
    {
        parent.children.push(element);
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag
        .attributes()
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == name)?;
    match quick_xml::escape::unescape(&attribute.value) {
        Ok(value) => Some(value.into_owned()),
        Err(_) => Some(attribute.value.into_owned()),
    }
}

impl Expansion {
    fn followed_by(self, next: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_add(next.bytes),
            depth: self.depth.max(next.depth),
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.max(other.bytes),
            depth: self.depth.max(other.depth),
        }
    }
}

struct Expander<'a> {
    macros: BTreeMap<&'a str, &'a Element>,
    /// The chain of macros that is being expanded.
    open_macros: Vec<&'a str>,
    /// The number of elements around the one that is being expanded, in all open macros.
    open_elements: usize,
    done: BTreeMap<&'a str, Expansion>,
}

impl<'a> Expander<'a> {
    fn expand(&mut self, element: &'a Element) -> Result<Expansion, Refusal> {
        if self.open_elements == CSL_DEPTH_MAX {
            return Err(self.too_deep());
        }
        self.open_elements += 1;
        let mut inner = Expansion::default();
        for child in &element.children {
            let child = self.expand(child)?;
            inner = if element.name == "choose" {
                inner.or(child)
            } else {
                inner.followed_by(child)
            };
        }
        if let Some(name) = &element.called_macro {
            inner = inner.followed_by(self.expand_macro(name)?);
        }
        self.open_elements -= 1;
        if self.open_elements + inner.depth >= CSL_DEPTH_MAX {
            return Err(self.too_deep());
        }
        Ok(Expansion {
            bytes: inner.bytes.saturating_add(element.bytes),
            depth: inner.depth + 1,
        })
    }

    /// A macro that does not exist is left to the processor, which writes nothing for it.
    fn expand_macro(&mut self, name: &str) -> Result<Expansion, Refusal> {
        let Some((&name, &element)) = self.macros.get_key_value(name) else {
            return Ok(Expansion::default());
        };
        if let Some(expansion) = self.done.get(name) {
            return Ok(*expansion);
        }
        if self.open_macros.contains(&name) {
            return Err(unusable(name, "this macro calls itself"));
        }
        self.open_macros.push(name);
        let expansion = self.expand(element)?;
        self.open_macros.pop();
        self.done.insert(name, expansion);
        Ok(expansion)
    }

    fn too_deep(&self) -> Refusal {
        too_deep(self.open_macros.last().unwrap_or(&"style"))
    }
}

fn too_deep(part: &str) -> Refusal {
    unusable(
        part,
        format!("it is nested deeper than {CSL_DEPTH_MAX} elements, counting the macros it calls"),
    )
}

pub(super) fn unusable(part: &str, advice: impl Into<String>) -> Refusal {
    Refusal::unusable(FIELD, part, advice)
}
