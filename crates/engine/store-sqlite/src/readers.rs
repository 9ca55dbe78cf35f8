//! A few threads that read, each with a connection of its own.
//!
//! Threads rather than `spawn_blocking`: a connection and its prepared statements stay with one thread,
//! the number of parallel reads has a bound of its own, and a store works under any executor. Readers
//! never wait for the writer, nor it for them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use adjutant_store::StoreError;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use crate::error::{from_io, from_sqlite};
use crate::open;

/// Reads at a time. More would only share the same disk and cores.
const READERS: usize = 4;
/// Reads that may wait; beyond that, senders wait.
const QUEUE_MAX: usize = 1_024;

type Read = Box<dyn FnOnce(&Connection) + Send>;

#[derive(Debug)]
pub(crate) struct Readers {
    path: PathBuf,
    state: Mutex<Option<Open>>,
}

#[derive(Debug)]
struct Open {
    reads: mpsc::Sender<Read>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    pub(crate) fn start(path: &Path) -> Result<Self, StoreError> {
        let (reads, waiting) = mpsc::channel::<Read>(QUEUE_MAX);
        let waiting = Arc::new(Mutex::new(waiting));
        let mut threads = Vec::with_capacity(READERS);
        for n in 1..=READERS {
            let connection = open::reader(path)?;
            let waiting = Arc::clone(&waiting);
            let thread = std::thread::Builder::new()
                .name(format!("store-reader-{n}"))
                .spawn(move || run(&connection, &waiting))
                .map_err(|error| from_io(path, &error))?;
            threads.push(thread);
        }
        Ok(Self {
            path: path.to_owned(),
            state: Mutex::new(Some(Open { reads, threads })),
        })
    }

    pub(crate) async fn read<T, F>(&self, read: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let read: Read = Box::new(move |connection| {
            // Whoever asked may have gone.
            let _ = answer.send(read(connection));
        });
        let reads = match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(open) => open.reads.clone(),
            None => return Err(StoreError::Closed),
        };
        reads.send(read).await.map_err(|_| StoreError::Closed)?;
        drop(reads);
        let result = answered.await.map_err(|_| StoreError::Closed)?;
        result.map_err(|error| from_sqlite(&self.path, &error))
    }

    /// Takes no further reads. The threads end when those that wait are done.
    pub(crate) fn stop(&self) -> Vec<JoinHandle<()>> {
        let open = self
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        open.map(|open| open.threads).unwrap_or_default()
    }
}

fn run(connection: &Connection, waiting: &Mutex<mpsc::Receiver<Read>>) {
    loop {
        let next = waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .blocking_recv();
        match next {
            Some(read) => read(connection),
            None => return,
        }
    }
}
