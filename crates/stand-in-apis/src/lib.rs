//! Answers as public databases do, in their shapes and with their errors, from records that belong to the sample
//! dossier. Pure: a request and an instant in, a reply out. `adjutant dev apis` serves it on the loopback address.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )
)]

mod database;
mod ema;
mod engines;
mod epo;
mod fda;
mod feeds;
mod limit;
mod misbehaviour;
mod newsapi;
mod patents;
mod pubmed;
mod query;
mod request;
mod server;
mod trials;
mod uspto;
mod web;
mod words;

use std::collections::{BTreeMap, VecDeque};

use adjutant_lookups::{Ask, Reply};

pub use database::Database;
pub use misbehaviour::Misbehaviour;
pub use server::Server;

use limit::Limits;
use request::Request;

/// All stand-ins, each under the first part of its path.
#[derive(Debug, Default)]
pub struct StandIns {
    limits: Limits,
    scripts: BTreeMap<Database, VecDeque<Misbehaviour>>,
}

impl StandIns {
    /// What the database named by the path answers; `now` is in milliseconds since the epoch.
    pub fn answer(&mut self, ask: &Ask, now: u64) -> Reply {
        let (name, request) = Request::of(ask, now);
        let Some(database) = Database::named(&name) else {
            return Reply::new(404, "text/plain", format!("nothing stands in for {name}"));
        };
        let key = database.key_of(&request);
        let quotas = database.quotas(&key);
        let admitted = self.limits.admit(database, &key, quotas, now);
        let proper = match admitted {
            Ok(()) => database.answer(&request),
            Err(exceeded) => return database.too_many(&request, exceeded),
        };
        let script = self.scripts.get_mut(&database);
        match script.and_then(VecDeque::pop_front) {
            Some(misbehaviour) => misbehaviour.of(proper),
            None => proper,
        }
    }

    /// How the next answers of a database go wrong, one after the other.
    pub fn script(&mut self, database: Database, next: impl IntoIterator<Item = Misbehaviour>) {
        self.scripts.entry(database).or_default().extend(next);
    }
}
