//! What a program wrote, for results and messages.

use adjutant_sandbox::Stream;
use tokio::io::{AsyncRead, AsyncReadExt as _};

pub(super) const STREAM_BYTES_MAX: usize = 256 * 1024;
const LAST_LINE_CHARS_MAX: usize = 300;

/// The beginning of a stream, and how much more there was.
#[derive(Default)]
pub(super) struct Captured {
    pub(super) kept: Vec<u8>,
    pub(super) left_out: u64,
}

impl Captured {
    pub(super) async fn fill(&mut self, stream: Option<impl AsyncRead + Unpin>) {
        let Some(mut stream) = stream else { return };
        let mut chunk = [0u8; 8 * 1024];
        while let Ok(count) = stream.read(&mut chunk).await {
            if count == 0 {
                break;
            }
            let room = (STREAM_BYTES_MAX - self.kept.len()).min(count);
            self.kept.extend_from_slice(&chunk[..room]);
            self.left_out += (count - room) as u64;
        }
    }

    pub(super) fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.kept);
        match self.left_out {
            0 => text.into_owned(),
            count => format!("{text}\n[… {count} more bytes left out]"),
        }
    }

    /// For the end of a message: empty when nothing was written.
    pub(super) fn last_line(&self) -> String {
        let text = String::from_utf8_lossy(&self.kept);
        match text.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => {
                let line: String = line.trim().chars().take(LAST_LINE_CHARS_MAX).collect();
                format!(": {line}")
            }
            None => String::new(),
        }
    }
}

impl From<Stream> for Captured {
    fn from(stream: Stream) -> Self {
        Self {
            kept: stream.bytes,
            left_out: stream.left_out,
        }
    }
}
