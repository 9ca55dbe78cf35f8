//! Plan files: YAML (or JSON) to a plan the machine accepts, or every problem at once with its line,
//! column and remedy; and the JSON Schema that editors complete from. Running a plan, reading files
//! from disk and knowing tools or rules are not its job: what it must know of those, a [`Checker`] says.
//!
//! Files that hold a plan among other things are read by the same [`reading::Reader`].

mod agent_fields;
mod checks;
mod near;
mod parse;
mod patch;
mod plan_fields;
mod problem;
mod quantity;
mod reader;
mod scalar;
mod schema;
mod task_fields;
mod tree;

/// What reads plan files, for other files of the same make: YAML, all problems at once, each with its line.
pub mod reading {
    pub use crate::problem::code;
    pub use crate::reader::{Fields, Place, Reader};
    pub use crate::task_fields::CHECKPOINT_TYPES;
    pub use crate::tree::{Entry, Node};
    pub use crate::{begin, near::nearest};
}

use adjutant_mission::{AgentWork, Plan, ToolId, ToolTable};

pub use adjutant_supervision::SUPERVISORS_INPUT;
pub use patch::read_patch;
pub use problem::{FileProblem, FileWarning, PROBLEMS_MAX, PlanErrors, Position};
pub use quantity::{duration as parse_duration, money as parse_money};
pub use schema::schema;

use problem::code;

/// Largest plan file that is read.
pub const FILE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// The plan input that names the type of mission a plan was made as. Only the catalogue writes it: figures are grouped by it.
pub const MISSION_TYPE_INPUT: &str = "mission_type";

/// What a plan is checked against besides the machine's own rules.
pub trait Checker {
    /// What there is to call for this plan: every tool, and the ways its questions to models take, where there are any.
    fn tools(&self, plan: &Plan) -> ToolTable;

    /// Problems of a question to a model: dotted path inside its task, message, remedy.
    fn question(&self, agent: &AgentWork) -> Vec<(String, String, String)>;

    /// Problems of a tool's arguments; their paths begin inside `with`.
    fn arguments(&self, tool: &ToolId, with: &serde_json::Value) -> Vec<Unfit>;

    /// Problems of what tasks use of each other's outputs, as far as it is known what those can hold. Their paths begin at the
    /// plan: `tasks[3].with.url`.
    fn uses(&self, _plan: &Plan) -> Vec<Unfit> {
        Vec::new()
    }

    /// Each tool's description and the JSON Schema of its arguments, for the published schema.
    fn argument_schemas(&self) -> Vec<(ToolId, String, serde_json::Value)>;

    /// A rule's grammar problem, or the names it mentions at top level.
    fn rule(&self, text: &str) -> Result<Vec<String>, String>;
}

/// What a [`Checker`] finds wrong with a part of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// Dotted; empty for the whole.
    pub path: String,
    pub message: String,
    /// In place of the usual code and remedy.
    pub code: Option<&'static str>,
    pub remedy: Option<String>,
}

impl Unfit {
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            message: message.into(),
            code: None,
            remedy: None,
        }
    }
}

/// A plan that may be run, and what its author may want to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    pub plan: Plan,
    /// What it may call.
    pub tools: ToolTable,
    pub warnings: Vec<FileWarning>,
}

/// Reads a plan file and checks it as a whole.
pub fn read(text: &[u8], checker: &dyn Checker) -> Result<Loaded, PlanErrors> {
    let (mut reader, root) = begin(text)?;
    let plan = reader.plan(&root, &reader::Place::Root);
    let tools = checker.tools(&plan);
    let warnings = checks::check(&mut reader, &plan, &tools, &root, checker);
    match reader.problems.into_errors() {
        Some(errors) => Err(errors),
        None => Ok(Loaded {
            plan,
            tools,
            warnings,
        }),
    }
}

/// Parses a file, and makes what reads it.
pub fn begin(text: &[u8]) -> Result<(reader::Reader, tree::Node), PlanErrors> {
    let text = as_text(text).map_err(PlanErrors::one)?;
    let mut reader = reader::Reader::default();
    match parse::parse(text, &mut reader.problems) {
        Ok(root) if reader::is_null(&root) => Err(PlanErrors::one(parse::nothing_in_it())),
        Ok(root) => Ok((reader, root)),
        Err(problem) => {
            reader.problems.push(problem.clone());
            let errors = reader.problems.into_errors();
            Err(errors.unwrap_or_else(|| PlanErrors::one(problem)))
        }
    }
}

fn as_text(bytes: &[u8]) -> Result<&str, FileProblem> {
    if bytes.len() > FILE_BYTES_MAX {
        let message = format!(
            "the file has {} bytes; the limit is {FILE_BYTES_MAX}",
            bytes.len()
        );
        let remedy = "Split the plan, or keep bulk data in files that tasks read.";
        return Err(FileProblem::new(
            code::TOO_LARGE,
            Position::START,
            "",
            message,
            remedy,
        ));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        let message = "the file is UTF-16, not UTF-8";
        return Err(not_text(Position::START, message));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        not_text(end_of(valid), "here is a byte that is not UTF-8 text")
    })?;
    let binary = |c: char| c == '\x7f' || (c < ' ' && !matches!(c, '\t' | '\n' | '\r'));
    match text.find(binary) {
        None => Ok(text),
        Some(at) => Err(not_text(
            end_of(&bytes[..at]),
            "here is a control character, so this is not a text file",
        )),
    }
}

fn not_text(at: Position, message: &str) -> FileProblem {
    let remedy = "Save the plan as plain text in UTF-8.";
    FileProblem::new(code::NOT_TEXT, at, "", message, remedy)
}

/// The position right after `text`.
fn end_of(text: &[u8]) -> Position {
    let line_start = text.iter().rposition(|&byte| byte == b'\n');
    let last_line = &text[line_start.map_or(0, |at| at + 1)..];
    Position {
        line: 1 + text.iter().filter(|&&byte| byte == b'\n').count(),
        column: 1 + String::from_utf8_lossy(last_line).chars().count(),
    }
}
