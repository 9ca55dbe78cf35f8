//! The one task that writes, and group commit: whatever waits is written in one transaction.
//!
//! Nothing is waited for: a lone batch commits at once, and while it does the next ones gather. A batch
//! that does not fit its journal is refused without touching the others of its group; when the
//! transaction fails, the whole group fails and nothing of it is kept. When the connection breaks before the
//! server has said what it did, nobody is answered until that is known.

use std::collections::BTreeMap;
use std::path::PathBuf;

use adjutant_mission::{MissionId, TenantId};
use adjutant_store::{AppendError, Batch, ChainHead, Committed, StoreError};
use tokio::sync::{broadcast, mpsc, oneshot};

use crate::Settings;
use crate::error::{from_request, said, unreachable};
use crate::heads::{Heads, Key, Known};
use crate::recovery::{self, Recovered};
use crate::rows::{self, Id};
use crate::session::{Params, SET_TENANT};
use crate::tenure::Tenure;
use crate::transaction::{self, Outcome};
use crate::writes::{Request, TenantWrites};

/// Most batches in one transaction: bounds how long the first of them waits for the last.
const GROUP_MAX: usize = 512;
/// Most bytes in one transaction, unless a single batch has more: they are all in memory twice while being sent.
const GROUP_BYTES_MAX: usize = 64 << 20;
/// Batches that may wait for the next transaction; beyond that, senders wait. Two groups keep the
/// writer fed.
pub(crate) const QUEUE_MAX: usize = 2 * GROUP_MAX;

const FIND_HEADS: &str = "
    SELECT m.mission, m.phase, e.seq, e.hash FROM unnest($2::uuid[]) AS wanted (mission)
    JOIN missions m ON m.tenant = $1 AND m.mission = wanted.mission
    CROSS JOIN LATERAL (
        SELECT seq, hash FROM events
        WHERE tenant = $1 AND mission = wanted.mission ORDER BY seq DESC LIMIT 1
    ) AS e";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[FIND_HEADS];

pub(crate) type Answer = oneshot::Sender<Result<(), AppendError>>;

pub(crate) struct Append {
    pub(crate) tenant: TenantId,
    pub(crate) batch: Batch,
    pub(crate) answer: Answer,
}

/// A group of appends, in the order they came.
pub(crate) type Appends = Vec<Append>;

pub(crate) enum Job {
    Append(Box<Append>),
    /// Finish, and let go of the lock.
    Close(oneshot::Sender<()>),
}

/// Why the writer does not go on as it did.
enum Stopped {
    /// Told to close, or nobody is left to ask.
    Closing(Option<oneshot::Sender<()>>),
    /// The connection is gone. What became of these is not known.
    Lost(Appends),
    TakenOver,
}

pub(crate) struct Writer {
    settings: Settings,
    place: PathBuf,
    heads: Heads,
    committed: broadcast::Sender<Committed>,
}

impl Writer {
    pub(crate) fn new(settings: &Settings, committed: broadcast::Sender<Committed>) -> Self {
        Self {
            settings: settings.clone(),
            place: settings.place(),
            heads: Heads::default(),
            committed,
        }
    }

