//! `adjutant up`: the host that carries on everything unfinished, until it is told to stop.

use std::time::Duration;

use adjutant_host::{Committed, Performs};
use adjutant_journal::TenantJournal;
use adjutant_mission::{Event, InboxEntry, Pause, Phase, Summary, Timestamp, TriggerRecord};
use adjutant_store::{ListOrder, ListQuery, RecordKind, StoreError, TenantStore};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::broadcast::error::RecvError;

use super::serve::Door;
use super::{kb_watch, traces};
use crate::args::{Serve, Up};
use crate::bell::Bell;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::service_log::ServiceLog;
use crate::stops_in_force::stops_in_force;
use crate::view::{
    Line, Tone, count, pause_words, phase_tone, phase_words, question_line, short, until,
};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::host_link::{HostLink, NotHost};
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::{Settings, StorePlace};
use adjutant_app::stores::Access;
use adjutant_app::wiring;

/// How many of the missions taken up, and of the open questions, are named.
const NAMED_MAX: u32 = 20;
/// A command that finds no host has the store for itself while it runs: 2 s are enough for it to end.
const LOCK_LOOKS_MAX: u32 = 40;
const LOCK_LOOK: Duration = Duration::from_millis(50);
/// Where a mission's state stands in its line, and its questions below.
const INDENT: usize = 11;

const UNFINISHED: [Phase; 4] = [
    Phase::Planning,
    Phase::Executing,
    Phase::AwaitingHuman,
    Phase::Synthesizing,
];

pub(super) async fn run(settings: &Settings, up: &Up) -> Result<Exit, AppError> {
    carry_on(settings, up.json.json.into(), None).await
}

/// `adjutant serve`: the same host, and HTTP beside it.
pub(super) async fn serve(settings: &Settings, given: &Serve) -> Result<Exit, AppError> {
    carry_on(settings, given.json.json.into(), Some(given)).await
}

/// Runs the host until a signal stops it, and an HTTP server beside it if `serve` is given.
async fn carry_on(
    settings: &Settings,
    form: Form,
    serve: Option<&Serve>,
) -> Result<Exit, AppError> {
    let trouble = |error: std::io::Error| {
        AppError::new(
            ErrorKind::Unavailable,
            "ADJ-6008",
            format!("signals cannot be received: {error}"),
            "Check the limits of this user's processes.",
        )
    };
    let door = serve.map(Door::checked).transpose()?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(trouble)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(trouble)?;
    let engine = tokio::select! {
        engine = take_the_store(settings, form) => engine?,
        _ = interrupt.recv() => return Ok(Exit::Interrupted),
        _ = terminate.recv() => return Ok(Exit::Interrupted),
    };
    let Some(host) = engine.host().cloned() else {
        return Ok(Exit::Trouble);
    };
    if let Some(warning) = host.store().warning().await? {
        settings.notes.write(&warning);
    }
    let door = match door {
        Some(door) => match door.listen().await {
            Ok(listener) => Some((door, listener)),
            Err(failure) => {
                engine.close().await?;
                return Err(failure);
            }
        },
        None => None,
    };
    let journal = host.journal(&settings.tenant);
    let mut feed = host.subscribe();
    let bell = Bell::of(settings);
    took_up(&journal, settings, form).await?;
    if form == Form::Text {
        let reading = ReadOnlyStore {
            whole: host.store().clone(),
            journal: journal.clone(),
        };
        for stopped in stops_in_force(settings, &reading).await? {
            output::line(&stopped.told().fit(output::size().0).render(output::paint()))?;
        }
    }
    // Before anything moves, so that nothing is missed.
    let traces = match traces::start(&host) {
        Ok(traces) => traces,
        Err(failure) => {
            engine.close().await?;
            return Err(failure);
        }
    };
    host.carry_on();
    let log = serve.and_then(|given| ServiceLog::start(given.log));
    let serving = match door {
        Some((door, listener)) => {
            let (host, traces) = (host.clone(), traces.as_ref());
            let serving = door.serve(listener, settings, host, traces, log.as_ref(), form);
            match serving.await {
                Ok(serving) => Some(serving),
                Err(failure) => {
                    engine.close().await?;
                    return Err(failure);
                }
            }
        }
        None => None,
    };
    let watching = tokio::spawn(kb_watch::watch(settings.clone(), form));
    let (health, mut trouble) = (host.health(), None);
    loop {
        tokio::select! {
            () = health.changes_from(trouble.as_ref()) => {
                trouble = health.trouble();
                tell_health(trouble.as_ref(), log.as_ref(), form);
            }
            _ = interrupt.recv() => break,
            _ = terminate.recv() => break,
            () = host.taken_over() => {
                engine.close().await?;
                let path = settings.store.to_string().into();
                return Err(StoreError::TakenOver { path }.into());
            }
            committed = feed.recv() => match committed {
                Ok(committed) if committed.tenant == settings.tenant => {
                    if let Some(log) = &log {
                        log.committed(&committed);
                    }
                    let news = committed.events.iter().any(|recorded| is_news(&recorded.event));
                    // A line that cannot be told, because the database is away, is no reason to stop.
                    if news && let Ok(Some(listed)) = journal.summary(committed.mission).await {
                        tell(&listed.summary, form)?;
                        tell_questions(&committed, &listed.summary.title, form)?;
                        tell_pauses(&committed, form)?;
                    }
                    if form == Form::Text {
                        let now = wiring::clock().now();
                        let events = committed.events.iter();
                        events.for_each(|recorded| bell.event(committed.mission, recorded, now));
                    }
                }
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => break,
            },
        }
    }
    watching.abort();
    if let Some(serving) = serving {
        serving.stop(settings.drain).await;
    }
    if form == Form::Text {
        let running = count(host.active(), "mission");
        output::note(&format!(
            "Stopping: {running} running, waiting at most {} s for running calls.",
            settings.drain.as_secs()
        ));
    }
    engine.close().await?;
    if let Some(traces) = traces {
        traces.stop(settings.drain).await;
    }
    if let Some(log) = log {
        log.tell("info", "stopped", serde_json::json!({}));
        log.flush();
    }
    if form == Form::Text {
        output::note("Stopped. Every mission is safe; `adjutant up` continues them.");
    }
    Ok(Exit::Ok)
}

