//! The one thread that writes, and group commit: whatever waits is written in one transaction.
//!
//! Nothing is waited for: a lone batch commits at once, and while it does the next ones gather. A batch
//! that does not fit its journal is refused without touching the others of its group; when the
//! transaction fails, the whole group fails and nothing of it is kept.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use adjutant_mission::{AccountKey, TenantId};
use adjutant_store::{AccountBook, AppendError, Batch, Committed, StoreError};
use rusqlite::Connection;
use tokio::sync::{broadcast, mpsc, oneshot};

use crate::accounts;
use crate::error::{from_io, from_sqlite};
use crate::heads::Heads;
use crate::lock::HostLock;
use crate::session::Session;

/// Most batches in one transaction: bounds how long the first of them waits for the last.
const GROUP_MAX: usize = 512;
/// Batches that may wait for the next transaction; beyond that, senders wait. Two groups keep the
/// writer fed.
const QUEUE_MAX: usize = 2 * GROUP_MAX;

type Answer = oneshot::Sender<Result<(), AppendError>>;

pub(crate) struct Append {
    pub(crate) tenant: TenantId,
    pub(crate) batch: Batch,
    pub(crate) answer: Answer,
}

pub(crate) enum Job {
    Append(Box<Append>),
    /// Finish: wait for the readers, move the log into the database, let go of the lock.
    Close {
        readers: Vec<JoinHandle<()>>,
        answer: oneshot::Sender<Result<(), StoreError>>,
    },
    /// Something seldom, done between two groups. It sees to its own transaction and answer.
    Change(Box<dyn FnOnce(&Connection) + Send>),
}

#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) jobs: mpsc::Sender<Job>,
    pub(crate) thread: JoinHandle<()>,
}

impl Writer {
    pub(crate) fn start(
        path: &Path,
        connection: Connection,
        lock: HostLock,
        committed: broadcast::Sender<Committed>,
    ) -> Result<Self, StoreError> {
        let (jobs, waiting) = mpsc::channel(QUEUE_MAX);
        let place = path.to_owned();
        let thread = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || run(place, connection, lock, committed, waiting))
            .map_err(|error| from_io(path, &error))?;
        Ok(Self { jobs, thread })
    }
}

fn run(
    path: PathBuf,
    connection: Connection,
    lock: HostLock,
    committed: broadcast::Sender<Committed>,
    mut waiting: mpsc::Receiver<Job>,
) {
    let closing = match Session::prepare(&connection) {
        Ok(session) => {
            let mut group = Group {
                path: &path,
                connection: &connection,
                session,
                heads: Heads::default(),
                book: AccountBook::default(),
                committed,
            };
            group.serve(&mut waiting)
        }
        Err(error) => {
            refuse_all(&mut waiting, &from_sqlite(&path, &error));
            None
        }
    };
    let (readers, answer) = closing.unzip();
    for reader in readers.unwrap_or_default() {
        // A reader that panicked has nothing left to close.
        let _ = reader.join();
    }
    let closed = close(&path, connection);
    drop(lock);
    if let Some(answer) = answer {
        let _ = answer.send(closed);
    }
}

type Closing = (Vec<JoinHandle<()>>, oneshot::Sender<Result<(), StoreError>>);

fn close(path: &Path, connection: Connection) -> Result<(), StoreError> {
    let moved = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    let closed = connection.close().map_err(|(_, error)| error);
    moved.and(closed).map_err(|error| from_sqlite(path, &error))
}

fn refuse_all(waiting: &mut mpsc::Receiver<Job>, error: &StoreError) {
    while let Some(job) = waiting.blocking_recv() {
        match job {
            Job::Append(append) => {
                let _ = append.answer.send(Err(error.clone().into()));
            }
            Job::Close { answer, .. } => {
                let _ = answer.send(Err(error.clone()));
                return;
            }
            // Whoever asked finds that nobody answers.
            Job::Change(_) => {}
        }
    }
}

struct Group<'c> {
    path: &'c Path,
    connection: &'c Connection,
    session: Session<'c>,
    heads: Heads,
    book: AccountBook,
    committed: broadcast::Sender<Committed>,
}

