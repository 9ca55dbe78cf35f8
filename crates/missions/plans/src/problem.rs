//! What is wrong with a plan file, said so that it can be mended: a code, a position, a sentence of
//! what happened and one of what to do. Finding the problems is not its job.

use std::fmt;

/// Most problems that are listed; the rest are counted.
pub const PROBLEMS_MAX: usize = 500;

/// Where something stands in the file. Both count from one, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl Position {
    pub(crate) const START: Self = Self { line: 1, column: 1 };
}

/// One thing that keeps the file from being run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileProblem {
    pub code: &'static str,
    pub line: usize,
    pub column: usize,
    /// Path into the plan, `tasks[3].after[0]`; empty when it is about the whole file.
    pub place: String,
    pub message: String,
    pub remedy: String,
}

impl FileProblem {
    pub fn new(
        code: &'static str,
        at: Position,
        place: impl Into<String>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            code,
            line: at.line,
            column: at.column,
            place: one_line(place.into()),
            message: one_line(message.into()),
            remedy: one_line(remedy.into()),
        }
    }
}

/// Keeps quoted text from breaking lines or steering a terminal.
fn one_line(text: String) -> String {
    if !text.contains(char::is_control) {
        return text;
    }
    text.replace(['\n', '\t'], " ")
        .replace(char::is_control, "\u{fffd}")
}

impl fmt::Display for FileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {} ", self.line, self.column, self.code)?;
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "{}\n    {}", self.message, self.remedy)
    }
}

/// Something worth knowing that does not keep the file from being run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileWarning {
    pub line: usize,
    pub column: usize,
    pub place: String,
    pub message: String,
}

impl fmt::Display for FileWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line,
            column,
            place,
            message,
        } = self;
        write!(f, "{line}:{column}: {place}: {message}")
    }
}

/// Every problem of a file, in the order of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanErrors {
    pub problems: Vec<FileProblem>,
    /// How many more there were beyond [`PROBLEMS_MAX`].
    pub left_out: usize,
}

impl PlanErrors {
    pub(crate) fn one(problem: FileProblem) -> Self {
        Self {
            problems: vec![problem],
            left_out: 0,
        }
    }
}

/// Problems as they are found, bounded so that a file of nothing but mistakes cannot fill the memory.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    list: Vec<FileProblem>,
    left_out: usize,
}

impl Problems {
    const COLLECTED_MAX: usize = 10 * PROBLEMS_MAX;

    pub(crate) fn push(&mut self, problem: FileProblem) {
        if self.is_full() {
            self.left_out += 1;
        } else {
            self.list.push(problem);
        }
    }

    /// Whether more problems are only counted: nobody needs to word them.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= Self::COLLECTED_MAX
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn leave_out(&mut self, more: usize) {
        self.left_out += more;
    }

    /// The errors these make, or nothing when there are none.
    pub(crate) fn into_errors(self) -> Option<PlanErrors> {
        let Self {
            list: mut problems,
            mut left_out,
        } = self;
        problems.sort_by(|a, b| (a.line, a.column, a.code).cmp(&(b.line, b.column, b.code)));
        left_out += problems.len().saturating_sub(PROBLEMS_MAX);
        problems.truncate(PROBLEMS_MAX);
        (!problems.is_empty()).then_some(PlanErrors { problems, left_out })
    }
}

impl fmt::Display for PlanErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, problem) in self.problems.iter().enumerate() {
            let end = if n == 0 { "" } else { "\n" };
            write!(f, "{end}{problem}")?;
        }
        if self.left_out > 0 {
            write!(f, "\n… and {} more", self.left_out)?;
        }
        Ok(())
    }
}

impl std::error::Error for PlanErrors {}

/// Codes of what is wrong with the file itself. Those of the plan in it come from the machine.
pub mod code {
    pub const TOO_LARGE: &str = "ADJ-1101";
    pub const NOT_TEXT: &str = "ADJ-1102";
    pub const SYNTAX: &str = "ADJ-1103";
    pub const SHAPE: &str = "ADJ-1104";
    pub const MISSING: &str = "ADJ-1105";
    pub const VALUE: &str = "ADJ-1106";
    pub const REPEATED_FIELD: &str = "ADJ-1107";
    pub const EMPTY: &str = "ADJ-1108";
    pub const DOCUMENTS: &str = "ADJ-1109";
    pub const BUDGET: &str = "ADJ-1110";
    pub const UNUSUAL_YAML: &str = "ADJ-1111";
    pub const WORK: &str = "ADJ-1112";
    pub const RESERVED_INPUT: &str = "ADJ-6200";
}
