//! Tools that a question may have called while it is being answered.

use std::future::Future;
use std::pin::Pin;

use serde_json::Value;

use crate::wire::{Ending, RawCall, ToolResult};

/// How often a model may ask for tools in one question.
pub const TOOL_ROUNDS_MAX: u16 = 8;
/// What one call may bring; the rest is cut off, and the model told so.
pub const TOOL_RESULT_BYTES_MAX: usize = 16 * 1024;
/// What definitions, calls and results may add to a question, in tokens.
pub const TOOL_TOKENS_MAX: u32 = 32_000;

#[derive(Debug, Clone, PartialEq)]
pub struct ToolDefinition {
    pub name: String,
    pub description: String,
    /// JSON Schema of the arguments, an object.
    pub schema: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    pub name: String,
    pub arguments: Value,
}

pub type ToolFuture<'a> = Pin<Box<dyn Future<Output = Result<String, String>> + Send + 'a>>;

/// Does what a model asks for. What it returns goes back to the model, whether it worked or not.
pub trait ToolHandler: Sync {
    fn call(&self, call: ToolCall) -> ToolFuture<'_>;
}

#[derive(Clone, Copy)]
pub struct Tools<'a> {
    pub definitions: &'a [ToolDefinition],
    pub handler: &'a dyn ToolHandler,
}

impl std::fmt::Debug for Tools<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.definitions.iter().map(|tool| &tool.name))
            .finish()
    }
}

impl Tools<'_> {
    /// Calls with unknown names or broken arguments are not handed on: the model is told what is wrong with them.
    pub(crate) async fn answer(&self, calls: &[RawCall]) -> Vec<ToolResult> {
        let mut results = Vec::with_capacity(calls.len());
        for call in calls {
            let outcome = match self.read(call) {
                Ok(call) => self.handler.call(call).await,
                Err(message) => Err(message),
            };
            let (text, ending) = match outcome {
                Ok(text) => (text, Ending::Done),
                Err(text) => (text, Ending::Failed),
            };
            results.push(ToolResult {
                id: call.id.clone(),
                text: cut(text),
                ending,
            });
        }
        results
    }

    fn read(&self, call: &RawCall) -> Result<ToolCall, String> {
        if !self.definitions.iter().any(|tool| tool.name == call.name) {
            return Err(format!("there is no tool `{:.60}`", call.name));
        }
        let text = match call.arguments.trim() {
            "" => "{}",
            text => text,
        };
        let arguments: Value = serde_json::from_str(text)
            .map_err(|error| format!("the arguments are not JSON: {error}"))?;
        if !arguments.is_object() {
            return Err("the arguments are not a JSON object".to_owned());
        }
        Ok(ToolCall {
            name: call.name.clone(),
            arguments,
        })
    }
}

fn cut(mut text: String) -> String {
    if text.len() > TOOL_RESULT_BYTES_MAX {
        text.truncate(text.floor_char_boundary(TOOL_RESULT_BYTES_MAX));
        text.push_str("\n(cut off here)");
    }
    text
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
