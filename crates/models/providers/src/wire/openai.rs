//! OpenAI's chat completions, and those of Azure and of servers that speak the same.

use std::collections::BTreeMap;

use adjutant_questions::{Finish, Ordered, Tokens};
use serde::Deserialize;
use serde_json::{Value, json};

use super::schema::without_limits;
use super::{
    ANSWER_BYTES_MAX, CALLS_MAX, Ending, Question, RawCall, Reply, Said, Turn, WireError, grow,
    schema_in_words,
};
use crate::settings::{OutputLimit, Provider, ProviderKind, Structured};
use crate::sse::Event;

pub(super) fn body(provider: &Provider, question: &Question<'_>) -> Ordered {
    let system = match provider.structured {
        Structured::Narrowed | Structured::Schema => question.system.to_owned(),
        Structured::Json | Structured::Prompt => {
            question.system.to_owned() + &schema_in_words(question.schema)
        }
    };
    let mut messages = vec![json!({ "role": "system", "content": system })];
    for turn in question.turns {
        match turn {
            Turn::User(text) => messages.push(json!({ "role": "user", "content": text })),
            Turn::Model(said) => messages.push(assistant(said)),
            Turn::Results(results) => messages.extend(results.iter().map(|result| {
                let content = match result.ending {
                    Ending::Done => result.text.clone(),
                    Ending::Failed => format!("The call failed: {}", result.text),
                };
                json!({ "role": "tool", "tool_call_id": result.id, "content": content })
            })),
        }
    }
    let mut body = json!({
        "model": question.model,
        "messages": messages,
        "stream": true,
        "stream_options": { "include_usage": true },
    });
    let limit = match provider.output_limit {
        OutputLimit::MaxCompletionTokens => "max_completion_tokens",
        OutputLimit::MaxTokens => "max_tokens",
    };
    body[limit] = json!(question.output_tokens_max);
    if provider.sends_temperature {
        body["temperature"] = json!(f64::from(question.temperature.0) / 1_000_000.0);
    }
    if !question.tools.is_empty() {
        let tools = question.tools.iter().map(|tool| {
            json!({
                "type": "function",
                "function": { "name": tool.name, "description": tool.description, "parameters": tool.schema },
            })
        });
        body["tools"] = tools.collect();
    }
    let mut body = Ordered::from(body);
    match provider.structured {
        Structured::Narrowed | Structured::Schema => {
            body.set("response_format", held_to_schema(provider, question));
        }
        Structured::Json => {
            body.set("response_format", json!({ "type": "json_object" }).into());
        }
        Structured::Prompt => {}
    }
    body
}

fn held_to_schema(provider: &Provider, question: &Question<'_>) -> Ordered {
    let schema = match provider.kind {
        ProviderKind::Azure => without_limits(question.schema),
        _ => question.schema.clone(),
    };
    let named = Ordered::of([
        ("name", question.schema_name.into()),
        ("strict", Value::Bool(true).into()),
        ("schema", schema),
    ]);
    Ordered::of([("type", "json_schema".into()), ("json_schema", named)])
}

fn assistant(said: &Said) -> Value {
    let content = match said.text.as_str() {
        "" if !said.calls.is_empty() => Value::Null,
        text => json!(text),
    };
    let mut message = json!({ "role": "assistant", "content": content });
    if !said.calls.is_empty() {
        let calls = said.calls.iter().map(|call| {
            json!({
                "id": call.id,
                "type": "function",
                "function": { "name": call.name, "arguments": call.arguments },
            })
        });
        message["tool_calls"] = calls.collect();
    }
    message
}

