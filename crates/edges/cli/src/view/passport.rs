//! A mission in full: what it is for, every task with its output, every question with its answer.

use adjutant_app::constitution::{Release, check_in_words, is_check};
use adjutant_mission::{
    CheckpointId, CheckpointState, Closed, Json, Mission, Payload, TaskKey, Timestamp, Verdict,
};
use adjutant_session_events::Through;
use serde_json::Value;

use super::happened::pause_words;
use super::tree::{Room, tree};
use super::words::{ago, bytes, instant, money, until};
use super::{Around, Line, Tone, count, short_checkpoint, wrap};

const OUTPUT_LINES_MAX: usize = 12;

pub(crate) fn passport(
    mission: &Mission,
    around: &Around,
    now: Timestamp,
    width: usize,
) -> Vec<Line> {
    let room = Room {
        width,
        height: usize::MAX,
        turn: 0,
    };
    let mut lines = tree(mission, around, now, room);
    let plan = mission.plan();
    let mut about = Vec::new();
    if !plan.objective.is_empty() {
        about.push(("objective", plan.objective.clone()));
    }
    about.extend(
        plan.constraints
            .iter()
            .map(|text| ("constraint", text.clone())),
    );
    about.extend(
        plan.success_criteria
            .iter()
            .map(|text| ("criterion", text.clone())),
    );
    let by = mission.opened().approvals.is_empty();
    about.push((
        "opened",
        format!(
            "{} ({})",
            instant(mission.opened_at()),
            ago(now, mission.opened_at())
        ),
    ));
    if let Some(forked) = mission.forked() {
        let told = format!("from {} at event {}", forked.of, forked.at);
        about.push(("forked", told));
    }
    about.push(("tenant", mission.scope().tenant.to_string()));
    if !by {
        about.push((
            "approvals",
            "given in advance, except where a rule requires a person".into(),
        ));
    }
    if let Ok(Some(declared)) = adjutant_supervision::declared(&mission.opened().plan) {
        let named = declared.iter().map(|declared| {
            let supervisor = &declared.supervisor;
            format!("{} ({})", supervisor.name(), supervisor.kind())
        });
        let named: Vec<String> = named.collect();
        about.push(("supervisors", named.join(", ")));
    }
    let used = mission.used();
    if used.money.0 > 0 || used.tokens > 0 {
        about.push((
            "used",
            format!("{} · {} tokens", money(used.money), used.tokens),
        ));
    }
    about.push(("id", mission.id().to_string()));
    lines.push(Line::new());
    for (name, text) in about {
        lines.extend(field(name, &text, width));
    }
    if let Some(pause) = mission.pause().filter(|_| mission.ending().is_none()) {
        lines.extend(field("paused", &pause_words(pause), width));
    }
    if let Some(ending) = mission.ending() {
        let delivery = format!("{:?}, {:?}", ending.phase, ending.delivery).to_lowercase();
        lines.extend(field("ending", &delivery, width));
        if !ending.reason.is_empty() {
            lines.extend(field("because", &ending.reason, width));
        }
    }
    lines.extend(outputs(mission, width));
    lines.extend(questions(mission, now, width));
    lines
}

fn heading(text: &str) -> [Line; 2] {
    [Line::new(), Line::new().plain(" ").and(Tone::Bold, text)]
}

/// Where values begin, unless a name is longer.
const VALUES: usize = 16;

fn field(name: &str, text: &str, width: usize) -> Vec<Line> {
    field_at(VALUES, name, text, width)
}

fn field_at(column: usize, name: &str, text: &str, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for (n, part) in wrap(text, width.saturating_sub(column + 1))
        .into_iter()
        .enumerate()
    {
        let name = if n == 0 { name } else { "" };
        let line = Line::new().plain("   ").and(Tone::Dim, name).padded(column);
        lines.push(line.plain(part));
    }
    lines
}

