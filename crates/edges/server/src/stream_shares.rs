//! How many event streams one access token may hold, so that nobody takes the connections of all others. The server's own
//! token is its operator's and is not counted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;

use crate::Problem;
use crate::connections::CONNECTIONS_MAX;

/// A quarter of all connections.
const STREAMS_PER_KEY_MAX: usize = CONNECTIONS_MAX / 4;
/// Those who come too often may come again after so long.
const RETRY_AFTER_SECONDS: u64 = 10;

/// Open streams by the id of their key.
#[derive(Debug, Clone, Default)]
pub(crate) struct StreamShares(Arc<Mutex<HashMap<String, usize>>>);

/// One open stream; it ends with this.
#[derive(Debug)]
pub(crate) struct StreamShare {
    shares: StreamShares,
    key: String,
}

impl StreamShares {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn take(&self, key: &str) -> Result<StreamShare, Problem> {
        self.take_of(key, STREAMS_PER_KEY_MAX)
    }

    fn take_of(&self, key: &str, most: usize) -> Result<StreamShare, Problem> {
        let mut open = self.lock();
        let count = open.entry(key.to_owned()).or_default();
        if *count >= most {
            let mut problem = Problem::new(
                StatusCode::TOO_MANY_REQUESTS,
                "ADJ-9046",
                format!("this key holds {most} event streams, which is the limit"),
                "Close some of them, or follow all missions with one stream: GET /api/events.",
            );
            problem.retry_after = Some(RETRY_AFTER_SECONDS);
            return Err(problem);
        }
        *count += 1;
        Ok(StreamShare {
            shares: self.clone(),
            key: key.to_owned(),
        })
    }
}

impl Drop for StreamShare {
    fn drop(&mut self) {
        let mut open = self.shares.lock();
        if let Some(count) = open.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_holds_its_share_and_takes_nothing_from_others() {
        let shares = StreamShares::default();
        let first = shares.take_of("hog", 2).unwrap();
        let _second = shares.take_of("hog", 2).unwrap();
        let refused = shares.take_of("hog", 2).unwrap_err();
        assert_eq!((refused.status.as_u16(), &*refused.code), (429, "ADJ-9046"));
        let other = shares.take_of("eva", 2).unwrap();
        drop(first);
        let _third = shares.take_of("hog", 2).unwrap();
        drop(other);
        assert_eq!(shares.lock().len(), 1, "who holds none is forgotten");
    }
}
