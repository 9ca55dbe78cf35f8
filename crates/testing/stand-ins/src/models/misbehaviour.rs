use std::time::Duration;

use serde_json::json;

use crate::models::http::{self, chunk, stream_head};
use crate::models::reply::{Answer, Call, Finish, Reply, Step, Usage, frames};
use crate::models::server::Format;
use crate::models::{anthropic, openai};

type Headers = &'static [(&'static str, &'static str)];

const SLOW: Duration = Duration::from_millis(20);
const MEGABYTE: usize = 1024 * 1024;

macro_rules! misbehaviours {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A way to answer wrongly.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Misbehaviour {
            $($(#[$doc])* $name,)*
        }

        impl Misbehaviour {
            pub const ALL: &[Self] = &[$(Self::$name),*];
        }
    };
}

misbehaviours! {
    /// A pause before every frame.
    Slow,
    /// Stops in the middle of its answer and never goes on.
    Stall,
    /// Takes the request and never says anything.
    Silence,
    /// Closes the connection in the middle of a frame.
    Truncated,
    /// Closes it without a byte.
    HangUp,
    Reset,
    TooManyRequests,
    /// Says when to come back: in an hour.
    TooManyRequestsForAnHour,
    QuotaSpent,
    Error500,
    Unavailable503,
    Overloaded529,
    WrongKey,
    NotHttp,
    EndlessHeaders,
    WrongContentType,
    /// Frames that are no JSON.
    WrongJson,
    NotUtf8,
    /// A proper stream of an answer that is no JSON.
    Prose,
    /// JSON that does not fit the schema.
    Unfit,
    /// The answer in a fence, with words around it.
    Fenced,
    Empty,
    Refusal,
    ContentFilter,
    CutOff,
    ToolLoop,
    BrokenToolCall,
    NoUsage,
    NegativeUsage,
    HugeUsage,
    /// A hundred megabytes.
    Endless,
    /// One frame of a hundred megabytes.
    EndlessFrame,
    ErrorInStream,
    DuplicateFrames,
    OutOfOrder,
}

impl Misbehaviour {
    pub(crate) fn steps(self, format: Format, answer: &Answer) -> Vec<Step> {
        if let Some(changed) = self.changed(answer) {
            return Reply::Answer(changed).steps(format);
        }
        if let Some((status, headers, kind)) = self.status() {
            let headers: Vec<_> = headers
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect();
            let error = json!({ "type": kind, "code": kind, "message": "as the script says" });
            let body = json!({ "type": "error", "error": error }).to_string();
            return vec![Step::Bytes(http::response(status, &headers, &body))];
        }
        let head = Step::Bytes(stream_head("text/event-stream"));
        let mut frames = frames(format, answer);
        let half = frames.len() / 2;
        let bytes = |frames: &[String]| Step::Bytes(chunk(frames.concat().as_bytes()));
        let end = Step::Bytes(http::LAST_CHUNK.to_vec());
        match self {
            Self::Stall => vec![head, bytes(&frames[..half]), Step::WaitForEver],
            Self::Silence => vec![Step::WaitForEver],
            Self::Truncated => {
                let mut whole = chunk(frames[..half].concat().as_bytes());
                whole.truncate(whole.len() - 9);
                vec![head, Step::Bytes(whole)]
            }
            Self::HangUp => vec![],
            Self::Reset => vec![head, bytes(&frames[..half]), Step::Wait(SLOW), Step::Reset],
            Self::NotHttp => vec![Step::Bytes(b"220 mail.example.com ESMTP\r\n".to_vec())],
            Self::EndlessHeaders => vec![
                Step::Bytes(b"HTTP/1.1 200 OK\r\n".to_vec()),
                Step::Repeat(
                    b"x-more: and more and more and more\r\n".to_vec(),
                    1_000_000,
                ),
            ],
            Self::WrongContentType => {
                vec![Step::Bytes(stream_head("text/html")), bytes(&frames), end]
            }
            Self::WrongJson => {
                frames[half] = "data: {\"choices\": [\n\n".to_owned();
                vec![head, bytes(&frames), end]
            }
            Self::NotUtf8 => {
                let wrong = Step::Bytes(chunk(b"data: \"\xff\xfe\xc0\"\n\n"));
                vec![head, bytes(&frames[..half]), wrong, end]
            }
            Self::Endless => {
                let (begin, more) = endless(format);
                let times = 100 * MEGABYTE / more.len();
                let more = Step::Repeat(chunk(more.as_bytes()), times as u64);
                vec![head, bytes(&begin), more]
            }
            Self::EndlessFrame => {
                let begun = Step::Bytes(chunk(b"data: {\"choices\": \""));
                let more = Step::Repeat(chunk(&vec![b'a'; MEGABYTE]), 100);
                vec![head, begun, more]
            }
            Self::ErrorInStream => {
                let error = match format {
                    Format::OpenAi => openai::frame(&json!({ "error": {
                        "message": "The server had an error", "type": "server_error", "code": null, "param": null,
                    } })),
                    Format::Anthropic => anthropic::frame(&json!({ "type": "error", "error": {
                        "type": "overloaded_error", "message": "Overloaded",
                    } })),
                };
                vec![head, bytes(&frames[..half]), bytes(&[error]), end]
            }
            Self::DuplicateFrames => {
                let twice: Vec<String> = frames
                    .iter()
                    .flat_map(|frame| vec![frame.clone(); 2])
                    .collect();
                vec![head, bytes(&twice), end]
            }
            Self::OutOfOrder => {
                frames.reverse();
                vec![head, bytes(&frames), end]
            }
            _ => vec![],
        }
    }

    /// Misbehaviours that are proper answers of the wrong kind.
    fn changed(self, answer: &Answer) -> Option<Answer> {
        let mut changed = answer.clone();
        let tokens = |input, output| Usage::Tokens {
            input,
            output,
            cache_read: 0,
            cache_write: 0,
        };
        match self {
            Self::Slow => changed.delay = SLOW,
            Self::Prose => "I would rather talk about the weather.".clone_into(&mut changed.text),
            Self::Unfit => "{\"colour\": \"red\"}".clone_into(&mut changed.text),
            Self::Fenced => {
                changed.text = format!("Here you are:\n```json\n{}\n```\nDone.", answer.text);
            }
            Self::Empty => changed.text.clear(),
            Self::Refusal => {
                "I cannot help with that.".clone_into(&mut changed.text);
                changed.finish = Finish::Refusal;
            }
            Self::ContentFilter => changed.finish = Finish::ContentFilter,
            Self::CutOff => {
                changed
                    .text
                    .truncate(changed.text.floor_char_boundary(changed.text.len() / 2));
                changed.finish = Finish::Length;
            }
            Self::ToolLoop => changed = calling("{}"),
            Self::BrokenToolCall => changed = calling("{\"query\": \"unfin"),
            Self::NoUsage => changed.usage = Usage::Missing,
            Self::NegativeUsage => changed.usage = tokens(-5, -7),
            Self::HugeUsage => changed.usage = tokens(i64::MAX / 4, i64::MAX / 4),
            _ => return None,
        }
        Some(changed)
    }

    fn status(self) -> Option<(u16, Headers, &'static str)> {
        Some(match self {
            Self::TooManyRequests => (429, &[], "rate_limit_error"),
            Self::TooManyRequestsForAnHour => (429, &[("retry-after", "3600")], "rate_limit_error"),
            Self::QuotaSpent => (429, &[], "insufficient_quota"),
            Self::Error500 => (500, &[], "api_error"),
            Self::Unavailable503 => (503, &[("retry-after", "0")], "server_error"),
            Self::Overloaded529 => (529, &[], "overloaded_error"),
            Self::WrongKey => (401, &[], "authentication_error"),
            _ => return None,
        })
    }
}

fn calling(arguments: &str) -> Answer {
    Answer::calling(vec![Call {
        id: "call_1".to_owned(),
        name: "look_up".to_owned(),
        arguments: arguments.to_owned(),
    }])
}

/// How an answer without end begins, and what of it comes again and again.
fn endless(format: Format) -> (Vec<String>, String) {
    let piece = "and so on ".repeat(100);
    match format {
        Format::OpenAi => {
            let more = openai::chunk(&json!({ "content": piece }), None);
            (vec![], openai::frame(&more))
        }
        Format::Anthropic => {
            let mut begin = anthropic::frames(&Answer::new("x"));
            begin.truncate(2);
            (begin, anthropic::frame(&anthropic::text_delta(0, &piece)))
        }
    }
}
