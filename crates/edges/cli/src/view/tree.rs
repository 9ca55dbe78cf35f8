//! A mission at a glance: one line a task, or the few that matter when there are many.

use adjutant_host::calibration::{self as calibration, calibrated};
use adjutant_mission::{
    DependencyKind, Mission, Phase, Summary, Task, TaskState, TaskStatus, Timestamp, WorkSpec,
};

use super::task_counts::TaskCounts;
use super::undoing::{Deed, Undoing};
use super::words::{elapsed, lasted, money, ordinal, preview, short, until};
use super::{Around, Line, Tone, count};

/// A plan with more tasks than this is shown by what is going on in it.
const TASKS_LISTED_MAX: usize = 20;
const KEY_WIDTH_MAX: usize = 20;
const TOOL_WIDTH_MAX: usize = 12;
const BAR_WIDTH: usize = 24;
const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// How much there is to draw on, and how far the spinner has turned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    pub(crate) width: usize,
    /// Lines that the tree may take.
    pub(crate) height: usize,
    pub(crate) turn: usize,
}

pub(crate) fn phase_words(phase: Phase) -> &'static str {
    match phase {
        Phase::AwaitingHuman => "waiting for you",
        other => other.name(),
    }
}

pub(super) fn status_words(status: TaskStatus) -> &'static str {
    match status {
        TaskStatus::AwaitingHuman | TaskStatus::Blocked => "waiting for you",
        TaskStatus::AwaitingApproval => "may it? waiting for you",
        other => other.name(),
    }
}

pub(crate) fn phase_tone(phase: Phase) -> Tone {
    match phase {
        Phase::Planning | Phase::Executing | Phase::Synthesizing => Tone::Running,
        Phase::AwaitingHuman => Tone::Human,
        Phase::Completed => Tone::Done,
        Phase::Failed | Phase::Cancelled => Tone::Failed,
    }
}

pub(crate) fn tree(mission: &Mission, around: &Around, now: Timestamp, room: Room) -> Vec<Line> {
    let mut lines = vec![title(mission, room.width)];
    let total = mission.plan().tasks.len();
    let (head, foot) = (1, 1 + around.held_by.len());
    let rows = total + around.children.len();
    if total <= TASKS_LISTED_MAX && rows + head + foot <= room.height {
        let columns = Columns::of(mission.plan().tasks.iter());
        for (task, state) in mission.tasks() {
            lines.push(row(mission, task, state, now, room, columns));
            lines.extend(around.children.get(&task.key).map(child));
        }
    } else {
        lines.extend(crowd(mission, now, room));
    }
    lines.push(foot_line(mission, around, now));
    lines.extend(around.held_by.iter().cloned());
    lines.into_iter().map(|line| line.fit(room.width)).collect()
}

fn title(mission: &Mission, width: usize) -> Line {
    let phase = mission.phase();
    let (words, tone) = match Undoing::of(mission) {
        Some(undoing) => (undoing.words(), Tone::Running),
        None if mission.is_paused() && !phase.is_ended() => ("paused".into(), Tone::Human),
        None => (phase_words(phase).into(), phase_tone(phase)),
    };
    let right = Line::of(Tone::Dim, format!("msn …{}", short(mission.id())))
        .plain("   ")
        .and(tone, words);
    let left = Line::new()
        .plain(" ")
        .and(tone, "●")
        .plain(" ")
        .and(Tone::Bold, &mission.plan().title);
    let room = width.saturating_sub(right.width() + 3);
    left.fit(room)
        .padded(width.saturating_sub(right.width() + 1))
        .then(right)
}

/// The mission that a task is: which, and how far.
fn child(summary: &Summary) -> Line {
    let (tone, words) = match summary.phase {
        phase if summary.paused && !phase.is_ended() => (Tone::Human, "paused"),
        phase => (phase_tone(phase), phase_words(phase)),
    };
    let total = count(summary.tasks_total as usize, "task");
    Line::of(Tone::Dim, " │   ╰ ")
        .and(Tone::Dim, format!("msn …{}  ", short(summary.mission)))
        .and(tone, words)
        .and(
            Tone::Dim,
            format!("  {} of {total} ended", summary.tasks_ended),
        )
}

/// Where the columns begin, so that all rows agree.
#[derive(Debug, Clone, Copy)]
struct Columns {
    tool: usize,
    time: usize,
    remark: usize,
}

