//! Where html5ever builds its tree: nodes in one list, linked by their places, within a budget.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, local_name, ns};

use super::tree::{Dom, Node, ROOT, Visibility};

/// Deeper nodes are left out of the finished tree. Formatting that is opened again can nest deeper than the guard that
/// feeds this allows.
const DEPTH_MAX: usize = 512;
const NOWHERE: usize = usize::MAX;

#[derive(Debug, Clone)]
pub(super) struct Handle {
    at: usize,
    name: QualName,
}

#[derive(Debug)]
struct Linked {
    parent: usize,
    first: usize,
    last: usize,
    previous: usize,
    next: usize,
    depth: usize,
    name: LocalName,
    attributes: Vec<Attribute>,
    text: StrTendril,
    integration_point: bool,
}

/// The element that was put into the tree last.
#[derive(Debug, Clone)]
pub(super) struct Inserted {
    pub(super) name: QualName,
    pub(super) depth: usize,
}

#[derive(Debug)]
pub(super) struct Sink {
    nodes: RefCell<Vec<Linked>>,
    budget: Cell<usize>,
    is_full: Cell<bool>,
    inserted: RefCell<Option<Inserted>>,
    mode: Cell<QuirksMode>,
}

impl Sink {
    pub(super) fn new(nodes_max: usize) -> Self {
        let sink = Self {
            nodes: RefCell::default(),
            budget: Cell::new(nodes_max.max(1)),
            is_full: Cell::new(false),
            inserted: RefCell::default(),
            mode: Cell::new(QuirksMode::NoQuirks),
        };
        sink.create(local_name!(""), Vec::new(), StrTendril::new());
        sink
    }

    pub(super) fn is_full(&self) -> bool {
        self.is_full.get()
    }

    pub(super) fn mode(&self) -> QuirksMode {
        self.mode.get()
    }

    pub(super) fn take_inserted(&self) -> Option<Inserted> {
        self.inserted.take()
    }

    fn create(&self, name: LocalName, attributes: Vec<Attribute>, text: StrTendril) -> usize {
        let cost = 1 + attributes.len();
        let Some(rest) = self.budget.get().checked_sub(cost) else {
            self.is_full.set(true);
            return NOWHERE;
        };
        self.budget.set(rest);
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Linked {
            parent: NOWHERE,
            first: NOWHERE,
            last: NOWHERE,
            previous: NOWHERE,
            next: NOWHERE,
            depth: 0,
            name,
            attributes,
            text,
            integration_point: false,
        });
        nodes.len() - 1
    }

    /// Puts a child into a parent, before one of its children or at the end.
    fn insert(&self, parent: usize, before: usize, child: NodeOrText<Handle>) {
        let at = match child {
            NodeOrText::AppendNode(handle) => {
                unlink(&mut self.nodes.borrow_mut(), handle.at);
                let depth = link(&mut self.nodes.borrow_mut(), parent, before, handle.at);
                if let Some(depth) = depth {
                    let name = handle.name;
                    self.inserted.replace(Some(Inserted { name, depth }));
                }
                return;
            }
            NodeOrText::AppendText(text) => {
                if self.extend_text(parent, before, &text) {
                    return;
                }
                self.create(local_name!(""), Vec::new(), text)
            }
        };
        link(&mut self.nodes.borrow_mut(), parent, before, at);
    }

    /// Adds to the text that stands there already, if there is one.
    fn extend_text(&self, parent: usize, before: usize, text: &StrTendril) -> bool {
        let mut nodes = self.nodes.borrow_mut();
        let neighbour = match nodes.get(before) {
            Some(sibling) => sibling.previous,
            None => nodes.get(parent).map_or(NOWHERE, |parent| parent.last),
        };
        match nodes.get_mut(neighbour) {
            Some(node) if node.name.is_empty() => {
                node.text.push_tendril(text);
                true
            }
            _ => false,
        }
    }
}

fn link(nodes: &mut [Linked], parent: usize, before: usize, at: usize) -> Option<usize> {
    let holder = nodes.get(parent)?;
    let depth = holder.depth + 1;
    let (previous, next) = match nodes.get(before) {
        Some(sibling) => (sibling.previous, before),
        None => (holder.last, NOWHERE),
    };
    let node = nodes.get_mut(at)?;
    (node.parent, node.previous, node.next, node.depth) = (parent, previous, next, depth);
    match nodes.get_mut(previous) {
        Some(sibling) => sibling.next = at,
        None => nodes.get_mut(parent)?.first = at,
    }
    match nodes.get_mut(next) {
        Some(sibling) => sibling.previous = at,
        None => nodes.get_mut(parent)?.last = at,
    }
    Some(depth)
}

