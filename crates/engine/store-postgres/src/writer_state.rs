//! What the writer remembers between transactions, and why it may have to stop. Appends, changes and accounts work on it.

use std::path::PathBuf;

use adjutant_store::{AccountBook, Committed, StoreError};
use tokio::sync::{broadcast, oneshot};

use crate::heads::Heads;
use crate::in_doubt::InDoubt;
use crate::tenure::Tenure;

/// Why the writer does not go on as it did.
pub(crate) enum Stopped {
    /// Told to close, or nobody is left to ask.
    Closing(Option<oneshot::Sender<()>>),
    /// The connection is gone, and what became of this is not known.
    Lost(Option<InDoubt>),
    TakenOver,
}

impl Stopped {
    /// Whether it can go on after something failed.
    pub(crate) fn after(error: &StoreError, tenure: &Tenure) -> Option<Self> {
        match error {
            StoreError::TakenOver { .. } => Some(Self::TakenOver),
            _ if tenure.session.is_closed() => Some(Self::Lost(None)),
            _ => None,
        }
    }
}

pub(crate) struct WriterState {
    pub(crate) place: PathBuf,
    pub(crate) heads: Heads,
    pub(crate) book: AccountBook,
    pub(crate) committed: broadcast::Sender<Committed>,
}

impl WriterState {
    pub(crate) fn new(place: PathBuf, committed: broadcast::Sender<Committed>) -> Self {
        Self {
            place,
            heads: Heads::default(),
            book: AccountBook::default(),
            committed,
        }
    }

    /// After a failed transaction: what was remembered may not be so.
    pub(crate) fn forget_all(&mut self) {
        self.heads.forget_all();
        self.book.forget_all();
    }
}
