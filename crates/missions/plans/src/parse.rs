//! YAML to the tree. Guards against files made to hurt: depth, node count and what aliases expand to are
//! all bounded here, before anything is copied.

use std::collections::HashMap;

use serde_saphyr::granit_parser::{self, ErrorKind, Event, Parser, ScalarStyle, Span, Tag};

use crate::problem::{FileProblem, Position, Problems, code};
use crate::tree::{Entry, Measure, Node, Value};

const DEPTH_MAX: usize = 64;
const NODES_MAX: usize = 1_000_000;
/// Bytes of text that anchors and aliases may add by repetition.
const COPIED_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Parses one document. Problems that leave a usable tree are added to `problems`; others end it.
pub(crate) fn parse(text: &str, problems: &mut Problems) -> Result<Node, FileProblem> {
    let mut options = granit_parser::Options::default();
    options.set_emit_comments(false);
    options.emit_unresolved_aliases = true;
    let mut builder = Builder {
        problems,
        open: Vec::new(),
        anchors: HashMap::new(),
        root: None,
        documents: 0,
        nodes: 0,
        copied_bytes: 0,
    };
    for next in Parser::new_from_str_with_options(text, options) {
        let (event, span) = next.map_err(|error| syntax(&error))?;
        builder.take(event, span)?;
    }
    builder.root.ok_or_else(nothing_in_it)
}

pub(crate) fn nothing_in_it() -> FileProblem {
    FileProblem::new(
        code::EMPTY,
        Position::START,
        "",
        "the file has nothing in it",
        "Write at least `title:` and `tasks:`; docs/plan-files.md has an example to start from.",
    )
}

fn position(span: Span) -> Position {
    Position {
        line: span.start.line().max(1),
        column: span.start.col() + 1,
    }
}

fn syntax(error: &granit_parser::ScanError) -> FileProblem {
    let at = Position {
        line: error.marker().line().max(1),
        column: error.marker().col() + 1,
    };
    use ErrorKind as E;
    let remedy = match error.kind() {
        E::TabNotAllowed
        | E::TabInBlockIndentation
        | E::TabInIndentation
        | E::TabAtBlockScalarStart
        | E::TabInPlainScalar => "Indent with spaces; YAML does not take tabs.",
        E::UnclosedQuotedScalar => "Close the quote that was opened here or above.",
        E::UnclosedFlowCollection { .. } | E::MismatchedFlowCollectionEnd { .. } => {
            "Close every `[` with `]` and every `{` with `}`."
        }
        E::RecursionLimitExceeded => return too_deep(at),
        E::MappingValueNotAllowed | E::InvalidColonPlacement => {
            "Quote text that has `: ` in it, and check the indentation of this line."
        }
        E::SimpleKeyExpected | E::InvalidSimpleKey | E::ExpectedBlockMappingKey => {
            "Check the indentation, and that every field has a `:` followed by a space."
        }
        E::UnexpectedCharacter { .. } => "Quote text that starts with a special character.",
        _ => "Check the indentation and the quotes of this line and the one above.",
    };
    let message = format!("this is not YAML: {}", error.info());
    FileProblem::new(code::SYNTAX, at, "", message, remedy)
}

fn too_deep(at: Position) -> FileProblem {
    let message = format!("values are nested more than {DEPTH_MAX} deep");
    FileProblem::new(
        code::BUDGET,
        at,
        "",
        message,
        "Flatten the value, or keep it in a file that a task reads.",
    )
}

/// A collection whose end has not come yet.
struct Open {
    at: Position,
    anchor: usize,
    inside: Inside,
}

enum Inside {
    List(Vec<Node>),
    Map {
        entries: Vec<Entry>,
        seen: HashMap<String, usize>,
        key: Option<Key>,
        state: MapState,
    },
}

enum MapState {
    Sound,
    Broken,
}

enum Key {
    Text(String, Position),
    /// A key that is itself a list or map; reported, and the map with it.
    Broken,
}