fn unlink(nodes: &mut [Linked], at: usize) {
    let Some(node) = nodes.get_mut(at) else {
        return;
    };
    let (parent, previous, next) = (node.parent, node.previous, node.next);
    (node.parent, node.previous, node.next) = (NOWHERE, NOWHERE, NOWHERE);
    if let Some(sibling) = nodes.get_mut(previous) {
        sibling.next = next;
    } else if let Some(parent) = nodes.get_mut(parent) {
        parent.first = next;
    }
    if let Some(sibling) = nodes.get_mut(next) {
        sibling.previous = previous;
    } else if let Some(parent) = nodes.get_mut(parent) {
        parent.last = previous;
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Dom;
    type ElemName<'a> = &'a QualName;

    fn finish(self) -> Dom {
        let cut = self.is_full.get();
        flatten(self.nodes.into_inner(), cut)
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle {
            at: ROOT,
            name: QualName::new(None, ns!(), local_name!("")),
        }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> &'a QualName {
        &target.name
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> Handle {
        let at = self.create(name.local.clone(), attributes, StrTendril::new());
        if let Some(node) = self.nodes.borrow_mut().get_mut(at) {
            node.integration_point = flags.mathml_annotation_xml_integration_point;
        }
        Handle { at, name }
    }

    fn create_comment(&self, _text: StrTendril) -> Handle {
        Handle {
            at: NOWHERE,
            name: QualName::new(None, ns!(), local_name!("")),
        }
    }

    fn create_pi(&self, _target: StrTendril, data: StrTendril) -> Handle {
        self.create_comment(data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(parent.at, NOWHERE, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        previous: &Handle,
        child: NodeOrText<Handle>,
    ) {
        let parent = self.nodes.borrow().get(element.at).map(|node| node.parent);
        match parent {
            Some(parent) if parent != NOWHERE => self.insert(parent, element.at, child),
            _ => self.insert(previous.at, NOWHERE, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// What is in a template stands below it, as in other elements: it is marked as hidden.
    fn get_template_contents(&self, target: &Handle) -> Handle {
        target.clone()
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        one.at == other.at
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.mode.set(mode);
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self.nodes.borrow().get(sibling.at).map(|node| node.parent);
        if let Some(parent) = parent {
            self.insert(parent, sibling.at, child);
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        if let Some(node) = self.nodes.borrow_mut().get_mut(target.at) {
            for attribute in attributes {
                let is_known = node
                    .attributes
                    .iter()
                    .any(|known| known.name == attribute.name);
                let Some(rest) = self.budget.get().checked_sub(1) else {
                    return self.is_full.set(true);
                };
                if !is_known {
                    self.budget.set(rest);
                    node.attributes.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        unlink(&mut self.nodes.borrow_mut(), target.at);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let mut nodes = self.nodes.borrow_mut();
        while let Some(child) = nodes.get(node.at).map(|node| node.first)
            && child != NOWHERE
        {
            unlink(&mut nodes, child);
            if link(&mut nodes, new_parent.at, NOWHERE, child).is_none() {
                return;
            }
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        let nodes = self.nodes.borrow();
        nodes
            .get(handle.at)
            .is_some_and(|node| node.integration_point)
    }
}

/// The linked nodes as one list in the order of the page.
fn flatten(mut linked: Vec<Linked>, mut cut: bool) -> Dom {
    let mut nodes = vec![Node::default()];
    let first = linked.first().map_or(NOWHERE, |root| root.first);
    // Each open node: its place in the list, and the linked node that follows it.
    let mut open = vec![(ROOT, NOWHERE)];
    let mut next = first;
    while let Some(&(parent, after)) = open.last() {
        let Some(node) = linked.get_mut(next) else {
            let end = nodes.len();
            if let Some(closed) = nodes.get_mut(parent) {
                closed.end = end;
            }
            open.pop();
            next = after;
            continue;
        };
        if open.len() > DEPTH_MAX {
            cut = true;
            next = node.next;
            continue;
        }
        let at = nodes.len();
        nodes.push(take_node(node, parent));
        open.push((at, node.next));
        next = node.first;
    }
    Dom {
        nodes,
        cut,
        styles_cut: false,
    }
}

fn take_node(node: &mut Linked, parent: usize) -> Node {
    let text: String = node
        .text
        .chars()
        .filter(|character| !is_invisible(*character))
        .collect();
    let attributes = std::mem::take(&mut node.attributes)
        .into_iter()
        .map(|attribute| (attribute.name.local, Box::from(&*attribute.value)));
    Node {
        parent,
        end: 0,
        name: node.name.clone(),
        attributes: attributes.collect(),
        text,
        visibility: Visibility::Shown,
    }
}

/// Characters that no reader sees and that can carry or turn around text.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{ad}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}'
    )
}
