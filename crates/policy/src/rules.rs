//! One rule: compiled once, evaluated against what tasks produced.
//!
//! A rule can only name tasks whose key is an identifier (letters, digits, `_`, not beginning with a digit):
//! in `fetch-all.output.n`, CEL reads a subtraction. Whole numbers are CEL `int`, others `double`; CEL
//! compares them with each other but adds only like to like (`double(a.output.n) * 1.5`).

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use cel::objects::{Key, Map};
use cel::{Context, ExecutionError, Program, Value as CelValue};
use serde_json::Value;

use crate::shape::{self, Shape};

/// How long a rule's text may be.
pub const RULE_BYTES_MAX: usize = 4 * 1024;
/// How many steps the loops of one evaluation may take together.
const STEPS_MAX: u64 = 10_000_000;
const MESSAGE_CHARS_MAX: usize = 300;

/// What is wrong with a rule, or with judging by it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", place(*column))]
pub struct RuleError {
    pub message: String,
    /// Where in the rule's text, counted from one, if it is known.
    pub column: Option<usize>,
}

fn place(column: Option<usize>) -> String {
    column.map_or(String::new(), |column| format!(" (column {column})"))
}

impl RuleError {
    pub(crate) fn new(message: impl Into<String>, column: Option<usize>) -> Self {
        let message: String = message.into();
        let message = match message.char_indices().nth(MESSAGE_CHARS_MAX) {
            Some((end, _)) => format!("{}…", &message[..end]),
            None => message,
        };
        Self { message, column }
    }
}

pub struct Rule {
    text: String,
    program: Program,
    shape: Shape,
}

impl Rule {
    pub fn compile(text: &str) -> Result<Self, RuleError> {
        if text.trim().is_empty() {
            return Err(RuleError::new("the rule is empty", None));
        }
        if text.len() > RULE_BYTES_MAX {
            let message = format!(
                "the rule has {} bytes; at most {RULE_BYTES_MAX} are read",
                text.len()
            );
            return Err(RuleError::new(message, None));
        }
        shape::guard(text)?;
        let program = Program::compile(text).map_err(|errors| match errors.errors.first() {
            Some(first) => {
                let (line, column) = first.pos;
                RuleError::new(first.msg.clone(), column_of(text, line, column))
            }
            None => RuleError::new("the rule cannot be read", None),
        })?;
        let shape = Shape::of(program.expression())?;
        Ok(Self {
            text: text.to_owned(),
            program,
            shape,
        })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names it looks up: task keys, or `inputs`. In order, each once.
    pub fn variables(&self) -> Vec<String> {
        self.shape.variables.iter().cloned().collect()
    }

    /// Whether it holds for these values. Anything but a clear yes or no is an error.
    pub fn holds(&self, values: &BTreeMap<String, Value>) -> Result<bool, RuleError> {
        let mut nodes = self.text.len() as u64;
        let mut context = Context::default();
        for name in &self.shape.variables {
            if let Some(value) = values.get(name) {
                nodes += count(value);
                context.add_variable_from_value(name.as_str(), convert(value));
            }
        }
        if nodes.saturating_pow(self.shape.loops) > STEPS_MAX {
            let message = format!(
                "the rule loops over too much: {nodes} values, {} loops deep, and at most {STEPS_MAX} steps are taken; \
                 let a task count before the gate",
                self.shape.loops
            );
            return Err(RuleError::new(message, None));
        }
        match self.program.execute(&context) {
            Ok(CelValue::Bool(holds)) => Ok(holds),
            Ok(other) => {
                let message = format!(
                    "the rule gives {} where it must give true or false",
                    other.type_of()
                );
                Err(RuleError::new(message, None))
            }
            Err(error) => Err(RuleError::new(explain(&error), None)),
        }
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rule").field(&self.text).finish()
    }
}

fn explain(error: &ExecutionError) -> String {
    match error {
        ExecutionError::NoSuchKey(key) => {
            format!("there is no field `{key}`: ask with has(…) first if it may be missing")
        }
        ExecutionError::UndeclaredReference(name) => {
            format!("`{name}` is neither a task this gate waits for, nor `inputs`, nor a function")
        }
        other => format!("the rule cannot be judged: {other}"),
    }
}

/// The parser counts in lines; a rule is shown as one text.
fn column_of(text: &str, line: isize, column: isize) -> Option<usize> {
    let line = usize::try_from(line).ok()?.checked_sub(1)?;
    let before: usize = text
        .split_inclusive('\n')
        .take(line)
        .map(|line| line.chars().count())
        .sum();
    Some(before + usize::try_from(column).ok()?.max(1))
}

fn count(value: &Value) -> u64 {
    match value {
        Value::Array(items) => 1 + items.iter().map(count).sum::<u64>(),
        Value::Object(fields) => 1 + fields.values().map(count).sum::<u64>(),
        _ => 1,
    }
}

/// Not through serde: that would make every positive number `uint`, which `1` in a rule is not.
fn convert(value: &Value) -> CelValue {
    match value {
        Value::Null => CelValue::Null,
        Value::Bool(value) => CelValue::Bool(*value),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => CelValue::Int(whole),
            (None, Some(float)) => CelValue::Float(float),
            (None, None) => CelValue::Null,
        },
        Value::String(text) => CelValue::String(Arc::new(text.clone())),
        Value::Array(items) => CelValue::List(Arc::new(items.iter().map(convert).collect())),
        Value::Object(fields) => {
            let map: HashMap<Key, CelValue> = fields
                .iter()
                .map(|(name, value)| (Key::String(Arc::new(name.clone())), convert(value)))
                .collect();
            CelValue::Map(Map { map: Arc::new(map) })
        }
    }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
