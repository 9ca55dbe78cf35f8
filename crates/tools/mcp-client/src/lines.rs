//! Messages as lines, over a program's standard input and output. Holds at most one message, of limited size.

use std::io;
use std::sync::Arc;

use rmcp::model::{JsonRpcMessage, RequestId, ServerJsonRpcMessage, ServerNotification};
use rmcp::service::{RoleClient, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;

use crate::watch::{Ending, Watch};

pub(crate) const MESSAGE_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Programs that print something before they begin to speak are common; those that never stop are not.
pub(crate) const GARBAGE_LINES_MAX: usize = 100;
/// Requests and notifications between two answers.
pub(crate) const UNASKED_MAX: usize = 10_000;
const GARBAGE_SHOWN_CHARS_MAX: usize = 80;

pub(crate) struct Lines<R, W> {
    reader: BufReader<R>,
    /// What was read of a message so far. Kept here because receiving may be cut off at any time.
    begun: Vec<u8>,
    writer: Arc<Mutex<W>>,
    watch: Arc<Watch>,
    garbage: usize,
    unasked: usize,
}

impl<R: AsyncRead + Unpin, W> Lines<R, W> {
    pub(crate) fn new(reader: R, writer: W, watch: Arc<Watch>) -> Self {
        Self {
            reader: BufReader::new(reader),
            begun: Vec::new(),
            writer: Arc::new(Mutex::new(writer)),
            watch,
            garbage: 0,
            unasked: 0,
        }
    }

    async fn line(&mut self) -> Result<Vec<u8>, Ending> {
        loop {
            let read = self.reader.fill_buf().await;
            let read = read.map_err(|error| Ending::Broken {
                message: error.to_string(),
            })?;
            if read.is_empty() {
                return Err(Ending::Closed);
            }
            let end = read.iter().position(|&byte| byte == b'\n');
            let taken = end.map_or(read.len(), |at| at + 1);
            if self.begun.len() + taken > MESSAGE_BYTES_MAX {
                return Err(Ending::TooLong);
            }
            self.begun.extend_from_slice(&read[..taken]);
            self.reader.consume(taken);
            if end.is_some() {
                return Ok(std::mem::take(&mut self.begun));
            }
        }
    }

    async fn message(&mut self) -> Result<ServerJsonRpcMessage, Ending> {
        loop {
            let line = self.line().await?;
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            let Ok(message) = serde_json::from_slice(line) else {
                // It meant to say something to us, perhaps the answer that somebody waits for.
                if matches!(line.first(), Some(b'{' | b'[')) {
                    return Err(Ending::Unreadable { line: shown(line) });
                }
                self.garbage += 1;
                if self.garbage > GARBAGE_LINES_MAX {
                    return Err(Ending::Garbage { line: shown(line) });
                }
                continue;
            };
            if let Some(id) = foreign_id(&message) {
                return Err(Ending::ForeignId { id: shown(id) });
            }
            match &message {
                JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => self.unasked = 0,
                JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => self.unasked += 1,
            }
            if self.unasked > UNASKED_MAX {
                return Err(Ending::Unasked);
            }
            if is_of_use(&message) {
                return Ok(message);
            }
        }
    }
}

/// The id of an answer that is not one of ours. We count our requests, but the library takes `"2"` for 2.
pub(crate) fn foreign_id(message: &ServerJsonRpcMessage) -> Option<&str> {
    let id = match message {
        JsonRpcMessage::Response(response) => Some(&response.id),
        JsonRpcMessage::Error(error) => error.id.as_ref(),
        JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
    };
    match id {
        Some(RequestId::String(id)) => Some(id),
        Some(RequestId::Number(_)) | None => None,
    }
}

/// Progress and log messages are for nobody here.
fn is_of_use(message: &ServerJsonRpcMessage) -> bool {
    match message {
        JsonRpcMessage::Notification(notification) => matches!(
            notification.notification,
            ServerNotification::ToolListChangedNotification(_)
        ),
        _ => true,
    }
}

pub(crate) fn shown(text: impl AsRef<[u8]>) -> String {
    let text = String::from_utf8_lossy(text.as_ref());
    let kept = text.chars().filter(|c| !c.is_control());
    kept.take(GARBAGE_SHOWN_CHARS_MAX).collect()
}

impl<R, W> Transport<RoleClient> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let writer = Arc::clone(&self.writer);
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let mut writer = writer.lock().await;
            writer.write_all(&line).await?;
            writer.flush().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        if self.watch.ending().is_some() {
            return None;
        }
        match self.message().await {
            Ok(message) => Some(message),
            Err(ending) => {
                self.watch.end(ending);
                None
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.watch.end(Ending::Closed);
        Ok(())
    }
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
