//! What a rule looks like: how deep it nests, how deep its loops go, and which names it uses. The first is
//! checked on the text before it is parsed and again on the tree before it is walked, because parsing,
//! walking and evaluating all recurse and a deep enough rule would end the process.

use std::collections::BTreeSet;

use cel::IdedExpr;
use cel::common::ast::{EntryExpr, Expr, IdedEntryExpr};

use crate::RuleError;

/// Brackets within brackets, and signs before signs.
const NESTING_MAX: usize = 32;
/// Operators, dots and indices in all: each may add a level to the tree that the parser builds.
const OPERATORS_MAX: usize = 400;
/// Levels of the parsed tree.
const DEPTH_MAX: usize = 120;
/// Loops (`all`, `exists`, `filter`, `map`) within loops.
const LOOPS_MAX: u32 = 2;

pub(crate) struct Shape {
    pub(crate) loops: u32,
    pub(crate) variables: BTreeSet<String>,
}

/// Refuses text that may nest too deep. Looks inside quotes too, which only makes it stricter.
pub(crate) fn guard(text: &str) -> Result<(), RuleError> {
    let mut open = 0usize;
    let mut signs = 0usize;
    for (at, c) in text.chars().enumerate() {
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            _ => {}
        }
        signs = match c {
            '!' | '-' | '?' => signs + 1,
            c if c.is_whitespace() => signs,
            _ => 0,
        };
        if open > NESTING_MAX || signs > NESTING_MAX {
            return Err(RuleError::new(
                format!("the rule nests more than {NESTING_MAX} levels deep: split it up"),
                Some(at + 1),
            ));
        }
    }
    let operators = text.matches(|c| "+-*/%<>=.[".contains(c)).count();
    if operators > OPERATORS_MAX {
        let message = format!(
            "the rule has {operators} operators and dots; at most {OPERATORS_MAX} are read: split it up"
        );
        return Err(RuleError::new(message, None));
    }
    if text.matches('?').count() > NESTING_MAX {
        let message = format!("the rule has more than {NESTING_MAX} `?`: split it up");
        return Err(RuleError::new(message, None));
    }
    Ok(())
}

impl Shape {
    pub(crate) fn of(expression: &IdedExpr) -> Result<Self, RuleError> {
        let mut shape = Self {
            loops: 0,
            variables: BTreeSet::new(),
        };
        let mut open = vec![Node {
            expression,
            depth: 1,
            loops: 0,
            bound: Vec::new(),
        }];
        while let Some(node) = open.pop() {
            if node.depth > DEPTH_MAX {
                let message =
                    format!("the rule is a chain of more than {DEPTH_MAX} steps: split it up");
                return Err(RuleError::new(message, None));
            }
            if node.loops > LOOPS_MAX {
                let message = format!(
                    "the rule has loops more than {LOOPS_MAX} deep: let a task prepare the values"
                );
                return Err(RuleError::new(message, None));
            }
            shape.loops = shape.loops.max(node.loops);
            if let Expr::Ident(name) = &node.expression.expr
                && !name.starts_with('@')
                && !node.bound.contains(&name.as_str())
            {
                shape
                    .variables
                    .insert(name.trim_start_matches('.').to_owned());
            }
            node.children(&mut open);
        }
        Ok(shape)
    }
}

struct Node<'a> {
    expression: &'a IdedExpr,
    depth: usize,
    loops: u32,
    /// Names that a loop around it gives a meaning to.
    bound: Vec<&'a str>,
}

impl<'a> Node<'a> {
    fn child(&self, expression: &'a IdedExpr) -> Self {
        Self {
            expression,
            depth: self.depth + 1,
            loops: self.loops,
            bound: self.bound.clone(),
        }
    }

    fn children(&self, open: &mut Vec<Self>) {
        match &self.expression.expr {
            Expr::Unspecified | Expr::Ident(_) | Expr::Literal(_) => {}
            Expr::Call(call) => {
                open.extend(call.target.iter().map(|target| self.child(target)));
                open.extend(call.args.iter().map(|argument| self.child(argument)));
            }
            Expr::List(list) => open.extend(list.elements.iter().map(|item| self.child(item))),
            Expr::Select(select) => open.push(self.child(&select.operand)),
            Expr::Map(map) => self.entries(&map.entries, open),
            Expr::Struct(structure) => self.entries(&structure.entries, open),
            Expr::Comprehension(comprehension) => {
                open.push(self.child(&comprehension.iter_range));
                open.push(self.child(&comprehension.accu_init));
                let mut inside = self.child(&comprehension.loop_cond);
                inside.loops += 1;
                inside.bound.push(&comprehension.iter_var);
                inside.bound.extend(comprehension.iter_var2.as_deref());
                inside.bound.push(&comprehension.accu_var);
                for expression in [&comprehension.loop_step, &comprehension.result] {
                    open.push(Self {
                        expression,
                        bound: inside.bound.clone(),
                        ..inside
                    });
                }
                open.push(inside);
            }
        }
    }

    fn entries(&self, entries: &'a [IdedEntryExpr], open: &mut Vec<Self>) {
        for entry in entries {
            match &entry.expr {
                EntryExpr::StructField(field) => open.push(self.child(&field.value)),
                EntryExpr::MapEntry(pair) => {
                    open.push(self.child(&pair.key));
                    open.push(self.child(&pair.value));
                }
            }
        }
    }
}
