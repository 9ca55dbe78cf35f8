//! Answers as public databases do, in their shapes and with their errors, from records that belong to the sample
//! dossier. Pure: a request and an instant in, a reply out. `adjutant dev apis` serves it on the loopback address.

use adjutant_lookups::{Ask, Reply};

/// All stand-ins, each under the first part of its path.
#[derive(Debug, Default)]
pub struct StandIns {}

impl StandIns {
    /// What the database named by the path answers; `now` is in milliseconds since the epoch.
    pub fn answer(&mut self, ask: &Ask, _now: u64) -> Reply {
        let path = ask.url.split("://").nth(1).unwrap_or(&ask.url);
        Reply::new(404, "text/plain", format!("nothing stands in for {path}"))
    }
}
