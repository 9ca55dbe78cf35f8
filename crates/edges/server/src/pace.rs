//! Whether a reader keeps up. What is told waits for everybody in one place, so a slow reader costs little, but one that
//! takes nothing at all holds a connection. It is let go, and told why as far as it listens.

use std::future::Future;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::stream::{self, Stream};
use serde_json::json;

use crate::log::{Log, Logged};

/// How long a reader may leave what it was sent.
pub(crate) const TAKEN_WITHIN: Duration = Duration::from_secs(30);

pub(crate) struct Pace {
    within: Duration,
    log: Option<Log>,
    /// When it was sent something, until it has taken that.
    sent: Option<Instant>,
    is_let_go: bool,
}

impl Pace {
    pub(crate) fn new(within: Duration, log: Option<Log>) -> Self {
        Self {
            within,
            log,
            sent: None,
            is_let_go: false,
        }
    }

    /// The reader has taken what it was sent, and asks for more. What it is told if it took too long.
    pub(crate) fn took(&mut self) -> Option<Bytes> {
        let took = self.sent.take()?.elapsed();
        if took <= self.within {
            return None;
        }
        self.let_go(took);
        let told = json!({
            "code": "ADJ-9030",
            "reason": format!("the client took {} s to read an event; the limit is {} s", took.as_secs(), self.within.as_secs()),
            "remedy": "Read faster, or follow one mission instead of all. Reconnect with `Last-Event-ID`: no events are lost.",
        });
        Some(format!("event: dropped\ndata: {told}\n\n").into())
    }

    fn let_go(&mut self, after: Duration) {
        self.is_let_go = true;
        if let Some(log) = &self.log {
            log(&Logged::ReaderDropped { after });
        }
    }
}

/// Somebody who is told something.
pub(crate) trait Reads: Send + 'static {
    /// What comes next, when it is there; nothing after the last.
    fn next(&mut self) -> impl Future<Output = Option<Bytes>> + Send;
}

/// What a reader is sent, as long as it takes it.
pub(crate) fn paced(
    reader: impl Reads,
    pace: Pace,
) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> {
    stream::unfold((reader, pace), |(mut reader, mut pace)| async move {
        if pace.is_let_go {
            return None;
        }
        let bytes = match pace.took() {
            Some(farewell) => farewell,
            None => {
                let bytes = reader.next().await?;
                pace.sent = Some(Instant::now());
                bytes
            }
        };
        Some((Ok(bytes), (reader, pace)))
    })
}

impl Drop for Pace {
    fn drop(&mut self) {
        // Its connection was closed over what it never took.
        let untaken = self.sent.map(|sent| sent.elapsed());
        if let Some(after) = untaken.filter(|after| *after > self.within) {
            self.let_go(after);
        }
    }
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]
mod tests {
    use std::pin::pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures::StreamExt as _;

    use super::*;

    struct Counting(u8);

    impl Reads for Counting {
        async fn next(&mut self) -> Option<Bytes> {
            self.0 += 1;
            (self.0 <= 3).then(|| vec![self.0].into())
        }
    }

    fn pace(within: Duration) -> (Pace, Arc<AtomicUsize>) {
        let logged = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&logged);
        let log: Log = Arc::new(move |_| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        (Pace::new(within, Some(log)), logged)
    }

    #[tokio::test]
    async fn who_takes_what_it_is_sent_has_it_all() {
        let (pace, logged) = pace(TAKEN_WITHIN);
        let all: Vec<_> = paced(Counting(0), pace).collect().await;
        assert_eq!(all.len(), 3);
        assert_eq!(logged.load(Ordering::Relaxed), 0);
    }

    #[tokio::test]
    async fn who_takes_too_long_is_told_so_and_let_go() {
        let (pace, logged) = pace(Duration::ZERO);
        let mut stream = pin!(paced(Counting(0), pace));
        assert_eq!(stream.next().await.unwrap().unwrap(), [1].as_slice());
        tokio::time::sleep(Duration::from_millis(1)).await;
        let told = stream.next().await.unwrap().unwrap();
        let told = std::str::from_utf8(&told).unwrap();
        assert!(told.starts_with("event: dropped\ndata: {"), "{told}");
        assert!(told.contains("ADJ-9030") && told.ends_with("\n\n"));
        assert!(stream.next().await.is_none());
        assert_eq!(logged.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn who_never_takes_it_is_logged_when_it_is_cut_off() {
        let (pace, logged) = pace(Duration::ZERO);
        let mut stream = Box::pin(paced(Counting(0), pace));
        stream.next().await.unwrap().unwrap();
        tokio::time::sleep(Duration::from_millis(1)).await;
        drop(stream);
        assert_eq!(logged.load(Ordering::Relaxed), 1);
    }
}
