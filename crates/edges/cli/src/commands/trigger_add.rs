//! `adjutant trigger add`: from a schedule and what is to be done, to a trigger that is kept.

use adjutant_host::{HostError, Performs, TriggerError, Upkeep, new_mission_id, new_trigger_id};
use adjutant_mission::{
    Json, Missed, Schedule, Timestamp, TopicPattern, Trigger, TriggerId, TriggerTarget, Trust,
};
use adjutant_schedule::{ScheduleError, Timetable, Zone, rrule_with_start, zone_in_rrule};

use super::run::{self, Given};
use crate::args::{self, TriggerAdd, When};
use crate::exit::Exit;
use crate::output::{self, Form};
use crate::view::{Line, Tone, short_trigger, until};
use adjutant_app::error::{AppError, ErrorKind};
use adjutant_app::find;
use adjutant_app::host_link::HostLink;
use adjutant_app::read_only_store::ReadOnlyStore;
use adjutant_app::settings::Settings;
use adjutant_app::wiring;

/// Longest name of a trigger, in characters.
const NAME_CHARS_MAX: usize = 200;

/// A schedule that fires at least once more.
#[derive(Debug)]
pub(super) struct Scheduled {
    pub(super) schedule: Schedule,
    pub(super) zone: Zone,
    from: ZoneFrom,
    pub(super) times: Timetable,
    next_at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ZoneFrom {
    Given,
    Machine,
    /// This machine does not say where it is.
    Nobody,
}

impl Scheduled {
    /// Says which zone was taken if nobody named one.
    pub(super) fn tell_zone(&self) {
        let name = self.zone.name();
        match self.from {
            ZoneFrom::Given => {}
            ZoneFrom::Machine => output::note(&format!(
                "   Times are in {name}, the time zone of this machine; use --zone for another."
            )),
            ZoneFrom::Nobody => output::note(
                "   Times are in UTC, because this machine has no time zone; use --zone for another.",
            ),
        }
    }

