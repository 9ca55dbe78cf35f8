//! Anthropic's messages.

use std::collections::BTreeMap;

use adjutant_questions::{Finish, Ordered, Tokens};
use serde::Deserialize;
use serde_json::{Value, json};

use super::schema::without_limits;
use super::{
    ANSWER_BYTES_MAX, BLOCKS_MAX, CALLS_MAX, Caching, Ending, Question, RawCall, Reply, Said, Turn,
    WireError, grow, schema_in_words,
};
use crate::settings::{Provider, Structured};
use crate::sse::Event;

pub(crate) const VERSION: &str = "2023-06-01";

pub(super) fn body(provider: &Provider, question: &Question<'_>) -> Ordered {
    let mut system = question.system.to_owned();
    if provider.structured != Structured::Schema {
        system += &schema_in_words(question.schema);
    }
    let mut block = json!({ "type": "text", "text": system });
    if question.caching == Caching::On {
        block["cache_control"] = json!({ "type": "ephemeral" });
    }
    let messages = question.turns.iter().map(|turn| match turn {
        Turn::User(text) => json!({ "role": "user", "content": text }),
        Turn::Model(said) => json!({ "role": "assistant", "content": blocks(said) }),
        Turn::Results(results) => {
            let content = results.iter().map(|result| {
                json!({
                    "type": "tool_result",
                    "tool_use_id": result.id,
                    "content": result.text,
                    "is_error": result.ending == Ending::Failed,
                })
            });
            json!({ "role": "user", "content": content.collect::<Vec<_>>() })
        }
    });
    let mut body = json!({
        "model": question.model,
        "max_tokens": question.output_tokens_max,
        "system": [block],
        "messages": messages.collect::<Vec<_>>(),
        "stream": true,
    });
    if provider.sends_temperature {
        body["temperature"] = json!(f64::from(question.temperature.0) / 1_000_000.0);
    }
    if !question.tools.is_empty() {
        let tools = question.tools.iter().map(|tool| {
            json!({ "name": tool.name, "description": tool.description, "input_schema": tool.schema })
        });
        body["tools"] = tools.collect();
    }
    let mut body = Ordered::from(body);
    if provider.structured == Structured::Schema {
        let schema = without_limits(question.schema);
        let format = Ordered::of([("type", "json_schema".into()), ("schema", schema)]);
        body.set("output_config", Ordered::of([("format", format)]));
    }
    body
}

fn blocks(said: &Said) -> Vec<Value> {
    let mut blocks = said.kept.clone();
    if !said.text.trim().is_empty() {
        blocks.push(json!({ "type": "text", "text": said.text }));
    }
    blocks.extend(said.calls.iter().map(|call| {
        let input: Value = serde_json::from_str(&call.arguments).unwrap_or(Value::Null);
        let input = if input.is_object() { input } else { json!({}) };
        json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input })
    }));
    if blocks.is_empty() {
        // An assistant's turn may not be empty.
        blocks.push(json!({ "type": "text", "text": "(nothing)" }));
    }
    blocks
}

#[derive(Debug, Deserialize)]
struct Message {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    index: u64,
    #[serde(default)]
    message: Value,
    #[serde(default)]
    content_block: Value,
    #[serde(default)]
    delta: Value,
    #[serde(default)]
    usage: Value,
    #[serde(default)]
    error: Value,
}

#[derive(Debug)]
enum Block {
    Text(String),
    Call(RawCall),
    Thinking {
        text: String,
        signature: String,
    },
    /// Given back as it came.
    Other(Value),
}

#[derive(Debug)]
struct Open {
    block: Block,
    stopped: bool,
}

#[derive(Debug)]
pub(crate) struct Decoder {
    room: usize,
    begun: bool,
    blocks: BTreeMap<u64, Open>,
    stop_reason: Option<String>,
    usage: Usage,
    over: bool,
}

#[derive(Debug, Default)]
struct Usage {
    input: Option<u64>,
    cache_read: Option<u64>,
    cache_write: Option<u64>,
    /// Only what stands in `message_delta`: in `message_start` it is only begun.
    output: Option<u64>,
}

impl Default for Decoder {
    fn default() -> Self {
        Self {
            room: ANSWER_BYTES_MAX,
            begun: false,
            blocks: BTreeMap::new(),
            stop_reason: None,
            usage: Usage::default(),
            over: false,
        }
    }
}

fn malformed(what: &str) -> WireError {
    WireError::Malformed(what.to_owned())
}

impl Decoder {
    pub(super) fn take(&mut self, event: &Event) -> Result<String, WireError> {
        let message: Message = serde_json::from_str(&event.data)
            .map_err(|error| WireError::Malformed(error.to_string()))?;
        match message.kind.as_str() {
            "message_start" if self.begun => return Err(malformed("it began twice")),
            "message_start" => {
                self.begun = true;
                self.usage.read_input(&message.message["usage"]);
            }
            "content_block_start" => self.start(&message)?,
            "content_block_delta" => return self.delta(&message),
            "content_block_stop" => self.open(message.index)?.stopped = true,
            "message_delta" => {
                if let Some(reason) = message.delta["stop_reason"].as_str() {
                    self.stop_reason = Some(reason.to_owned());
                }
                self.usage.read_input(&message.usage);
                self.usage.output = message.usage["output_tokens"]
                    .as_u64()
                    .or(self.usage.output);
            }
            "message_stop" => self.over = true,
            "error" => return Err(told(&message.error)),
            // `ping`, and what may be added later.
            _ => {}
        }
        Ok(String::new())
    }