impl Group<'_> {
    /// Serves until told to close, or until nobody is left to ask.
    fn serve(&mut self, waiting: &mut mpsc::Receiver<Job>) -> Option<Closing> {
        let mut jobs = Vec::with_capacity(GROUP_MAX);
        let mut appends = Vec::with_capacity(GROUP_MAX);
        while waiting.blocking_recv_many(&mut jobs, GROUP_MAX) > 0 {
            let mut closing = None;
            for job in jobs.drain(..) {
                match job {
                    Job::Append(append) => appends.push(append),
                    Job::Close { readers, answer } => closing = Some((readers, answer)),
                    Job::Change(change) => {
                        change(self.connection);
                        self.heads.forget_all();
                        self.book.forget_all();
                    }
                }
            }
            if !appends.is_empty() {
                self.append(&mut appends);
            }
            if closing.is_some() {
                return closing;
            }
        }
        None
    }

    #[expect(
        clippy::vec_box,
        reason = "appends travel boxed through the queue and are not unpacked on the way"
    )]
    fn append(&mut self, appends: &mut Vec<Box<Append>>) {
        let mut judged: Vec<(Answer, Result<(), AppendError>)> = Vec::with_capacity(appends.len());
        // The batch with which the transaction failed, and those after it.
        let mut untried: Vec<Answer> = Vec::new();
        let mut news = Vec::new();
        let mut failed = None;
        for append in appends.drain(..) {
            let Append {
                tenant,
                batch,
                answer,
            } = *append;
            if failed.is_some() {
                untried.push(answer);
                continue;
            }
            match self.write(tenant, batch, &mut news) {
                Ok(result) => judged.push((answer, result)),
                Err(error) => {
                    untried.push(answer);
                    failed = Some(error);
                }
            }
        }
        let ended = match failed {
            Some(error) => Err(error),
            None if self.connection.is_autocommit() => Ok(()),
            None => self.commit(),
        };
        match ended {
            Ok(()) => {
                for news in news {
                    // An error only means that the last subscriber has just gone.
                    let _ = self.committed.send(news);
                }
                for (answer, result) in judged {
                    // Whoever asked may have gone; the batch is written all the same.
                    let _ = answer.send(result);
                }
            }
            Err(error) => {
                let answers = judged.into_iter().map(|(answer, _)| answer);
                self.fail(&error, answers.chain(untried));
            }
        }
    }

    fn commit(&mut self) -> rusqlite::Result<()> {
        for (tenant, key, balance) in self.book.drain_changed() {
            accounts::write(self.connection, &tenant, &key, &balance)?;
        }
        self.book.tidy();
        self.session.commit(self.connection)
    }

    /// Writes one batch if it fits its journal and its accounts. The outer error ends the transaction.
    fn write(
        &mut self,
        tenant: TenantId,
        batch: Batch,
        news: &mut Vec<Committed>,
    ) -> rusqlite::Result<Result<(), AppendError>> {
        let key = (tenant, batch.mission);
        let session = &mut self.session;
        let known = self.heads.get_or_load(&key, |key| session.load(key))?;
        if !known.kept.takes(batch.erases) {
            return Ok(Err(AppendError::Settled { kept: known.kept }));
        }
        if known.head != batch.expected {
            return Ok(Err(AppendError::Conflict {
                expected: batch.expected,
                found: known.head,
            }));
        }
        let connection = self.connection;
        let load = |account: &AccountKey| accounts::load(connection, &key.0, account);
        if let Err(refusal) = self.book.take(&key.0, &batch, load)? {
            return Ok(Err(AppendError::CapReached(Box::new(refusal))));
        }
        if self.connection.is_autocommit() {
            session.begin()?;
        }
        session.write(self.connection, &key.0, batch, known)?;
        if self.committed.receiver_count() > 0 {
            news.push(Committed {
                seq: known.head.seq,
                tenant: key.0,
                mission: key.1,
            });
        }
        Ok(Ok(()))
    }

    /// Undoes the group. Refusals too were judged by heads that are now gone, so everyone gets the cause.
    fn fail(&mut self, error: &rusqlite::Error, answers: impl Iterator<Item = Answer>) {
        self.heads.forget_all();
        self.book.forget_all();
        if !self.connection.is_autocommit() {
            // SQLite ends some failed transactions itself; one it cannot end is ended with the connection.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        let error = from_sqlite(self.path, error);
        for answer in answers {
            let _ = answer.send(Err(error.clone().into()));
        }
    }
}
