//! How many bytes a rule can build at most, from its text and the sizes of the values it is given.
//!
//! The evaluator copies values as it goes and has no limit of its own, so a rule is measured before it is evaluated:
//! `inputs.l.map(x, inputs.big + inputs.big)` is as many copies of `big` as `l` has items, twice.

use std::collections::BTreeMap;
use std::rc::Rc;

use cel::IdedExpr;
use cel::common::ast::{
    CallExpr, ComprehensionExpr, EntryExpr, Expr, IdedEntryExpr, LiteralValue, operators,
};
use serde_json::Value;

use crate::RuleError;
use crate::size::Size;

/// Most bytes that one evaluation may have built at the same time.
const BUILT_BYTES_MAX: u64 = 64 << 20;
/// What a conversion can make of a byte.
const CONVERTED_FACTOR: u64 = 4;
/// Functions that look at a value and build a number, a truth value or a name.
const LOOKING: [&str; 15] = [
    "size",
    "contains",
    "startsWith",
    "endsWith",
    "matches",
    "int",
    "uint",
    "double",
    "bool",
    "type",
    operators::SUBSTRACT,
    operators::MULTIPLY,
    operators::DIVIDE,
    operators::MODULO,
    operators::NEGATE,
];
const COMPARING: [&str; 9] = [
    operators::EQUALS,
    operators::NOT_EQUALS,
    operators::LESS,
    operators::LESS_EQUALS,
    operators::GREATER,
    operators::GREATER_EQUALS,
    operators::IN,
    operators::LOGICAL_NOT,
    operators::NOT_STRICTLY_FALSE,
];

/// Refuses a rule that could build more than is allowed.
pub(crate) fn check<'v>(
    expression: &IdedExpr,
    values: impl Iterator<Item = (&'v str, &'v Value)>,
) -> Result<(), RuleError> {
    let given = values.map(|(name, value)| (name.to_owned(), Rc::new(Size::of(value))));
    let mut measuring = Measuring {
        given: given.collect(),
        bound: Vec::new(),
    };
    let built = measuring.measure(expression).built;
    if built <= BUILT_BYTES_MAX {
        return Ok(());
    }
    let message = format!(
        "the rule could build {} MiB of values, the maximum is {} MiB; add a task before the gate that computes the \
         result [ADJ-6180]",
        built >> 20,
        BUILT_BYTES_MAX >> 20
    );
    Err(RuleError::new(message, None))
}

struct Measuring {
    given: BTreeMap<String, Rc<Size>>,
    /// The variables of the loops around, innermost last.
    bound: Vec<(String, Rc<Size>)>,
}

/// A value, and what is built at the same time on the way to it. Variables and their fields are borrowed.
struct Measured {
    size: Rc<Size>,
    built: u64,
}

impl Measured {
    fn new(size: Size, built: u64) -> Self {
        Self {
            size: Rc::new(size),
            built,
        }
    }
}

impl Measuring {
    fn measure(&mut self, expression: &IdedExpr) -> Measured {
        match &expression.expr {
            Expr::Unspecified => Measured::new(Size::scalar(), 0),
            Expr::Literal(literal) => Measured::new(of_literal(literal), 0),
            Expr::Ident(name) => Measured {
                size: self.variable(name),
                built: 0,
            },
            Expr::Select(select) => {
                let operand = self.measure(&select.operand);
                let size = match select.test {
                    true => Rc::new(Size::scalar()),
                    false => operand.size.field(&select.field),
                };
                Measured {
                    size,
                    built: operand.built,
                }
            }
            Expr::Call(call) => self.call(call),
            Expr::List(list) => {
                let items: Vec<Measured> =
                    list.elements.iter().map(|it| self.measure(it)).collect();
                let size = Size::list(items.iter().map(|item| Rc::clone(&item.size)));
                let built = all(&items).saturating_add(size.bytes);
                Measured::new(size, built)
            }
            Expr::Map(map) => self.entries(&map.entries),
            Expr::Struct(structure) => self.entries(&structure.entries),
            Expr::Comprehension(comprehension) => self.comprehension(comprehension),
        }
    }

    fn variable(&self, name: &str) -> Rc<Size> {
        let bound = self.bound.iter().rev().find(|(of, _)| of == name);
        let found = match bound {
            Some((_, size)) => Some(size),
            None => self.given.get(name.trim_start_matches('.')),
        };
        found.map_or_else(|| Rc::new(Size::scalar()), Rc::clone)
    }

