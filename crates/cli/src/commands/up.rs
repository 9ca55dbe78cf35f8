//! `adjutant up`: the host that carries on everything unfinished, until it is told to stop.

use adjutant_host::Performs;
use adjutant_journal::TenantJournal;
use adjutant_mission::{Event, Phase, Summary};
use adjutant_store::{ListQuery, StoreError, TenantStore};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::broadcast::error::RecvError;

use crate::args::Up;
use crate::engine::{Engine, NotHost};
use crate::failure::{Exit, Failure};
use crate::output::{self, Form};
use crate::settings::{Settings, StorePlace};
use crate::stores::Access;
use crate::view::{Line, Tone, count, phase_tone, phase_words, short};

/// How many of the missions taken up are named.
const NAMED_MAX: u32 = 20;

const UNFINISHED: [Phase; 4] = [
    Phase::Planning,
    Phase::Executing,
    Phase::AwaitingHuman,
    Phase::Synthesizing,
];

pub(super) async fn run(settings: &Settings, up: &Up) -> Result<Exit, Failure> {
    let form = Form::from(up.json.json);
    let trouble = |error: std::io::Error| {
        Failure::new(
            Exit::Trouble,
            "ADJ-6008",
            format!("signals cannot be received: {error}"),
            "Check the limits of this user's processes.",
        )
    };
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
    let journal = host.journal(&settings.tenant);
    let mut feed = host.subscribe();
    took_up(&journal, settings, form).await?;
    host.carry_on();
    loop {
        tokio::select! {
            _ = interrupt.recv() => break,
            _ = terminate.recv() => break,
            () = host.taken_over() => {
                engine.close().await?;
                let path = settings.store.to_string().into();
                return Err(StoreError::TakenOver { path }.into());
            }
            committed = feed.recv() => match committed {
                Ok(committed) if committed.tenant == settings.tenant => {
                    let news = committed.events.iter().any(|recorded| is_news(&recorded.event));
                    // A line that cannot be told, because the database is away, is no reason to stop.
                    if news && let Ok(Some(listed)) = journal.summary(committed.mission).await {
                        tell(&listed.summary, form)?;
                    }
                }
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => break,
            },
        }
    }
    if form == Form::Text {
        let running = count(host.active(), "mission");
        output::note(&format!(
            "Stopping: {running} at work, waiting at most {} s for what is being performed.",
            settings.drain.as_secs()
        ));
    }
    engine.close().await?;
    if form == Form::Text {
        output::note("Stopped. Every mission is safe; `adjutant up` carries them on.");
    }
    Ok(Exit::Ok)
}

/// Becomes the host. On a server that another host uses, stands by until it is gone.
async fn take_the_store(settings: &Settings, form: Form) -> Result<Engine, Failure> {
    let error = match Engine::become_host(settings, Access::Host, Performs::Effects).await {
        Ok(engine) => return Ok(engine),
        Err(NotHost::Locked(error)) => error,
        Err(NotHost::Failed(failure)) => return Err(failure),
    };
    let StorePlace::Server { .. } = settings.store else {
        return Err(error.into());
    };
    if form == Form::Json {
        output::line(&serde_json::json!({ "standing_by": std::process::id() }).to_string())?;
    } else {
        output::note(&format!("Standing by: {error}. Ctrl-C stops."));
    }
    let engine = Engine::become_host(settings, Access::StandBy, Performs::Effects).await;
    Ok(engine?)
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
) -> Result<(), Failure> {
    let query = ListQuery {
        phases: Some(UNFINISHED.to_vec()),
        limit: NAMED_MAX,
        before: None,
    };
    let named = journal.list(query).await?;
    let counts = journal.store().counts().await?;
    let unfinished: u64 = counts
        .iter()
        .filter(|(phase, _)| !phase.is_ended())
        .map(|(_, n)| n)
        .sum();
    let unfinished = usize::try_from(unfinished).unwrap_or(usize::MAX);
    if form == Form::Json {
        let up = serde_json::json!({
            "up": { "pid": std::process::id(), "store": settings.store.to_string(), "unfinished": unfinished },
        });
        return output::line(&up.to_string());
    }
    let head = Line::new()
        .plain(" ")
        .and(Tone::Done, "▲")
        .plain(" ")
        .and(Tone::Bold, "Up.")
        .plain(format!(" {} to carry on", count(unfinished, "mission")))
        .and(
            Tone::Dim,
            format!(" in {} · Ctrl-C stops cleanly", settings.home.display()),
        );
    output::line(&head.render(output::paint()))?;
    for listed in &named {
        tell(&listed.summary, form)?;
    }
    let more = unfinished.saturating_sub(named.len());
    if more > 0 {
        output::line(&format!("   … and {more} more"))?;
    }
    Ok(())
}

fn tell(summary: &Summary, form: Form) -> Result<(), Failure> {
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
                "  {} of {}",
                summary.tasks_ended,
                count(summary.tasks_total as usize, "task")
            ),
        );
    output::line(&line.fit(output::size().0).render(output::paint()))
}