    pub(super) fn tell_added(&self, id: TriggerId, name: &str, form: Form) -> Result<(), AppError> {
        let next = self.zone.tell(self.next_at);
        if form == Form::Json {
            let told = serde_json::json!({
                "trigger": id, "next_at": self.next_at, "next": next, "zone": self.zone.name(),
            });
            return output::line(&told.to_string());
        }
        let now = wiring::clock().now();
        let line = Line::new()
            .plain(" ")
            .and(Tone::Done, "✓")
            .plain(" ")
            .and(Tone::Bold, name)
            .plain(format!(" fires next {next}"))
            .and(
                Tone::Dim,
                format!("  {}  {}", until(now, self.next_at), short_trigger(id)),
            );
        output::line(&line.render(output::paint()))?;
        self.tell_zone();
        Ok(())
    }
}

/// Reads a schedule as the command line gives it.
pub(super) fn scheduled(when: &When, now: Timestamp) -> Result<Scheduled, AppError> {
    let named = when
        .zone
        .as_deref()
        .or_else(|| when.rrule.as_deref().and_then(zone_in_rrule));
    let (zone, from) = match named {
        Some(name) => (Zone::named(name)?, ZoneFrom::Given),
        None => match Zone::of_this_machine() {
            Some(zone) => (zone, ZoneFrom::Machine),
            None => (Zone::utc(), ZoneFrom::Nobody),
        },
    };
    let schedule = match (&when.at, &when.cron, &when.rrule) {
        (Some(at), _, _) => Schedule::At(at.trim().to_owned()),
        (_, Some(cron), _) => Schedule::Cron(cron.trim().to_owned()),
        (_, _, Some(rule)) => Schedule::Rrule(rrule_with_start(rule, now, &zone)),
        (None, None, None) => return Err(HostError::from(TriggerError::NeverFires).into()),
    };
    let times = Timetable::read(&schedule, &zone)
        .map_err(|error| as_typed(error, when.rrule.as_deref()))?;
    let next_at = times
        .next_after(now)
        .ok_or(HostError::from(TriggerError::NeverFires))?;
    Ok(Scheduled {
        schedule,
        zone,
        from,
        times,
        next_at,
    })
}

/// A rule without a DTSTART was given one to be read: what is wrong is told of the rule as it was typed.
fn as_typed(error: ScheduleError, typed: Option<&str>) -> ScheduleError {
    match (error, typed) {
        (ScheduleError::Rrule { text, column, why }, Some(typed)) if text != typed => {
            let chars = |text: &str| text.chars().count();
            let rule = typed.trim_start();
            let before = chars(&text).saturating_sub(chars(rule.trim_end()));
            let indent = chars(typed) - chars(rule);
            ScheduleError::Rrule {
                text: typed.to_owned(),
                column: (column + indent).saturating_sub(before).max(1),
                why,
            }
        }
        (error, _) => error,
    }
}

pub(super) async fn run(settings: &Settings, add: TriggerAdd) -> Result<Exit, AppError> {
    let now = wiring::clock().now();
    let scheduled = scheduled(&add.when, now)?;
    let (target, called) = target(settings, &add, now).await?;
    let name = add.name.unwrap_or(called);
    let trigger = Trigger {
        name: name.chars().take(NAME_CHARS_MAX).collect(),
        schedule: scheduled.schedule.clone(),
        zone: scheduled.zone.name().to_owned(),
        repeat_max: add.repeat,
        cancel_on: add.cancel_on.as_deref().map(pattern).transpose()?,
        missed: missed(add.missed),
        target,
        made_by: settings.actor(None),
        made_with: None,
        made_at: now,
    };
    let id = new_trigger_id(now)?;
    let name = trigger.name.clone();
    let engine = HostLink::reach(settings, Performs::Nothing).await?;
    let keep = Upkeep::AddTrigger {
        id,
        trigger: Box::new(trigger),
    };
    let done = engine.upkeep(&settings.tenant, keep).await;
    let ours = engine.host().is_some();
    let closed = engine.close().await;
    done?;
    closed?;
    let form = Form::from(add.json.json);
    scheduled.tell_added(id, &name, form)?;
    if form == Form::Text && ours {
        output::note("   No host is running: it only fires while `adjutant up` runs.");
    }
    Ok(Exit::Ok)
}

/// What is done when it fires, and what it is called if it has no name.
async fn target(
    settings: &Settings,
    add: &TriggerAdd,
    now: Timestamp,
) -> Result<(TriggerTarget, String), AppError> {
    if let Some(plan) = &add.plan {
        let given = Given {
            plan,
            inputs: &add.inputs,
            subjects: &add.subjects,
            campaign: add.campaign.as_deref(),
            approvals: run::approvals(settings, add.yes),
        };
        // Each fire has a mission id of its own; this one is not kept.
        let start = run::start(settings, new_mission_id(now)?, given).await?;
        let called = start.plan.title.clone();
        return Ok((TriggerTarget::StartMission(Box::new(start.into())), called));
    }
    let which = add.inform.as_deref().unwrap_or_default();
    let mission = {
        let reading = ReadOnlyStore::expect(settings).await?;
        find::mission(reading.store(), which).await?
    };
    let topic = add.topic.clone().unwrap_or_default();
    let body = Json::parse(&add.body).or_else(|_| Json::encode(&add.body));
    let target = TriggerTarget::InformMission {
        mission,
        topic: topic.clone(),
        trust: if add.trusted {
            Trust::Trusted
        } else {
            Trust::Untrusted
        },
        body: body.map_err(adjutant_journal::JournalError::Encode)?,
    };
    Ok((target, topic))
}

pub(super) fn missed(named: args::Missed) -> Missed {
    match named {
        args::Missed::Skip => Missed::Skip,
        args::Missed::Once => Missed::Once,
        args::Missed::All => Missed::All,
    }
}

pub(super) fn pattern(text: &str) -> Result<TopicPattern, AppError> {
    TopicPattern::new(text).map_err(|error| {
        AppError::new(
            ErrorKind::BadInput,
            "ADJ-7006",
            format!("--cancel-on cannot be `{text}`: {error}"),
            "Write a topic, with `*` for any characters, as in `paper.*`.",
        )
    })
}
