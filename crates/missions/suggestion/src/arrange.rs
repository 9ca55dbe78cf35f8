//! From chosen tools to a graph: who waits for whom, what is passed on, and what is missing.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::choose::{Because, Choice, Chosen, as_said};
use crate::clauses::Clause;
use crate::extract::{self, addresses, is_content};
use crate::graph::{Graph, GraphTask};
use crate::order;
use crate::suggester::Suggester;
use crate::suggestion::{Missing, Why};
use crate::tool::{Argument, Kind, Way};

/// A task's id has at most this many words and letters.
const ID_WORDS_MAX: usize = 4;
const ID_CHARS_MAX: usize = 40;
/// As many tasks of one tool for as many addresses.
const ADDRESSES_MAX: usize = 10;
/// Parts of a result that are its text, the first there is.
const TEXT_PARTS: [&str; 6] = ["text", "markdown", "svg", "stdout", "body", "summary"];

/// A graph with what is to be told of it.
#[derive(Debug, Default)]
pub(crate) struct Arranged {
    pub(crate) graph: Graph,
    pub(crate) missing: Vec<Missing>,
    pub(crate) why: Vec<Why>,
    /// Tools of which one waits for the other.
    pub(crate) steps: Vec<(usize, usize)>,
}

/// A task before it has its references.
pub(crate) struct Draft<'a> {
    id: String,
    pub(crate) choice: &'a Choice,
    way: &'a Way,
    given: Map<String, Value>,
}

impl Draft<'_> {
    /// Required arguments that the intent does not give.
    pub(crate) fn open(&self) -> impl Iterator<Item = &Argument> {
        self.way.open(&self.given)
    }
}

pub(crate) fn arrange(
    index: &Suggester,
    intent: &str,
    parts: &[Clause],
    chosen: &Chosen,
) -> Arranged {
    let drafts = drafts(index, intent, parts, &chosen.choices);
    let waits = order::waits(index, parts, &drafts, &chosen.learned);
    let mut arranged = Arranged::default();
    for at in order::sorted(&waits) {
        let draft = &drafts[at];
        let before: Vec<&Draft<'_>> = waits[at].iter().map(|before| &drafts[*before]).collect();
        let mut task = GraphTask {
            id: draft.id.clone(),
            tool: index.tools[draft.choice.tool].tool.id.clone(),
            arguments: draft.given.clone(),
            depends_on: before.iter().map(|before| before.id.clone()).collect(),
        };
        refer(index, draft, &before, &mut task);
        for before in &before {
            let step = (before.choice.tool, draft.choice.tool);
            if step.0 != step.1 && !arranged.steps.contains(&step) {
                arranged.steps.push(step);
            }
        }
        arranged.missing.extend(missing_of(draft.way, &task));
        arranged.why.push(Why {
            task: task.id.clone(),
            because: because(index, parts, draft.choice),
        });
        arranged.graph.tasks.push(task);
    }
    arranged
}

/// A task for each choice; several for a tool that is to open several addresses.
fn drafts<'a>(
    index: &'a Suggester,
    intent: &str,
    parts: &[Clause],
    choices: &'a [Choice],
) -> Vec<Draft<'a>> {
    let mut taken = BTreeSet::new();
    let mut drafts = Vec::new();
    for choice in choices {
        let entry = &index.tools[choice.tool];
        let part = &parts[choice.clause];
        let urls = addresses(&part.text);
        let mut way = &entry.signature.ways[choice.way];
        // Where an address is given, the way that takes one.
        let takes_address = |way: &&Way| way.required().any(|at| at.name == "url");
        if let Some(other) = entry.signature.ways.iter().find(takes_address)
            && !urls.is_empty()
        {
            way = other;
        }
        let given = extract::arguments(way, &part.text, intent);
        let several = urls.len().min(ADDRESSES_MAX);
        if several > 1 && given.contains_key("url") {
            for url in urls.into_iter().take(several) {
                let mut given = given.clone();
                given.insert("url".to_owned(), json!(url));
                drafts.push(Draft {
                    id: id(index, choice.tool, &mut taken),
                    choice,
                    way,
                    given,
                });
            }
        } else {
            drafts.push(Draft {
                id: id(index, choice.tool, &mut taken),
                choice,
                way,
                given,
            });
        }
    }
    drafts
}

