//! The file as a tree of nodes with positions, before anything is known about plans. Building it from
//! YAML is the parser's job.

use adjutant_mission::references;

use crate::problem::Position;

/// A value of the file.
#[derive(Debug, Clone)]
pub struct Node {
    pub(crate) at: Position,
    pub(crate) value: Value,
}

#[derive(Debug, Clone)]
pub(crate) enum Value {
    /// Written without quotes: may be a number, `true`, nothing or text.
    Plain(String),
    Quoted(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
    /// Something already reported; read no further.
    Broken,
}

/// A field of a map, with its value.
#[derive(Debug, Clone)]
pub struct Entry {
    pub(crate) key: String,
    pub(crate) at: Position,
    pub(crate) value: Node,
}

impl Entry {
    pub fn value(&self) -> &Node {
        &self.value
    }

    /// Where its name stands.
    pub fn at(&self) -> Position {
        self.at
    }

    /// Where to point for the whole entry: its value, or its key when the value starts on another line.
    pub(crate) fn position(&self) -> Position {
        if self.value.at.line == self.at.line {
            self.value.at
        } else {
            self.at
        }
    }
}

impl Node {
    /// Where it begins.
    pub fn at(&self) -> Position {
        self.at
    }

    pub fn get(&self, key: &str) -> Option<&Entry> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|entry| entry.key == key),
            _ => None,
        }
    }

    /// The position of `place` (`tasks[3].after[0]`) or of its nearest ancestor that is in the file.
    pub fn locate(&self, place: &str) -> Position {
        self.descend(place).1
    }

    /// The way from `place` to the scalar below it that has this reference, the nth of its kind; empty when none does.
    pub(crate) fn path_to_reference(&self, place: &str, text: &str, nth: usize) -> String {
        let mut before = nth;
        let found = self.descend(place).0.search(text, &mut before);
        found.unwrap_or_default()
    }

    fn search(&self, wanted: &str, before: &mut usize) -> Option<String> {
        match &self.value {
            Value::Plain(text) | Value::Quoted(text) => {
                let same = references(text);
                let count = same.iter().filter(|one| one.text == wanted).count();
                let is_here = *before < count;
                *before = before.saturating_sub(count);
                is_here.then(String::new)
            }
            Value::List(items) => items.iter().enumerate().find_map(|(n, item)| {
                let rest = item.search(wanted, before)?;
                Some(format!("[{n}]{rest}"))
            }),
            Value::Map(entries) => entries.iter().find_map(|entry| {
                let rest = entry.value.search(wanted, before)?;
                Some(format!(".{}{rest}", entry.key))
            }),
            Value::Broken => None,
        }
    }

    fn descend(&self, place: &str) -> (&Self, Position) {
        let (mut node, mut at) = (self, self.at);
        let parts = place
            .split(['.', '[', ']'])
            .filter(|segment| !segment.is_empty());
        for part in parts {
            match &node.value {
                Value::Map(_) => {
                    let Some(entry) = node.get(part) else { break };
                    (node, at) = (&entry.value, entry.position());
                }
                Value::List(items) => {
                    let item = part.parse::<usize>().ok().and_then(|n| items.get(n));
                    let Some(item) = item else { break };
                    (node, at) = (item, item.at);
                }
                _ => break,
            }
        }
        (node, at)
    }

    pub(crate) fn measure(&self) -> Measure {
        match &self.value {
            Value::Plain(text) | Value::Quoted(text) => Measure {
                nodes: 1,
                bytes: text.len(),
                height: 1,
            },
            Value::Broken => Measure {
                nodes: 1,
                bytes: 0,
                height: 1,
            },
            Value::List(items) => Measure::around(items.iter().map(Node::measure)),
            Value::Map(entries) => Measure::around(entries.iter().map(|entry| {
                let mut value = entry.value.measure();
                value.nodes += 1;
                value.bytes += entry.key.len();
                value
            })),
        }
    }
}

/// How much a node holds, itself included.
#[derive(Clone, Copy)]
pub(crate) struct Measure {
    pub(crate) nodes: usize,
    pub(crate) bytes: usize,
    pub(crate) height: usize,
}

impl Measure {
    fn around(inner: impl Iterator<Item = Self>) -> Self {
        let whole = Self {
            nodes: 1,
            bytes: 0,
            height: 1,
        };
        inner.fold(whole, |whole, part| Self {
            nodes: whole.nodes.saturating_add(part.nodes),
            bytes: whole.bytes.saturating_add(part.bytes),
            height: whole.height.max(part.height + 1),
        })
    }
}
