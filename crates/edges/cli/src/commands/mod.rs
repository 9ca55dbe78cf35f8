//! One file per command, or per small family of them.

mod access;
mod answer;
mod ask;
mod backup;
mod budget;
mod compare;
mod completions;
mod dev;
mod direct;
mod doctor;
mod dry_run;
mod erase;
mod events;
mod export;
mod fork;
mod guard;
mod inbox;
mod kb;
mod kb_review;
mod kb_search;
mod kb_watch;
mod keys;
mod licences;
mod list;
mod mcp;
mod mission;
mod models;
mod notify;
mod notify_trial;
mod plan;
mod prompt;
mod prune;
mod rate;
mod rate_mission;
mod reasoning;
mod redact;
mod remote;
mod replan;
mod replay;
mod report;
mod route;
mod rules;
mod run;
mod serve;
mod show;
mod sign;
mod stats;
mod steer;
mod stops;
mod suggest;
mod tools;
mod traces;
mod trigger;
mod trigger_add;
mod trigger_seen;
mod trust;
mod up;
mod verify;
mod watch;

use crate::args::{Arguments, Command};
use crate::exit::Exit;
use adjutant_app::error::AppError;
use adjutant_app::settings::{Environment, Settings};
use adjutant_client::{PlainHttp, ServerAddress};

pub(crate) async fn run(arguments: Arguments, environment: &Environment) -> Result<Exit, AppError> {
    let command = arguments.command;
    let named = arguments.remote.server.as_ref();
    let server = named.or(environment.server.as_ref()).cloned();
    if let Some(url) = server
        && !remote::needs_no_store(&command)
    {
        // No store of this machine is opened or made.
        let server = ServerAddress {
            url,
            token_file: arguments.remote.token_file,
            plain_http: match arguments.remote.insecure_http {
                true => PlainHttp::Allowed,
                false => PlainHttp::LoopbackOnly,
            },
        };
        return Box::pin(remote::run(command, server, environment)).await;
    }
    match command {
        // Completions must work where nothing is set up yet.
        Command::Completions { shell } => return completions::run(shell),
        Command::Licences => return licences::run(),
        Command::Doctor(json) => return doctor::run(environment, json.json.into()).await,
        // Before it is trusted, no settings file can be read.
        Command::Trust(trust) => return trust::run(environment, &trust),
        _ => {}
    }
    let settings = Settings::load(environment)?;
    match command {
        Command::Mission(which) => Box::pin(mission::run(&settings, which)).await,
        Command::Ask(ask) => Box::pin(ask::run(&settings, *ask)).await,
        Command::Report(report) => report::run(&settings, report).await,
        Command::Suggest(suggest) => suggest::run(&settings, suggest).await,
        Command::Run(run) => run::run(&settings, run).await,
        Command::Plan(plan) => plan::run(&settings, plan).await,
        Command::Up(up) => up::run(&settings, &up).await,
        Command::Serve(given) => Box::pin(up::serve(&settings, &given)).await,
        Command::Mcp => Box::pin(mcp::run(&settings)).await,
        Command::Access(which) => access::run(&settings, which).await,
        Command::List(list) => list::run(&settings, list).await,
        Command::Show(show) => show::run(&settings, show).await,
        Command::Watch(watch) => watch::run(&settings, watch).await,
        Command::Events(events) => events::run(&settings, events).await,
        Command::Inbox(json) => inbox::run(&settings, json.json.into()).await,
        Command::Decide(decide) => Box::pin(answer::decide(&settings, decide)).await,
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
        Command::Stats(stats) => stats::run(&settings, stats).await,
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
        Command::Rules(which) => rules::run(&settings, which).await,
        Command::Guard(guard) => guard::run(&settings, &guard),
        Command::Redact(redact) => redact::run(&redact),
        Command::Bench(which) => {
            adjutant_bench::run(&settings, which).await?;
            Ok(Exit::Ok)
        }
        Command::Completions { .. }
        | Command::Licences
        | Command::Doctor(_)
        | Command::Trust(_) => Ok(Exit::Ok),
    }
}
