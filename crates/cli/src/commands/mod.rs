//! One file per command, or per small family of them.

mod access;
mod answer;
mod around;
mod ask;
mod asking;
mod backup;
mod bench;
mod budget;
mod compare;
mod completions;
mod conclusions;
mod cut_short;
mod desk;
mod desk_library;
mod dev;
mod doctor;
mod dry_run;
mod erase;
mod events;
mod export;
mod fork;
mod guard;
mod inbox;
mod kb;
mod kb_add;
mod kb_embed;
mod kb_search;
mod kb_watch;
mod keys;
mod list;
mod mission;
mod models;
mod notify;
mod notify_trial;
mod plan;
mod planning;
mod prompt;
mod prune;
mod rate;
mod reasoning;
mod redact;
mod remote;
mod replan;
mod replay;
mod report;
mod route;
mod run;
mod serve;
mod show;
mod sign;
mod steer;
mod stops;
mod tools;
mod traces;
mod trigger;
mod trigger_add;
mod trigger_seen;
mod up;
mod verify;
mod watch;

pub(crate) use around::look_around;
pub(crate) use rate::calibration_of;

pub(crate) use kb_add::READ_DOCUMENT;

use crate::args::{Arguments, Command, FromAfar};
use crate::failure::{Exit, Failure};
use crate::settings::{Environment, Settings};

pub(crate) async fn run(arguments: Arguments, environment: &Environment) -> Result<Exit, Failure> {
    let command = arguments.command;
    let named = arguments.from_afar.server.as_ref();
    let server = named.or(environment.server.as_ref()).cloned();
    match command {
        // Completions must work where nothing is set up yet.
        Command::Completions { shell } => return completions::run(shell),
        // No store of this machine is opened or made.
        command if server.is_some() && !remote::is_of_no_store(&command) => {
            let from_afar = FromAfar {
                server,
                ..arguments.from_afar
            };
            return Box::pin(remote::run(command, &from_afar, environment)).await;
        }
        Command::Doctor(json) => return doctor::run(environment, json.json.into()).await,
        _ => {}
    }
    let settings = Settings::load(environment)?;
    match command {
        Command::Mission(which) => Box::pin(mission::run(&settings, which)).await,
        Command::Ask(ask) => Box::pin(ask::run(&settings, *ask)).await,
        Command::Report(report) => report::run(&settings, report).await,
        Command::Run(run) => run::run(&settings, run).await,
        Command::Plan(plan) => plan::run(&settings, plan).await,
        Command::Up(up) => up::run(&settings, &up).await,
        Command::Serve(given) => Box::pin(serve::run(&settings, given)).await,
        Command::Access(which) => access::run(&settings, which).await,
        Command::List(list) => list::run(&settings, list).await,
        Command::Show(show) => show::run(&settings, show).await,
        Command::Watch(watch) => watch::run(&settings, watch).await,
        Command::Events(events) => events::run(&settings, events).await,
        Command::Inbox(json) => inbox::run(&settings, json.json.into()).await,
        Command::Decide(decide) => answer::decide(&settings, decide).await,
        Command::Claim(which) => answer::claim(&settings, which).await,
        Command::Release(which) => answer::release(&settings, which).await,
        Command::Pause(pause) => steer::pause(&settings, pause).await,
        Command::Resume(which) => steer::resume(&settings, which).await,
        Command::Continue(which) => steer::go_on(&settings, which).await,
        Command::Abort(abort) => steer::abort(&settings, abort).await,
        Command::Replan(replan) => replan::run(&settings, replan).await,
        Command::Stop(stop) => stops::stop(&settings, stop).await,
        Command::Allow(allow) => stops::allow(&settings, allow).await,
        Command::Stops(json) => stops::list(&settings, json.json.into()).await,
        Command::Inform(inform) => steer::inform(&settings, inform).await,
        Command::Fork(fork) => fork::run(&settings, fork).await,
        Command::Compare(compare) => compare::run(&settings, compare).await,
        Command::Verify(verify) => verify::run(&settings, verify).await,
        Command::Replay(replay) => replay::run(&settings, replay).await,
        Command::Sign(json) => sign::run(&settings, json.json.into()).await,
        Command::Export(export) => export::export(&settings, export).await,
        Command::Import(import) => export::import(&settings, import).await,
        Command::Erase(erase) => erase::run(&settings, erase).await,
        Command::Rate(rate) => rate::run(&settings, rate).await,
        Command::Prune(prune) => prune::run(&settings, prune).await,
        Command::Backup(backup) => backup::back_up(&settings, backup).await,
        Command::Restore(restore) => backup::restore(&settings, restore).await,
        Command::Keys(which) => keys::run(&settings, which).await,
        Command::Budget(which) => budget::run(&settings, which).await,
        Command::Notify(which) => notify::run(&settings, which).await,
        Command::Trigger(which) => trigger::run(&settings, which).await,
        Command::Kb(which) => Box::pin(kb::run(&settings, which)).await,
        Command::Models(which) => models::run(&settings, which).await,
        Command::Dev(which) => dev::run(which).await,
        Command::Tools(which) => Box::pin(tools::run(&settings, which)).await,
        Command::Prompt(which) => prompt::run(&settings, which),
        Command::Guard(guard) => guard::run(&settings, &guard),
        Command::Redact(redact) => redact::run(&redact),
        Command::Bench(which) => bench::run(&settings, which).await,
        Command::Completions { .. } | Command::Doctor(_) => Ok(Exit::Ok),
    }
}
