//! One rule: compiled once, evaluated against the outputs of tasks.
//!
//! A rule can only name tasks whose key is an identifier (letters, digits, `_`, not starting with a digit): CEL parses
//! `fetch-all.output.n` as a subtraction. Whole numbers are CEL `int`, others `double`. CEL compares the two types but
//! does not mix them in arithmetic (`double(a.output.n) * 1.5`).

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, LazyLock};

use cel::objects::{Key, Map};
use cel::{Context, Env, ExecutionError, IdedExpr, Program, Value as CelValue};
use serde_json::Value;

use crate::built;
use crate::shape::{self, Shape};

/// Maximum length of a rule's text.
pub const RULE_BYTES_MAX: usize = 4 * 1024;
/// Maximum steps of all loops in one evaluation.
const STEPS_MAX: u64 = 10_000_000;
const MESSAGE_CHARS_MAX: usize = 300;

/// The functions that every rule has. Made once: it takes longer than most rules.
static STANDARD: LazyLock<Arc<Env>> = LazyLock::new(|| Arc::new(Env::stdlib()));

/// Why a rule cannot be compiled or evaluated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", column_suffix(*column))]
pub struct RuleError {
    pub message: String,
    /// Position in the rule's text, counted from one, if known.
    pub column: Option<usize>,
}

fn column_suffix(column: Option<usize>) -> String {
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
                "the rule has {} bytes; the maximum is {RULE_BYTES_MAX}",
                text.len()
            );
            return Err(RuleError::new(message, None));
        }
        shape::check_nesting(text)?;
        let program = Program::compile(text).map_err(|errors| match errors.errors.first() {
            Some(first) => {
                let (line, column) = first.pos;
                RuleError::new(first.msg.clone(), column_in_text(text, line, column))
            }
            None => RuleError::new("the rule cannot be parsed", None),
        })?;
        let shape = Shape::from_expression(program.expression())?;
        Ok(Self {
            text: text.to_owned(),
            program,
            shape,
        })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The variables it uses: task keys, or `inputs`. Sorted, without duplicates.
    pub fn variables(&self) -> Vec<String> {
        self.shape.variables.iter().cloned().collect()
    }

    pub(crate) fn expression(&self) -> &IdedExpr {
        self.program.expression()
    }

    /// Whether the rule is true for these values. Any result other than true or false is an error.
    pub fn holds(&self, values: &BTreeMap<String, Value>) -> Result<bool, RuleError> {
        let given: Vec<(&str, &Value)> = values
            .iter()
            .map(|(name, value)| (name.as_str(), value))
            .collect();
        self.holds_for(&given)
    }

    /// The same, for borrowed values.
    pub fn holds_for(&self, values: &[(&str, &Value)]) -> Result<bool, RuleError> {
        let named = |name: &str| self.shape.variables.contains(name);
        let given: Vec<(&str, &Value)> = values
            .iter()
            .copied()
            .filter(|(name, _)| named(name))
            .collect();
        let nodes = given.iter().map(|(_, value)| count_nodes(value));
        let nodes = self.text.len() as u64 + nodes.sum::<u64>();
        if nodes.saturating_pow(self.shape.loops) > STEPS_MAX {
            let message = format!(
                "the rule loops over too many values: {nodes} values in {} nested loops exceed {STEPS_MAX} steps; \
                 add a task before the gate that computes the result",
                self.shape.loops
            );
            return Err(RuleError::new(message, None));
        }
        built::check(self.program.expression(), given.iter().copied())?;
        let mut context = Context::with_env(Arc::clone(&STANDARD));
        for (name, value) in given {
            context.add_variable_from_value(name, to_cel(value));
        }
        match self.program.execute(&context) {
            Ok(CelValue::Bool(holds)) => Ok(holds),
            Ok(other) => {
                let message = format!(
                    "the rule returns {}; it must return true or false",
                    other.type_of()
                );
                Err(RuleError::new(message, None))
            }
            Err(error) => Err(RuleError::new(describe_error(&error), None)),
        }
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rule").field(&self.text).finish()
    }
}

fn describe_error(error: &ExecutionError) -> String {
    match error {
        ExecutionError::NoSuchKey(key) => {
            format!("there is no field `{key}`; if it is optional, test it with has(…) first")
        }
        ExecutionError::UndeclaredReference(name) => {
            format!("`{name}` is not a task this gate waits for, not `inputs` and not a function")
        }
        other => format!("the rule cannot be evaluated: {other}"),
    }
}

/// Converts the parser's line and column to a position in the whole text.
fn column_in_text(text: &str, line: isize, column: isize) -> Option<usize> {
    let line = usize::try_from(line).ok()?.checked_sub(1)?;
    let before: usize = text
        .split_inclusive('\n')
        .take(line)
        .map(|line| line.chars().count())
        .sum();
    Some(before + usize::try_from(column).ok()?.max(1))
}

fn count_nodes(value: &Value) -> u64 {
    match value {
        Value::Array(items) => 1 + items.iter().map(count_nodes).sum::<u64>(),
        Value::Object(fields) => 1 + fields.values().map(count_nodes).sum::<u64>(),
        _ => 1,
    }
}

/// Not through serde, which would make every positive number a `uint`; `1` in a rule is an `int`.
fn to_cel(value: &Value) -> CelValue {
    match value {
        Value::Null => CelValue::Null,
        Value::Bool(value) => CelValue::Bool(*value),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => CelValue::Int(whole),
            (None, Some(float)) => CelValue::Float(float),
            (None, None) => CelValue::Null,
        },
        Value::String(text) => CelValue::String(Arc::new(text.clone())),
        Value::Array(items) => CelValue::List(Arc::new(items.iter().map(to_cel).collect())),
        Value::Object(fields) => {
            let map: HashMap<Key, CelValue> = fields
                .iter()
                .map(|(name, value)| (Key::String(Arc::new(name.clone())), to_cel(value)))
                .collect();
            CelValue::Map(Map { map: Arc::new(map) })
        }
    }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