const GLYPHS: usize = 5;
const TIME_WIDTH: usize = 8;

impl Columns {
    fn of<'a>(tasks: impl Iterator<Item = &'a Task> + Clone) -> Self {
        let widest =
            |of: &dyn Fn(&Task) -> usize, max| tasks.clone().map(of).max().unwrap_or(0).min(max);
        let tool = GLYPHS + widest(&|task| super::width(task.key.as_str()), KEY_WIDTH_MAX) + 2;
        let time = tool + widest(&|task| super::width(does(task)), TOOL_WIDTH_MAX) + 2;
        Self {
            tool,
            time,
            remark: time + TIME_WIDTH + 2,
        }
    }
}

fn does(task: &Task) -> &str {
    match &task.work {
        WorkSpec::Tool(call) => call.tool.as_str(),
        WorkSpec::Agent(agent) => agent.purpose.as_str(),
        WorkSpec::Human(_) => "human",
        WorkSpec::Gate(_) => "gate",
        WorkSpec::Mission(_) => "mission",
    }
}

fn glyph(mission: &Mission, state: &TaskState, turn: usize) -> (Tone, &'static str) {
    let spinner = (Tone::Running, SPINNER[turn % SPINNER.len()]);
    match Deed::of(state) {
        Deed::Stands => {}
        Deed::BeingUndone => return spinner,
        Deed::Undone => return (Tone::Dim, "↶"),
        Deed::NotUndone { .. } => return (Tone::Failed, "!"),
    }
    match state.status {
        // Nobody is asked any more.
        status if mission.ending().is_some() && !status.is_ended() => (Tone::Dim, "·"),
        TaskStatus::Completed => (Tone::Done, "✓"),
        TaskStatus::Running => spinner,
        TaskStatus::AwaitingHuman | TaskStatus::AwaitingApproval | TaskStatus::Blocked => {
            (Tone::Human, "?")
        }
        TaskStatus::Failed => (Tone::Failed, "✗"),
        TaskStatus::Skipped => (Tone::Dim, "–"),
        TaskStatus::Stopped => (Tone::Failed, "■"),
        TaskStatus::Held => (Tone::Running, "‖"),
        TaskStatus::Delayed => (Tone::Dim, "◌"),
        TaskStatus::Ready | TaskStatus::Waiting => (Tone::Dim, "·"),
    }
}

fn row(
    mission: &Mission,
    task: &Task,
    state: &TaskState,
    now: Timestamp,
    room: Room,
    columns: Columns,
) -> Line {
    let (tone, sign) = glyph(mission, state, room.turn);
    let begun = !matches!(state.status, TaskStatus::Waiting | TaskStatus::Ready);
    let key_tone = match state.status {
        TaskStatus::Waiting | TaskStatus::Ready | TaskStatus::Skipped => Tone::Dim,
        TaskStatus::Running => Tone::Bold,
        _ => Tone::Plain,
    };
    let key = Line::of(key_tone, task.key.as_str()).fit(KEY_WIDTH_MAX);
    let tool = Line::of(Tone::Dim, does(task)).fit(TOOL_WIDTH_MAX);
    let time = spent(mission, state, now).filter(|_| begun);
    let time = Line::of(Tone::Dim, time.unwrap_or_default());
    let (remark_tone, remark) = remark(mission, task, state, now);
    Line::of(Tone::Dim, " │ ")
        .and(tone, sign)
        .plain(" ")
        .then(key)
        .padded(columns.tool)
        .then(tool)
        .padded(columns.time + TIME_WIDTH.saturating_sub(time.width()))
        .then(time)
        .padded(columns.remark)
        .and(remark_tone, remark)
}

/// How long a task has taken so far. A question's time is the person's, and is not shown; nor does the clock of a task go
/// on once its mission has ended.
fn spent(mission: &Mission, state: &TaskState, now: Timestamp) -> Option<String> {
    use TaskStatus::{AwaitingApproval, AwaitingHuman, Blocked, Delayed, Stopped};
    let started = state.started_at?;
    let ended = match (state.ended_at, mission.ending(), state.status) {
        (Some(ended), ..) => ended,
        (None, Some(_), _) => mission.updated_at(),
        (None, None, AwaitingHuman | AwaitingApproval | Blocked | Delayed | Stopped) => {
            return None;
        }
        (None, None, _) => now,
    };
    Some(elapsed(ended.since(started)))
}

