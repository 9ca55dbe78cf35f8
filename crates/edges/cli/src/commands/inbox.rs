//! `adjutant inbox`: what waits for a human, most urgent first.

use adjutant_mission::{InboxEntry, Phase, Severity};
use adjutant_store::{ListOrder, ListQuery};

use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Table, Tone, count, pause_words, short, short_checkpoint, until};
use adjutant_app::error::AppError;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

const LISTED_MAX: u32 = 200;
/// Paused missions that are looked into for the reason.
const PAUSED_MAX: usize = 20;

pub(super) async fn run(settings: &Settings, form: Form) -> Result<Exit, AppError> {
    let Some(reading) = ReadOnlyStore::open(settings).await? else {
        return tell(&[], form);
    };
    let entries = reading.journal.inbox(LISTED_MAX + 1).await?;
    let exit = tell(&entries, form)?;
    if form == Form::Text {
        tell_paused(&reading).await?;
    }
    Ok(exit)
}

/// Paused missions wait for somebody too, and ask nothing.
async fn tell_paused(reading: &ReadOnlyStore) -> Result<(), AppError> {
    let query = ListQuery {
        phases: Some(
            Phase::ALL
                .into_iter()
                .filter(|phase| !phase.is_ended())
                .collect(),
        ),
        limit: LISTED_MAX,
        order: ListOrder::NewestFirst,
        past: None,
    };
    let listed = reading.journal.list(query).await?;
    let paused = listed.iter().filter(|listed| listed.summary.paused);
    for listed in paused.take(PAUSED_MAX) {
        let summary = &listed.summary;
        let id = short(summary.mission);
        // Its row does not say why. A journal that cannot be read is told of where it is looked at.
        let why = match reading.mission(summary.mission).await {
            Ok((mission, _)) => mission.pause().map(pause_words).unwrap_or_default(),
            Err(_) => String::new(),
        };
        let colon = if why.is_empty() { "" } else { " " };
        let line = Line::new()
            .plain(" ")
            .and(Tone::Human, "paused")
            .plain(format!("{colon}{why}  "))
            .and(
                Tone::Dim,
                format!("{} · adjutant resume {id}", summary.title),
            );
        output::line(&line.fit(output::size().0).render(output::paint()))?;
    }
    Ok(())
}

pub(super) fn tell(entries: &[InboxEntry], form: Form) -> Result<Exit, AppError> {
    if form == Form::Json {
        for entry in entries {
            output::line(&serde_json::to_string(entry).unwrap_or_default())?;
        }
        return Ok(Exit::Ok);
    }
    if entries.is_empty() {
        output::line("No open questions.")?;
        return Ok(Exit::Ok);
    }
    let now = wiring::clock().now();
    let mut table = Table::headed(&["id", "question", "mission", "for", "deadline"]);
    for entry in entries.iter().take(LISTED_MAX as usize) {
        let tone = match entry.severity {
            Severity::Critical | Severity::High => Tone::Failed,
            Severity::Medium => Tone::Human,
        };
        let whose = match (&entry.claimed_by, &entry.role) {
            (Some(by), _) => format!("claimed by {by}"),
            (None, Some(role)) => role.to_string(),
            (None, None) => String::new(),
        };
        table.row([
            Line::of(tone, short_checkpoint(entry.checkpoint)),
            Line::of(Tone::Bold, &entry.question),
            Line::of(Tone::Dim, &entry.mission_title).fit(20),
            Line::of(Tone::Dim, whose),
            Line::of(Tone::Dim, until(now, entry.deadline)),
        ]);
    }
    Line::print_all(&table.lines(output::size().0, 1), output::paint())?;
    if entries.len() > LISTED_MAX as usize {
        output::line(&format!(
            " … and more than {}",
            count(LISTED_MAX as usize, "question")
        ))?;
    }
    output::line("")?;
    output::line(
        &Line::of(
            Tone::Dim,
            " Show and answer a question with `adjutant decide QUESTION`.",
        )
        .render(output::paint()),
    )?;
    Ok(Exit::Ok)
}
