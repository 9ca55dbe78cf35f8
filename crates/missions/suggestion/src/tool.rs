//! A tool as its manifest describes it: what a call needs, in one or several ways, and what it gives.

use serde_json::{Map, Value};

/// How many ways to call one tool are looked at, and how many arguments of each.
const WAYS_MAX: usize = 64;
const ARGUMENTS_MAX: usize = 64;
/// How many `$ref`s are followed to the description of one argument.
const REFERENCES_MAX: usize = 8;

/// A tool that may be suggested.
#[derive(Debug, Clone)]
pub struct KnownTool {
    pub id: String,
    pub name: String,
    pub description: String,
    /// JSON Schema of the arguments.
    pub input: Value,
    /// JSON Schema of the result, if there is one.
    pub output: Option<Value>,
    pub effect: ToolEffect,
    /// What a call costs at most, in micro-dollars: of two tools that do the same, the cheaper one is suggested.
    pub price: u64,
}

/// What a call is to others in a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolEffect {
    /// It brings something from outside, so it can begin.
    Finds,
    /// It makes something of its arguments, so it comes after what it is to work on.
    Computes,
    /// It changes something outside, so it comes after what it is about.
    Changes,
}

/// What an argument or a result is, as far as it matters to who gives it to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    Truth,
    List,
    Object,
    Any,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Truth => "true or false",
            Self::List => "list",
            Self::Object => "object",
            Self::Any => "any value",
        }
    }

    /// Whether a value of this kind may stand where the other is wanted.
    pub(crate) fn fits(self, wanted: Self) -> bool {
        self == wanted || self == Self::Any || wanted == Self::Any
    }
}

/// One argument of one way to call a tool.
#[derive(Debug, Clone)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) is_required: bool,
    pub(crate) kind: Kind,
    /// The values it may have, if they are listed.
    pub(crate) choices: Vec<String>,
    pub(crate) about: String,
    pub(crate) has_default: bool,
    /// A pattern that a text has to match.
    pub(crate) pattern: String,
}

/// One way to call a tool: many tools do several things, told apart by one argument.
#[derive(Debug, Clone, Default)]
pub(crate) struct Way {
    /// The argument and its value that choose this way.
    pub(crate) chosen_by: Option<(String, String)>,
    pub(crate) about: String,
    pub(crate) arguments: Vec<Argument>,
    /// Arguments of which a call needs at least one.
    pub(crate) one_of: Vec<String>,
}

impl Way {
    pub(crate) fn required(&self) -> impl Iterator<Item = &Argument> {
        let chosen_by = self.chosen_by.as_ref().map(|(name, _)| name.as_str());
        self.arguments
            .iter()
            .filter(move |at| at.is_required && Some(at.name.as_str()) != chosen_by)
    }
}

impl Way {
    /// Arguments that a call needs and that have no value: those that are required, and of several of which one will do, the
    /// first.
    pub(crate) fn open<'a>(
        &'a self,
        given: &'a Map<String, Value>,
    ) -> impl Iterator<Item = &'a Argument> {
        let is_one_given = self.one_of.iter().any(|name| given.contains_key(name));
        let first = self.one_of.first().filter(|_| !is_one_given);
        let main = first.and_then(|name| self.arguments.iter().find(|at| at.name == *name));
        self.required()
            .filter(|argument| !given.contains_key(&argument.name))
            .chain(main)
    }
}

/// A named part of a result.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// What a tool needs and gives.
#[derive(Debug, Clone)]
pub(crate) struct Signature {
    /// At least one.
    pub(crate) ways: Vec<Way>,
    pub(crate) gives: Vec<Part>,
}

impl Signature {
    /// Whether every way to call it requires this argument.
    pub(crate) fn needs(&self, argument: &str) -> bool {
        self.ways
            .iter()
            .all(|way| way.required().any(|at| at.name == argument))
    }

    /// Whether some way to call it requires this argument.
    pub(crate) fn takes(&self, argument: &str) -> bool {
        self.ways
            .iter()
            .any(|way| way.required().any(|at| at.name == argument))
    }

    /// The way of calling it that these arguments take.
    pub(crate) fn way_of(&self, arguments: &Map<String, Value>) -> Option<&Way> {
        let fits = |way: &&Way| {
            way.chosen_by.as_ref().is_none_or(|(name, value)| {
                arguments.get(name).and_then(Value::as_str) == Some(value)
            })
        };
        let lacks = |way: &&Way| way.open(arguments).count();
        self.ways.iter().filter(fits).min_by_key(lacks)
    }