fn remark(mission: &Mission, task: &Task, state: &TaskState, now: Timestamp) -> (Tone, String) {
    // Each step of a reasoning begins anew; only a step that failed was tried before.
    let tried = match task.reasons() {
        true => state.tries,
        false => state.attempt,
    };
    let tries = match tried {
        0 | 1 => String::new(),
        n => format!("{} try", ordinal(n)),
    };
    let failure = || {
        state
            .failure
            .as_ref()
            .map_or("", |failure| failure.message.as_str())
    };
    match Deed::of(state) {
        Deed::Stands => {}
        Deed::BeingUndone => return (Tone::Dim, "being undone".into()),
        Deed::Undone => return (Tone::Dim, "undone".into()),
        Deed::NotUndone { why } => return (Tone::Failed, format!("not undone: {why}")),
    }
    match state.status {
        status if mission.ending().is_some() && !status.is_ended() => (Tone::Dim, String::new()),
        TaskStatus::Waiting => {
            let unmet: Vec<&str> = waits_for(mission, task).take(3).collect();
            let after = unmet.join(", ");
            (
                Tone::Dim,
                if after.is_empty() {
                    after
                } else {
                    format!("after {after}")
                },
            )
        }
        TaskStatus::Ready | TaskStatus::Skipped => (Tone::Dim, String::new()),
        TaskStatus::Delayed => {
            let at = mission
                .wake_at()
                .map_or(String::new(), |at| format!(" {}", until(now, at)));
            let what = if state.attempt > 0 { "again" } else { "starts" };
            let why = failure();
            let dash = if why.is_empty() { "" } else { " · " };
            (Tone::Dim, format!("{what}{at}{dash}{why}"))
        }
        TaskStatus::AwaitingApproval | TaskStatus::AwaitingHuman => {
            (Tone::Human, status_words(state.status).into())
        }
        TaskStatus::Blocked => {
            let why = failure();
            let dot = if why.is_empty() { "" } else { " · " };
            // A person was asked: what failed has not failed for good.
            let words = status_words(state.status);
            (Tone::Human, format!("{words}{dot}{why}"))
        }
        TaskStatus::Failed | TaskStatus::Stopped => (Tone::Failed, failure().to_owned()),
        TaskStatus::Running => {
            let effect = state.effect.and_then(|number| mission.effect(number));
            let put_off = effect.and_then(|effect| effect.not_before);
            match put_off.filter(|at| *at > now) {
                Some(at) => {
                    let why = match &task.work {
                        WorkSpec::Agent(_) => "no model is available now",
                        _ => "put off",
                    };
                    (Tone::Human, format!("{why}, again {}", until(now, at)))
                }
                None => {
                    let at_work = at_work(mission, task, state);
                    let said = [at_work, tries].into_iter().filter(|part| !part.is_empty());
                    (Tone::Dim, said.collect::<Vec<_>>().join(" · "))
                }
            }
        }
        TaskStatus::Held => (Tone::Dim, "done, waits for others to finish".into()),
        TaskStatus::Completed => {
            let shown = state.output.as_ref().map_or(String::new(), preview);
            let shown = match state.assessed {
                Some(assessed) => format!("{}% sure · {shown}", assessed.composite.0 / 10_000),
                None => shown,
            };
            let dot = if tries.is_empty() || shown.is_empty() {
                ""
            } else {
                " · "
            };
            (Tone::Dim, format!("{tries}{dot}{shown}"))
        }
    }
}

/// Who is at work on a task, and how far its thoughts are.
fn at_work(mission: &Mission, task: &Task, state: &TaskState) -> String {
    let name = adjutant_app::words::agent_name(mission, task, state);
    let effect = state.effect.and_then(|number| mission.effect(number));
    let step = effect.and_then(|effect| effect.thought).map(|thought| {
        let (pattern, role) = (thought.step.pattern.name(), thought.step.role.name());
        format!("{pattern}: {role}, step {}", thought.number + 1).replace('_', " ")
    });
    let parts = [name.to_owned(), step.unwrap_or_default()];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" · ")
}

fn waits_for<'a>(mission: &'a Mission, task: &'a Task) -> impl Iterator<Item = &'a str> {
    task.after.iter().filter_map(|dependency| {
        let (_, state) = mission.task(dependency.task.as_str())?;
        let met = match dependency.kind {
            DependencyKind::StartToStart => state.started_at.is_some(),
            DependencyKind::FinishToStart => state.status.is_ended(),
            DependencyKind::FinishToFinish | DependencyKind::StartToFinish => true,
        };
        (!met).then(|| dependency.task.as_str())
    })
}