    /// Serves until told to close, or until nobody is left to ask.
    pub(crate) async fn run(mut self, mut tenure: Box<Tenure>, mut waiting: mpsc::Receiver<Job>) {
        let closing = loop {
            match self.serve(&mut tenure, &mut waiting).await {
                Stopped::Closing(answer) => {
                    tenure.end().await;
                    break answer;
                }
                Stopped::Lost(in_doubt) => {
                    self.heads.forget_all();
                    let holder = tenure.holder;
                    // Gone, so that the server can let go of what it holds for it.
                    drop(tenure);
                    match recovery::recover(&self, holder, in_doubt, &mut waiting).await {
                        Recovered::Host(again) => tenure = again,
                        Recovered::TakenOver => break self.refuse_all(&mut waiting).await,
                        Recovered::Closing(answer) => break answer,
                    }
                }
                Stopped::TakenOver => {
                    drop(tenure);
                    break self.refuse_all(&mut waiting).await;
                }
            }
        };
        if let Some(answer) = closing {
            // Whoever asked may have gone.
            let _ = answer.send(());
        }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    async fn refuse_all(&self, waiting: &mut mpsc::Receiver<Job>) -> Option<oneshot::Sender<()>> {
        while let Some(job) = waiting.recv().await {
            match job {
                Job::Append(append) => self.refuse(*append, &self.taken_over()),
                Job::Close(answer) => return Some(answer),
            }
        }
        None
    }

    fn taken_over(&self) -> StoreError {
        StoreError::TakenOver {
            path: self.place.clone(),
        }
    }

    pub(crate) fn unreachable(&self, why: &str) -> StoreError {
        unreachable(&self.place, why.to_owned())
    }

    pub(crate) fn unconfirmed(&self) -> StoreError {
        StoreError::Unconfirmed {
            path: self.place.clone(),
        }
    }

    pub(crate) fn refuse(&self, append: Append, error: &StoreError) {
        // Whoever asked may have gone.
        let _ = append.answer.send(Err(error.clone().into()));
    }

    /// Tells the world of what is on disk: those who listen, then whoever asked.
    pub(crate) fn confirm(&self, append: Append) {
        if let Some(last) = append.batch.events.last()
            && self.committed.receiver_count() > 0
        {
            // An error only means that the last subscriber has just gone.
            let _ = self.committed.send(Committed {
                tenant: append.tenant,
                mission: append.batch.mission,
                seq: last.seq,
            });
        }
        let _ = append.answer.send(Ok(()));
    }

    async fn serve(&mut self, tenure: &mut Tenure, waiting: &mut mpsc::Receiver<Job>) -> Stopped {
        let mut jobs = Vec::with_capacity(GROUP_MAX);
        loop {
            tokio::select! {
                received = waiting.recv_many(&mut jobs, GROUP_MAX) => if received == 0 {
                    return Stopped::Closing(None);
                },
                () = tenure.session.ended() => return Stopped::Lost(Vec::new()),
            }
            let mut closing = None;
            let mut appends = Vec::with_capacity(jobs.len());
            for job in jobs.drain(..) {
                match job {
                    Job::Append(append) => appends.push(*append),
                    Job::Close(answer) => closing = Some(answer),
                }
            }
            let mut stopped = None;
            for group in in_groups(appends) {
                if stopped.is_none() {
                    stopped = self.append(tenure, group).await;
                } else {
                    let error = self.unreachable("the connection was lost");
                    group
                        .into_iter()
                        .for_each(|append| self.refuse(append, &error));
                }
            }
            match (stopped, closing) {
                (None, None) => {}
                (None, Some(answer)) => return Stopped::Closing(Some(answer)),
                (Some(stopped), None) => return stopped,
                (Some(stopped), Some(answer)) => {
                    if let Stopped::Lost(in_doubt) = stopped {
                        let error = self.unconfirmed();
                        in_doubt
                            .into_iter()
                            .for_each(|append| self.refuse(append, &error));
                    }
                    return Stopped::Closing(Some(answer));
                }
            }
        }
    }

    /// Writes a group and answers, unless something is to be found out first.
    async fn append(&mut self, tenure: &mut Tenure, group: Appends) -> Option<Stopped> {
        if let Err(error) = self.look_up(tenure, &group).await {
            self.fail(group, &error);
            return tenure
                .session
                .is_closed()
                .then(|| Stopped::Lost(Vec::new()));
        }
        let mut writes: BTreeMap<&TenantId, TenantWrites<'_>> = BTreeMap::new();
        let mut verdicts: Vec<Result<(), AppendError>> = Vec::with_capacity(group.len());
        for append in &group {
            verdicts.push(self.judge(append, &mut writes));
        }
        let outcome = match requests(&writes) {
            Ok(requests) if requests.is_empty() => Ok(Outcome::Committed),
            Ok(requests) => {
                let session = &mut tenure.session;
                Ok(transaction::run(session, tenure.epoch, &requests).await)
            }
            Err(error) => Err(error),
        };
        drop(writes);
        let error = match outcome {
            Ok(Outcome::Committed) => {
                for (append, verdict) in group.into_iter().zip(verdicts) {
                    match verdict {
                        Ok(()) => self.confirm(append),
                        // Whoever asked may have gone.
                        Err(error) => drop(append.answer.send(Err(error))),
                    }
                }
                return None;
            }
            Ok(Outcome::Unknown(error)) => {
                let cause = self.unreachable(&said(&error));
                let mut in_doubt = Vec::with_capacity(group.len());
                for (append, verdict) in group.into_iter().zip(verdicts) {
                    match verdict {
                        Ok(()) => in_doubt.push(append),
                        // Refused by heads that may never have been.
                        Err(_) => self.refuse(append, &cause),
                    }
                }
                return Some(Stopped::Lost(in_doubt));
            }
            Ok(Outcome::Failed(error)) => from_request(&self.place, &error),
            Err(error) => error,
        };
        self.fail(group, &error);
        if matches!(error, StoreError::TakenOver { .. }) {
            return Some(Stopped::TakenOver);
        }
        tenure
            .session
            .is_closed()
            .then(|| Stopped::Lost(Vec::new()))
    }

    /// Whether a batch fits its journal; if so, it is added to what will be written.
    fn judge<'b>(
        &mut self,
        append: &'b Append,
        writes: &mut BTreeMap<&'b TenantId, TenantWrites<'b>>,
    ) -> Result<(), AppendError> {
        let Append { tenant, batch, .. } = append;
        let key = (tenant.clone(), batch.mission);
        let Some(known) = self.heads.get_mut(&key) else {
            return Err(StoreError::Backend {
                what: "a mission was not looked up".to_owned(),
            }
            .into());
        };
        if known.head != batch.expected {
            return Err(AppendError::Conflict {
                expected: batch.expected,
                found: known.head,
            });
        }
        writes.entry(tenant).or_default().add(batch, known);
        Ok(())
    }

