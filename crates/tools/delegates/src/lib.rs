//! Agents of others as tools: a program that the settings name is given a goal and files, works in a sandboxed folder of
//! its own, and gives back an answer and files. A tool of an MCP server can be one, too, without files.
//!
//! What a delegate is told and what its run comes to are decided without running anything; only [`DelegateTool`] starts a
//! program. Which delegates there are is read by the settings of the `app` crate, not here.
//!
//! **Invariant:** A program runs in the sandbox, or not at all. A delegate is believed nothing. Its answer and its files are data
//! from outside, and count only if the program ended well and the answer fits the schema that the task asked for.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod answer_schema;
mod brief;
mod file_content;
mod history;
mod remote;
mod result;
mod settings;
mod task_check;
mod tool;

pub use answer_schema::{AnswerSchema, BadSchema};
pub use history::{RunHistory, lost_run_is_undecided};
pub use remote::{ResultShape, ToolDelegate};
pub use result::{LAST_WORDS, SAID};
pub use settings::{
    AnswerFrom, DelegateSettings, EnvironmentOf, NAME_CHARS_MAX, Reach, Start, TIME_MAX, WhenLost,
};
pub use tool::{DelegateTool, TOOL_PREFIX};
