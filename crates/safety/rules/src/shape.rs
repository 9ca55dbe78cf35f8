//! Checks how deeply a rule nests and loops, and collects its variables. Nesting is checked on the text before parsing
//! and again on the parsed tree, because parsing and evaluating recurse and a deep rule would overflow the stack.

use std::collections::BTreeSet;

use cel::IdedExpr;
use cel::common::ast::{EntryExpr, Expr, IdedEntryExpr};

use crate::RuleError;

/// Nested brackets, and consecutive prefix operators.
const NESTING_MAX: usize = 32;
/// Operators, dots and indices in total; each may add a level to the parsed tree.
const OPERATORS_MAX: usize = 400;
/// Levels of the parsed tree.
const DEPTH_MAX: usize = 120;
/// Nested loops (`all`, `exists`, `filter`, `map`).
const LOOPS_MAX: u32 = 2;

pub(crate) struct Shape {
    pub(crate) loops: u32,
    pub(crate) variables: BTreeSet<String>,
}

/// Rejects text that may nest too deeply. Also counts inside quotes, which only makes it stricter.
pub(crate) fn check_nesting(text: &str) -> Result<(), RuleError> {
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
                format!(
                    "the rule nests more than {NESTING_MAX} levels deep; split it into several rules"
                ),
                Some(at + 1),
            ));
        }
    }
    let operators = text.matches(|c| "+-*/%<>=.[".contains(c)).count();
    if operators > OPERATORS_MAX {
        let message = format!(
            "the rule has {operators} operators and dots, the maximum is {OPERATORS_MAX}; split it into several rules"
        );
        return Err(RuleError::new(message, None));
    }
    if text.matches('?').count() > NESTING_MAX {
        let message =
            format!("the rule has more than {NESTING_MAX} `?`; split it into several rules");
        return Err(RuleError::new(message, None));
    }
    Ok(())
}

impl Shape {
    pub(crate) fn from_expression(expression: &IdedExpr) -> Result<Self, RuleError> {
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
                let message = format!(
                    "the rule has more than {DEPTH_MAX} nested expressions; split it into several rules"
                );
                return Err(RuleError::new(message, None));
            }
            if node.loops > LOOPS_MAX {
                let message = format!(
                    "the rule nests loops more than {LOOPS_MAX} deep; add a task that prepares the values"
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
            node.push_children(&mut open);
        }
        Ok(shape)
    }
}

struct Node<'a> {
    expression: &'a IdedExpr,
    depth: usize,
    loops: u32,
    /// Loop variables of the enclosing loops.
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

    fn push_children(&self, open: &mut Vec<Self>) {
        match &self.expression.expr {
            Expr::Unspecified | Expr::Ident(_) | Expr::Literal(_) => {}
            Expr::Call(call) => {
                open.extend(call.target.iter().map(|target| self.child(target)));
                open.extend(call.args.iter().map(|argument| self.child(argument)));
            }
            Expr::List(list) => open.extend(list.elements.iter().map(|item| self.child(item))),
            Expr::Select(select) => open.push(self.child(&select.operand)),
            Expr::Map(map) => self.push_entries(&map.entries, open),
            Expr::Struct(structure) => self.push_entries(&structure.entries, open),
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

    fn push_entries(&self, entries: &'a [IdedEntryExpr], open: &mut Vec<Self>) {
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