/// Says that nothing can be written, or that it can again. Where that cannot be said either there is nobody to tell: a
/// full disk must not end the host that waits for space.
fn tell_health(trouble: Option<&StoreError>, log: Option<&ServiceLog>, form: Form) {
    if let Some(log) = log {
        match trouble {
            Some(error) => {
                let fields =
                    serde_json::json!({ "code": error.code(), "reason": error.to_string() });
                log.tell("error", "store_not_writable", fields);
            }
            None => log.tell("info", "store_writable", serde_json::json!({})),
        }
    }
    if form == Form::Json {
        let told = trouble.map(|error| {
            serde_json::json!({ "code": error.code(), "message": error.to_string(), "hint": error.remedy() })
        });
        let _ = output::line(&serde_json::json!({ "trouble": told }).to_string());
        return;
    }
    output::note(&match trouble {
        Some(error) => format!(
            "Nothing can be saved, so missions wait: {error} [{}]. {}",
            error.code(),
            error.remedy()
        ),
        None => "The store can be written again; missions continue.".to_owned(),
    });
}

/// Becomes the host. On a server that another host uses, stands by until it is gone.
async fn take_the_store(settings: &Settings, form: Form) -> Result<HostLink, AppError> {
    let mut looks = 0;
    let error = loop {
        let error = match HostLink::become_host(settings, Access::Host, Performs::Effects).await {
            Ok(engine) => return Ok(engine),
            Err(NotHost::Locked(error)) => error,
            Err(NotHost::Failed(failure)) => return Err(failure),
        };
        if let StorePlace::Server { .. } = settings.store {
            break error;
        }
        looks += 1;
        if looks == 1 && form == Form::Text {
            output::line("Another process uses the store; waiting for it to end.")?;
        }
        if looks > LOCK_LOOKS_MAX {
            return Err(error.into());
        }
        tokio::time::sleep(LOCK_LOOK).await;
    };
    if form == Form::Json {
        output::line(&serde_json::json!({ "standing_by": std::process::id() }).to_string())?;
    } else {
        output::note(&format!("Standing by: {error}. Press Ctrl-C to stop."));
    }
    let engine = HostLink::become_host(settings, Access::StandBy, Performs::Effects).await;
    Ok(engine?)
}

/// The questions themselves: a host that only said that a mission waits would send people looking.
fn tell_questions(committed: &Committed, title: &str, form: Form) -> Result<(), AppError> {
    for recorded in committed.events.iter() {
        if let Event::CheckpointOpened(checkpoint) = &recorded.event {
            let entry = InboxEntry::of(committed.mission, title, checkpoint, recorded.at);
            tell_question(&entry, form)?;
        }
    }
    Ok(())
}

/// Why a mission was paused, and by whom.
fn tell_pauses(committed: &Committed, form: Form) -> Result<(), AppError> {
    for recorded in committed.events.iter() {
        if let Event::MissionPaused { reason } = &recorded.event {
            tell_pause(
                &Pause {
                    by: recorded.actor.clone(),
                    reason: reason.clone(),
                },
                form,
            )?;
        }
    }
    Ok(())
}

