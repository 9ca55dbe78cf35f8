//! Recorded exchanges: one a line, as JSON. Bodies, statuses and streams are kept; keys and addresses never are.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::retry::Headers;
use crate::secret::{Secret, redacted};

/// Of one exchange; what comes after is not recorded, and replays as a broken stream.
const RECORDED_BYTES_MAX: usize = 4 * 1024 * 1024;
const EXCHANGES_MAX: usize = 100_000;

/// Whether exchanges are recorded, replayed, or neither.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Cassette {
    #[default]
    Off,
    /// Adds to that file.
    Record(PathBuf),
    /// Sends nothing: every answer comes from that file, each recorded one once.
    Replay(PathBuf),
}

#[derive(Debug, thiserror::Error)]
pub enum CassetteError {
    #[error("the cassette {} cannot be used", .path.display())]
    File {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("the cassette {}, line {line}: {message}", .path.display())]
    Line {
        path: PathBuf,
        line: usize,
        message: String,
    },
    #[error("the cassette {} has more than {EXCHANGES_MAX} exchanges: split it", .path.display())]
    TooLong { path: PathBuf },
}

#[derive(Debug)]
pub(crate) enum Deck {
    Off,
    Record(Arc<Recorder>),
    Replay(Shelf),
}

#[derive(Debug)]
pub(crate) struct Recorder {
    file: Mutex<File>,
}

#[derive(Debug)]
pub(crate) struct Shelf {
    by_hash: Mutex<BTreeMap<String, VecDeque<Line>>>,
}

/// What tells one request from another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Request {
    hash: String,
    provider: String,
    path: String,
    body: Value,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    request: Request,
    status: u16,
    headers: Headers,
    frames: Vec<Frame>,
    ends: Ends,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Ends {
    Whole,
    Broken,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Frame {
    Text(String),
    Bytes { base64: String },
}

impl Request {
    pub(crate) fn new(provider: &str, path: &str, body: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in [provider, path, body] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        Self {
            hash: hasher
                .finalize()
                .to_hex()
                .as_str()
                .chars()
                .take(32)
                .collect(),
            provider: provider.to_owned(),
            path: path.to_owned(),
            body: serde_json::from_str(body).unwrap_or(Value::Null),
        }
    }
}

impl Deck {
    pub(crate) fn open(cassette: &Cassette) -> Result<Self, CassetteError> {
        match cassette {
            Cassette::Off => Ok(Self::Off),
            Cassette::Record(path) => {
                // Questions and answers are nobody else's business.
                let file = File::options()
                    .create(true)
                    .append(true)
                    .mode(0o600)
                    .open(path);
                let file = file.map_err(|source| unreadable(path, source))?;
                Ok(Self::Record(Arc::new(Recorder {
                    file: Mutex::new(file),
                })))
            }
            Cassette::Replay(path) => Shelf::read(path).map(Self::Replay),
        }
    }
}

fn unreadable(path: &Path, source: std::io::Error) -> CassetteError {
    CassetteError::File {
        path: path.to_owned(),
        source,
    }
}

impl Shelf {
    fn read(path: &Path) -> Result<Self, CassetteError> {
        let file = File::open(path).map_err(|source| unreadable(path, source))?;
        let mut by_hash: BTreeMap<String, VecDeque<Line>> = BTreeMap::new();
        for (at, line) in BufReader::new(file).lines().enumerate() {
            if at >= EXCHANGES_MAX {
                return Err(CassetteError::TooLong {
                    path: path.to_owned(),
                });
            }
            let line = line.map_err(|source| unreadable(path, source))?;
            let exchange: Line =
                serde_json::from_str(&line).map_err(|error| CassetteError::Line {
                    path: path.to_owned(),
                    line: at + 1,
                    message: error.to_string(),
                })?;
            let key = exchange.request.hash.clone();
            by_hash.entry(key).or_default().push_back(exchange);
        }
        Ok(Self {
            by_hash: Mutex::new(by_hash),
        })
    }

    pub(crate) fn take(&self, request: &Request) -> Result<Replay, String> {
        let mut by_hash = locked(&self.by_hash);
        let line = by_hash.get_mut(&request.hash).and_then(VecDeque::pop_front);
        let line = line.ok_or_else(|| {
            let Request { hash, path, .. } = request;
            format!("the request {hash} to {path} is not on the cassette, or was replayed already")
        })?;
        Ok(Replay {
            status: line.status,
            headers: line.headers,
            frames: line.frames.into(),
            ends: line.ends,
        })
    }
}

pub(crate) struct Replay {
    pub(crate) status: u16,
    pub(crate) headers: Headers,
    frames: VecDeque<Frame>,
    ends: Ends,
}

impl Replay {
    pub(crate) fn frame(&mut self) -> Result<Option<Vec<u8>>, &'static str> {
        match (self.frames.pop_front(), self.ends) {
            (Some(Frame::Text(text)), _) => Ok(Some(text.into_bytes())),
            (Some(Frame::Bytes { base64 }), _) => STANDARD
                .decode(base64)
                .map(Some)
                .map_err(|_| "the cassette holds bytes that are no base64"),
            (None, Ends::Whole) => Ok(None),
            (None, Ends::Broken) => Err("the recorded stream broke off here"),
        }
    }
}

impl Recorder {
    pub(crate) fn begin(
        self: &Arc<Self>,
        request: Request,
        status: u16,
        headers: &Headers,
        secret: Option<&Secret>,
    ) -> Recording {
        Recording {
            recorder: Arc::clone(self),
            secret: secret.cloned(),
            room: RECORDED_BYTES_MAX,
            line: Some(Line {
                request,
                status,
                headers: headers.clone(),
                frames: Vec::new(),
                ends: Ends::Broken,
            }),
        }
    }
}

/// An exchange under way; written once, when it ends, also if it is dropped.
pub(crate) struct Recording {
    recorder: Arc<Recorder>,
    /// Taken out of what is recorded, should a provider say it back.
    secret: Option<Secret>,
    room: usize,
    line: Option<Line>,
}

impl Recording {
    pub(crate) fn frame(&mut self, bytes: &[u8]) -> Result<(), String> {
        let Some(room) = self.room.checked_sub(bytes.len()) else {
            return self.broken();
        };
        self.room = room;
        if let Some(line) = &mut self.line {
            line.frames.push(match std::str::from_utf8(bytes) {
                Ok(text) => Frame::Text(redacted(text.to_owned(), self.secret.as_ref())),
                Err(_) => Frame::Bytes {
                    base64: STANDARD.encode(bytes),
                },
            });
        }
        Ok(())
    }

    pub(crate) fn whole(&mut self) -> Result<(), String> {
        self.end(Ends::Whole)
    }

    pub(crate) fn broken(&mut self) -> Result<(), String> {
        self.end(Ends::Broken)
    }

    fn end(&mut self, ends: Ends) -> Result<(), String> {
        let Some(mut line) = self.line.take() else {
            return Ok(());
        };
        line.ends = ends;
        let mut text = serde_json::to_string(&line).map_err(|error| error.to_string())?;
        text.push('\n');
        locked(&self.recorder.file)
            .write_all(text.as_bytes())
            .map_err(|error| format!("the exchange cannot be recorded: {error}"))
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        // Nobody is left to be told if this fails.
        let _ = self.end(Ends::Broken);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
