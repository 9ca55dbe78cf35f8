//! `adjutant dev`: stand-ins for what is elsewhere.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use adjutant_stand_ins::databases::{Database, Misbehaviour, Server, StandIns};

use crate::args::{Dev, DevApis};
use crate::exit::Exit;
use crate::output;
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::wiring;

/// How often what was asked is shown.
const LOOK_EVERY: Duration = Duration::from_millis(200);

pub(super) async fn run(which: Dev) -> Result<Exit, AppError> {
    match which {
        Dev::Apis(apis) => self::apis(apis).await,
    }
}

async fn apis(apis: DevApis) -> Result<Exit, AppError> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, apis.port));
    let mut stand_ins = StandIns::default();
    for wrong in &apis.wrong {
        let (database, how) = misbehaviour(wrong)?;
        stand_ins.script(database, [how]);
    }
    let started = Server::start(address, stand_ins, now).await;
    let server = started.map_err(|error| {
        AppError::new(
            ErrorKind::Unavailable,
            "ADJ-6085",
            format!("cannot listen on {address}: {error}"),
            "Use another port with --port, or 0 for any free port.",
        )
    })?;
    output::line(&format!("The stand-ins are running at {}", server.url()))?;
    output::note(&format!(
        "All their data is fictional. To use them: export ADJUTANT_STAND_IN={}",
        server.url()
    ));
    let mut shown = 0;
    let mut stop = std::pin::pin!(tokio::signal::ctrl_c());
    loop {
        tokio::select! {
            _ = &mut stop => return Ok(Exit::Ok),
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
        for line in server.answered(shown) {
            output::line(&line)?;
            shown += 1;
        }
    }
}

fn misbehaviour(wrong: &str) -> Result<(Database, Misbehaviour), AppError> {
    let (database, how) = wrong.split_once('=').unwrap_or((wrong, ""));
    let found = Database::named(database).zip(Misbehaviour::named(how));
    found.ok_or_else(|| {
        let hows = Misbehaviour::ALL.map(Misbehaviour::name).join(", ");
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-6087",
            format!("`{wrong}` is not a database and a kind of fault"),
            format!("Write DATABASE=FAULT: a database from docs/lookups.md, and one of {hows}."),
        )
    })
}

fn now() -> u64 {
    u64::try_from(wiring::clock().now().0).unwrap_or(0)
}
