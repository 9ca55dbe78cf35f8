//! What is not done from afar, and what to do instead.

use crate::args::{Command, Kb, MissionOf, Rules, Tools, Trigger};
use crate::commands::rate_mission::is_stars;
use adjutant_app::error::{AppError, ErrorKind};

const DOCUMENTS: &str =
    "documents are imported on the server's machine, and the server only returns passages";

/// Whether a verb has nothing to do with any store, so that it is the same with a server and without.
pub(in crate::commands) fn needs_no_store(command: &Command) -> bool {
    match command {
        Command::Verify(verify) => verify.file.is_some(),
        Command::Trigger(Trigger::Next(_))
        | Command::Mission(MissionOf::Check { .. } | MissionOf::Schema)
        | Command::Plan(_)
        | Command::Rules(Rules::Check(_) | Rules::Test(_))
        | Command::Guard(_)
        | Command::Redact(_)
        | Command::Completions { .. }
        | Command::Licences
        | Command::Trust(_)
        | Command::Dev(_) => true,
        _ => false,
    }
}

/// Refuses what cannot be done over HTTP.
pub(super) fn check(command: &Command) -> Result<(), AppError> {
    match command {
        Command::Mission(MissionOf::Start(start)) => {
            let with = &start.with;
            option(with.yes, "--yes")?;
            option(!with.subjects.is_empty(), "--subject")?;
            option(with.campaign.is_some(), "--campaign")?;
            option(with.dry_run, "--dry-run")
        }
        Command::Decide(decide) => option(decide.patch.is_some(), "--patch"),
        Command::Export(export) => {
            option(export.all, "--all")?;
            option(export.key.is_some(), "--key")
        }
        Command::Trigger(Trigger::Add(add)) if add.plan.is_some() => Err(part(
            "trigger add PLAN",
            "a server only starts missions of its catalogue, and accepts no plans",
        )),
        Command::Tools(Tools::Call(_)) => Err(part(
            "tools call",
            "a server only calls tools within missions",
        )),
        Command::Kb(Kb::Search(search)) => {
            option(!search.kinds.is_empty(), "--kind")?;
            option(!search.tags.is_empty(), "--tag")?;
            option(search.from.is_some(), "--from")?;
            option(search.to.is_some(), "--to")?;
            option(search.explain, "--explain")
        }
        Command::Rate(rate) if rate.mission.is_none() => Err(part(
            "rate",
            "a server does not tell how reliable confidences are; name a mission",
        )),
        Command::Rate(rate) => match &rate.rating {
            Some(outcome) if !is_stars(outcome) => Err(part(
                "rate MISSION right|wrong|0.5",
                "a server takes ratings of missions, and no outcomes of conclusions",
            )),
            _ => Ok(()),
        },
        Command::Kb(Kb::Add(_)) => Err(part("kb add", DOCUMENTS)),
        Command::Kb(Kb::Review(_)) => Err(part("kb review", DOCUMENTS)),
        Command::Kb(Kb::Show { .. }) => Err(part("kb show", DOCUMENTS)),
        Command::Kb(Kb::Remove { .. }) => Err(part("kb remove", DOCUMENTS)),
        Command::Kb(Kb::Reindex { .. }) => Err(part("kb reindex", DOCUMENTS)),
        Command::Events(events) if !events.session => Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6146",
            "`events` without `--session` prints the journal itself, which the server does not provide",
            "Add `--session`, or run the command on the server's machine.",
        )),
        Command::Mission(MissionOf::List(_))
        | Command::List(_)
        | Command::Show(_)
        | Command::Watch(_)
        | Command::Events(_)
        | Command::Report(_)
        | Command::Stats(_)
        | Command::Inbox(_)
        | Command::Claim(_)
        | Command::Release(_)
        | Command::Pause(_)
        | Command::Resume(_)
        | Command::Continue(_)
        | Command::Abort(_)
        | Command::Inform(_)
        | Command::Access(_)
        | Command::Fork(_)
        | Command::Compare(_)
        | Command::Stop(_)
        | Command::Allow(_)
        | Command::Stops(_)
        | Command::Budget(_)
        | Command::Trigger(_)
        | Command::Tools(_)
        | Command::Kb(_) => Ok(()),
        other => Err(unknown(other)),
    }
}

fn option(is_given: bool, name: &str) -> Result<(), AppError> {
    match is_given {
        false => Ok(()),
        true => Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6146",
            format!("`{name}` is not supported with `--server`"),
            "Omit it, or run the command on the server's machine.",
        )),
    }
}

/// A verb that only works where the store is.
pub(super) fn unknown(command: &Command) -> AppError {
    let verb = name(command);
    let why = match command {
        Command::Verify(_) | Command::Replay(_) => {
            "it must read the journal itself instead of trusting a server"
        }
        Command::Up(_)
        | Command::Serve(_)
        | Command::Mcp
        | Command::Bench(_)
        | Command::Doctor(_) => "it concerns this machine",
        Command::Run(_) => "a server only starts missions of its catalogue, and accepts no plans",
        Command::Replan(_) => "a patch file is checked with the tools of the server's machine",
        Command::Mission(_) => "use `mission list` for the catalogue of a server",
        _ => "it needs direct access to the server's store",
    };
    part(&verb, why)
}

fn part(verb: &str, why: &str) -> AppError {
    AppError::new(
        ErrorKind::BadInput,
        "ADJ-6145",
        format!("`{verb}` is not supported with `--server`: {why}"),
        "Run it on the server's machine, or omit `--server` (and ADJUTANT_SERVER) to use the store of this machine.",
    )
}

/// A verb as it is typed: its name in the grammar is the same word.
fn name(command: &Command) -> String {
    let told = format!("{command:?}");
    let word = told.split(|c: char| !c.is_alphanumeric()).next();
    word.unwrap_or_default().to_lowercase()
}
