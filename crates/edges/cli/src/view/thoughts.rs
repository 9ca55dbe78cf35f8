//! What agents think: every step of a reasoning with what it came to.

use adjutant_app::constitution::shown;
use adjutant_mission::{Mission, Payload, StepKind, StepTaken, Task, TaskState, TaskStatus};

use super::{Line, Tone, money, wrap};

/// Steps of each task that are shown while it is at work.
const LATEST_SHOWN: usize = 2;
/// Of a thought, in a line of others.
pub(super) const THOUGHT_CHARS_MAX: usize = 160;

/// The latest thoughts of everybody at work.
pub(crate) fn latest_thoughts(mission: &Mission, width: usize) -> Vec<Line> {
    let at_work = mission
        .tasks()
        .filter(|(task, state)| task.reasons() && state.status == TaskStatus::Running);
    let mut lines = Vec::new();
    for (task, state) in at_work {
        let from = state.steps.len().saturating_sub(LATEST_SHOWN);
        for (number, taken) in state.steps.iter().enumerate().skip(from) {
            let said = said(taken.step.kind, &taken.output).unwrap_or_default();
            let said: String = said.chars().take(THOUGHT_CHARS_MAX).collect();
            let line = Line::of(Tone::Dim, " │ ")
                .plain(task.key.to_string())
                .and(Tone::Dim, format!(" {} {}: ", number + 1, role(taken)))
                .plain(said);
            lines.push(line.fit(width));
        }
    }
    lines
}

/// A whole reasoning: each step in its words, with what a call found cut short.
pub(crate) fn reasoning(
    task: &Task,
    state: &TaskState,
    said: impl Fn(&StepTaken) -> Vec<String>,
    width: usize,
) -> Vec<Line> {
    let title = task.name();
    let by = task
        .by
        .as_ref()
        .map_or(String::new(), |by| format!(" · {by}"));
    let sure = state.assessed.map_or(String::new(), |assessed| {
        format!(
            " · {}% sure (of itself {}%, rules {}%, support {}%)",
            assessed.composite.0 / 10_000,
            assessed.sure.0 / 10_000,
            assessed.rules.0 / 10_000,
            assessed.support.0 / 10_000
        )
    });
    let mut lines = vec![
        Line::new()
            .plain(" ")
            .and(Tone::Bold, title)
            .and(Tone::Dim, format!(" · {}{by}{sure}", task.key)),
    ];
    for (number, taken) in state.steps.iter().enumerate() {
        let cost = match taken.usage.money.0 {
            0 => String::new(),
            _ => format!(" · {}", money(taken.usage.money)),
        };
        let head = Line::of(Tone::Dim, format!(" {:>3} ", number + 1))
            .and(Tone::Running, role(taken))
            .and(Tone::Dim, cost);
        lines.push(head);
        for line in said(taken) {
            let parts = wrap(&line, width.saturating_sub(7));
            lines.extend(
                parts
                    .into_iter()
                    .map(|part| Line::new().plain("     ").plain(part)),
            );
        }
    }
    lines.push(Line::new());
    lines
}

fn role(taken: &StepTaken) -> String {
    let step = &taken.step;
    format!("{}, {}", step.pattern.name(), step.role.name()).replace('_', " ")
}

/// The text of a reasoning step, if it is in the journal. Text that the constitutional checks block is replaced by a mark.
pub(super) fn said(kind: StepKind, output: &Payload) -> Option<String> {
    let Payload::Inline(json) = output else {
        return None;
    };
    let field = match kind {
        StepKind::Think => "thought",
        StepKind::Conclude => "summary",
        StepKind::Act => "because",
        StepKind::Weigh | StepKind::Split | StepKind::Call => return None,
    };
    let words = json.at(&[field.to_owned()])?.to_plain_text();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then(|| shown(words))
}
