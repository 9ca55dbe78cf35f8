//! A template as it is evaluated: every operation that can build something large goes through a filter that counts.
//!
//! The engine counts steps, not bytes, and computes constants such as `'a' * 90000000` while it compiles. So the parsed
//! template is rewritten before it is compiled: `a ~ b` becomes `a|@concat(b)`, `a|upper` becomes `a|@upper`.

use minijinja::machinery::ast::{
    AutoEscape, BinOp, BinOpKind, Call, CallArg, Compare, CompareOp, Const, Do, EmitExpr, Expr,
    Filter, FilterBlock, ForLoop, GetAttr, GetItem, IfCond, IfExpr, List, Map, Set, SetBlock,
    Slice, Spanned, Stmt, Template, Test, Tuple, UnaryOp, UnaryOpKind, Var, WithBlock,
};
use minijinja::value::Value;
use minijinja::{Error, ErrorKind};

use super::counted::{ADD, CONCAT, COUNT, MULTIPLY, counted_name};

pub(super) fn statement<'a>(from: &Stmt<'a>) -> Result<Stmt<'a>, Error> {
    Ok(match from {
        Stmt::Template(it) => Stmt::Template(Spanned::new(
            Template {
                children: statements(&it.children)?,
            },
            it.span(),
        )),
        Stmt::EmitExpr(it) => {
            let expr = expression(&it.expr)?;
            Stmt::EmitExpr(Spanned::new(EmitExpr { expr }, it.span()))
        }
        // As a value, so that what a loop repeats is counted.
        Stmt::EmitRaw(it) => {
            let value = Value::from_safe_string(it.raw.to_owned());
            let expr = Expr::Const(Spanned::new(Const { value }, it.span()));
            Stmt::EmitExpr(Spanned::new(EmitExpr { expr }, it.span()))
        }
        Stmt::ForLoop(it) => {
            let looping = ForLoop {
                target: expression(&it.target)?,
                iter: expression(&it.iter)?,
                filter_expr: optional(it.filter_expr.as_ref())?,
                recursive: it.recursive,
                body: statements(&it.body)?,
                else_body: statements(&it.else_body)?,
            };
            Stmt::ForLoop(Spanned::new(looping, it.span()))
        }
        Stmt::IfCond(it) => {
            let condition = IfCond {
                expr: expression(&it.expr)?,
                true_body: statements(&it.true_body)?,
                false_body: statements(&it.false_body)?,
            };
            Stmt::IfCond(Spanned::new(condition, it.span()))
        }
        Stmt::WithBlock(it) => {
            let assignments = it.assignments.iter();
            let assignments = assignments
                .map(|(target, value)| Ok((expression(target)?, expression(value)?)))
                .collect::<Result<_, Error>>()?;
            let body = statements(&it.body)?;
            Stmt::WithBlock(Spanned::new(WithBlock { assignments, body }, it.span()))
        }
        Stmt::Set(it) => {
            let set = Set {
                target: expression(&it.target)?,
                expr: expression(&it.expr)?,
            };
            Stmt::Set(Spanned::new(set, it.span()))
        }
        Stmt::SetBlock(it) => {
            let set = SetBlock {
                target: expression(&it.target)?,
                filter: optional(it.filter.as_ref())?,
                body: statements(&it.body)?,
            };
            Stmt::SetBlock(Spanned::new(set, it.span()))
        }
        Stmt::AutoEscape(it) => {
            let escape = AutoEscape {
                enabled: expression(&it.enabled)?,
                body: statements(&it.body)?,
            };
            Stmt::AutoEscape(Spanned::new(escape, it.span()))
        }
        Stmt::FilterBlock(it) => {
            let block = FilterBlock {
                filter: expression(&it.filter)?,
                body: statements(&it.body)?,
            };
            Stmt::FilterBlock(Spanned::new(block, it.span()))
        }
        Stmt::Do(it) => {
            let call = Spanned::new(called(&it.call)?, it.call.span());
            Stmt::Do(Spanned::new(Do { call }, it.span()))
        }
    })
}

fn statements<'a>(from: &[Stmt<'a>]) -> Result<Vec<Stmt<'a>>, Error> {
    from.iter().map(statement).collect()
}

fn expressions<'a>(from: &[Expr<'a>]) -> Result<Vec<Expr<'a>>, Error> {
    from.iter().map(expression).collect()
}

fn optional<'a>(from: Option<&Expr<'a>>) -> Result<Option<Expr<'a>>, Error> {
    from.map(expression).transpose()
}

