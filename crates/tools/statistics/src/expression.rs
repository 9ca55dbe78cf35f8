//! Arithmetic of a simulated model: parsed once into steps for a stack, run for every draw.

use crate::Refusal;

/// Characters of an expression.
pub const EXPRESSION_CHARACTERS_MAX: usize = 2_000;
/// Parentheses, signs and powers inside each other.
const DEPTH_MAX: usize = 50;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Number(f64),
    Input(usize),
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Negate,
    Call(Function),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Function {
    Exp,
    Ln,
    Sqrt,
    Abs,
    Min,
    Max,
}

impl Function {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "exp" => Self::Exp,
            "ln" => Self::Ln,
            "sqrt" => Self::Sqrt,
            "abs" => Self::Abs,
            "min" => Self::Min,
            "max" => Self::Max,
            _ => return None,
        })
    }

    fn arguments(self) -> usize {
        match self {
            Self::Min | Self::Max => 2,
            _ => 1,
        }
    }
}

/// A parsed expression.
#[derive(Debug)]
pub(crate) struct Expression {
    steps: Vec<Step>,
}

impl Expression {
    pub(crate) fn parse(text: &str, inputs: &[&str]) -> Result<Self, Refusal> {
        let characters: Vec<char> = text.chars().collect();
        if characters.len() > EXPRESSION_CHARACTERS_MAX {
            return Err(Refusal::Expression {
                position: EXPRESSION_CHARACTERS_MAX,
                problem: format!(
                    "it is longer than {EXPRESSION_CHARACTERS_MAX} characters: shorten it"
                ),
            });
        }
        let mut parser = Parser {
            characters,
            position: 0,
            depth: 0,
            inputs,
            steps: Vec::new(),
        };
        parser.sum()?;
        match parser.peek() {
            None => Ok(Self {
                steps: parser.steps,
            }),
            Some(other) => Err(parser.wrong(format!("`{other}` is not expected here"))),
        }
    }

    /// The value for one draw; `stack` is only there to be reused.
    pub(crate) fn evaluate(&self, drawn: &[f64], stack: &mut Vec<f64>) -> f64 {
        stack.clear();
        for step in &self.steps {
            let value = match *step {
                Step::Number(value) => value,
                Step::Input(index) => drawn[index],
                Step::Negate => -pop(stack),
                Step::Add => two(stack, |left, right| left + right),
                Step::Subtract => two(stack, |left, right| left - right),
                Step::Multiply => two(stack, |left, right| left * right),
                Step::Divide => two(stack, |left, right| left / right),
                Step::Power => two(stack, libm::pow),
                Step::Call(function) => match function {
                    Function::Exp => libm::exp(pop(stack)),
                    Function::Ln => libm::log(pop(stack)),
                    Function::Sqrt => libm::sqrt(pop(stack)),
                    Function::Abs => pop(stack).abs(),
                    Function::Min => {
                        two(stack, |left, right| if left < right { left } else { right })
                    }
                    Function::Max => {
                        two(stack, |left, right| if left > right { left } else { right })
                    }
                },
            };
            // A later step could hide it: exp(-1 / 0) is 0.
            if !value.is_finite() {
                return f64::NAN;
            }
            stack.push(value);
        }
        pop(stack)
    }
}

/// The parser leaves no step without its operands; if it did, the draw is no number and the request is refused.
fn pop(stack: &mut Vec<f64>) -> f64 {
    stack.pop().unwrap_or(f64::NAN)
}

fn two(stack: &mut Vec<f64>, apply: impl Fn(f64, f64) -> f64) -> f64 {
    let right = pop(stack);
    let left = pop(stack);
    apply(left, right)
}

struct Parser<'a> {
    characters: Vec<char>,
    position: usize,
    depth: usize,
    inputs: &'a [&'a str],
    steps: Vec<Step>,
}

