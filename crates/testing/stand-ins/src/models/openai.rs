use serde_json::{Value, json};

use crate::models::reply::{Answer, Finish, Usage};

pub(crate) fn frame(value: &Value) -> String {
    format!("data: {value}\n\n")
}

pub(crate) fn chunk(delta: &Value, finish: Option<&str>) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": "scripted",
        "choices": [{ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish }],
        "usage": null,
    })
}

pub(crate) fn frames(answer: &Answer) -> Vec<String> {
    let mut frames = vec![frame(&chunk(
        &json!({ "role": "assistant", "content": "" }),
        None,
    ))];
    let field = match answer.finish {
        Finish::Refusal => "refusal",
        _ => "content",
    };
    for piece in answer.pieces() {
        frames.push(frame(&chunk(&json!({ field: piece }), None)));
    }
    for (index, call) in answer.calls.iter().enumerate() {
        let begun = json!({ "tool_calls": [{
            "index": index, "id": call.id, "type": "function",
            "function": { "name": call.name, "arguments": "" },
        }] });
        frames.push(frame(&chunk(&begun, None)));
        let chars: Vec<char> = call.arguments.chars().collect();
        for piece in chars.chunks(answer.piece.max(1)) {
            let piece: String = piece.iter().collect();
            let more =
                json!({ "tool_calls": [{ "index": index, "function": { "arguments": piece } }] });
            frames.push(frame(&chunk(&more, None)));
        }
    }
    let finish = match answer.finish {
        Finish::Stop | Finish::Refusal => "stop",
        Finish::Length => "length",
        Finish::ToolCalls => "tool_calls",
        Finish::ContentFilter => "content_filter",
    };
    frames.push(frame(&chunk(&json!({}), Some(finish))));
    if let Usage::Tokens {
        input,
        output,
        cache_read,
        ..
    } = answer.usage
    {
        frames.push(frame(&json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": "scripted",
            "choices": [],
            "usage": {
                "prompt_tokens": input, "completion_tokens": output, "total_tokens": input.saturating_add(output),
                "prompt_tokens_details": { "cached_tokens": cache_read },
            },
        })));
    }
    frames.push("data: [DONE]\n\n".to_owned());
    frames
}
