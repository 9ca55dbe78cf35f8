//! Lines between a client and the server, where none stays without an answer: what is no message is refused here, under its
//! own id as far as one can be read. Otherwise its sender would never get an answer.

use std::sync::Arc;

use rmcp::model::ErrorCode;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
    DuplexStream,
};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

/// What one message may have. The server's own limit is the same.
const LINE_MAX: usize = 16 * 1024 * 1024;
const PIPE_BYTES: usize = 64 * 1024;

/// What lies between the client's lines and the server.
pub(crate) struct Lines {
    pub(crate) to_server: DuplexStream,
    pub(crate) from_server: DuplexStream,
    /// Ends with the client, and tells whether it ever said anything.
    pub(crate) reading: JoinHandle<bool>,
    pub(crate) writing: JoinHandle<()>,
}

impl Lines {
    pub(crate) fn between(
        input: impl AsyncRead + Unpin + Send + 'static,
        output: impl AsyncWrite + Unpin + Send + 'static,
    ) -> Self {
        let (to_server, passed_on) = tokio::io::duplex(PIPE_BYTES);
        let (answered, from_server) = tokio::io::duplex(PIPE_BYTES);
        let output = Arc::new(Mutex::new(output));
        Self {
            to_server,
            from_server,
            reading: tokio::spawn(read(input, passed_on, Arc::clone(&output))),
            writing: tokio::spawn(write(answered, output)),
        }
    }
}

/// Passes on the messages of the client, and answers what is none.
async fn read<O: AsyncWrite + Unpin>(
    input: impl AsyncRead + Unpin,
    mut passed_on: DuplexStream,
    output: Arc<Mutex<O>>,
) -> bool {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    let mut spoke = false;
    loop {
        line.clear();
        let longest = LINE_MAX as u64 + 1;
        match (&mut input)
            .take(longest)
            .read_until(b'\n', &mut line)
            .await
        {
            Ok(0) | Err(_) => return spoke,
            Ok(_) => {}
        }
        let is_whole = line.ends_with(b"\n");
        if !is_whole && line.len() <= LINE_MAX {
            // The client left in the middle of a line.
            return spoke;
        }
        let refused = match is_whole {
            true => refused(&line),
            false => Some(too_long(&line)),
        };
        let done = match refused {
            None => {
                spoke |= !line.trim_ascii().is_empty();
                passed_on.write_all(&line).await
            }
            Some(answer) => say(&output, format!("{answer}\n").as_bytes()).await,
        };
        if done.is_err() || !is_whole && skip_line(&mut input).await.is_err() {
            return spoke;
        }
    }
}

async fn write<O: AsyncWrite + Unpin>(answered: DuplexStream, output: Arc<Mutex<O>>) {
    let mut answered = BufReader::new(answered);
    let mut line = Vec::new();
    while answered
        .read_until(b'\n', &mut line)
        .await
        .is_ok_and(|read| read > 0)
    {
        if say(&output, &line).await.is_err() {
            return;
        }
        line.clear();
    }
}

/// A whole line, so that no other is begun within it.
async fn say<O: AsyncWrite + Unpin>(output: &Mutex<O>, line: &[u8]) -> std::io::Result<()> {
    let mut output = output.lock().await;
    output.write_all(line).await?;
    output.flush().await
}

async fn skip_line<R: AsyncRead + Unpin>(input: &mut BufReader<R>) -> std::io::Result<()> {
    loop {
        let there = input.fill_buf().await?;
        let end = there.iter().position(|byte| *byte == b'\n');
        let (used, is_over) = (end.map_or(there.len(), |at| at + 1), end.is_some());
        if used == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        input.consume(used);
        if is_over {
            return Ok(());
        }
    }
}

/// The answer to a line that is no message. An empty line is nothing.
fn refused(line: &[u8]) -> Option<Value> {
    if line.trim_ascii().is_empty() {
        return None;
    }
    let message: Value = match serde_json::from_slice(line) {
        Ok(message) => message,
        Err(error) => {
            let why = format!("this line is not JSON that can be read ({error})");
            return Some(answer(id_of(line), ErrorCode::PARSE_ERROR, &why));
        }
    };
    let is_message = message["method"].is_string()
        || !message["result"].is_null()
        || !message["error"].is_null();
    let why = "this line is JSON, but no message of JSON-RPC";
    (!is_message).then(|| answer(id_of(line), ErrorCode::INVALID_REQUEST, why))
}

fn too_long(beginning: &[u8]) -> Value {
    let why = format!("this line is longer than {} MiB", LINE_MAX / 1024 / 1024);
    answer(id_of(beginning), ErrorCode::INVALID_REQUEST, &why)
}

fn answer(id: Value, code: ErrorCode, why: &str) -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": id,
        "error": {
            "code": code.0,
            "message": format!("{why}. Send one JSON object on each line, nested less than 120 levels deep, and give large texts as files."),
        },
    })
}

/// The id at the top of a message that cannot be read as a whole, if it stands before what is broken.
fn id_of(line: &[u8]) -> Value {
    let mut depth = 0_u32;
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let Some(length) = string_length(&line[at..]) else {
                    return Value::Null;
                };
                let (name, rest) = (
                    &line[at..at + length],
                    line[at + length..].trim_ascii_start(),
                );
                if depth == 1 && name == b"\"id\"" && rest.first() == Some(&b':') {
                    let mut values = serde_json::Deserializer::from_slice(&rest[1..]).into_iter();
                    return match values.next() {
                        Some(Ok(id @ (Value::String(_) | Value::Number(_)))) => id,
                        _ => Value::Null,
                    };
                }
                at += length - 1;
            }
            _ => {}
        }
        at += 1;
    }
    Value::Null
}

/// With both of its quotation marks.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    for (at, byte) in text.iter().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
