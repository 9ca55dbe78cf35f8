//! The tree in one list: an element stands before what is in it.

use html5ever::LocalName;

pub const ROOT: usize = 0;

/// Whether readers of the page see what is in a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Visibility {
    #[default]
    Shown,
    Hidden,
}

#[derive(Debug, Default)]
pub struct Node {
    pub parent: usize,
    /// The place after the last node inside this one.
    pub(super) end: usize,
    pub(super) name: LocalName,
    pub(super) attributes: Vec<(LocalName, Box<str>)>,
    pub(super) text: String,
    pub visibility: Visibility,
}

impl Node {
    /// Empty for text and for the root.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn is_element(&self) -> bool {
        !self.name.is_empty()
    }

    /// Empty for elements.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| **known == *name)?;
        Some(found.1.trim())
    }
}

#[derive(Debug)]
pub struct Dom {
    pub(super) nodes: Vec<Node>,
    pub(super) cut: bool,
    pub(super) styles_cut: bool,
}

impl Dom {
    /// All nodes, in the order of the page.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub fn node(&self, at: usize) -> &Node {
        static NOTHING: Node = Node {
            parent: ROOT,
            end: ROOT,
            name: html5ever::local_name!(""),
            attributes: Vec::new(),
            text: String::new(),
            visibility: Visibility::Hidden,
        };
        self.nodes.get(at).unwrap_or(&NOTHING)
    }

    pub fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        let end = self.node(at).end;
        let mut next = at + 1;
        std::iter::from_fn(move || {
            let child = next;
            next = self.node(child).end.max(child + 1);
            (child < end).then_some(child)
        })
    }

    /// The places of an element and of all that is in it.
    pub fn subtree(&self, at: usize) -> std::ops::Range<usize> {
        at..self.node(at).end.max(at)
    }

    /// All elements of a name, in the order of the page.
    pub fn named(&self, name: &str) -> impl Iterator<Item = (usize, &Node)> {
        self.nodes
            .iter()
            .enumerate()
            .filter(move |(_, node)| node.name() == name)
    }

    /// All text in an element, whoever sees it.
    pub fn raw_text(&self, at: usize) -> String {
        self.nodes
            .get(self.subtree(at))
            .unwrap_or_default()
            .iter()
            .map(Node::text)
            .collect()
    }

    /// A part of the page was too long or nested too deep, and was left out.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// The page has more style rules than are read: hidden text may count as shown.
    pub fn are_styles_cut(&self) -> bool {
        self.styles_cut
    }
}