fn tell_pause(pause: &Pause, form: Form) -> Result<(), AppError> {
    let words = pause_words(pause);
    if form == Form::Json || words.is_empty() {
        return Ok(());
    }
    let line = Line::new()
        .padded(INDENT)
        .and(Tone::Dim, format!("paused {words}"));
    output::line(&line.fit(output::size().0).render(output::paint()))
}

fn tell_question(entry: &InboxEntry, form: Form) -> Result<(), AppError> {
    if form == Form::Json {
        return output::line(&serde_json::json!({ "asks": entry }).to_string());
    }
    let line = Line::new()
        .padded(INDENT)
        .then(question_line(entry, wiring::clock().now()));
    output::line(&line.fit(output::size().0).render(output::paint()))
}

/// What is worth a line in the host's own log.
fn is_news(event: &Event) -> bool {
    matches!(
        event,
        Event::MissionOpened(_)
            | Event::MissionEnded(_)
            | Event::CheckpointOpened(_)
            | Event::CheckpointExpired { .. }
            | Event::MissionPaused { .. }
            | Event::MissionResumed {}
    )
}

async fn took_up<T: TenantStore>(
    journal: &TenantJournal<T>,
    settings: &Settings,
    form: Form,
) -> Result<(), AppError> {
    let query = ListQuery {
        phases: Some(UNFINISHED.to_vec()),
        limit: NAMED_MAX,
        order: ListOrder::NewestFirst,
        past: None,
    };
    let named = journal.list(query).await?;
    let counts = journal.store().counts().await?;
    let unfinished: u64 = counts
        .iter()
        .filter(|(phase, _)| !phase.is_ended())
        .map(|(_, n)| n)
        .sum();
    let unfinished = usize::try_from(unfinished).unwrap_or(usize::MAX);
    let triggers: Vec<(String, TriggerRecord)> = journal.records(RecordKind::Trigger).await?;
    let wakes: Vec<Timestamp> = triggers
        .iter()
        .filter_map(|(_, record)| record.state.wake_at())
        .collect();
    if form == Form::Json {
        let up = serde_json::json!({
            "up": { "pid": std::process::id(), "store": settings.store.to_string(), "unfinished": unfinished, "triggers": wakes.len() },
        });
        return output::line(&up.to_string());
    }
    let head = Line::new()
        .plain(" ")
        .and(Tone::Done, "▲")
        .plain(" ")
        .and(Tone::Bold, "Up.")
        .plain(format!(" {} to continue", count(unfinished, "mission")))
        .and(
            Tone::Dim,
            format!(" in {} · Ctrl-C stops cleanly", settings.home.display()),
        );
    output::line(&head.render(output::paint()))?;
    for (name, why) in super::notify::unusable(settings) {
        output::note(&format!(
            "The channel `{name}` sends nothing: {why} [ADJ-7032]."
        ));
    }
    if let Some(next) = wakes.iter().min() {
        let waiting = format!(
            "   {} to fire, the next {}",
            count(wakes.len(), "trigger"),
            until(wiring::clock().now(), *next)
        );
        output::line(&waiting)?;
    }
    for listed in &named {
        tell(&listed.summary, form)?;
        // Its row does not say why it is paused. One that cannot be read must not keep the host from starting.
        if listed.summary.paused
            && let Ok((mission, _)) = journal.load(listed.summary.mission).await
            && let Some(pause) = mission.pause()
        {
            tell_pause(pause, form)?;
        }
    }
    let more = unfinished.saturating_sub(named.len());
    if more > 0 {
        output::line(&format!("   … and {more} more"))?;
    }
    let open = journal.inbox(NAMED_MAX + 1).await?;
    for entry in open.iter().take(NAMED_MAX as usize) {
        tell_question(entry, form)?;
    }
    if open.len() > NAMED_MAX as usize {
        output::line("           … and more: see `adjutant inbox`")?;
    }
    Ok(())
}

fn tell(summary: &Summary, form: Form) -> Result<(), AppError> {
    if form == Form::Json {
        return output::line(&serde_json::json!({ "summary": summary }).to_string());
    }
    let paused = summary.paused && !summary.phase.is_ended();
    let (words, tone) = if paused {
        ("paused", Tone::Human)
    } else {
        (phase_words(summary.phase), phase_tone(summary.phase))
    };
    let line = Line::new()
        .plain("   ")
        .and(Tone::Dim, short(summary.mission))
        .plain("  ")
        .and(tone, words)
        .padded(28)
        .plain(&summary.title)
        .and(
            Tone::Dim,
            format!(
                "  {} of {} ended",
                summary.tasks_ended,
                count(summary.tasks_total as usize, "task")
            ),
        );
    output::line(&line.fit(output::size().0).render(output::paint()))
}
