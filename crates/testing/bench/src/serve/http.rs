//! HTTP/1.1 over one connection to this machine, and no more of it than the benches need: thousands of readers must
//! cost the measuring side little.

use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const HEAD_BYTES_MAX: usize = 32 * 1024;
const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;
const READ_BYTES: usize = 16 * 1024;

pub(super) struct Connection {
    stream: TcpStream,
    address: SocketAddr,
    /// What came and was not taken yet.
    came: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

/// How the body that follows is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Framing {
    Length(usize),
    Chunked,
}

fn broken(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

impl Connection {
    pub(super) async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            address,
            came: Vec::new(),
        })
    }

    /// Sends a request and reads all of its answer.
    pub(super) async fn ask(
        &mut self,
        token: &str,
        path: &str,
        body: Option<&str>,
    ) -> Result<Answer> {
        let (status, framing) = self.begin(token, path, body).await?;
        let mut all = Vec::new();
        match framing {
            Framing::Length(length) if length <= BODY_BYTES_MAX => {
                while self.came.len() < length {
                    self.more().await?;
                }
                all.extend(self.came.drain(..length));
            }
            Framing::Length(_) => return Err(broken("the answer is too large")),
            Framing::Chunked => {
                while self.chunk(&mut all).await? > 0 {
                    if all.len() > BODY_BYTES_MAX {
                        return Err(broken("the answer is too large"));
                    }
                }
            }
        }
        Ok(Answer { status, body: all })
    }

    /// Sends a request whose answer does not end soon; [`Self::chunk`] reads on.
    pub(super) async fn follow(&mut self, token: &str, path: &str) -> Result<()> {
        match self.begin(token, path, None).await? {
            (200, Framing::Chunked) => Ok(()),
            (status, _) => Err(broken(&format!("a stream is answered with {status}"))),
        }
    }

    async fn begin(
        &mut self,
        token: &str,
        path: &str,
        body: Option<&str>,
    ) -> Result<(u16, Framing)> {
        let (method, body) = match body {
            Some(body) => ("POST", body),
            None => ("GET", ""),
        };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await?;
        let end = loop {
            if let Some(end) = find(&self.came, b"\r\n\r\n") {
                break end;
            }
            if self.came.len() > HEAD_BYTES_MAX {
                return Err(broken("the head of an answer does not end"));
            }
            self.more().await?;
        };
        let head: Vec<u8> = self.came.drain(..end + 4).collect();
        parsed(&head)
    }

    /// Adds the next chunk to `to`; 0 bytes are the end.
    pub(super) async fn chunk(&mut self, to: &mut Vec<u8>) -> Result<usize> {
        let line = loop {
            if let Some(end) = find(&self.came, b"\r\n") {
                break end;
            }
            if self.came.len() > HEAD_BYTES_MAX {
                return Err(broken("a chunk has no length"));
            }
            self.more().await?;
        };
        let size = std::str::from_utf8(self.came.get(..line).unwrap_or_default());
        let size = size.map_err(|_| broken("a chunk has no length"))?;
        let size = size.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).map_err(|_| broken("a chunk has no length"))?;
        if size > BODY_BYTES_MAX {
            return Err(broken("a chunk is too large"));
        }
        let all = line + 2 + size + 2;
        while self.came.len() < all {
            self.more().await?;
        }
        to.extend_from_slice(self.came.get(line + 2..line + 2 + size).unwrap_or_default());
        self.came.drain(..all);
        Ok(size)
    }

    async fn more(&mut self) -> Result<()> {
        self.came.reserve(READ_BYTES);
        match self.stream.read_buf(&mut self.came).await? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn parsed(head: &[u8]) -> Result<(u16, Framing)> {
    let head = String::from_utf8_lossy(head);
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1));
    let status = status.and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| broken("this is no answer of HTTP"))?;
    let mut framing = Framing::Length(0);
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        match (&*name.to_ascii_lowercase(), value.trim()) {
            ("content-length", length) => {
                let length = length.parse();
                framing = Framing::Length(length.map_err(|_| broken("a length is no number"))?);
            }
            ("transfer-encoding", "chunked") => framing = Framing::Chunked,
            _ => {}
        }
    }
    Ok((status, framing))
}