fn expression<'a>(from: &Expr<'a>) -> Result<Expr<'a>, Error> {
    let span = from.span();
    Ok(match from {
        Expr::Var(it) => Expr::Var(Spanned::new(Var { id: it.id }, span)),
        Expr::Const(it) => {
            let value = it.value.clone();
            Expr::Const(Spanned::new(Const { value }, span))
        }
        // What is cut out is never larger than the whole.
        Expr::Slice(it) => {
            let slice = Slice {
                expr: expression(&it.expr)?,
                start: optional(it.start.as_ref())?,
                stop: optional(it.stop.as_ref())?,
                step: optional(it.step.as_ref())?,
            };
            let slice = Expr::Slice(Spanned::new(slice, span));
            filter(COUNT, slice, Vec::new(), from)
        }
        Expr::UnaryOp(it) => {
            // The library's type cannot be copied.
            let op = match &it.op {
                UnaryOpKind::Not => UnaryOpKind::Not,
                UnaryOpKind::Neg => UnaryOpKind::Neg,
            };
            let expr = expression(&it.expr)?;
            Expr::UnaryOp(Spanned::new(UnaryOp { op, expr }, span))
        }
        Expr::BinOp(it) => {
            let (left, right) = (expression(&it.left)?, expression(&it.right)?);
            let counting = match it.op {
                BinOpKind::Add => Some(ADD),
                BinOpKind::Mul => Some(MULTIPLY),
                BinOpKind::Concat => Some(CONCAT),
                _ => None,
            };
            match counting {
                Some(name) => filter(name, left, vec![CallArg::Pos(right)], from),
                None => {
                    let op = it.op;
                    Expr::BinOp(Spanned::new(BinOp { op, left, right }, span))
                }
            }
        }
        Expr::Compare(it) => {
            let ops = it.ops.iter().map(|op| {
                let (op, expr) = (op.op, expression(&op.expr)?);
                Ok(CompareOp { op, expr })
            });
            let compare = Compare {
                expr: expression(&it.expr)?,
                ops: ops.collect::<Result<_, Error>>()?,
            };
            Expr::Compare(Spanned::new(compare, span))
        }
        Expr::IfExpr(it) => {
            let choice = IfExpr {
                test_expr: expression(&it.test_expr)?,
                true_expr: expression(&it.true_expr)?,
                false_expr: optional(it.false_expr.as_ref())?,
            };
            Expr::IfExpr(Spanned::new(choice, span))
        }
        Expr::Filter(it) => {
            let filter = Filter {
                name: counted_name(it.name),
                expr: optional(it.expr.as_ref())?,
                args: arguments(&it.args)?,
            };
            Expr::Filter(Spanned::new(filter, span))
        }
        Expr::Test(it) => {
            let test = Test {
                name: it.name,
                expr: expression(&it.expr)?,
                args: arguments(&it.args)?,
            };
            Expr::Test(Spanned::new(test, span))
        }
        Expr::GetAttr(it) => {
            let (expr, name) = (expression(&it.expr)?, it.name);
            Expr::GetAttr(Spanned::new(GetAttr { expr, name }, span))
        }
        Expr::GetItem(it) => {
            let item = GetItem {
                expr: expression(&it.expr)?,
                subscript_expr: expression(&it.subscript_expr)?,
            };
            Expr::GetItem(Spanned::new(item, span))
        }
        Expr::Call(it) => Expr::Call(Spanned::new(called(it)?, span)),
        Expr::List(it) => {
            let items = expressions(&it.items)?;
            Expr::List(Spanned::new(List { items }, span))
        }
        Expr::Tuple(it) => {
            let items = expressions(&it.items)?;
            Expr::Tuple(Spanned::new(Tuple { items }, span))
        }
        Expr::Map(it) => {
            let (keys, values) = (expressions(&it.keys)?, expressions(&it.values)?);
            Expr::Map(Spanned::new(Map { keys, values }, span))
        }
    })
}

fn called<'a>(from: &Call<'a>) -> Result<Call<'a>, Error> {
    Ok(Call {
        expr: expression(&from.expr)?,
        args: arguments(&from.args)?,
    })
}

fn arguments<'a>(from: &[CallArg<'a>]) -> Result<Vec<CallArg<'a>>, Error> {
    let arguments = from.iter().map(|argument| match argument {
        CallArg::Pos(value) => Ok(CallArg::Pos(expression(value)?)),
        CallArg::Kwarg(name, value) => Ok(CallArg::Kwarg(name, expression(value)?)),
        CallArg::PosSplat(_) | CallArg::KwargSplat(_) => {
            Err(unsupported("an argument with `*` or `**`"))
        }
    });
    arguments.collect()
}

fn filter<'a>(name: &'a str, of: Expr<'a>, args: Vec<CallArg<'a>>, at: &Expr<'a>) -> Expr<'a> {
    let filter = Filter {
        name,
        expr: Some(of),
        args,
    };
    Expr::Filter(Spanned::new(filter, at.span()))
}

fn unsupported(what: &str) -> Error {
    Error::new(
        ErrorKind::SyntaxError,
        format!("{what} is not supported in templates"),
    )
}