#[derive(Debug, Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Option<Vec<Choice>>,
    #[serde(default)]
    usage: Option<Value>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct Choice {
    #[serde(default)]
    index: u64,
    #[serde(default)]
    delta: Option<Delta>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct Delta {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<CallDelta>>,
}

#[derive(Debug, Deserialize)]
struct CallDelta {
    #[serde(default)]
    index: u64,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    function: Option<FunctionDelta>,
}

#[derive(Debug, Deserialize)]
struct FunctionDelta {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Decoder {
    room: usize,
    text: String,
    refusal: String,
    calls: BTreeMap<u64, RawCall>,
    finish: Option<String>,
    usage: Option<Tokens>,
    over: bool,
}

impl Default for Decoder {
    fn default() -> Self {
        Self {
            room: ANSWER_BYTES_MAX,
            text: String::new(),
            refusal: String::new(),
            calls: BTreeMap::new(),
            finish: None,
            usage: None,
            over: false,
        }
    }
}

impl Decoder {
    pub(super) fn take(&mut self, event: &Event) -> Result<String, WireError> {
        if event.data == "[DONE]" {
            self.over = true;
            return Ok(String::new());
        }
        if event.data.is_empty() {
            return Ok(String::new());
        }
        let chunk: Chunk = serde_json::from_str(&event.data)
            .map_err(|error| WireError::Malformed(error.to_string()))?;
        if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
            return Err(told(&error));
        }
        if let Some(usage) = chunk.usage {
            self.usage = tokens(&usage).or(self.usage);
        }
        let mut brought = String::new();
        let first = chunk.choices.unwrap_or_default();
        for choice in first.into_iter().filter(|choice| choice.index == 0) {
            let delta = choice.delta.unwrap_or_default();
            self.grow(delta, &mut brought)?;
            if choice.finish_reason.is_some() {
                self.finish = choice.finish_reason;
            }
        }
        Ok(brought)
    }

    fn grow(&mut self, delta: Delta, brought: &mut String) -> Result<(), WireError> {
        let content = delta.content.unwrap_or_default();
        let calls = delta.tool_calls.unwrap_or_default();
        if self.finish.is_some() && (!content.is_empty() || !calls.is_empty()) {
            return Err(WireError::Malformed(
                "it went on after it had finished".to_owned(),
            ));
        }
        grow(&mut self.room, &mut self.text, &content)?;
        *brought = content;
        let refusal = delta.refusal.unwrap_or_default();
        grow(&mut self.room, &mut self.refusal, &refusal)?;
        for part in calls {
            if !self.calls.contains_key(&part.index) && self.calls.len() >= CALLS_MAX {
                return Err(WireError::TooLarge);
            }
            let call = self.calls.entry(part.index).or_default();
            if let Some(id) = part.id.filter(|id| !id.is_empty()) {
                call.id.clear();
                grow(&mut self.room, &mut call.id, &id)?;
            }
            let Some(function) = part.function else {
                continue;
            };
            grow(
                &mut self.room,
                &mut call.name,
                &function.name.unwrap_or_default(),
            )?;
            let arguments = function.arguments.unwrap_or_default();
            grow(&mut self.room, &mut call.arguments, &arguments)?;
        }
        Ok(())
    }

    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    pub(super) fn finish(self) -> Result<Reply, WireError> {
        let reason = self.finish.ok_or(WireError::Unfinished)?;
        let refusal = (!self.refusal.is_empty()).then_some(self.refusal);
        let finish = match reason.as_str() {
            _ if refusal.is_some() => Finish::Refusal,
            "content_filter" => Finish::Refusal,
            "length" => Finish::Length,
            "tool_calls" | "function_call" => Finish::ToolCalls,
            // Some compatible servers say `stop` for calls too.
            _ if !self.calls.is_empty() => Finish::ToolCalls,
            _ => Finish::Stop,
        };
        let mut calls: Vec<RawCall> = self.calls.into_values().collect();
        for (at, call) in calls.iter_mut().enumerate() {
            if call.id.is_empty() {
                call.id = format!("call_{at}");
            }
        }
        Ok(Reply {
            said: Said {
                text: self.text,
                calls,
                kept: Vec::new(),
            },
            finish,
            refusal,
            usage: self.usage,
        })
    }
}

fn told(error: &Value) -> WireError {
    let (kind, message) = super::error_of(&json!({ "error": error }).to_string());
    let status = match (error["code"].as_u64(), kind.as_str()) {
        (Some(code), _) => u16::try_from(code).unwrap_or(500),
        (None, "rate_limit_exceeded") => 429,
        (None, "content_filter" | "invalid_request_error") => 400,
        (None, _) => 500,
    };
    WireError::Told {
        status,
        kind,
        message,
    }
}

/// None if a number is missing or cannot be true.
fn tokens(usage: &Value) -> Option<Tokens> {
    let input = usage["prompt_tokens"].as_u64()?;
    let cached = usage["prompt_tokens_details"]["cached_tokens"].as_u64();
    Some(Tokens {
        input,
        output: usage["completion_tokens"].as_u64()?,
        cache_read: cached.unwrap_or(0).min(input),
        cache_write: 0,
    })
}

#[cfg(test)]
#[path = "openai_tests.rs"]
mod tests;
