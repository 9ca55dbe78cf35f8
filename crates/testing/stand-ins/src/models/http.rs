//! Answers as bytes, and how they are sent.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::models::reply::Step;

pub(crate) const LAST_CHUNK: &[u8] = b"0\r\n\r\n";

pub(crate) fn stream_head(content_type: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
    )
    .into_bytes()
}

/// None of no bytes: that would be the last.
pub(crate) fn chunk(bytes: &[u8]) -> Vec<u8> {
    if bytes.is_empty() {
        return Vec::new();
    }
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    chunk
}

pub(crate) fn response(status: u16, headers: &[(String, String)], body: &str) -> Vec<u8> {
    let own = headers.iter().map(|(name, value)| (&**name, &**value));
    let all = own.chain([("content-type", "application/json")]);
    crate::http::response(status, all, body.as_bytes())
}

pub(crate) async fn play(stream: &mut TcpStream, steps: Vec<Step>) -> io::Result<()> {
    for step in steps {
        match step {
            Step::Bytes(bytes) => stream.write_all(&bytes).await?,
            Step::Repeat(bytes, times) => {
                for _ in 0..times {
                    stream.write_all(&bytes).await?;
                }
            }
            Step::Wait(time) => {
                stream.flush().await?;
                tokio::time::sleep(time).await;
            }
            Step::WaitForEver => {
                stream.flush().await?;
                // Until the other side goes.
                let mut rest = Vec::new();
                while stream.read_buf(&mut rest).await? > 0 {
                    rest.clear();
                }
            }
            Step::Reset => {
                stream.set_zero_linger()?;
                return Ok(());
            }
        }
    }
    stream.shutdown().await
}