fn outputs(mission: &Mission, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let names = mission
        .plan()
        .tasks
        .iter()
        .map(|task| super::width(task.key.as_str()));
    let column = names.max().unwrap_or(0).saturating_add(5).clamp(VALUES, 32);
    for (task, state) in mission.tasks() {
        let output = state.output.as_ref();
        let output = output.map(|output| may_be_shown(mission, &task.key, output));
        let text = match (&output, &state.failure) {
            (Some(Payload::Inline(json)), _) if json.text() != "null" => json.to_plain_text(),
            (
                Some(Payload::Blob {
                    digest, bytes: n, ..
                }),
                _,
            ) => {
                format!("{} kept as blob {digest}", bytes(*n))
            }
            (None, Some(failure)) => format!("failed: {}", failure.message),
            _ => continue,
        };
        if lines.is_empty() {
            lines.extend(heading("Outputs"));
        }
        let told = match &output {
            Some(Payload::Inline(json)) => super::answer::tell(json),
            _ => None,
        };
        // Who gave an answer is shown however long it is.
        let (wrapped, last): (Vec<Line>, Vec<Line>) = match told {
            None => (
                field_at(column, task.key.as_str(), &text, width),
                Vec::new(),
            ),
            Some(told) => {
                let names = std::iter::once(task.key.as_str()).chain(std::iter::repeat(""));
                let body = names.zip(&told.lines);
                let body = body.flat_map(|(name, line)| field_at(column, name, line, width));
                let by = field_at(column, "", &told.by, width);
                (body.collect(), by)
            }
        };
        let hidden = wrapped.len().saturating_sub(OUTPUT_LINES_MAX);
        lines.extend(wrapped.into_iter().take(OUTPUT_LINES_MAX));
        if hidden > 0 {
            lines.extend(field(
                "",
                &format!(
                    "… {} more: see `adjutant show --json`",
                    count(hidden, "line")
                ),
                width,
            ));
        }
        lines.extend(last);
    }
    lines
}

/// An output without what the constitutional checks block; the check itself in words.
fn may_be_shown(mission: &Mission, task: &TaskKey, output: &Payload) -> Payload {
    let Payload::Inline(json) = output else {
        return output.clone();
    };
    let Ok(mut value) = serde_json::from_str::<Value>(json.text()) else {
        return output.clone();
    };
    match is_check(mission, task) {
        true => value = Value::String(check_in_words(&value)),
        false => Release::new(mission, &[]).withhold(&mut value),
    }
    Json::encode(&value).map_or_else(|_| output.clone(), Payload::Inline)
}

fn questions(mission: &Mission, now: Timestamp, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for state in mission.checkpoints() {
        if lines.is_empty() {
            lines.extend(heading("Questions"));
        }
        let id = CheckpointId {
            mission: mission.id(),
            number: state.checkpoint.number,
        };
        lines.extend(field(
            &short_checkpoint(id),
            &state.checkpoint.question,
            width,
        ));
        let (tone, answer) = answer(state, now);
        for part in wrap(&answer, width.saturating_sub(19)) {
            lines.push(Line::new().padded(16).and(tone, "→ ").and(tone, part));
        }
        for earlier in &state.endorsed {
            lines.extend(field(
                "",
                &format!("also approved by {}", earlier.by),
                width,
            ));
        }
        for note in &state.guidance {
            lines.extend(field("", &format!("guidance: {note}"), width));
        }
    }
    lines
}

fn answer(state: &CheckpointState, now: Timestamp) -> (Tone, String) {
    match &state.closed {
        None => {
            let claim = state.claim.as_ref().map_or(String::new(), |claim| {
                format!(", claimed by {}", claim.by.id)
            });
            let deadline = until(now, state.checkpoint.deadline);
            (
                Tone::Human,
                format!("open{claim}; rejected if not answered {deadline}"),
            )
        }
        Some(Closed::Expired) => (
            Tone::Failed,
            "not answered in time, which counts as a rejection".into(),
        ),
        Some(Closed::Withdrawn { reason }) => (Tone::Dim, format!("withdrawn: {reason}")),
        Some(Closed::Decided { by, decision }) => {
            let (tone, verdict) = match decision.verdict {
                Verdict::Approve => (Tone::Done, "approved"),
                Verdict::Modify => (Tone::Human, "modified"),
                Verdict::Reject => (Tone::Failed, "rejected"),
            };
            let option = decision
                .option
                .as_ref()
                .map_or(String::new(), |option| format!(" `{option}`"));
            let (by, own) = match Through::read(by, &decision.note) {
                Some((through, own)) => (through.told(&by.id), own),
                None => (by.to_string(), decision.note.as_str()),
            };
            let note = match own {
                "" => String::new(),
                own => format!(": {own}"),
            };
            (tone, format!("{verdict}{option} by {by}{note}"))
        }
    }
}
