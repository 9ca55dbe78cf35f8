//! Runs a command with a PostgreSQL server that is there only for it: the tests of one run share it.
//!
//! `adjutant-postgres-cluster -- cargo nextest run`

use std::process::{Command, ExitCode};

use adjutant_postgres_cluster::{ADDRESS_VARIABLE, Cluster, ClusterError, Durability};

const USAGE: &str = "usage: adjutant-postgres-cluster -- COMMAND [ARGUMENT…]";

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    let (Some(dashes), Some(program)) = (words.next(), words.next()) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if dashes != "--" {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    }
    match with_cluster(Command::new(&program).args(words)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{}: {}", program.display(), chain(&error));
            ExitCode::FAILURE
        }
    }
}

fn with_cluster(command: &mut Command) -> Result<ExitCode, ClusterError> {
    let cluster = Cluster::start(Durability::None)?;
    let status = command
        .env(ADDRESS_VARIABLE, cluster.address())
        .status()
        .map_err(|source| ClusterError::Run {
            program: command.get_program().into(),
            source,
        })?;
    // A command that was killed has no code of its own.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    causes.fold(error.to_string(), |said, cause| format!("{said}: {cause}"))
}
