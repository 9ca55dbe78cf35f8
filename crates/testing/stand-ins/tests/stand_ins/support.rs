//! Drives a lookup against the stand-ins, without any network.

use adjutant_lookups::{Found, HttpRequest, Lookup, LookupError, Reply, Site, Step};
use adjutant_stand_ins::databases::{Database, Misbehaviour, StandIns};

const EXCHANGES_MAX: usize = 50;

pub(crate) struct World {
    pub(crate) stand_ins: StandIns,
    pub(crate) sent: Vec<HttpRequest>,
    /// How much time passes with every request, in milliseconds.
    pub(crate) pause: u64,
    now: u64,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            stand_ins: StandIns::default(),
            sent: Vec::new(),
            pause: 2_000,
            now: 1_790_000_000_000,
        }
    }

    pub(crate) fn scripted(database: Database, next: &[Misbehaviour]) -> Self {
        let mut world = Self::new();
        world.stand_ins.script(database, next.iter().copied());
        world
    }

    pub(crate) fn drive(&mut self, mut lookup: Box<dyn Lookup>) -> Result<Found, LookupError> {
        let mut step = lookup.begin()?;
        for _ in 0..EXCHANGES_MAX {
            match step {
                Step::Done(found) => return Ok(found),
                Step::Send(request) => {
                    let reply = self.send(&request);
                    self.sent.push(request);
                    step = lookup.received(reply)?;
                }
            }
        }
        panic!("a lookup went on after {EXCHANGES_MAX} exchanges");
    }

    pub(crate) fn send(&mut self, request: &HttpRequest) -> Reply {
        self.now += self.pause;
        self.stand_ins.answer(request, self.now)
    }
}

pub(crate) fn site(name: &str) -> Site {
    Site {
        base: format!("http://127.0.0.1:4000/{name}"),
        contact: Some("research@example.org".into()),
        ..Site::default()
    }
}

pub(crate) const ALL_WRONG: [Misbehaviour; 6] = [
    Misbehaviour::CutOff,
    Misbehaviour::Empty,
    Misbehaviour::Html,
    Misbehaviour::ServerError,
    Misbehaviour::Unavailable,
    Misbehaviour::WrongFields,
];

/// Hands any bytes to a lookup as the answer to its first request, and then to all others.
pub(crate) fn feed(mut lookup: Box<dyn Lookup>, status: u16, bodies: &[Vec<u8>]) {
    let Ok(mut step) = lookup.begin() else { return };
    for body in bodies {
        if matches!(step, Step::Done(_)) {
            return;
        }
        let reply = Reply::new(status, "application/json", body.clone());
        match lookup.received(reply) {
            Ok(next) => step = next,
            Err(_) => return,
        }
    }
}

/// Some bytes of a proper answer changed, cut out or doubled.
pub(crate) fn mutated(mut body: Vec<u8>, changes: &[(usize, u8)]) -> Vec<u8> {
    for (place, value) in changes {
        if body.is_empty() {
            break;
        }
        let at = place % body.len();
        match value % 3 {
            0 => {
                body.remove(at);
            }
            1 => body.insert(at, value.wrapping_mul(31)),
            _ => body[at] = *value,
        }
    }
    body
}
