//! `adjutant inbox`: what waits for a human, most urgent first.

use adjutant_mission::{InboxEntry, Severity};

use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Table, Tone, count, short_checkpoint, until};
use adjutant_app::error::AppError;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

const LISTED_MAX: u32 = 200;

pub(super) async fn run(settings: &Settings, form: Form) -> Result<Exit, AppError> {
    let entries = match ReadOnlyStore::open(settings).await? {
        Some(reading) => reading.journal.inbox(LISTED_MAX + 1).await?,
        None => Vec::new(),
    };
    tell(&entries, form)
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
