//! What is not done from afar, and what to do instead.

use crate::args::{Command, MissionOf};
use crate::failure::{Exit, Failure};

/// Refuses what cannot be done over HTTP.
pub(super) fn check(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Mission(MissionOf::Start(start)) => {
            let with = &start.with;
            option(with.yes, "--yes")?;
            option(!with.subjects.is_empty(), "--subject")?;
            option(with.campaign.is_some(), "--campaign")?;
            option(with.dry_run, "--dry-run")
        }
        Command::Show(show) => option(show.reasoning.is_some(), "--reasoning"),
        Command::Decide(decide) => {
            option(decide.patch.is_some(), "--patch")?;
            option(decide.text.is_some(), "--text")
        }
        Command::Events(events) if !events.session => Err(Failure::new(
            Exit::BadInput,
            "ADJ-6146",
            "`events` without `--session` prints the journal itself, which the server does not hand out",
            "Say `--session`, or do it on the server's machine.",
        )),
        Command::Mission(MissionOf::List(_))
        | Command::List(_)
        | Command::Watch(_)
        | Command::Events(_)
        | Command::Report(_)
        | Command::Inbox(_)
        | Command::Claim(_)
        | Command::Release(_)
        | Command::Pause(_)
        | Command::Resume(_)
        | Command::Continue(_)
        | Command::Abort(_)
        | Command::Access(_) => Ok(()),
        other => Err(unknown(other)),
    }
}

fn option(is_given: bool, name: &str) -> Result<(), Failure> {
    match is_given {
        false => Ok(()),
        true => Err(Failure::new(
            Exit::BadInput,
            "ADJ-6146",
            format!("`{name}` does not work with `--server`: the server does not take it"),
            "Leave it out, or do it on the server's machine.",
        )),
    }
}

/// A verb that only works where the store is.
pub(super) fn unknown(command: &Command) -> Failure {
    let why = match command {
        Command::Verify(_) | Command::Replay(_) => {
            "it must read the journal itself, and not believe a server"
        }
        Command::Up(_) | Command::Serve(_) | Command::Bench(_) | Command::Doctor(_) => {
            "it is about this machine"
        }
        _ => {
            "this verb is not among those that speak to one; the server's own routes are at /api/docs"
        }
    };
    Failure::new(
        Exit::BadInput,
        "ADJ-6145",
        format!("`{}` does not work with `--server`: {why}", name(command)),
        "Do it on the server's machine, or leave out `--server` (and ADJUTANT_SERVER) to use the store of this one.",
    )
}

/// A verb as it is typed: its name in the grammar is the same word.
fn name(command: &Command) -> String {
    let told = format!("{command:?}");
    let word = told.split(|c: char| !c.is_alphanumeric()).next();
    word.unwrap_or_default().to_lowercase()
}
