//! A trigger as people are shown it, here and from afar.

use adjutant_host::{left_by, mission_of_fire};
use adjutant_mission::{
    Missed, Schedule, Timestamp, TriggerEnd, TriggerId, TriggerProblem, TriggerRecord,
    TriggerTarget,
};
use adjutant_schedule::{Timetable, Zone};

use crate::output;
use crate::view::{Line, Table, Tone, ago, count, short, short_trigger, until, wrap};

/// How many of its next times a trigger is shown with.
pub(super) const SHOWN_TIMES: usize = 5;

#[derive(Debug)]
pub(super) struct Seen {
    pub(super) id: TriggerId,
    pub(super) name: String,
    pub(super) does: String,
    /// Each fire is a mission of its own.
    pub(super) starts_missions: bool,
    /// The end of the id of the mission that left it.
    pub(super) left_by: Option<String>,
    pub(super) schedule: Schedule,
    pub(super) zone: String,
    pub(super) missed: Missed,
    pub(super) cancel_on: Option<String>,
    pub(super) repeat_max: Option<u32>,
    pub(super) made_by: String,
    /// The access token it was made with.
    pub(super) made_with: Option<String>,
    pub(super) made_at: Timestamp,
    pub(super) next_at: Option<Timestamp>,
    pub(super) firing: Option<Pending>,
    pub(super) fired: u32,
    pub(super) last_fired: Option<Timestamp>,
    /// Missed fires that were not made up for.
    pub(super) passed_over: u64,
    pub(super) last_problem: Option<TriggerProblem>,
    /// Why it is on hold.
    pub(super) held: Option<TriggerProblem>,
    pub(super) ended: Option<(Timestamp, TriggerEnd)>,
}

/// A fire that has begun.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) at: Timestamp,
    pub(super) held_up: bool,
}

impl Seen {
    pub(super) fn of(id: TriggerId, record: &TriggerRecord) -> Self {
        let TriggerRecord { trigger, state } = record;
        let (does, left_by) = match &trigger.target {
            TriggerTarget::StartMission(prepared) => (
                starts(&prepared.plan.title),
                left_by(id, prepared).map(short),
            ),
            TriggerTarget::InformMission { mission, topic, .. } => {
                (informs(&short(*mission), topic), None)
            }
        };
        Self {
            id,
            name: trigger.name.clone(),
            does,
            starts_missions: matches!(trigger.target, TriggerTarget::StartMission(_)),
            left_by,
            schedule: trigger.schedule.clone(),
            zone: trigger.zone.clone(),
            missed: trigger.missed,
            cancel_on: trigger.cancel_on.as_ref().map(ToString::to_string),
            repeat_max: trigger.repeat_max,
            made_by: trigger.made_by.id.to_string(),
            made_with: trigger.made_with.clone(),
            made_at: trigger.made_at,
            next_at: state.next_at,
            firing: state.firing.as_ref().map(|firing| Pending {
                at: firing.at,
                held_up: firing.refused > 0,
            }),
            fired: state.fired,
            last_fired: state.last_fired,
            passed_over: state.passed_over,
            last_problem: state.last_problem.clone(),
            held: state.held.clone(),
            ended: state.ended.clone(),
        }
    }

    /// The next times of one that can still fire, in its zone.
    pub(super) fn next_times(&self, most: usize) -> Vec<Timestamp> {
        let Some(next_at) = self.next_at else {
            return Vec::new();
        };
        let left = self.repeat_max.map_or(usize::MAX, |most| {
            let pending = u32::from(self.firing.is_some());
            most.saturating_sub(self.fired + pending) as usize
        });
        let times = Zone::named(&self.zone).and_then(|zone| Timetable::read(&self.schedule, &zone));
        times.map_or(Vec::new(), |times| {
            let times = times.times_after(Timestamp(next_at.0 - 1));
            times.take(most.min(left)).collect()
        })
    }