/// Many tasks: a bar, and those that run, have failed or wait for a person.
fn crowd(mission: &Mission, now: Timestamp, room: Room) -> Vec<Line> {
    let bar = Line::of(Tone::Dim, " │ ").then(bar(mission));
    let rank = |state: &TaskState| match state.status {
        TaskStatus::AwaitingHuman | TaskStatus::AwaitingApproval | TaskStatus::Blocked => Some(0),
        TaskStatus::Failed | TaskStatus::Stopped => Some(1),
        TaskStatus::Running | TaskStatus::Held => Some(2),
        TaskStatus::Delayed => Some(3),
        _ => None,
    };
    let mut notable: Vec<_> = mission
        .tasks()
        .filter_map(|(task, state)| Some((rank(state)?, task, state)))
        .collect();
    notable.sort_by_key(|(rank, ..)| *rank);
    // The title, the bar and the foot have their places, and so has the line that counts the rest.
    let places = room.height.saturating_sub(3).min(TASKS_LISTED_MAX);
    let shown = if notable.len() > places {
        places.saturating_sub(1)
    } else {
        places
    };
    let hidden = notable.len().saturating_sub(shown);
    notable.truncate(shown);
    let columns = Columns::of(notable.iter().map(|(_, task, _)| *task));
    let mut lines = vec![bar];
    for (_, task, state) in notable {
        lines.push(row(mission, task, state, now, room, columns));
    }
    if hidden > 0 && places > 0 {
        lines.push(Line::of(
            Tone::Dim,
            format!(" │ … and {hidden} more like these"),
        ));
    }
    lines
}

fn bar(mission: &Mission) -> Line {
    let counts = TaskCounts::of(mission);
    let TaskCounts {
        total,
        completed,
        skipped,
        running,
        asking,
        ..
    } = counts;
    let failed = counts.failed + counts.stopped;
    let cells = |n: usize| (n * BAR_WIDTH).div_ceil(total.max(1));
    let (green, red) = (completed * BAR_WIDTH / total.max(1), cells(failed));
    let cyan = cells(running).min(BAR_WIDTH.saturating_sub(green + red));
    let rest = BAR_WIDTH.saturating_sub(green + red + cyan);
    let mut line = Line::of(Tone::Done, "━".repeat(green))
        .and(Tone::Failed, "━".repeat(red))
        .and(Tone::Running, "━".repeat(cyan))
        .and(Tone::Dim, "─".repeat(rest))
        .plain(format!("  {completed} done"));
    let rest = [
        (running, "running", Tone::Running),
        (failed, "failed", Tone::Failed),
        (asking, "waiting for you", Tone::Human),
        (skipped, "skipped", Tone::Dim),
    ];
    for (n, word, tone) in rest.into_iter().filter(|(n, ..)| *n > 0) {
        line = line.and(Tone::Dim, " · ").and(tone, format!("{n} {word}"));
    }
    let to_come = total.saturating_sub(completed + failed + skipped + running + asking);
    if to_come > 0 {
        line = line.and(Tone::Dim, format!(" · {to_come} to come"));
    }
    line
}

fn foot_line(mission: &Mission, around: &Around, now: Timestamp) -> Line {
    let mut parts = vec![match Undoing::of(mission) {
        Some(undoing) => format!("{} of {} undone", undoing.settled, undoing.total),
        None => TaskCounts::of(mission).words(),
    }];
    let used = mission.used().money;
    match mission.plan().caps.money {
        Some(cap) => parts.push(format!("{} of {}", money(used), money(cap))),
        None if used.0 > 0 => parts.push(money(used)),
        None => {}
    }
    let sure = mission.tasks().filter_map(|(_, state)| state.assessed);
    if let Some(least) = sure.map(|assessed| assessed.composite).min() {
        let meant = around.calibration.as_ref();
        let meant = meant.and_then(|table| calibrated(calibration::Ppm::new(least.0), table));
        let meant = meant.map_or(String::new(), |meant| {
            format!(", which so far meant {}%", meant.get() / 10_000)
        });
        parts.push(format!("at least {}% sure{meant}", least.0 / 10_000));
    }
    parts.push(elapsed(lasted(mission, now)));
    Line::of(Tone::Dim, format!(" ╰ {}", parts.join(" · ")))
}