    pub(crate) fn read(tool: &KnownTool) -> Self {
        let root = &tool.input;
        let mut ways = Vec::new();
        for alternative in alternatives(root) {
            if ways.len() == WAYS_MAX {
                break;
            }
            ways.push(way(root, alternative));
        }
        if ways.is_empty() {
            ways.push(way(root, root));
        }
        let gives = tool.output.as_ref().map_or_else(Vec::new, |output| {
            arguments(output, output)
                .into_iter()
                .map(|at| Part {
                    name: at.name,
                    kind: at.kind,
                })
                .collect()
        });
        Self { ways, gives }
    }
}

/// The schemas of which a call fits one, if there are several.
fn alternatives(root: &Value) -> Vec<&Value> {
    for keyword in ["oneOf", "anyOf"] {
        if let Some(list) = root[keyword].as_array()
            && !list.iter().all(only_requires)
        {
            return list.iter().map(|one| followed(root, one)).collect();
        }
    }
    if let Some(list) = root["allOf"].as_array() {
        let chosen: Vec<&Value> = list
            .iter()
            .filter_map(|one| one.get("then"))
            .map(|one| followed(root, one))
            .collect();
        if !chosen.is_empty() {
            return chosen;
        }
    }
    let both = [root.get("then"), root.get("else")];
    both.into_iter().flatten().collect()
}

/// Whether a schema says no more than that arguments must be there.
fn only_requires(schema: &Value) -> bool {
    let fields = schema.as_object();
    fields.is_some_and(|fields| fields.len() == 1 && fields.contains_key("required"))
}

/// Arguments of which at least one is required: the first of each alternative that says no more.
fn one_of(root: &Value) -> Vec<String> {
    let Some(list) = root["anyOf"].as_array() else {
        return Vec::new();
    };
    let first = |schema: &Value| schema["required"][0].as_str().map(str::to_owned);
    match list.iter().all(only_requires) {
        true => list.iter().filter_map(first).collect(),
        false => Vec::new(),
    }
}

fn way(root: &Value, schema: &Value) -> Way {
    let mut arguments = arguments(root, schema);
    if !std::ptr::eq(root, schema) {
        let known: Vec<String> = arguments.iter().map(|at| at.name.clone()).collect();
        let shared = self::arguments(root, root);
        arguments.extend(shared.into_iter().filter(|at| !known.contains(&at.name)));
    }
    let constant = schema["properties"].as_object().and_then(|all| {
        all.iter().find_map(|(name, property)| {
            let value = followed(root, property)["const"].as_str()?;
            Some((name.clone(), value.to_owned()))
        })
    });
    Way {
        chosen_by: constant,
        about: text(&schema["description"]),
        arguments,
        one_of: one_of(root),
    }
}

fn arguments(root: &Value, schema: &Value) -> Vec<Argument> {
    let required: Vec<&str> = schema["required"].as_array().map_or_else(Vec::new, |all| {
        all.iter().filter_map(Value::as_str).collect()
    });
    let Some(properties) = schema["properties"].as_object() else {
        return Vec::new();
    };
    let read = |(name, given): (&String, &Value)| {
        let property = followed(root, given);
        let about = match given["description"].as_str() {
            Some(about) => about.to_owned(),
            None => text(&property["description"]),
        };
        Argument {
            name: name.clone(),
            is_required: required.contains(&name.as_str()),
            kind: kind(property),
            choices: choices(property),
            about,
            has_default: property.get("default").is_some(),
            pattern: text(&property["pattern"]),
        }
    };
    properties.iter().take(ARGUMENTS_MAX).map(read).collect()
}

/// What a `$ref` into the same document points at.
fn followed<'v>(root: &'v Value, mut schema: &'v Value) -> &'v Value {
    for _ in 0..REFERENCES_MAX {
        let Some(pointer) = schema["$ref"].as_str().and_then(|at| at.strip_prefix('#')) else {
            break;
        };
        match root.pointer(pointer) {
            Some(found) => schema = found,
            None => break,
        }
    }
    schema
}

fn kind(schema: &Value) -> Kind {
    let named = match &schema["type"] {
        Value::String(name) => Some(name.as_str()),
        Value::Array(names) => names
            .iter()
            .filter_map(Value::as_str)
            .find(|at| *at != "null"),
        _ => None,
    };
    match named {
        Some("string") => Kind::Text,
        Some("number" | "integer") => Kind::Number,
        Some("boolean") => Kind::Truth,
        Some("array") => Kind::List,
        Some("object") => Kind::Object,
        _ if schema["const"].is_string() || schema["enum"].is_array() => Kind::Text,
        _ => Kind::Any,
    }
}

fn choices(schema: &Value) -> Vec<String> {
    let listed = schema["enum"].as_array().into_iter().flatten();
    let constant = schema.get("const");
    listed
        .chain(constant)
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