impl Parser<'_> {
    fn wrong(&self, problem: String) -> Refusal {
        Refusal::Expression {
            position: self.position,
            problem,
        }
    }

    fn peek(&mut self) -> Option<char> {
        while self
            .characters
            .get(self.position)
            .is_some_and(|c| c.is_whitespace())
        {
            self.position += 1;
        }
        self.characters.get(self.position).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.position += usize::from(found);
        found
    }

    fn demand(&mut self, wanted: char) -> Result<(), Refusal> {
        if self.take(wanted) {
            Ok(())
        } else {
            Err(self.wrong(format!("`{wanted}` is missing")))
        }
    }

    fn sum(&mut self) -> Result<(), Refusal> {
        self.product()?;
        loop {
            let step = if self.take('+') {
                Step::Add
            } else if self.take('-') {
                Step::Subtract
            } else {
                return Ok(());
            };
            self.product()?;
            self.steps.push(step);
        }
    }

    fn product(&mut self) -> Result<(), Refusal> {
        self.signed()?;
        loop {
            let step = if self.take('*') {
                Step::Multiply
            } else if self.take('/') {
                Step::Divide
            } else {
                return Ok(());
            };
            self.signed()?;
            self.steps.push(step);
        }
    }

    fn signed(&mut self) -> Result<(), Refusal> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.wrong(format!("it is nested deeper than {DEPTH_MAX}: simplify it")));
        }
        if self.take('-') {
            self.signed()?;
            self.steps.push(Step::Negate);
        } else {
            self.power()?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Binds tighter than a sign before it and looser than one after it: -2^2 is -4, 2^-2 is a quarter.
    fn power(&mut self) -> Result<(), Refusal> {
        self.operand()?;
        if self.take('^') {
            self.signed()?;
            self.steps.push(Step::Power);
        }
        Ok(())
    }

    fn operand(&mut self) -> Result<(), Refusal> {
        match self.peek() {
            Some('(') => {
                self.position += 1;
                self.sum()?;
                self.demand(')')
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            Some(other) => {
                Err(self.wrong(format!("`{other}` is not a number, name or parenthesis")))
            }
            None => Err(self.wrong("it ends prematurely: a number or name is missing".to_owned())),
        }
    }

    fn number(&mut self) -> Result<(), Refusal> {
        let start = self.position;
        let mut before = ' ';
        while let Some(&c) = self.characters.get(self.position) {
            let exponent_sign = (c == '+' || c == '-') && (before == 'e' || before == 'E');
            if !(c.is_ascii_digit() || c == '.' || c == 'e' || c == 'E' || exponent_sign) {
                break;
            }
            before = c;
            self.position += 1;
        }
        let text: String = self.characters[start..self.position].iter().collect();
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => {
                self.steps.push(Step::Number(value));
                Ok(())
            }
            _ => Err(Refusal::Expression {
                position: start,
                problem: format!("`{text:.40}` is not a number"),
            }),
        }
    }

    fn name(&mut self) -> Result<(), Refusal> {
        let start = self.position;
        while self
            .characters
            .get(self.position)
            .is_some_and(|c| c.is_alphanumeric() || *c == '_')
        {
            self.position += 1;
        }
        let name: String = self.characters[start..self.position].iter().collect();
        if self.take('(') {
            let Some(function) = Function::named(&name) else {
                return Err(Refusal::Expression {
                    position: start,
                    problem: format!(
                        "there is no function `{name:.40}`; use exp, ln, sqrt, abs, min, max"
                    ),
                });
            };
            self.sum()?;
            for _ in 1..function.arguments() {
                self.demand(',')?;
                self.sum()?;
            }
            self.steps.push(Step::Call(function));
            return self.demand(')');
        }
        match self.inputs.iter().position(|input| *input == name) {
            Some(index) => {
                self.steps.push(Step::Input(index));
                Ok(())
            }
            None => Err(Refusal::Expression {
                position: start,
                problem: format!("there is no input `{name:.40}`"),
            }),
        }
    }
}
