//! The types of a rule's expression, as far as they are known before it is evaluated: fields that do not exist, and
//! operators between values that never fit.

use cel::IdedExpr;
use cel::common::ast::{
    CallExpr, ComprehensionExpr, EntryExpr, Expr, LiteralValue, SelectExpr, operators,
};

use crate::fields::{FieldType, Subject};

/// Functions that rules may call; the evaluator has no others that do anything for them.
const FUNCTIONS: [&str; 10] = [
    "size",
    "contains",
    "startsWith",
    "endsWith",
    "matches",
    "int",
    "uint",
    "double",
    "string",
    "type",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    /// Nothing is known of it.
    Any,
    Truth,
    Int,
    Float,
    Text,
    Null,
    Texts,
    List,
    Map,
    Fields(Subject),
}

impl Type {
    fn name(self) -> &'static str {
        match self {
            Self::Any => "a value",
            Self::Truth => "true or false",
            Self::Int => "a whole number",
            Self::Float => "a number with decimals",
            Self::Text => "a text",
            Self::Null => "null",
            Self::Texts | Self::List => "a list",
            Self::Map => "a map",
            Self::Fields(_) => "a value with fields",
        }
    }

    fn is_number(self) -> bool {
        matches!(self, Self::Int | Self::Float)
    }

    fn is_list(self) -> bool {
        matches!(self, Self::List | Self::Texts)
    }

    /// Whether two values of these types can be equal, or compared.
    fn fits(self, other: Self) -> bool {
        self == other
            || matches!(self, Self::Any | Self::Null)
            || matches!(other, Self::Any | Self::Null)
            || (self.is_number() && other.is_number())
            || (self.is_list() && other.is_list())
    }
}

/// Every problem of an expression that is to be true or false about a subject.
pub(crate) fn problems(expression: &IdedExpr, subject: Subject) -> Vec<String> {
    let mut checker = Checker {
        subject,
        bound: Vec::new(),
        problems: Vec::new(),
    };
    let result = checker.infer(expression);
    if !matches!(result, Type::Any | Type::Truth) {
        let message = format!(
            "the condition is {}; it must be true or false",
            result.name()
        );
        checker.problems.push(message);
    }
    checker.problems
}

struct Checker {
    subject: Subject,
    /// The variables of the loops around, innermost last.
    bound: Vec<(String, Type)>,
    problems: Vec<String>,
}

impl Checker {
    fn infer(&mut self, expression: &IdedExpr) -> Type {
        match &expression.expr {
            Expr::Unspecified => Type::Any,
            Expr::Literal(literal) => of_literal(literal),
            Expr::Ident(name) => self.variable(name),
            Expr::Select(select) => self.select(select),
            Expr::Call(call) => self.call(call),
            Expr::List(list) => {
                let items: Vec<Type> = list.elements.iter().map(|it| self.infer(it)).collect();
                match items.iter().all(|item| *item == Type::Text) && !items.is_empty() {
                    true => Type::Texts,
                    false => Type::List,
                }
            }
            Expr::Map(map) => {
                for entry in &map.entries {
                    if let EntryExpr::MapEntry(pair) = &entry.expr {
                        self.infer(&pair.key);
                        self.infer(&pair.value);
                    }
                }
                Type::Map
            }
            Expr::Struct(_) => {
                self.say("there are no types to build values of; write a map with quoted names");
                Type::Any
            }
            Expr::Comprehension(comprehension) => self.comprehension(comprehension),
        }
    }

    fn say(&mut self, message: impl Into<String>) {
        let message = message.into();
        if !self.problems.contains(&message) {
            self.problems.push(message);
        }
    }

    fn variable(&mut self, name: &str) -> Type {
        if let Some((_, of_type)) = self.bound.iter().rev().find(|(of, _)| of == name) {
            return *of_type;
        }
        let known = self.subject.variables();
        if let Some(found) = known.iter().find(|known| known.name() == name) {
            return Type::Fields(*found);
        }
        let names: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
        self.say(format!(
            "`{name}` is not known here; a rule on a {} knows {}",
            self.subject,
            names.join(" and ")
        ));
        Type::Any
    }