    fn start(&mut self, message: &Message) -> Result<(), WireError> {
        if !self.begun || self.stop_reason.is_some() || self.blocks.contains_key(&message.index) {
            return Err(malformed("a block began out of order"));
        }
        if self.blocks.len() >= BLOCKS_MAX {
            return Err(WireError::TooLarge);
        }
        let from = &message.content_block;
        let text = |name: &str| from[name].as_str().unwrap_or_default().to_owned();
        let block = match from["type"].as_str().unwrap_or_default() {
            "text" => Block::Text(text("text")),
            "tool_use" => Block::Call(RawCall {
                id: text("id"),
                name: text("name"),
                arguments: String::new(),
            }),
            "thinking" => Block::Thinking {
                text: text("thinking"),
                signature: text("signature"),
            },
            _ => Block::Other(from.clone()),
        };
        let size = from.to_string().len();
        self.room = self.room.checked_sub(size).ok_or(WireError::TooLarge)?;
        let open = Open {
            block,
            stopped: false,
        };
        self.blocks.insert(message.index, open);
        Ok(())
    }

    fn open(&mut self, index: u64) -> Result<&mut Open, WireError> {
        match self.blocks.get_mut(&index) {
            Some(open) if !open.stopped => Ok(open),
            _ => Err(malformed("it went on with a block that is not open")),
        }
    }

    fn delta(&mut self, message: &Message) -> Result<String, WireError> {
        let mut room = self.room;
        let open = self.open(message.index)?;
        let part = |name: &str| message.delta[name].as_str().unwrap_or_default();
        let mut brought = String::new();
        match (&mut open.block, part("type")) {
            (Block::Text(text), "text_delta") => {
                part("text").clone_into(&mut brought);
                grow(&mut room, text, &brought)?;
            }
            (Block::Call(call), "input_json_delta") => {
                grow(&mut room, &mut call.arguments, part("partial_json"))?;
            }
            (Block::Thinking { text, .. }, "thinking_delta") => {
                grow(&mut room, text, part("thinking"))?;
            }
            (Block::Thinking { signature, .. }, "signature_delta") => {
                grow(&mut room, signature, part("signature"))?;
            }
            // Citations, and what may be added later.
            _ => {}
        }
        self.room = room;
        Ok(brought)
    }

    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    pub(super) fn finish(self) -> Result<Reply, WireError> {
        let reason = self.stop_reason.ok_or(WireError::Unfinished)?;
        let mut said = Said::default();
        for open in self.blocks.into_values() {
            match open.block {
                Block::Text(text) => said.text.push_str(&text),
                Block::Call(call) => said.calls.push(call),
                Block::Thinking { text, signature } => said
                    .kept
                    .push(json!({ "type": "thinking", "thinking": text, "signature": signature })),
                Block::Other(block) => said.kept.push(block),
            }
        }
        if said.calls.len() > CALLS_MAX {
            return Err(WireError::TooLarge);
        }
        let finish = match reason.as_str() {
            "refusal" => Finish::Refusal,
            "max_tokens" | "model_context_window_exceeded" => Finish::Length,
            "tool_use" => Finish::ToolCalls,
            _ => Finish::Stop,
        };
        Ok(Reply {
            said,
            finish,
            refusal: None,
            usage: self.usage.tokens(),
        })
    }
}

impl Usage {
    fn read_input(&mut self, usage: &Value) {
        let read = |name: &str, before: Option<u64>| usage[name].as_u64().or(before);
        self.input = read("input_tokens", self.input);
        self.cache_read = read("cache_read_input_tokens", self.cache_read);
        self.cache_write = read("cache_creation_input_tokens", self.cache_write);
    }

    /// Anthropic counts what is cached apart from the rest of the input.
    fn tokens(&self) -> Option<Tokens> {
        let cache_read = self.cache_read.unwrap_or(0);
        let cache_write = self.cache_write.unwrap_or(0);
        let cached = cache_read.saturating_add(cache_write);
        Some(Tokens {
            input: self.input?.saturating_add(cached),
            output: self.output?,
            cache_read,
            cache_write,
        })
    }
}

fn told(error: &Value) -> WireError {
    let (kind, message) = super::error_of(&json!({ "error": error }).to_string());
    let status = match kind.as_str() {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "overloaded_error" => 529,
        _ => 500,
    };
    WireError::Told {
        status,
        kind,
        message,
    }
}

#[cfg(test)]
#[path = "anthropic_tests.rs"]
mod tests;
