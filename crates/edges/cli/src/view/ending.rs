//! The last word on a mission: what came of it, and where to look.

use std::path::{Path, PathBuf};

use adjutant_mission::{
    Delivery, EndingPhase, Mission, Payload, TaskStatus, Timestamp, ToolCall, WorkSpec,
};

use super::task_counts::TaskCounts;
use super::words::{bytes, elapsed, lasted, money, preview, short};
use super::{Line, Tone, count};

const RESULTS_SHOWN_MAX: usize = 5;

/// Where things are kept, for the summary to name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places<'a> {
    pub(crate) store: &'a str,
    pub(crate) files: &'a Path,
    /// The store is a server's: not every verb reaches it.
    pub(crate) is_afar: bool,
}

pub(crate) fn ending(mission: &Mission, now: Timestamp, places: Places<'_>) -> Vec<Line> {
    let mut spent = vec![elapsed(lasted(mission, now))];
    if mission.used().money.0 > 0 {
        spent.push(money(mission.used().money));
    }
    let mut lines = vec![Line::new()];
    if let Some(ending) = mission.ending() {
        let left = TaskCounts::of(mission);
        let (tone, sign, word) = match ending.phase {
            EndingPhase::Completed if left.failed > 0 => (Tone::Human, "!", "completed"),
            EndingPhase::Completed => (Tone::Done, "✓", "completed"),
            EndingPhase::Failed => (Tone::Failed, "✗", "failed"),
            EndingPhase::Cancelled => (Tone::Failed, "■", "cancelled"),
        };
        let delivery = match ending.delivery {
            Delivery::Delivered => "delivered",
            Delivery::Draft => "kept as a draft, not delivered",
            Delivery::Nothing => "nothing to deliver",
        };
        let head = Line::new()
            .plain(" ")
            .and(tone, sign)
            .plain(" ")
            .and(Tone::Bold, word);
        // Whoever reads "completed" must not take it for all of the plan.
        let left = left.not_completed();
        let left = left.filter(|_| ending.phase == EndingPhase::Completed);
        let left = left.map_or(String::new(), |left| format!(" · {left}"));
        lines.push(head.plain(format!("{left} · {delivery} · {}", spent.join(" · "))));
        if !ending.reason.is_empty() {
            lines.push(field("because", Line::new().plain(&ending.reason)));
        }
    }
    let (files, results) = (produced(mission, places.files), results(mission));
    for (path, size) in files {
        lines.push(field(
            "file",
            Line::new()
                .plain(path.display().to_string())
                .and(Tone::Dim, format!("  {}", bytes(size))),
        ));
    }
    for (task, shown) in results {
        lines.push(field(
            "result",
            Line::of(Tone::Dim, format!("{task}  ")).plain(shown),
        ));
    }
    let id = short(mission.id());
    let journal = format!(
        "{} of {} in {}",
        count(usize::try_from(mission.seq()).unwrap_or(0), "event"),
        mission.id(),
        places.store
    );
    lines.push(field("journal", Line::of(Tone::Dim, journal)));
    let report = match has_report(mission) {
        true => format!("adjutant report {id} --format pdf · "),
        false => String::new(),
    };
    lines.push(field(
        "next",
        Line::of(
            Tone::Dim,
            match places.is_afar {
                false => {
                    format!(
                        "{report}adjutant show {id} · adjutant events {id} · adjutant verify {id}"
                    )
                }
                true => format!("{report}adjutant show {id} · adjutant events {id} --session"),
            },
        ),
    ));
    lines
}

fn field(name: &str, value: Line) -> Line {
    Line::new()
        .plain("   ")
        .and(Tone::Dim, name)
        .padded(12)
        .then(value)
}

/// Whether there is a document to hand over.
fn has_report(mission: &Mission) -> bool {
    mission.tasks().any(|(task, state)| {
        let reports = matches!(&task.work, WorkSpec::Tool(call) if call.tool.as_str() == "report");
        reports && state.output.is_some()
    })
}

fn writes_file(work: &WorkSpec) -> bool {
    let tool = |call: &ToolCall| matches!(call.tool.as_str(), "write_file" | "replace_file");
    matches!(work, WorkSpec::Tool(call) if tool(call))
}

/// Files that tasks wrote.
fn produced(mission: &Mission, files: &Path) -> Vec<(PathBuf, u64)> {
    let written = mission.tasks().filter_map(|(task, state)| {
        if !writes_file(&task.work) || state.status != TaskStatus::Completed {
            return None;
        }
        let Some(Payload::Inline(output)) = &state.output else {
            return None;
        };
        let path = output.at(&["path".to_owned()])?.to_plain_text();
        let size = output.at(&["bytes".to_owned()])?.text().parse().ok()?;
        Some((files.join(path), size))
    });
    written.collect()
}

/// What the last tasks gave: those that nothing else waits for.
fn results(mission: &Mission) -> Vec<(String, String)> {
    let needed = |key: &str| {
        let mut after = mission.plan().tasks.iter().flat_map(|task| &task.after);
        after.any(|dependency| dependency.task.as_str() == key)
    };
    let last = mission
        .tasks()
        .filter(|(task, _)| !writes_file(&task.work) && !needed(task.key.as_str()));
    let shown = last.filter_map(|(task, state)| {
        let shown = preview(state.output.as_ref()?);
        (!shown.is_empty()).then(|| (task.key.to_string(), shown))
    });
    shown.take(RESULTS_SHOWN_MAX).collect()
}
