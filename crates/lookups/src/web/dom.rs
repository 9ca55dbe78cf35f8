//! A page as a tree, in one list: what is further down stands later.

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

/// What is deeper is left out: hung elsewhere it would come out of what hides it.
const NESTING_MAX: usize = 400;
const NODES_MAX: usize = 300_000;
pub(super) const ROOT: usize = 0;

#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) parent: usize,
    pub(super) children: Vec<usize>,
    /// Empty for text and for the root.
    pub(super) name: String,
    attributes: Vec<(String, String)>,
    pub(super) text: String,
}

impl Node {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name)?;
        Some(found.1.trim())
    }
}

#[derive(Debug)]
pub(super) struct Dom {
    pub(super) nodes: Vec<Node>,
    /// There was more than is read.
    pub(super) cut: bool,
}

impl Dom {
    pub(super) fn node(&self, at: usize) -> &Node {
        static NOTHING: Node = Node {
            parent: ROOT,
            children: Vec::new(),
            name: String::new(),
            attributes: Vec::new(),
            text: String::new(),
        };
        self.nodes.get(at).unwrap_or(&NOTHING)
    }

    /// All elements of a name, in the order of the page.
    pub(super) fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (usize, &'a Node)> {
        self.nodes
            .iter()
            .enumerate()
            .filter(move |(_, node)| node.name == name)
    }

    /// All text in an element, whoever sees it.
    pub(super) fn raw_text(&self, at: usize) -> String {
        let mut text = String::new();
        let mut waiting = vec![at];
        while let Some(at) = waiting.pop() {
            let node = self.node(at);
            text.push_str(&node.text);
            waiting.extend(node.children.iter().rev());
        }
        text
    }
}

pub(super) fn read(html: &str) -> Dom {
    let mut growing = Growing {
        nodes: vec![Node::default()],
        open: Vec::new(),
        beyond: 0,
        cut: false,
    };
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        if growing.nodes.len() >= NODES_MAX {
            growing.cut = true;
            break;
        }
        match token {
            Token::StartTag(tag) => growing.start(&tag),
            Token::EndTag(tag) => growing.end(&String::from_utf8_lossy(&tag.name)),
            Token::String(text) => growing.text(&String::from_utf8_lossy(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    Dom {
        nodes: growing.nodes,
        cut: growing.cut,
    }
}

struct Growing {
    nodes: Vec<Node>,
    /// Name and place of what is open.
    open: Vec<(String, usize)>,
    /// How many elements are open that are too deep.
    beyond: usize,
    cut: bool,
}

impl Growing {
    fn start(&mut self, tag: &StartTag<()>) {
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        if self.beyond > 0 {
            self.beyond += usize::from(!is_void(&name));
            return;
        }
        self.close_implied(&name);
        let attributes = tag.attributes.iter().map(|(key, value)| {
            let key = String::from_utf8_lossy(key).to_lowercase();
            (key, String::from_utf8_lossy(value).into_owned())
        });
        let node = Node {
            name: name.clone(),
            attributes: attributes.collect(),
            ..Node::default()
        };
        let foreign = self
            .open
            .iter()
            .any(|(open, _)| open == "svg" || open == "math");
        if is_void(&name) || (tag.self_closing && foreign) {
            self.add(node);
        } else if self.open.len() >= NESTING_MAX {
            self.beyond = 1;
            self.cut = true;
        } else {
            let at = self.add(node);
            self.open.push((name, at));
        }
    }

    fn text(&mut self, text: &str) {
        if self.beyond > 0 {
            return;
        }
        let node = Node {
            text: text.chars().filter(|sign| !is_invisible(*sign)).collect(),
            ..Node::default()
        };
        self.add(node);
    }

    fn add(&mut self, mut node: Node) -> usize {
        node.parent = self.open.last().map_or(ROOT, |(_, at)| *at);
        let at = self.nodes.len();
        if let Some(parent) = self.nodes.get_mut(node.parent) {
            parent.children.push(at);
        }
        self.nodes.push(node);
        at
    }

    fn end(&mut self, name: &str) {
        if self.beyond > 0 {
            self.beyond -= usize::from(!is_void(name));
            return;
        }
        let of_table = matches!(
            name,
            "table" | "tbody" | "thead" | "tfoot" | "tr" | "td" | "th" | "body" | "html"
        );
        for (place, (open, _)) in self.open.iter().enumerate().rev() {
            if open == name {
                self.open.truncate(place);
                return;
            }
            // A stray end inside a cell does not end what is outside the table.
            if !of_table && matches!(open.as_str(), "td" | "th" | "table") {
                return;
            }
        }
    }

    /// Ends what HTML lets authors leave open.
    fn close_implied(&mut self, name: &str) {
        let (ends, barriers): (&[&str], &[&str]) = match name {
            "li" => (&["li"], &["ul", "ol", "menu"]),
            "dt" | "dd" => (&["dt", "dd"], &["dl"]),
            "td" | "th" => (&["td", "th"], &["tr", "table"]),
            "tr" => (&["tr"], &["table", "thead", "tbody", "tfoot"]),
            "thead" | "tbody" | "tfoot" => (&["thead", "tbody", "tfoot"], &["table"]),
            "option" => (&["option"], &["select"]),
            "a" => (&["a"], &["td", "th", "table"]),
            "p" | "div" | "ul" | "ol" | "dl" | "table" | "h1" | "h2" | "h3" | "h4" | "h5"
            | "h6" | "pre" | "blockquote" | "section" | "article" | "aside" | "nav" | "header"
            | "footer" | "main" | "figure" | "form" | "hr" | "address" | "details" => {
                (&["p"], &["td", "th", "button", "li", "div", "object"])
            }
            "body" => (&["head"], &[]),
            _ => return,
        };
        for (place, (open, _)) in self.open.iter().enumerate().rev() {
            if ends.contains(&open.as_str()) {
                self.open.truncate(place);
                return;
            }
            if barriers.contains(&open.as_str()) {
                return;
            }
        }
    }
}

fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Signs that no reader sees and that can carry or turn around text.
fn is_invisible(sign: char) -> bool {
    matches!(
        sign,
        '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{ad}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}'
    )
}