    pub(super) fn lines(&self, now: Timestamp) -> Vec<Line> {
        let row = |name: &str, text: String| {
            Line::of(Tone::Dim, format!("   {name}"))
                .padded(14)
                .plain(text)
        };
        let name = wrap(&self.name, output::size().0.saturating_sub(2));
        let name = name
            .into_iter()
            .map(|part| Line::new().plain(" ").and(Tone::Bold, part));
        let mut lines: Vec<Line> = name.collect();
        lines.extend([
            row("id", self.id.to_string()),
            row("does", self.does.clone()),
            row("when", when(&self.schedule)),
            row("zone", self.zone.clone()),
            row("missed", missed(self.missed).to_owned()),
        ]);
        if let Some(mission) = &self.left_by {
            lines.push(row(
                "left by",
                format!("mission {mission}, when its report was approved"),
            ));
        }
        if let Some(pattern) = &self.cancel_on {
            lines.push(row("ends on", format!("information about `{pattern}`")));
        }
        let with = match &self.made_with {
            Some(key) => format!(" with the access token {key}"),
            None => String::new(),
        };
        let made = format!("by {}{with}, {}", self.made_by, ago(now, self.made_at));
        lines.push(row("made", made));
        let of = self
            .repeat_max
            .map_or(String::new(), |most| format!(" of {most}"));
        let last = self.last_fired.map_or(String::new(), |at| {
            let mission = match self.starts_missions {
                true => format!(", mission {}", short(mission_of_fire(self.id, at))),
                false => String::new(),
            };
            format!(", last for {}{mission}", tell(&self.zone, at))
        });
        lines.push(row(
            "fired",
            format!("{}{of}{last}", count(self.fired as usize, "time")),
        ));
        if self.passed_over > 0 {
            let missed = count(
                usize::try_from(self.passed_over).unwrap_or(usize::MAX),
                "fire",
            );
            lines.push(row(
                "passed over",
                format!("{missed} missed without a host"),
            ));
        }
        for (what, problem) in [("on hold", &self.held), ("problem", &self.last_problem)] {
            let Some(problem) = problem else { continue };
            let text = format!(
                "{} ({}), {}",
                problem.message,
                problem.code,
                ago(now, problem.at)
            );
            lines.push(
                Line::of(Tone::Dim, format!("   {what}"))
                    .padded(14)
                    .and(Tone::Failed, text),
            );
        }
        if let Some((at, end)) = &self.ended {
            lines.push(row("ended", format!("{}, {}", ended(end), ago(now, *at))));
        }
        let mut name = "next";
        let pending = self.firing.as_ref().map(|firing| firing.at);
        for at in pending.into_iter().chain(self.next_times(SHOWN_TIMES)) {
            let time = row(std::mem::take(&mut name), tell(&self.zone, at));
            lines.push(time.and(Tone::Dim, format!("  {}", until(now, at))));
        }
        lines
    }
}

pub(super) fn starts(title: &str) -> String {
    format!("starts “{title}”")
}

/// `mission` is the end of its id, as people type it.
pub(super) fn informs(mission: &str, topic: &str) -> String {
    format!("tells {mission} {topic}")
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

fn ended(end: &TriggerEnd) -> String {
    match end {
        TriggerEnd::RepeatReached => "fired the maximum number of times".into(),
        TriggerEnd::NoMoreTimes => "no times left".into(),
        TriggerEnd::Cancelled { by } => format!("cancelled by {}", by.id),
        TriggerEnd::CancelledOn { mission, topic } => {
            format!("cancelled by `{topic}`, told to {}", short(*mission))
        }
        TriggerEnd::MissionGone { code, why } => format!("{why} ({code})"),
    }
}

pub(super) fn table(all: &[Seen], now: Timestamp) -> Vec<Line> {
    let mut table = Table::headed(&["id", "next", "name", "when", "fired", "missed", ""]);
    for seen in all {
        let next = match (&seen.ended, &seen.firing, seen.next_at) {
            (Some(_), _, _) => Line::of(Tone::Dim, "ended"),
            _ if seen.held.is_some() => Line::of(Tone::Failed, "on hold"),
            (None, Some(firing), _) if firing.held_up => Line::of(Tone::Failed, "held up"),
            (None, Some(_), _) => Line::of(Tone::Running, "fires"),
            (None, None, Some(at)) => Line::of(Tone::Running, until(now, at)),
            (None, None, None) => Line::new(),
        };
        let fired = match seen.repeat_max {
            Some(most) => format!("{} of {most}", seen.fired),
            None => seen.fired.to_string(),
        };
        let missed = match seen.passed_over {
            0 => String::new(),
            n => n.to_string(),
        };
        let note = match (&seen.ended, &seen.held, &seen.last_problem) {
            (Some((_, end)), _, _) => Line::of(Tone::Dim, ended(end)),
            // The code first: a long message is cut where there is no room.
            (None, Some(held), _) => {
                Line::of(Tone::Failed, format!("{}: {}", held.code, held.message))
            }
            (None, None, Some(problem)) => Line::of(
                Tone::Failed,
                format!("{} ({})", problem.message, problem.code),
            ),
            (None, None, None) => match &seen.left_by {
                Some(mission) => Line::of(Tone::Dim, format!("left by {mission}")),
                None => Line::new(),
            },
        };
        table.row([
            Line::of(Tone::Plain, short_trigger(seen.id)),
            next,
            Line::of(Tone::Bold, &seen.name),
            Line::of(Tone::Plain, briefly(&seen.schedule))
                .and(Tone::Dim, format!("  {}", seen.zone)),
            Line::of(Tone::Dim, fired),
            Line::of(Tone::Dim, missed),
            note,
        ]);
    }
    table.lines(output::size().0, 3)
}

fn missed(missed: Missed) -> &'static str {
    match missed {
        Missed::Skip => "skip: times missed without a host are skipped",
        Missed::Once => "once: fires once for times missed without a host",
        Missed::All => "all: fires for each time missed without a host",
    }
}
