//! The one task that writes.
//!
//! Nothing is waited for: a lone batch commits at once, and while it does the next ones gather. When the
//! connection breaks before the server has said what it did, nobody is answered until that is known.

use std::sync::Arc;

use adjutant_store::{Committed, StoreError};
use tokio::sync::{broadcast, mpsc, oneshot, watch};

use crate::Settings;
use crate::appends::in_groups;
use crate::error::unreachable;
use crate::jobs::{Append, ChangeJob, Job};
use crate::lease::Renewer;
use crate::recovery::{self, Recovered};
use crate::tenure::Tenure;
use crate::writer_state::{Stopped, WriterState};

/// Most batches in one transaction: bounds how long the first of them waits for the last.
const GROUP_MAX: usize = 512;
/// Batches that may wait for the next transaction; beyond that, senders wait. Two groups keep the
/// writer fed.
pub(crate) const QUEUE_MAX: usize = 2 * GROUP_MAX;

pub(crate) struct Writer {
    settings: Settings,
    state: WriterState,
    taken_over: watch::Sender<bool>,
}

impl Writer {
    pub(crate) fn new(
        settings: &Settings,
        committed: broadcast::Sender<Committed>,
        taken_over: watch::Sender<bool>,
    ) -> Self {
        Self {
            settings: settings.clone(),
            state: WriterState::new(settings.place(), committed),
            taken_over,
        }
    }

    /// Serves until told to close, or until nobody is left to ask.
    pub(crate) async fn run(mut self, mut tenure: Box<Tenure>, mut waiting: mpsc::Receiver<Job>) {
        let term = Arc::clone(&tenure.term);
        let _renewer = Renewer::start(&self.settings, &term);
        let closing = loop {
            match self.serve(&mut tenure, &mut waiting).await {
                Stopped::Closing(answer) => {
                    tenure.end().await;
                    break answer;
                }
                Stopped::Lost(in_doubt) => {
                    self.state.forget_all();
                    let holder = tenure.holder;
                    // Gone, so that the server can let go of what it holds for it.
                    drop(tenure);
                    let recovering =
                        recovery::recover(&self.settings, holder, &term, in_doubt, &mut waiting);
                    match recovering.await {
                        Recovered::Host(again) => tenure = again,
                        Recovered::TakenOver => {
                            term.end();
                            self.taken_over.send_replace(true);
                            break self.refuse_all(&mut waiting).await;
                        }
                        Recovered::Closing(answer) => break answer,
                    }
                }
                Stopped::TakenOver => {
                    term.end();
                    self.taken_over.send_replace(true);
                    drop(tenure);
                    break self.refuse_all(&mut waiting).await;
                }
            }
        };
        term.end();
        if let Some(answer) = closing {
            // Whoever asked may have gone.
            let _ = answer.send(());
        }
    }

    async fn refuse_all(&self, waiting: &mut mpsc::Receiver<Job>) -> Option<oneshot::Sender<()>> {
        while let Some(job) = waiting.recv().await {
            match job {
                Job::Close(answer) => return Some(answer),
                job => job.refuse(&StoreError::TakenOver {
                    path: self.state.place.clone(),
                }),
            }
        }
        None
    }

    async fn serve(&mut self, tenure: &mut Tenure, waiting: &mut mpsc::Receiver<Job>) -> Stopped {
        let mut jobs = Vec::with_capacity(GROUP_MAX);
        loop {
            tokio::select! {
                received = waiting.recv_many(&mut jobs, GROUP_MAX) => if received == 0 {
                    return Stopped::Closing(None);
                },
                () = tenure.session.ended() => return Stopped::Lost(None),
            }
            let mut closing = None;
            let (mut appends, mut changes) = (Vec::with_capacity(jobs.len()), Vec::new());
            for job in jobs.drain(..) {
                match job {
                    Job::Append(append) => appends.push(*append),
                    Job::Change(change) => changes.push(*change),
                    Job::Close(answer) => closing = Some(answer),
                }
            }
            let stopped = self.work(tenure, appends, changes).await;
            match (stopped, closing) {
                (None, None) => {}
                (None, answer) => return Stopped::Closing(answer),
                (Some(stopped), None) => return stopped,
                (Some(stopped), answer) => {
                    if let Stopped::Lost(Some(in_doubt)) = stopped {
                        (in_doubt.answer)(Err(StoreError::Unconfirmed {
                            path: self.state.place.clone(),
                        }));
                    }
                    return Stopped::Closing(answer);
                }
            }
        }
    }

    /// Does what has gathered. Once something stops it, the rest is refused: nothing of that was sent.
    async fn work(
        &mut self,
        tenure: &mut Tenure,
        appends: Vec<Append>,
        changes: Vec<ChangeJob>,
    ) -> Option<Stopped> {
        let mut stopped = None;
        for group in in_groups(appends) {
            match stopped {
                None => stopped = self.state.append(tenure, group).await,
                Some(_) => group
                    .into_iter()
                    .for_each(|append| append.refuse(self.lost())),
            }
        }
        for change in changes {
            match stopped {
                None => stopped = self.state.change(tenure, change).await,
                Some(_) => change.answer(Err(self.lost())),
            }
        }
        stopped
    }

    fn lost(&self) -> StoreError {
        unreachable(&self.state.place, "the connection was lost".to_owned())
    }
}