    fn select(&mut self, select: &SelectExpr) -> Type {
        let of = self.infer(&select.operand);
        let found = match of {
            Type::Fields(subject) => {
                let fields = subject.fields();
                match fields.iter().find(|field| field.name == select.field) {
                    Some(field) => of_field(field.of_type),
                    None => {
                        let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
                        self.say(format!(
                            "`{subject}.{}` does not exist; the fields of a {subject} are {}",
                            select.field,
                            names.join(", ")
                        ));
                        Type::Any
                    }
                }
            }
            Type::Any | Type::Map => Type::Any,
            other => {
                self.say(format!(
                    "`.{}` is asked of {}, which has no fields",
                    select.field,
                    other.name()
                ));
                Type::Any
            }
        };
        match select.test {
            true => Type::Truth,
            false => found,
        }
    }

    fn call(&mut self, call: &CallExpr) -> Type {
        let target = call.target.as_deref().map(|target| self.infer(target));
        let arguments: Vec<Type> = call.args.iter().map(|it| self.infer(it)).collect();
        match (call.func_name.as_str(), arguments.as_slice()) {
            (operators::LOGICAL_AND | operators::LOGICAL_OR, operands) => {
                for operand in operands {
                    self.needs_truth(*operand, "`&&` and `||` join");
                }
                Type::Truth
            }
            (operators::LOGICAL_NOT | operators::NOT_STRICTLY_FALSE, operands) => {
                for operand in operands {
                    self.needs_truth(*operand, "`!` negates");
                }
                Type::Truth
            }
            (operators::EQUALS | operators::NOT_EQUALS, [left, right]) => {
                if !left.fits(*right) {
                    self.say(format!(
                        "{} is compared with {}, which are never equal",
                        left.name(),
                        right.name()
                    ));
                }
                Type::Truth
            }
            (
                operators::LESS
                | operators::LESS_EQUALS
                | operators::GREATER
                | operators::GREATER_EQUALS,
                [left, right],
            ) => {
                self.ordered(*left, *right);
                Type::Truth
            }
            (operators::IN, [item, whole]) => {
                self.contained(*item, *whole);
                Type::Truth
            }
            (operators::CONDITIONAL, [condition, yes, no]) => {
                self.needs_truth(*condition, "`?` decides by");
                match yes == no {
                    true => *yes,
                    false => Type::Any,
                }
            }
            (operators::INDEX, [whole, _]) => match whole {
                Type::Texts => Type::Text,
                Type::Any | Type::List | Type::Map => Type::Any,
                Type::Fields(_) => {
                    self.say("write `.name` for a field, without brackets");
                    Type::Any
                }
                other => {
                    self.say(format!("`[…]` is asked of {}", other.name()));
                    Type::Any
                }
            },
            (operators::NEGATE, [number]) => *number,
            (
                name @ (operators::ADD
                | operators::SUBSTRACT
                | operators::MULTIPLY
                | operators::DIVIDE
                | operators::MODULO),
                [left, right],
            ) => self.arithmetic(name, *left, *right),
            (name, _) => self.function(name, target, &arguments),
        }
    }

    fn needs_truth(&mut self, of_type: Type, what: &str) {
        if !matches!(of_type, Type::Any | Type::Truth) {
            self.say(format!("{what} true or false, not {}", of_type.name()));
        }
    }

    fn ordered(&mut self, left: Type, right: Type) {
        let orderable = |of_type: Type| {
            matches!(
                of_type,
                Type::Any | Type::Int | Type::Float | Type::Text | Type::Truth
            )
        };
        if !left.fits(right) || !orderable(left) || !orderable(right) {
            self.say(format!(
                "{} cannot be ordered against {}",
                left.name(),
                right.name()
            ));
        }
    }

    fn contained(&mut self, item: Type, whole: Type) {
        match whole {
            Type::Texts if !matches!(item, Type::Any | Type::Text) => {
                self.say(format!("{} is looked for in a list of texts", item.name()))
            }
            Type::Any | Type::List | Type::Map | Type::Texts => {}
            other => self.say(format!(
                "`in` looks into a list or a map, not into {}; for a text use `.contains(…)`",
                other.name()
            )),
        }
    }

