//! A few connections that read, made when needed and again when the server comes back.
//!
//! A read has a connection for itself, because it is a transaction of several statements that name the tenant.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use adjutant_mission::TenantId;
use adjutant_store::StoreError;
use tokio::sync::Semaphore;
use tokio_postgres::{Error, Row};

use crate::Settings;
use crate::error::{from_request, is_lost};
use crate::session::{Params, Purpose, Question, Session};

/// Reads at a time. More would only share the same server.
const READERS: usize = 4;

#[derive(Debug)]
pub(crate) struct Readers {
    settings: Settings,
    place: PathBuf,
    /// Closed with the store.
    turns: Semaphore,
    idle: Mutex<Vec<Session>>,
}

impl Readers {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            place: settings.place(),
            turns: Semaphore::new(READERS),
            idle: Mutex::default(),
        }
    }

    /// One query, seen from inside one tenant, or from outside all.
    pub(crate) async fn rows(
        &self,
        tenant: Option<&TenantId>,
        sql: &'static str,
        params: Params<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        let asked = Question {
            tenant,
            queries: &[sql],
            params,
        };
        let found = self.answer(&asked).await?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Each query's rows, all as of one moment.
    pub(crate) async fn answer(&self, asked: &Question<'_>) -> Result<Vec<Vec<Row>>, StoreError> {
        let turn = self.turns.acquire().await;
        let _turn = turn.map_err(|_| StoreError::Closed)?;
        // A connection that lay idle may have died without our knowing; then the read is asked once more.
        if let Some(mut session) = self.take_idle() {
            match session.answer(asked).await {
                Err(error) if is_lost(&error) => {}
                done => return self.finish(session, done),
            }
        }
        let mut session = Session::connect(&self.settings, Purpose::Reader).await?;
        session.go_to_work(&self.settings, Purpose::Reader).await?;
        let done = session.answer(asked).await;
        self.finish(session, done)
    }

    /// Takes a connection that was made elsewhere into use.
    pub(crate) fn give(&self, session: Session) {
        if !session.is_closed() && !self.turns.is_closed() {
            self.lock_idle().push(session);
        }
    }

    fn finish<T>(&self, session: Session, done: Result<T, Error>) -> Result<T, StoreError> {
        self.give(session);
        done.map_err(|error| from_request(&self.place, &error))
    }

    fn take_idle(&self) -> Option<Session> {
        let mut idle = self.lock_idle();
        idle.retain(|session| !session.is_closed());
        idle.pop()
    }

    fn lock_idle(&self) -> MutexGuard<'_, Vec<Session>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes no further reads. Those under way are finished.
    pub(crate) fn stop(&self) {
        self.turns.close();
        self.lock_idle().clear();
    }
}
