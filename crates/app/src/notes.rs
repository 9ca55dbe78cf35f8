//! Advice that goes beside a result: the command line writes it to standard error, the server to its log.

use std::fmt;
use std::sync::Arc;

/// Where advice goes. By default nowhere.
#[derive(Clone)]
pub struct Notes(Arc<dyn Fn(&str) + Send + Sync>);

impl Notes {
    pub fn to(write: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(write))
    }

    pub fn write(&self, text: &str) {
        (self.0)(text);
    }
}

impl Default for Notes {
    fn default() -> Self {
        Self::to(|_| {})
    }
}

impl fmt::Debug for Notes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Notes")
    }
}
