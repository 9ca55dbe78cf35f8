//! `adjutant trigger`: the triggers there are, when they fire next, and an end to them.

use adjutant_host::{Performs, Upkeep};
use adjutant_journal::JournalError;
use adjutant_mission::{Timestamp, TriggerId, TriggerRecord};
use adjutant_store::RecordKind;

use super::trigger_add;
use super::trigger_seen::{SHOWN_TIMES, Seen, table};
use crate::args;
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Tone, count, short_trigger, until};
use adjutant_app::error::AppError;
use adjutant_app::find;
use adjutant_app::host_link::HostLink;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

pub(super) async fn run(settings: &Settings, which: args::Trigger) -> Result<Exit, AppError> {
    match which {
        args::Trigger::Add(add) => trigger_add::run(settings, *add).await,
        args::Trigger::List(list) => self::list(settings, &list).await,
        args::Trigger::Show { trigger, json } => {
            show(settings, &trigger.trigger, json.json.into()).await
        }
        args::Trigger::Cancel { trigger } => cancel(settings, &trigger.trigger).await,
        args::Trigger::Next(next) => self::next(&next),
    }
}

/// The tenant's triggers, by id.
async fn kept(settings: &Settings) -> Result<Vec<(TriggerId, TriggerRecord)>, AppError> {
    match ReadOnlyStore::open(settings).await? {
        Some(reading) => kept_in(&reading).await,
        None => Ok(Vec::new()),
    }
}

pub(super) async fn kept_in(
    reading: &ReadOnlyStore,
) -> Result<Vec<(TriggerId, TriggerRecord)>, AppError> {
    let records = reading.journal.records(RecordKind::Trigger).await?;
    let named = records.into_iter().map(|(name, record)| {
        let broken = |_| JournalError::RecordBroken {
            kind: RecordKind::Trigger,
            name: name.clone(),
        };
        Ok((name.parse().map_err(broken)?, record))
    });
    named.collect()
}

fn json(id: TriggerId, record: &TriggerRecord) -> serde_json::Value {
    let mut told = serde_json::to_value(record).unwrap_or_default();
    told["id"] = id.to_string().into();
    let times = Seen::of(id, record).next_times(SHOWN_TIMES);
    told["next"] = serde_json::to_value(times).unwrap_or_default();
    told
}

async fn list(settings: &Settings, list: &args::TriggerList) -> Result<Exit, AppError> {
    let mut kept = kept(settings).await?;
    let all = kept.len();
    kept.retain(|(_, record)| list.all || record.state.ended.is_none());
    if list.json.json {
        for (id, record) in &kept {
            output::line(&json(*id, record).to_string())?;
        }
        return Ok(Exit::Ok);
    }
    let seen: Vec<Seen> = kept
        .iter()
        .map(|(id, record)| Seen::of(*id, record))
        .collect();
    let how = "Add one with `adjutant trigger add PLAN.yaml --cron '0 9 * * MON-FRI'`.";
    tell_all(&seen, all, how)?;
    if HostLink::find(settings).await.is_none() && kept.iter().any(|(_, r)| r.state.ended.is_none())
    {
        output::note("No host is running: triggers only fire while `adjutant up` runs.");
    }
    Ok(Exit::Ok)
}

/// `all` counts those that have ended, too; `how` says how one is added.
pub(super) fn tell_all(seen: &[Seen], all: usize, how: &str) -> Result<(), AppError> {
    if !seen.is_empty() {
        return Line::print_all(&table(seen, wiring::clock().now()), output::paint());
    }
    output::line("There are no active triggers.")?;
    if all > 0 {
        let note = format!(
            "{} ended; `adjutant trigger list --all` shows them.",
            count(all, "trigger")
        );
        output::note(&note);
    } else {
        output::note(how);
    }
    Ok(())
}

async fn show(settings: &Settings, text: &str, form: Form) -> Result<Exit, AppError> {
    let (id, record) = find::trigger(kept(settings).await?, text)?;
    if form == Form::Json {
        output::line(&json(id, &record).to_string())?;
        return Ok(Exit::Ok);
    }
    let lines = Seen::of(id, &record).lines(wiring::clock().now());
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

async fn cancel(settings: &Settings, text: &str) -> Result<Exit, AppError> {
    let (id, record) = find::trigger(kept(settings).await?, text)?;
    let engine = HostLink::reach(settings, Performs::Nothing).await?;
    let cancel = Upkeep::CancelTrigger {
        id,
        by: settings.actor(None),
    };
    let done = engine.upkeep(&settings.tenant, cancel).await;
    let closed = engine.close().await;
    done?;
    closed?;
    tell_cancelled(id, &record.trigger.name)
}

pub(super) fn tell_cancelled(id: TriggerId, name: &str) -> Result<Exit, AppError> {
    let line = Line::new()
        .plain(" ")
        .and(Tone::Done, "✓")
        .plain(" Cancelled. What it already did is kept.")
        .and(Tone::Dim, format!("  {}  {name}", short_trigger(id)));
    output::line(&line.render(output::paint()))?;
    Ok(Exit::Ok)
}

fn next(next: &args::TriggerNext) -> Result<Exit, AppError> {
    let now = wiring::clock().now();
    let scheduled = trigger_add::scheduled(&next.when, now)?;
    let times: Vec<Timestamp> = scheduled
        .times
        .times_after(now)
        .take(next.count.into())
        .collect();
    if next.json.json {
        for at in times {
            let told = serde_json::json!({
                "at": at, "local": scheduled.zone.tell(at), "zone": scheduled.zone.name(),
            });
            output::line(&told.to_string())?;
        }
        return Ok(Exit::Ok);
    }
    scheduled.tell_zone();
    for at in times {
        let line = Line::new()
            .plain(format!(" {}", scheduled.zone.tell(at)))
            .and(Tone::Dim, format!("  {}", until(now, at)));
        output::line(&line.render(output::paint()))?;
    }
    Ok(Exit::Ok)
}
