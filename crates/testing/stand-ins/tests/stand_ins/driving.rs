//! Drives a lookup against the stand-ins, without any network.

use adjutant_lookups::{Found, Lookup, LookupError, Site, Step};
use adjutant_stand_ins::databases::StandIns;

const EXCHANGES_MAX: usize = 60;
/// Between two requests, so that no window of a quota fills by itself.
pub(crate) const PATIENT_MS: u64 = 5_000;
pub(crate) const HASTY_MS: u64 = 1;

pub(crate) struct Drive {
    pub(crate) stand_ins: StandIns,
    pub(crate) now: u64,
    pub(crate) pause_ms: u64,
    /// Every request that was sent.
    pub(crate) sent: Vec<String>,
}

impl Drive {
    pub(crate) fn new() -> Self {
        Self {
            stand_ins: StandIns::default(),
            now: 1_790_000_000_000,
            pause_ms: PATIENT_MS,
            sent: Vec::new(),
        }
    }

    pub(crate) fn run(&mut self, mut lookup: impl Lookup) -> Result<Found, LookupError> {
        let mut step = lookup.begin()?;
        for _ in 0..EXCHANGES_MAX {
            match step {
                Step::Done(found) => return Ok(found),
                Step::Send(request) => {
                    self.sent.push(request.url.clone());
                    let reply = self.stand_ins.answer(&request, self.now);
                    self.now += self.pause_ms;
                    step = lookup.received(reply)?;
                }
            }
        }
        panic!("no end after {EXCHANGES_MAX} exchanges");
    }
}

pub(crate) fn site(name: &str) -> Site {
    Site {
        base: format!("http://127.0.0.1:4990/{name}"),
        key: Some("stand-in-key".into()),
        secret: Some("stand-in-secret".into()),
        contact: None,
    }
}