    fn arithmetic(&mut self, operator: &str, left: Type, right: Type) -> Type {
        let joined = operator == operators::ADD
            && (left == right && left == Type::Text || left.is_list() && right.is_list());
        match (left, right) {
            (Type::Any, other) | (other, Type::Any) if other == Type::Any || other.is_number() => {
                Type::Any
            }
            (Type::Any, other) | (other, Type::Any) if operator == operators::ADD => other,
            (left, right) if left == right && left.is_number() => left,
            (left, _) if joined => left,
            (left, right) if left.is_number() && right.is_number() => {
                self.say(
                    "a whole number and a number with decimals are not calculated together; write `double(…)` around \
                     the whole one, or `2.0` for `2`",
                );
                Type::Float
            }
            (left, right) => {
                self.say(format!(
                    "{} and {} cannot be calculated together",
                    left.name(),
                    right.name()
                ));
                Type::Any
            }
        }
    }

    fn function(&mut self, name: &str, target: Option<Type>, arguments: &[Type]) -> Type {
        if name.starts_with('@') || name.starts_with('_') {
            return Type::Any;
        }
        if !FUNCTIONS.contains(&name) {
            self.say(format!(
                "there is no function `{name}`; there are {}",
                FUNCTIONS.join(", ")
            ));
            return Type::Any;
        }
        let subject = target.or_else(|| arguments.first().copied());
        let is_text = |of_type: Option<Type>| matches!(of_type, Some(Type::Any | Type::Text));
        match name {
            "size" => {
                let sized = |of_type: Type| {
                    of_type.is_list() || matches!(of_type, Type::Any | Type::Text | Type::Map)
                };
                if !subject.is_some_and(sized) {
                    self.say("`size` is of a text, a list or a map");
                }
                Type::Int
            }
            "startsWith" | "endsWith" | "matches" => {
                if !is_text(subject) || !is_text(arguments.last().copied()) {
                    self.say(format!("`{name}` compares texts"));
                }
                Type::Truth
            }
            "contains" => {
                let holds = |of_type: Type| {
                    of_type.is_list() || matches!(of_type, Type::Any | Type::Text | Type::Map)
                };
                if !subject.is_some_and(holds) {
                    self.say("`contains` is of a text or a list");
                } else if subject == Some(Type::Text) && !is_text(arguments.last().copied()) {
                    self.say("a text contains texts; write the other one in quotes");
                }
                Type::Truth
            }
            "int" | "uint" => Type::Int,
            "double" => Type::Float,
            "string" => Type::Text,
            _ => Type::Any,
        }
    }

    fn comprehension(&mut self, of: &ComprehensionExpr) -> Type {
        let range = self.infer(&of.iter_range);
        let item = match range {
            Type::Texts | Type::Map => Type::Text,
            Type::Any | Type::List => Type::Any,
            other => {
                self.say(format!(
                    "a loop goes over a list or a map, not over {}",
                    other.name()
                ));
                Type::Any
            }
        };
        // What a loop gathers is known once it is done; only yes and no stay what they are.
        let gathered = match self.infer(&of.accu_init) {
            Type::Truth => Type::Truth,
            _ => Type::Any,
        };
        let depth = self.bound.len();
        for name in of.iter_var2.iter().chain([&of.iter_var]) {
            self.bound.push((name.clone(), item));
        }
        self.bound.push((of.accu_var.clone(), gathered));
        for expression in [&of.loop_cond, &of.loop_step] {
            self.infer(expression);
        }
        let result = self.infer(&of.result);
        self.bound.truncate(depth);
        result
    }
}

fn of_field(of_type: FieldType) -> Type {
    match of_type {
        FieldType::Text => Type::Text,
        FieldType::Count => Type::Int,
        FieldType::Amount => Type::Float,
        FieldType::Truth => Type::Truth,
        FieldType::Texts => Type::Texts,
        FieldType::Anything => Type::Any,
    }
}

fn of_literal(literal: &LiteralValue) -> Type {
    match literal {
        LiteralValue::String(_) => Type::Text,
        LiteralValue::Boolean(_) => Type::Truth,
        LiteralValue::Double(_) => Type::Float,
        LiteralValue::Int(_) | LiteralValue::UInt(_) => Type::Int,
        LiteralValue::Null => Type::Null,
        LiteralValue::Bytes(_) => Type::Any,
    }
}

#[cfg(test)]
#[path = "typed_tests.rs"]
mod tests;