/// An id by which a person knows what the task does.
fn id(index: &Suggester, tool: usize, taken: &mut BTreeSet<String>) -> String {
    let tool = &index.tools[tool].tool;
    let is_readable = tool.id.chars().any(|char| char.is_ascii_lowercase());
    let from = if is_readable { &tool.id } else { &tool.name };
    let words: Vec<String> = from
        .split(|char: char| !char.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .take(ID_WORDS_MAX)
        .collect();
    let mut name: String = words.join("_").chars().take(ID_CHARS_MAX).collect();
    if !name.starts_with(|char: char| char.is_ascii_alphabetic()) {
        name = format!("task_{name}");
    }
    let mut number = 1;
    let mut id = name.clone();
    while !taken.insert(id.clone()) {
        number += 1;
        id = format!("{name}_{number}");
    }
    id
}

/// The part of a task's result that has the name and the kind of an argument.
pub(crate) fn gives_by_name(
    index: &Suggester,
    from: &Draft<'_>,
    argument: &Argument,
) -> Option<String> {
    let gives = &index.tools[from.choice.tool].signature.gives;
    let same =
        |part: &&crate::tool::Part| part.name == argument.name && part.kind.fits(argument.kind);
    gives
        .iter()
        .find(same)
        .map(|part| format!("{{{{{}.output.{}}}}}", from.id, part.name))
}

/// Fills open arguments with references to the results that the task waits for.
fn refer(index: &Suggester, draft: &Draft<'_>, before: &[&Draft<'_>], task: &mut GraphTask) {
    for argument in &draft.way.arguments {
        if task.arguments.contains_key(&argument.name) || argument.has_default || before.is_empty()
        {
            continue;
        }
        let named = before
            .iter()
            .rev()
            .find_map(|from| gives_by_name(index, from, argument));
        let is_text = argument.kind == Kind::Text && is_content(&argument.name);
        let value = match named {
            Some(reference) if argument.is_required => Some(json!(reference)),
            None if is_text => {
                let texts: Vec<String> = before.iter().map(|from| text_of(index, from)).collect();
                Some(json!(as_text(&texts)))
            }
            None if argument.name == "lists" => {
                let whole = before
                    .iter()
                    .map(|from| json!(format!("{{{{{}.output}}}}", from.id)));
                Some(Value::Array(whole.collect()))
            }
            _ => None,
        };
        if let Some(value) = value {
            task.arguments.insert(argument.name.clone(), value);
        }
    }
}

fn text_of(index: &Suggester, from: &Draft<'_>) -> String {
    text_part(index, from.choice.tool, &from.id)
}

/// A reference to the text of a task's result, or to all of it.
pub(crate) fn text_part(index: &Suggester, tool: usize, task: &str) -> String {
    let gives = &index.tools[tool].signature.gives;
    let text = TEXT_PARTS.iter().find(|name| {
        gives
            .iter()
            .any(|part| part.name == **name && part.kind == Kind::Text)
    });
    match text {
        Some(name) => format!("{{{{{task}.output.{name}}}}}"),
        None => format!("{{{{{task}.output}}}}"),
    }
}

/// References as one text. A reference alone would keep its kind, and a result is seldom a text.
fn as_text(texts: &[String]) -> String {
    match texts {
        [one] if !one.ends_with(".output}}") => one.clone(),
        _ => texts.join("\n\n") + "\n",
    }
}

/// Required arguments that a task has no value for.
pub(crate) fn missing_of(way: &Way, task: &GraphTask) -> Vec<Missing> {
    let open = way.open(&task.arguments);
    open.map(|argument| Missing::new(&task.id, argument, &way.one_of))
        .collect()
}

fn because(index: &Suggester, parts: &[Clause], choice: &Choice) -> String {
    match &choice.because {
        Because::Words { words, .. } => {
            let said = as_said(&parts[choice.clause], words);
            if said.is_empty() {
                return "is what such words usually ask for".to_owned();
            }
            format!("fits “{}”", said.join("”, “"))
        }
        Because::Needed { by, part } => {
            format!("gives `{part}`, which `{}` needs", index.tools[*by].tool.id)
        }
    }
}