    /// Nothing of a group was written. Refusals too were judged by heads that are now gone, so everyone gets
    /// the cause.
    fn fail(&mut self, group: Appends, error: &StoreError) {
        self.heads.forget_all();
        group
            .into_iter()
            .for_each(|append| self.refuse(append, error));
    }

    /// Reads where those missions of a group stand that are not remembered.
    async fn look_up(&mut self, tenure: &mut Tenure, group: &Appends) -> Result<(), StoreError> {
        let mut unknown: BTreeMap<&TenantId, Vec<MissionId>> = BTreeMap::new();
        for Append { tenant, batch, .. } in group {
            let key: Key = (tenant.clone(), batch.mission);
            if !self.heads.recall(&key) {
                let head = ChainHead::genesis(tenant, batch.mission);
                self.heads.remember(key, Known { head, phase: None });
                unknown.entry(tenant).or_default().push(batch.mission);
            }
        }
        for (tenant, missions) in unknown {
            let wanted: Vec<Id> = missions.into_iter().map(Id::from).collect();
            let params: Params<'_> = &[&tenant.as_str(), &wanted];
            let found = tenure.session.rows(Some(tenant), FIND_HEADS, params).await;
            for row in found.map_err(|error| from_request(&self.place, &error))? {
                let known = Known {
                    head: rows::head(&row, 2)?,
                    phase: Some(rows::phase(&row, 1)?),
                };
                let key = (tenant.clone(), rows::mission(&row, 0)?);
                self.heads.remember(key, known);
            }
        }
        Ok(())
    }
}

/// Everything to be sent, each tenant's after the tenant is named.
fn requests<'b>(
    writes: &BTreeMap<&'b TenantId, TenantWrites<'b>>,
) -> Result<Vec<Request<'b>>, StoreError> {
    let mut requests = Vec::new();
    for (tenant, writes) in writes {
        requests.push(Request {
            sql: SET_TENANT,
            params: vec![Box::new(tenant.as_str())],
        });
        requests.extend(writes.requests(tenant)?);
    }
    Ok(requests)
}

/// Cuts what waits so that no transaction is too large.
fn in_groups(appends: Appends) -> Vec<Appends> {
    let mut groups: Vec<Appends> = Vec::new();
    let mut bytes = 0;
    for append in appends {
        let size = size(&append.batch);
        match groups.last_mut() {
            Some(group) if bytes + size <= GROUP_BYTES_MAX => {
                bytes += size;
                group.push(append);
            }
            _ => {
                bytes = size;
                groups.push(vec![append]);
            }
        }
    }
    groups
}

fn size(batch: &Batch) -> usize {
    let events: usize = batch.events.iter().map(|event| event.bytes.len()).sum();
    let blobs: usize = batch.blobs.iter().map(|blob| blob.bytes.len()).sum();
    let snapshot = batch.snapshot.as_ref().map_or(0, |s| s.passport.len());
    events + blobs + snapshot
}