    fn call(&mut self, call: &CallExpr) -> Measured {
        let operands = call.target.as_deref().into_iter().chain(&call.args);
        let operands: Vec<Measured> = operands.map(|operand| self.measure(operand)).collect();
        let built = all(&operands);
        let name = call.func_name.as_str();
        match (name, operands.as_slice()) {
            (operators::CONDITIONAL, [condition, yes, no]) => {
                let built = condition.built.max(yes.built).max(no.built);
                Measured::new(yes.size.or(&no.size), built)
            }
            (operators::LOGICAL_AND | operators::LOGICAL_OR, [left, right]) => {
                // What the left one built is gone when the right one begins.
                Measured::new(Size::scalar(), left.built.max(right.built))
            }
            (operators::ADD, [left, right]) => {
                let size = left.size.and(&right.size);
                let built = built.saturating_add(size.bytes);
                Measured::new(size, built)
            }
            (operators::INDEX | operators::OPT_INDEX | operators::OPT_SELECT, [whole, _]) => {
                let size = match call.args.last().map(|at| &at.expr) {
                    Some(Expr::Literal(LiteralValue::String(name))) => whole.size.field(name),
                    _ => whole.size.part(),
                };
                Measured { size, built }
            }
            _ if LOOKING.contains(&name) || COMPARING.contains(&name) => {
                Measured::new(Size::scalar(), built)
            }
            _ => {
                let given = operands.iter().map(|operand| operand.size.bytes);
                let given = given.fold(0, u64::saturating_add);
                let size = Size::unknown(given.saturating_mul(CONVERTED_FACTOR));
                let built = built.saturating_add(size.bytes);
                Measured::new(size, built)
            }
        }
    }

    fn entries(&mut self, entries: &[IdedEntryExpr]) -> Measured {
        let mut built = 0_u64;
        let mut fields = Vec::new();
        for entry in entries {
            let (name, value) = match &entry.expr {
                EntryExpr::StructField(field) => (field.field.clone(), self.measure(&field.value)),
                EntryExpr::MapEntry(pair) => {
                    let key = self.measure(&pair.key);
                    built = built
                        .saturating_add(key.built)
                        .saturating_add(key.size.bytes);
                    let name = match &pair.key.expr {
                        Expr::Literal(LiteralValue::String(name)) => name.inner().to_owned(),
                        // Nobody can ask for it by a name that is known here.
                        _ => format!("#{}", entry.id),
                    };
                    (name, self.measure(&pair.value))
                }
            };
            built = built.saturating_add(value.built);
            fields.push((name, value.size));
        }
        let size = Size::map(fields.into_iter());
        let built = built.saturating_add(size.bytes);
        Measured::new(size, built)
    }

    /// A loop adds to its result what one step adds, as often as there are items.
    fn comprehension(&mut self, of: &ComprehensionExpr) -> Measured {
        let range = self.measure(&of.iter_range);
        let start = self.measure(&of.accu_init);
        let depth = self.bound.len();
        let item = range.size.part();
        for name in of.iter_var2.iter().chain([&of.iter_var]) {
            self.bound.push((name.clone(), Rc::clone(&item)));
        }
        let first = self.step(of, &start.size);
        let second = self.step(of, &first.size);
        let grows = first.size.bytes.saturating_sub(start.size.bytes);
        let size = match second.size.bytes.saturating_sub(first.size.bytes) <= grows {
            true => first.size.grown(&start.size, range.size.items),
            // It grows with itself: no bound can be given.
            false => Size::unknown(u64::MAX),
        };
        let last = self.step(of, &Rc::new(size.clone()));
        self.bound
            .push((of.accu_var.clone(), Rc::new(size.clone())));
        let condition = self.measure(&of.loop_cond);
        let result = self.measure(&of.result);
        self.bound.truncate(depth);
        let inside = last.built.max(condition.built).max(result.built);
        let built = [range.built, start.built, size.bytes, inside];
        Measured {
            size: result.size,
            built: built.into_iter().fold(0, u64::saturating_add),
        }
    }

    fn step(&mut self, of: &ComprehensionExpr, so_far: &Rc<Size>) -> Measured {
        self.bound.push((of.accu_var.clone(), Rc::clone(so_far)));
        let step = self.measure(&of.loop_step);
        self.bound.pop();
        step
    }
}

fn all(measured: &[Measured]) -> u64 {
    let built = measured.iter().map(|measured| measured.built);
    built.fold(0, u64::saturating_add)
}

fn of_literal(literal: &LiteralValue) -> Size {
    match literal {
        LiteralValue::String(text) => Size::text(text.inner().len()),
        LiteralValue::Bytes(bytes) => Size::text(bytes.inner().len()),
        LiteralValue::Boolean(_)
        | LiteralValue::Double(_)
        | LiteralValue::Int(_)
        | LiteralValue::Null
        | LiteralValue::UInt(_) => Size::scalar(),
    }
}

#[cfg(test)]
#[path = "built_tests.rs"]
mod tests;
