//! Answers as public databases do, in their shapes and with their errors, from records that belong to the sample
//! dossier. Pure: a request and an instant in, a reply out. `adjutant dev apis` serves it on the loopback address.

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

use adjutant_lookups::{HttpRequest, Reply};

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
    pub fn answer(&mut self, request: &HttpRequest, now: u64) -> Reply {
        let (name, parsed) = Request::parse(request, now);
        let Some(database) = Database::named(&name) else {
            return Reply::new(404, "text/plain", format!("nothing stands in for {name}"));
        };
        let key = database.key_of(&parsed);
        let quotas = database.quotas(&key);
        let admitted = self.limits.admit(database, &key, quotas, now);
        let proper = match admitted {
            Ok(()) => database.answer(&parsed),
            Err(exceeded) => return database.too_many(&parsed, exceeded),
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
