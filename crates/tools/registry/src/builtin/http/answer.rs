//! What an HTTP answer means: a result, a failure that may pass, one that will not, or a later time.

use adjutant_mission::{EffectClass, FailureKind, Millis, Timestamp};
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use serde_json::{Map, Value, json};

use super::RESPONSE_BYTES_MAX;
use crate::ToolFailure;

/// A server may ask for a longer wait, but does not get it.
const RETRY_AFTER_MAX: Millis = Millis::hours(24);
/// How much of an error's body a message quotes, in characters.
const QUOTE_CHARS_MAX: usize = 200;
/// The headers a result keeps; the others are noise to a plan.
const KEPT: [&str; 9] = [
    "cache-control",
    "content-length",
    "content-type",
    "date",
    "etag",
    "last-modified",
    "link",
    "location",
    "x-request-id",
];

pub(super) struct Reader<'a> {
    pub(super) place: &'a str,
    pub(super) class: EffectClass,
    pub(super) accept: &'a [u16],
    pub(super) now: Timestamp,
}

impl Reader<'_> {
    pub(super) async fn read(
        &self,
        mut response: Response,
        request_failure: impl Fn(&reqwest::Error) -> ToolFailure,
    ) -> Result<Value, ToolFailure> {
        let status = response.status();
        let headers = response.headers().clone();
        let wanted = status.is_success() || self.accept.contains(&status.as_u16());
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if body.len() + chunk.len() <= RESPONSE_BYTES_MAX => {
                    body.extend_from_slice(&chunk);
                }
                Ok(Some(_)) if wanted => return Err(self.too_long(status)),
                Ok(_) => break,
                Err(error) if wanted => return Err(request_failure(&error)),
                Err(_) => break,
            }
        }
        let text = String::from_utf8_lossy(&body);
        if !wanted {
            return Err(self.refused(status, &headers, &text));
        }
        let mut result = json!({
            "status": status.as_u16(),
            "headers": kept(&headers),
            "body": text,
        });
        if text.trim_start().starts_with(['{', '['])
            && let Ok(value) = serde_json::from_str::<Value>(&text)
        {
            result["json"] = value;
        }
        Ok(result)
    }

    fn too_long(&self, status: StatusCode) -> ToolFailure {
        let taken = match self.class {
            EffectClass::Once => "; it was carried out, so do not send it again",
            EffectClass::Pure | EffectClass::Idempotent | EffectClass::Paid => "; request less",
        };
        let kind = match self.class {
            EffectClass::Once => FailureKind::OutcomeUnknown,
            EffectClass::Pure | EffectClass::Idempotent | EffectClass::Paid => {
                FailureKind::Permanent
            }
        };
        let message = format!(
            "{}: answered {status} with more than {RESPONSE_BYTES_MAX} bytes{taken}",
            self.place
        );
        ToolFailure::new(kind, message)
    }

    fn refused(&self, status: StatusCode, headers: &HeaderMap, text: &str) -> ToolFailure {
        let quote: String = text.trim().chars().take(QUOTE_CHARS_MAX).collect();
        let message = match quote.as_str() {
            "" => format!("{}: answered {status}", self.place),
            quote => format!("{}: answered {status}: {quote}", self.place),
        };
        match status {
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                match retry_after(headers, self.now) {
                    Some(until) => ToolFailure::Deferred { until },
                    None => ToolFailure::temporary(message),
                }
            }
            // A server that broke down, or a gateway that lost it, cannot say whether it was done.
            status if status.is_server_error() && self.class == EffectClass::Once => {
                ToolFailure::in_doubt(message)
            }
            StatusCode::REQUEST_TIMEOUT => ToolFailure::temporary(message),
            status if status.is_server_error() => ToolFailure::temporary(message),
            status => ToolFailure::permanent(format!(
                "{message} (add {} to `accept` if that is fine)",
                status.as_u16()
            )),
        }
    }
}

pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["status", "headers", "body"],
        "properties": {
            "status": { "type": "integer" },
            "headers": { "type": "object", "additionalProperties": { "type": "string" } },
            "body": { "type": "string" },
            "json": { "description": "The body, if it is a JSON object or array." }
        }
    })
}

fn kept(headers: &HeaderMap) -> Map<String, Value> {
    KEPT.into_iter()
        .filter_map(|name| {
            let value = headers.get(name)?;
            let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
            Some((name.to_owned(), Value::String(text)))
        })
        .collect()
}

/// `Retry-After` in either of its forms: seconds, or a date.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Timestamp> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let until = match text.parse::<u64>() {
        Ok(seconds) => now.plus(Millis::seconds(seconds)),
        Err(_) => Timestamp(
            jiff::fmt::rfc2822::parse(text)
                .ok()?
                .timestamp()
                .as_millisecond(),
        ),
    };
    Some(until.max(now).min(now.plus(RETRY_AFTER_MAX)))
}
