//! As much of HTTP/1.1 as a server on this machine takes that stands in for somebody else's: one request and one answer
//! a connection.

use std::collections::BTreeMap;
use std::io;

use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;

const HEAD_BYTES_MAX: usize = 64 * 1024;
const BODY_BYTES_MAX: usize = 16 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub method: String,
    /// With what follows the question mark.
    pub path: String,
    /// By lower-case name.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

/// Reads one request whole.
pub async fn read(stream: &mut TcpStream) -> io::Result<Request> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        if bytes.len() > HEAD_BYTES_MAX {
            return Err(invalid("the head is too long"));
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    };
    let head = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
    let mut lines = head.split("\r\n");
    let mut first = lines.next().unwrap_or_default().split(' ');
    let method = first.next().unwrap_or_default().to_owned();
    let path = first.next().unwrap_or_default().to_owned();
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers
        .get("content-length")
        .and_then(|text| text.parse().ok());
    let length: usize = length.unwrap_or(0);
    if length > BODY_BYTES_MAX {
        return Err(invalid("the body is too long"));
    }
    let mut body = bytes.split_off(head_end + 4);
    while body.len() < length {
        if stream.read_buf(&mut body).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(Request {
        method,
        path,
        headers,
        body,
    })
}

/// An answer whole, after which the connection closes.
pub fn response<'h>(
    status: u16,
    headers: impl IntoIterator<Item = (&'h str, &'h str)>,
    body: &[u8],
) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status} -\r\nconnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.to_owned())
}
