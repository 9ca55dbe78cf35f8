//! `adjutant list`: the missions there are.

use std::collections::BTreeMap;

use adjutant_journal::Listed;
use adjutant_mission::{MissionId, Phase, Summary};
use adjutant_store::{ListOrder, ListQuery, Retention, TenantStore};

use crate::args::{List, Phase as Named};
use crate::exit::Exit;
use crate::output;
use crate::stops_in_force::stops_in_force;
use crate::view::{Line, Table, Tone, Undoing, ago, count, money, phase_tone, phase_words, short};
use adjutant_app::error::AppError;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

const PAGE: u32 = 1_000;
/// How many are listed unless all are asked for.
pub(super) const LISTED: usize = 50;

pub(super) async fn run(settings: &Settings, list: List) -> Result<Exit, AppError> {
    let Some(reading) = ReadOnlyStore::open(settings).await? else {
        if !list.json.json {
            output::line("No missions yet. Run a plan with `adjutant run PLAN.yaml`.")?;
        }
        return Ok(Exit::Ok);
    };
    // Without phases the list is one look: a mission that changes its phase meanwhile is in it once.
    let phases = match list.phase.is_empty() {
        true => None,
        false => Some(list.phase.iter().map(|phase| named(*phase)).collect()),
    };
    let most = if list.all || !list.phase.is_empty() {
        usize::MAX
    } else {
        LISTED
    };
    let (mut shown, mut before) = (Vec::new(), None);
    loop {
        let query = ListQuery {
            phases: phases.clone(),
            limit: PAGE.min(u32::try_from(most - shown.len()).unwrap_or(PAGE)),
            order: ListOrder::NewestFirst,
            past: before,
        };
        let wanted = query.limit as usize;
        let page = reading.journal.list(query).await?;
        before = page.last().map(|listed| listed.summary.mission);
        let is_last = page.len() < wanted;
        shown.extend(page);
        if is_last || shown.len() >= most {
            break;
        }
    }
    if list.json.json {
        for Listed { summary, kept, .. } in &shown {
            let mut row = serde_json::to_value(summary).unwrap_or_default();
            row["kept"] = kept.name().into();
            output::line(&row.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    if shown.is_empty() {
        output::line("No missions here. `adjutant list --all` shows every phase.")?;
        return Ok(Exit::Ok);
    }
    let undoing = undoing(&reading, &shown).await?;
    let rows: Vec<(&Summary, Retention)> =
        shown.iter().map(|one| (&one.summary, one.kept)).collect();
    Line::print_all(&table(&rows, &undoing), output::paint())?;
    let total: u64 = reading.store().counts().await?.iter().map(|(_, n)| n).sum();
    let hidden = usize::try_from(total)
        .unwrap_or(usize::MAX)
        .saturating_sub(shown.len());
    if hidden > 0 && list.phase.is_empty() {
        output::line(&format!(
            " … and {} older; `adjutant list --all` shows them",
            count(hidden, "mission")
        ))?;
    }
    for stopped in stops_in_force(settings, &reading).await? {
        let told = stopped.told_with_remedy();
        let told = told.map(|line| line.fit(output::size().0));
        Line::print_all(&told, output::paint())?;
    }
    Ok(Exit::Ok)
}

/// How far those are that are being undone. Their rows do not say it; so only the newest are looked into.
async fn undoing(
    reading: &ReadOnlyStore,
    shown: &[Listed],
) -> Result<BTreeMap<MissionId, String>, AppError> {
    let mut found = BTreeMap::new();
    // All that an aborted mission began has ended, also while it is undone.
    let may_be = |summary: &Summary| {
        summary.phase == Phase::Executing && summary.tasks_ended == summary.tasks_total
    };
    let working = shown
        .iter()
        .filter(|listed| listed.kept == Retention::Working);
    let candidates = working.filter(|listed| may_be(&listed.summary));
    for listed in candidates.take(LISTED) {
        let mission = listed.summary.mission;
        let (folded, _) = reading.mission(mission).await?;
        if let Some(undoing) = Undoing::of(&folded) {
            found.insert(mission, undoing.words());
        }
    }
    Ok(found)
}

pub(super) fn table(
    shown: &[(&Summary, Retention)],
    undoing: &BTreeMap<MissionId, String>,
) -> Vec<Line> {
    let now = wiring::clock().now();
    let mut table = Table::headed(&["id", "phase", "title", "ended", "asks", "cost", "changed"]);
    for (summary, kept) in shown {
        let (title_tone, title) = match kept {
            Retention::Working => (Tone::Bold, summary.title.clone()),
            Retention::Archived => (Tone::Bold, format!("{} (imported)", summary.title)),
            Retention::Erased | Retention::Pruned => (Tone::Dim, format!("({})", kept.name())),
        };
        let (words, tone) = match undoing.get(&summary.mission) {
            Some(undoing) => (undoing.as_str(), Tone::Running),
            None if summary.paused && !summary.phase.is_ended() => ("paused", Tone::Human),
            None => (phase_words(summary.phase), phase_tone(summary.phase)),
        };
        let asks = match summary.checkpoints_open {
            0 => String::new(),
            n => n.to_string(),
        };
        let cost = match summary.used.money.0 {
            0 => String::new(),
            _ => money(summary.used.money),
        };
        table.row([
            Line::of(Tone::Plain, short(summary.mission)),
            Line::of(tone, words),
            Line::of(title_tone, title),
            Line::of(
                Tone::Dim,
                format!("{}/{}", summary.tasks_ended, summary.tasks_total),
            ),
            Line::of(Tone::Human, asks),
            Line::of(Tone::Dim, cost),
            Line::of(Tone::Dim, ago(now, summary.updated_at)),
        ]);
    }
    table.lines(output::size().0, 2)
}

pub(super) fn named(phase: Named) -> Phase {
    match phase {
        Named::Planning => Phase::Planning,
        Named::Executing => Phase::Executing,
        Named::AwaitingHuman => Phase::AwaitingHuman,
        Named::Synthesizing => Phase::Synthesizing,
        Named::Completed => Phase::Completed,
        Named::Failed => Phase::Failed,
        Named::Cancelled => Phase::Cancelled,
    }
}