struct Builder<'a> {
    problems: &'a mut Problems,
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    root: Option<Node>,
    documents: usize,
    nodes: usize,
    copied_bytes: usize,
}

impl Builder<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), FileProblem> {
        let at = position(span);
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(FileProblem::new(
                        code::DOCUMENTS,
                        at,
                        "",
                        "a second document begins here",
                        "Keep one plan per file: remove the `---` or split the file.",
                    ));
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                self.count(at, 1)?;
                let value = self.scalar(at, text.into_owned(), style, tag.as_deref());
                self.close(Node { at, value }, anchor)?;
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.tag(at, tag.as_deref(), "seq");
                self.start(at, anchor, Inside::List(Vec::new()))?;
            }
            Event::MappingStart(_, anchor, tag) => {
                self.tag(at, tag.as_deref(), "map");
                let map = Inside::Map {
                    entries: Vec::new(),
                    seen: HashMap::new(),
                    key: None,
                    state: MapState::Sound,
                };
                self.start(at, anchor, map)?;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(open) = self.open.pop() {
                    let value = match open.inside {
                        Inside::List(items) => Value::List(items),
                        Inside::Map {
                            state: MapState::Broken,
                            ..
                        } => Value::Broken,
                        Inside::Map { entries, .. } => Value::Map(entries),
                    };
                    self.close(Node { at: open.at, value }, open.anchor)?;
                }
            }
            Event::Alias(id) => self.alias(at, id)?,
            Event::UnresolvedAlias(name) => {
                let message = format!("`*{name}` repeats a value that was never named `&{name}`");
                self.unusual(
                    at,
                    message,
                    "Name the value with `&` above, or quote the text if the `*` belongs to it.",
                );
                self.count(at, 1)?;
                let value = Value::Broken;
                self.close(Node { at, value }, 0)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn unusual(&mut self, at: Position, message: impl Into<String>, remedy: &str) {
        let place = place_of(&self.open);
        self.problems.push(FileProblem::new(
            code::UNUSUAL_YAML,
            at,
            place,
            message,
            remedy,
        ));
    }

    fn count(&mut self, at: Position, more: usize) -> Result<(), FileProblem> {
        self.nodes = self.nodes.saturating_add(more);
        if self.nodes <= NODES_MAX {
            return Ok(());
        }
        let message = format!("the file holds more than {NODES_MAX} values, aliases included");
        Err(FileProblem::new(
            code::BUDGET,
            at,
            "",
            message,
            "Split the plan, or keep bulk data in files that tasks read.",
        ))
    }

    fn start(&mut self, at: Position, anchor: usize, inside: Inside) -> Result<(), FileProblem> {
        self.count(at, 1)?;
        if self.open.len() >= DEPTH_MAX {
            return Err(too_deep(at));
        }
        self.open.push(Open { at, anchor, inside });
        Ok(())
    }

    fn scalar(
        &mut self,
        at: Position,
        text: String,
        style: ScalarStyle,
        tag: Option<&Tag>,
    ) -> Value {
        let plain = style == ScalarStyle::Plain;
        match tag {
            None if plain => Value::Plain(text),
            None => Value::Quoted(text),
            Some(tag) => match tag.core_suffix() {
                Some("str") => Value::Quoted(text),
                Some("int" | "float" | "bool" | "null") => Value::Plain(text),
                _ if tag.original() == "!" => Value::Quoted(text),
                _ => {
                    self.tag(at, Some(tag), "str");
                    Value::Broken
                }
            },
        }
    }

    fn tag(&mut self, at: Position, tag: Option<&Tag>, usual: &str) {
        if let Some(tag) = tag
            && tag.core_suffix() != Some(usual)
        {
            let message = format!("the tag `{}` means nothing in a plan file", tag.original());
            self.unusual(
                at,
                message,
                "Remove the tag; quote the text if the `!` belongs to it.",
            );
        }
    }

    /// Repeats a named value in full. What that adds counts like anything written out.
    fn alias(&mut self, at: Position, id: usize) -> Result<(), FileProblem> {
        let Some(named) = self.anchors.get(&id) else {
            self.unusual(
                at,
                "this value contains itself",
                "Write the inner value out.",
            );
            self.count(at, 1)?;
            let value = Value::Broken;
            return self.close(Node { at, value }, 0);
        };
        let measure = named.measure();
        if self.open.len() + measure.height > DEPTH_MAX {
            return Err(too_deep(at));
        }
        self.charge(at, measure)?;
        if let Some(named) = self.anchors.get(&id) {
            let value = named.value.clone();
            self.close(Node { at, value }, 0)?;
        }
        Ok(())
    }

    /// Counts a copy of a value against the budgets before it is made.
    fn charge(&mut self, at: Position, copy: Measure) -> Result<(), FileProblem> {
        self.count(at, copy.nodes)?;
        self.copied_bytes = self.copied_bytes.saturating_add(copy.bytes);
        if self.copied_bytes <= COPIED_BYTES_MAX {
            return Ok(());
        }
        let message = format!("anchors and aliases repeat more than {COPIED_BYTES_MAX} bytes");
        Err(FileProblem::new(
            code::BUDGET,
            at,
            "",
            message,
            "Repeat less: put long texts into `inputs` and refer to them.",
        ))
    }

    /// Puts a finished node where it belongs: into the open collection, or as the whole document.
    fn close(&mut self, node: Node, anchor: usize) -> Result<(), FileProblem> {
        if anchor != 0 {
            self.charge(node.at, node.measure())?;
            self.anchors.insert(anchor, node.clone());
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        let Inside::Map {
            entries,
            seen,
            key,
            state,
        } = &mut open.inside
        else {
            if let Inside::List(items) = &mut open.inside {
                items.push(node);
            }
            return Ok(());
        };
        match key.take() {
            None => {
                let key_problem = key_problem(&node, open.at);
                *key = Some(match node.value {
                    Value::Plain(text) | Value::Quoted(text) => Key::Text(text, node.at),
                    Value::Broken | Value::List(_) | Value::Map(_) => Key::Broken,
                });
                if let Some((message, remedy)) = key_problem {
                    self.unusual(node.at, message, remedy);
                }
            }
            Some(Key::Broken) => *state = MapState::Broken,
            Some(Key::Text(key, at)) => match seen.get(&key) {
                Some(first) => {
                    let message = format!("`{key}` stands here twice; first on line {first}");
                    let remedy = "Keep one of the two.";
                    let place = match place_of(&self.open) {
                        parent if parent.is_empty() => key,
                        parent => format!("{parent}.{key}"),
                    };
                    let problem =
                        FileProblem::new(code::REPEATED_FIELD, at, place, message, remedy);
                    self.problems.push(problem);
                }
                None => {
                    seen.insert(key.clone(), at.line);
                    let value = node;
                    entries.push(Entry { key, at, value });
                }
            },
        }
        Ok(())
    }
}

/// What to say of a map or list where a field's name should stand.
fn key_problem(key: &Node, map: Position) -> Option<(&'static str, &'static str)> {
    let doubled = key.at.line == map.line && key.at.column == map.column + 1;
    match key.value {
        Value::Map(_) if doubled => Some((
            "`{{` outside quotes starts two maps, not a reference",
            "Quote the whole value: \"{{task.output.field}}\".",
        )),
        Value::Map(_) | Value::List(_) => Some((
            "a field's name cannot be a list or a map",
            "Use a plain name; quote it if it starts with `[` or `{`.",
        )),
        Value::Plain(_) | Value::Quoted(_) | Value::Broken => None,
    }
}

fn place_of(open: &[Open]) -> String {
    let mut place = String::new();
    for collection in open {
        match &collection.inside {
            Inside::List(items) => place.push_str(&format!("[{}]", items.len())),
            Inside::Map {
                key: Some(Key::Text(key, _)),
                ..
            } => {
                let dot = if place.is_empty() { "" } else { "." };
                place.push_str(&format!("{dot}{key}"));
            }
            Inside::Map { .. } => {}
        }
    }
    place
}
