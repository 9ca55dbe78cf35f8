//! `adjutant trigger`: the triggers there are, when they fire next, and an end to them.

use adjutant_host::{Performs, Upkeep, mission_of_fire};
use adjutant_journal::JournalError;
use adjutant_mission::{
    Schedule, Timestamp, Trigger, TriggerEnd, TriggerId, TriggerRecord, TriggerTarget,
};
use adjutant_schedule::{Timetable, Zone};
use adjutant_store::RecordKind;

use super::trigger_add;
use crate::args;
use crate::engine::Engine;
use crate::failure::{Exit, Failure};
use crate::find;
use crate::output::{self, Form};
use crate::reading::Reading;
use crate::settings::Settings;
use crate::view::{Line, Table, Tone, ago, count, short, short_trigger, until, wrap};
use crate::wiring;

/// How many of its next times a trigger is shown with.
const SHOWN_TIMES: usize = 5;

pub(super) async fn run(settings: &Settings, which: args::Trigger) -> Result<Exit, Failure> {
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
async fn kept(settings: &Settings) -> Result<Vec<(TriggerId, TriggerRecord)>, Failure> {
    match Reading::open(settings).await? {
        Some(reading) => kept_in(&reading).await,
        None => Ok(Vec::new()),
    }
}

pub(super) async fn kept_in(reading: &Reading) -> Result<Vec<(TriggerId, TriggerRecord)>, Failure> {
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

/// The next times of a trigger that can still fire, in its zone.
fn next_times(record: &TriggerRecord, most: usize) -> Vec<Timestamp> {
    let TriggerRecord { trigger, state } = record;
    let Some(next_at) = state.next_at else {
        return Vec::new();
    };
    let left = trigger.repeat_max.map_or(usize::MAX, |most| {
        let pending = u32::from(state.firing.is_some());
        most.saturating_sub(state.fired + pending) as usize
    });
    let times =
        Zone::named(&trigger.zone).and_then(|zone| Timetable::read(&trigger.schedule, &zone));
    times.map_or(Vec::new(), |times| {
        let times = times.times_after(Timestamp(next_at.0 - 1));
        times.take(most.min(left)).collect()
    })
}

fn tell(zone: &str, at: Timestamp) -> String {
    Zone::named(zone).unwrap_or_else(|_| Zone::utc()).tell(at)
}

fn when(schedule: &Schedule) -> String {
    match schedule {
        Schedule::At(text) => format!("at {text}"),
        Schedule::Cron(text) => format!("cron {text}"),
        Schedule::Rrule(text) => format!(
            "rrule {}",
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        ),
    }
}

/// The same without what one need not see at a glance.
fn briefly(schedule: &Schedule) -> String {
    let text = match schedule {
        Schedule::At(text) | Schedule::Cron(text) | Schedule::Rrule(text) => text,
    };
    let words = text
        .split_whitespace()
        .filter(|word| !word.starts_with("DTSTART"));
    words.collect::<Vec<_>>().join(" ").replace("RRULE:", "")
}

fn does(target: &TriggerTarget) -> String {
    match target {
        TriggerTarget::StartMission(prepared) => format!("starts “{}”", prepared.plan.title),
        TriggerTarget::InformMission { mission, topic, .. } => {
            format!("tells {} {topic}", short(*mission))
        }
    }
}

fn ended(end: &TriggerEnd) -> String {
    match end {
        TriggerEnd::RepeatReached => "fired as often as it may".into(),
        TriggerEnd::NoMoreTimes => "its times are over".into(),
        TriggerEnd::Cancelled { by } => format!("cancelled by {}", by.id),
        TriggerEnd::CancelledOn { mission, topic } => {
            format!("cancelled by `{topic}`, told to {}", short(*mission))
        }
        TriggerEnd::MissionGone { code, why } => format!("{why} ({code})"),
    }
}

fn json(id: TriggerId, record: &TriggerRecord) -> serde_json::Value {
    let mut told = serde_json::to_value(record).unwrap_or_default();
    told["id"] = id.to_string().into();
    let times = next_times(record, SHOWN_TIMES);
    told["next"] = serde_json::to_value(times).unwrap_or_default();
    told
}

async fn list(settings: &Settings, list: &args::TriggerList) -> Result<Exit, Failure> {
    let mut kept = kept(settings).await?;
    let all = kept.len();
    kept.retain(|(_, record)| list.all || record.state.ended.is_none());
    if list.json.json {
        for (id, record) in &kept {
            output::line(&json(*id, record).to_string())?;
        }
        return Ok(Exit::Ok);
    }
    if kept.is_empty() {
        output::line("No triggers wait for their time.")?;
        if all > 0 {
            let note = format!(
                "{} ended; `adjutant trigger list --all` shows them.",
                count(all, "trigger")
            );
            output::note(&note);
        } else {
            output::note("`adjutant trigger add PLAN.yaml --cron '0 9 * * MON-FRI'` adds one.");
        }
        return Ok(Exit::Ok);
    }
    Line::print_all(&table(&kept, wiring::clock().now()), output::paint())?;
    if Engine::find(settings).await.is_none() && kept.iter().any(|(_, r)| r.state.ended.is_none()) {
        output::note("No host is running: triggers fire while `adjutant up` does.");
    }
    Ok(Exit::Ok)
}

fn table(kept: &[(TriggerId, TriggerRecord)], now: Timestamp) -> Vec<Line> {
    let mut table = Table::headed(&["id", "next", "name", "when", "fired", "missed", ""]);
    for (id, TriggerRecord { trigger, state }) in kept {
        let next = match (&state.ended, &state.firing, state.next_at) {
            (Some(_), _, _) => Line::of(Tone::Dim, "ended"),
            (None, Some(firing), _) if firing.refused > 0 => Line::of(Tone::Failed, "held up"),
            (None, Some(_), _) => Line::of(Tone::Running, "fires"),
            (None, None, Some(at)) => Line::of(Tone::Running, until(now, at)),
            (None, None, None) => Line::new(),
        };
        let fired = match trigger.repeat_max {
            Some(most) => format!("{} of {most}", state.fired),
            None => state.fired.to_string(),
        };
        let missed = match state.passed_over {
            0 => String::new(),
            n => n.to_string(),
        };
        let note = match (&state.ended, &state.last_problem) {
            (Some((_, end)), _) => Line::of(Tone::Dim, ended(end)),
            (None, Some(problem)) => Line::of(
                Tone::Failed,
                format!("{} ({})", problem.message, problem.code),
            ),
            (None, None) => Line::new(),
        };
        table.row([
            Line::of(Tone::Plain, short_trigger(*id)),
            next,
            Line::of(Tone::Bold, &trigger.name),
            Line::of(Tone::Plain, briefly(&trigger.schedule))
                .and(Tone::Dim, format!("  {}", trigger.zone)),
            Line::of(Tone::Dim, fired),
            Line::of(Tone::Dim, missed),
            note,
        ]);
    }
    table.lines(output::size().0, 3)
}

async fn show(settings: &Settings, text: &str, form: Form) -> Result<Exit, Failure> {
    let (id, record) = find::trigger(kept(settings).await?, text)?;
    if form == Form::Json {
        output::line(&json(id, &record).to_string())?;
        return Ok(Exit::Ok);
    }
    let lines = shown(id, &record, wiring::clock().now());
    Line::print_all(&lines, output::paint())?;
    Ok(Exit::Ok)
}

fn shown(id: TriggerId, record: &TriggerRecord, now: Timestamp) -> Vec<Line> {
    let TriggerRecord { trigger, state } = record;
    let row = |name: &str, text: String| {
        Line::of(Tone::Dim, format!("   {name}"))
            .padded(14)
            .plain(text)
    };
    let name = wrap(&trigger.name, output::size().0.saturating_sub(2));
    let name = name
        .into_iter()
        .map(|part| Line::new().plain(" ").and(Tone::Bold, part));
    let mut lines: Vec<Line> = name.collect();
    lines.extend([
        row("id", id.to_string()),
        row("does", does(&trigger.target)),
        row("when", when(&trigger.schedule)),
        row("zone", trigger.zone.clone()),
        row("missed", missed(trigger)),
    ]);
    if let Some(pattern) = &trigger.cancel_on {
        lines.push(row("ends on", format!("information about `{pattern}`")));
    }
    let made = format!("by {}, {}", trigger.made_by.id, ago(now, trigger.made_at));
    lines.push(row("made", made));
    let of = trigger
        .repeat_max
        .map_or(String::new(), |most| format!(" of {most}"));
    let last = state.last_fired.map_or(String::new(), |at| {
        let mission = match &trigger.target {
            TriggerTarget::StartMission(_) => {
                format!(", mission {}", short(mission_of_fire(id, at)))
            }
            TriggerTarget::InformMission { .. } => String::new(),
        };
        format!(", last for {}{mission}", tell(&trigger.zone, at))
    });
    lines.push(row(
        "fired",
        format!("{}{of}{last}", count(state.fired as usize, "time")),
    ));
    if state.passed_over > 0 {
        let missed = count(
            usize::try_from(state.passed_over).unwrap_or(usize::MAX),
            "fire",
        );
        lines.push(row(
            "passed over",
            format!("{missed} that no host was there for"),
        ));
    }
    if let Some(problem) = &state.last_problem {
        let text = format!(
            "{} ({}), {}",
            problem.message,
            problem.code,
            ago(now, problem.at)
        );
        lines.push(
            Line::of(Tone::Dim, "   problem")
                .padded(14)
                .and(Tone::Failed, text),
        );
    }
    if let Some((at, end)) = &state.ended {
        lines.push(row("ended", format!("{}, {}", ended(end), ago(now, *at))));
    }
    let mut name = "next";
    let pending = state.firing.as_ref().map(|firing| firing.at);
    for at in pending.into_iter().chain(next_times(record, SHOWN_TIMES)) {
        let time = row(std::mem::take(&mut name), tell(&trigger.zone, at));
        lines.push(time.and(Tone::Dim, format!("  {}", until(now, at))));
    }
    lines
}

fn missed(trigger: &Trigger) -> String {
    let text = match trigger.missed {
        adjutant_mission::Missed::Skip => "skip: what no host was there for is passed over",
        adjutant_mission::Missed::Once => {
            "once: the last of what no host was there for is made up for"
        }
        adjutant_mission::Missed::All => {
            "all: what no host was there for is made up for, one by one"
        }
    };
    text.into()
}

async fn cancel(settings: &Settings, text: &str) -> Result<Exit, Failure> {
    let (id, record) = find::trigger(kept(settings).await?, text)?;
    let engine = Engine::reach(settings, Performs::Nothing).await?;
    let cancel = Upkeep::CancelTrigger {
        id,
        by: settings.actor(None),
    };
    let done = engine.upkeep(&settings.tenant, cancel).await;
    let closed = engine.close().await;
    done?;
    closed?;
    let line = Line::new()
        .plain(" ")
        .and(Tone::Done, "✓")
        .plain(" Cancelled. What it did so far stays.")
        .and(
            Tone::Dim,
            format!("  {}  {}", short_trigger(id), record.trigger.name),
        );
    output::line(&line.render(output::paint()))?;
    Ok(Exit::Ok)
}

fn next(next: &args::TriggerNext) -> Result<Exit, Failure> {
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
