//! What a call gave, as JSON: the server's own shape where it promised one, else ours.

use adjutant_mission::FailureKind;
use adjutant_tools::ToolFailure;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents, Tool};
use serde_json::{Map, Value, json};

use crate::offer::clean;

const PARTS_MAX: usize = 200;
/// Of an image, a sound or a file, as it is sent. A larger one is told of, and left out.
const PART_BYTES_MAX: usize = 2 * 1024 * 1024;
const ERROR_CHARS_MAX: usize = 1_500;
const LABEL_CHARS_MAX: usize = 2_000;

/// The shape of a result without a schema of the server's own.
pub(crate) fn schema() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["text", "parts"],
        "properties": {
            "text": { "type": "string", "description": "All text parts, each on its own line." },
            "structured": { "description": "Other data that the server returned, in any form." },
            "parts": {
                "type": "array",
                "maxItems": PARTS_MAX,
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["kind"],
                    "properties": {
                        "kind": { "enum": ["image", "audio", "resource", "link"] },
                        "mime": { "type": "string" },
                        "uri": { "type": "string" },
                        "name": { "type": "string" },
                        "text": { "type": "string" },
                        "data": { "type": "string", "description": "base64" },
                        "left_out_bytes": { "type": "integer", "description": "How large it was, if it was too large." }
                    }
                }
            }
        }
    })
}

pub(crate) fn read(tool: &Tool, result: CallToolResult) -> Result<Value, ToolFailure> {
    if result.is_error == Some(true) {
        let said = clean(&text(&result.content), ERROR_CHARS_MAX);
        let said = match said.as_str() {
            "" => "it gave no reason",
            said => said,
        };
        return Err(ToolFailure::permanent(format!("the tool failed: {said}")));
    }
    match (&tool.output_schema, result.structured_content) {
        (Some(_), Some(structured)) => Ok(structured),
        (Some(_), None) => Err(ToolFailure::new(
            FailureKind::BadOutput,
            "the server announced a structured result but returned none",
        )),
        (None, structured) => ours(&result.content, structured),
    }
}

fn ours(content: &[ContentBlock], structured: Option<Value>) -> Result<Value, ToolFailure> {
    let parts: Vec<Value> = content.iter().filter_map(part).collect();
    if parts.len() > PARTS_MAX {
        return Err(ToolFailure::new(
            FailureKind::BadOutput,
            format!(
                "the result has {} parts; the limit is {PARTS_MAX}",
                parts.len()
            ),
        ));
    }
    let mut value = json!({ "text": text(content), "parts": parts });
    if let (Some(structured), Some(fields)) = (structured, value.as_object_mut()) {
        fields.insert("structured".into(), structured);
    }
    Ok(value)
}

fn text(content: &[ContentBlock]) -> String {
    let texts = content.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn part(block: &ContentBlock) -> Option<Value> {
    let mut part = Map::new();
    match block {
        ContentBlock::Image(image) => {
            label(&mut part, "kind", "image");
            label(&mut part, "mime", &image.mime_type);
            fill(&mut part, "data", &image.data);
        }
        ContentBlock::Audio(audio) => {
            label(&mut part, "kind", "audio");
            label(&mut part, "mime", &audio.mime_type);
            fill(&mut part, "data", &audio.data);
        }
        ContentBlock::Resource(embedded) => {
            label(&mut part, "kind", "resource");
            let (uri, mime, field, held) = match &embedded.resource {
                ResourceContents::TextResourceContents {
                    uri,
                    mime_type,
                    text,
                    ..
                } => (uri, mime_type, "text", text),
                ResourceContents::BlobResourceContents {
                    uri,
                    mime_type,
                    blob,
                    ..
                } => (uri, mime_type, "data", blob),
                _ => return None,
            };
            label(&mut part, "uri", uri);
            if let Some(mime) = mime {
                label(&mut part, "mime", mime);
            }
            fill(&mut part, field, held);
        }
        ContentBlock::ResourceLink(link) => {
            label(&mut part, "kind", "link");
            label(&mut part, "uri", &link.uri);
            label(&mut part, "name", &link.name);
            if let Some(mime) = &link.mime_type {
                label(&mut part, "mime", mime);
            }
        }
        _ => return None,
    }
    Some(Value::Object(part))
}

fn label(part: &mut Map<String, Value>, field: &str, text: &str) {
    part.insert(field.into(), clean(text, LABEL_CHARS_MAX).into());
}

fn fill(part: &mut Map<String, Value>, field: &str, held: &str) {
    match held.len() > PART_BYTES_MAX {
        true => part.insert("left_out_bytes".into(), held.len().into()),
        false => part.insert(field.into(), held.into()),
    };
}

#[cfg(test)]
#[path = "result_tests.rs"]
mod tests;
