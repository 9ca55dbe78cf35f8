use serde_json::{Value, json};

use crate::models::reply::{Answer, Finish, Usage};

pub(crate) fn frame(value: &Value) -> String {
    let name = value["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {value}\n\n")
}

pub(crate) fn text_delta(index: usize, text: &str) -> Value {
    let delta = json!({ "type": "text_delta", "text": text });
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn begun(index: usize, block: &Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

pub(crate) fn frames(answer: &Answer) -> Vec<String> {
    let mut events = vec![start(answer.usage)];
    let mut index = 0;
    if !answer.text.is_empty() {
        events.push(begun(index, &json!({ "type": "text", "text": "" })));
        events.push(json!({ "type": "ping" }));
        let pieces = answer.pieces();
        events.extend(pieces.iter().map(|piece| text_delta(index, piece)));
        events.push(json!({ "type": "content_block_stop", "index": index }));
        index += 1;
    }
    for call in &answer.calls {
        let block = json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": {} });
        events.push(begun(index, &block));
        let chars: Vec<char> = call.arguments.chars().collect();
        for piece in chars.chunks(answer.piece.max(1)) {
            let piece: String = piece.iter().collect();
            let delta = json!({ "type": "input_json_delta", "partial_json": piece });
            events.push(json!({ "type": "content_block_delta", "index": index, "delta": delta }));
        }
        events.push(json!({ "type": "content_block_stop", "index": index }));
        index += 1;
    }
    let reason = match answer.finish {
        Finish::Stop => "end_turn",
        Finish::Length => "max_tokens",
        Finish::ToolCalls => "tool_use",
        Finish::Refusal | Finish::ContentFilter => "refusal",
    };
    let mut delta = json!({
        "type": "message_delta",
        "delta": { "stop_reason": reason, "stop_sequence": null },
    });
    if let Usage::Tokens { output, .. } = answer.usage {
        delta["usage"] = json!({ "output_tokens": output });
    }
    events.push(delta);
    events.push(json!({ "type": "message_stop" }));
    events.iter().map(frame).collect()
}

fn start(usage: Usage) -> Value {
    let mut message = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": "scripted",
        "stop_reason": null, "stop_sequence": null,
    });
    if let Usage::Tokens {
        input,
        cache_read,
        cache_write,
        ..
    } = usage
    {
        // What is cached is counted apart from the rest of the input.
        message["usage"] = json!({
            "input_tokens": input - cache_read - cache_write, "output_tokens": 1,
            "cache_read_input_tokens": cache_read, "cache_creation_input_tokens": cache_write,
        });
    }
    json!({ "type": "message_start", "message": message })
}
