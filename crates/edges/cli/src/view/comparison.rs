//! Two missions side by side on a terminal.

use adjutant_mission::{
    Answer, Comparison, Delivery, EndingPhase, ForkedFrom, Json, Payload, Side, Spent, TaskResult,
    TaskStatus, Verdict,
};

use super::tree::status_words;
use super::words::{count, elapsed, money, preview, short};
use super::{Line, Tone, phase_tone, phase_words, wrap};

/// More rows than this of one kind, and those that agree are only counted.
const ROWS_ALL_MAX: usize = 30;
const CELL_LINES_MAX: usize = 3;
/// Before the label: room for the mark.
const INDENT: usize = 5;
const GAP: usize = 2;
const LABEL_MIN: usize = 12;

/// Where the three columns begin, and how wide they are.
#[derive(Debug, Clone, Copy)]
struct Columns {
    label: usize,
    cell: usize,
}

impl Columns {
    fn of(width: usize) -> Self {
        let label = (width / 4).clamp(LABEL_MIN, 30);
        let cell = width.saturating_sub(INDENT + label + 2 * GAP + 1) / 2;
        Self {
            label,
            cell: cell.max(12),
        }
    }

    /// One row, of as many lines as its longest cell takes.
    fn row(self, mark: Mark, label: &str, cells: [(Tone, String); 2]) -> Vec<Line> {
        let (tone, sign) = match mark {
            Mark::Same => (Tone::Dim, "="),
            Mark::Differs => (Tone::Human, "≠"),
            Mark::None => (Tone::Plain, " "),
        };
        let label_tone = match mark {
            Mark::Differs => Tone::Bold,
            Mark::Same | Mark::None => Tone::Dim,
        };
        // Where nothing differs, one line is enough.
        let lines_max = match mark {
            Mark::Same => 1,
            Mark::Differs | Mark::None => CELL_LINES_MAX,
        };
        let labels = parts(label, self.label, lines_max);
        let [(tone_a, a), (tone_b, b)] = cells;
        let (a, b) = (
            parts(&a, self.cell, lines_max),
            parts(&b, self.cell, lines_max),
        );
        let dimmed = |tone| if mark == Mark::Same { Tone::Dim } else { tone };
        let height = labels.len().max(a.len()).max(b.len());
        let part = |of: &[String], n: usize| of.get(n).cloned().unwrap_or_default();
        let lines = (0..height).map(|n| {
            Line::new()
                .plain("   ")
                .and(tone, if n == 0 { sign } else { " " })
                .padded(INDENT)
                .and(label_tone, part(&labels, n))
                .padded(INDENT + self.label + GAP)
                .and(dimmed(tone_a), part(&a, n))
                .padded(INDENT + self.label + self.cell + 2 * GAP)
                .and(dimmed(tone_b), part(&b, n))
        });
        lines.collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Same,
    Differs,
    None,
}

impl Mark {
    fn of(same: bool) -> Self {
        if same { Self::Same } else { Self::Differs }
    }
}

fn parts(text: &str, room: usize, lines_max: usize) -> Vec<String> {
    let mut lines = wrap(text, room);
    if lines.len() > lines_max {
        lines.truncate(lines_max);
        if let Some(last) = lines.last_mut() {
            let cut: String = last.chars().take(room.saturating_sub(1)).collect();
            *last = cut + "…";
        }
    }
    lines
}

pub(crate) fn comparison(told: &Comparison, width: usize) -> Vec<Line> {
    let columns = Columns::of(width);
    let mut lines = vec![
        side("A", &told.a, &told.b, width),
        side("B", &told.b, &told.a, width),
        parting(told),
    ];
    lines.extend(plan(told, columns));
    lines.extend(decisions(told, columns));
    lines.extend(results(told, columns));
    lines.extend(spent(told, columns));
    lines.into_iter().map(|line| line.fit(width)).collect()
}

fn side(name: &str, side: &Side, other: &Side, width: usize) -> Line {
    let (words, tone) = match &side.ending {
        Some(ending) => {
            let phase = match ending.phase {
                EndingPhase::Completed => "completed",
                EndingPhase::Failed => "failed",
                EndingPhase::Cancelled => "cancelled",
            };
            let delivery = match ending.delivery {
                Delivery::Delivered => ", delivered",
                Delivery::Draft => ", a draft",
                Delivery::Nothing => "",
            };
            (format!("{phase}{delivery}"), phase_tone(side.phase))
        }
        None if side.paused => ("paused".to_owned(), Tone::Human),
        None => (phase_words(side.phase).to_owned(), phase_tone(side.phase)),
    };
    let forked = side.forked.map_or(String::new(), |ForkedFrom { of, at }| {
        let from = if of == other.mission {
            if name == "A" { "B".into() } else { "A".into() }
        } else {
            short(of)
        };
        format!("  forked from {from} at event {at}")
    });
    // One title is enough for two that share it.
    let title = match side.title.as_str() {
        title if name == "B" && title == other.title && !forked.is_empty() => "",
        title => title,
    };
    let left = Line::new()
        .plain(" ")
        .and(tone, "●")
        .plain(" ")
        .and(Tone::Bold, name)
        .and(Tone::Dim, format!("  {}  ", short(side.mission)))
        .and(Tone::Bold, title)
        .and(
            Tone::Dim,
            if title.is_empty() {
                forked.trim_start()
            } else {
                &forked
            },
        );
    let right = Line::of(tone, words);
    let room = width.saturating_sub(right.width() + 3);
    left.fit(room)
        .padded(width.saturating_sub(right.width() + 1))
        .then(right)
}

fn parting(told: &Comparison) -> Line {
    let more = |side: &Side| side.events.saturating_sub(told.events_shared);
    let events = |n: u64| count(usize::try_from(n).unwrap_or(usize::MAX), "event");
    let text = match told.events_shared {
        0 => format!(
            "nothing in common: {} and {}",
            events(told.a.events),
            events(told.b.events)
        ),
        shared => format!(
            "{} in common, then A has {} more and B {}",
            events(shared),
            more(&told.a),
            more(&told.b)
        ),
    };
    Line::of(Tone::Dim, format!(" ╰ {text}"))
}

fn heading(text: &str, columns: Columns) -> Vec<Line> {
    let line = Line::new()
        .plain(" ")
        .and(Tone::Bold, text)
        .padded(INDENT + columns.label + GAP)
        .and(Tone::Dim, "A")
        .padded(INDENT + columns.label + columns.cell + 2 * GAP)
        .and(Tone::Dim, "B");
    vec![Line::new(), line]
}

fn plain(json: Option<&Json>) -> (Tone, String) {
    match json {
        Some(json) => (Tone::Plain, json.to_plain_text()),
        None => (Tone::Dim, "–".into()),
    }
}

fn plan(told: &Comparison, columns: Columns) -> Vec<Line> {
    let mut lines = heading("Plan", columns);
    if told.plan.is_empty() {
        lines.push(Line::of(Tone::Dim, "   = the same"));
    }
    for of in &told.plan {
        let task = of
            .what
            .strip_prefix("tasks.")
            .filter(|rest| !rest.contains('.'));
        let cells = match task {
            // A whole task is there or it is not.
            Some(_) => [&of.a, &of.b].map(|side| match side {
                Some(_) => (Tone::Plain, "there".to_owned()),
                None => (Tone::Dim, "not there".to_owned()),
            }),
            None => [plain(of.a.as_ref()), plain(of.b.as_ref())],
        };
        lines.extend(columns.row(Mark::Differs, &of.what, cells));
    }
    lines
}

fn decisions(told: &Comparison, columns: Columns) -> Vec<Line> {
    let rows = told.decisions.iter().map(|pair| {
        let cells = [answer(pair.a.as_ref()), answer(pair.b.as_ref())];
        (pair.same, pair.question.clone(), cells)
    });
    rows_of("Decisions", rows.collect(), columns)
}

fn results(told: &Comparison, columns: Columns) -> Vec<Line> {
    let rows = told.results.iter().map(|pair| {
        let cells = [
            result(pair.a.as_ref(), &told.a),
            result(pair.b.as_ref(), &told.b),
        ];
        (pair.same, pair.task.to_string(), cells)
    });
    rows_of("Results", rows.collect(), columns)
}

type Row = (bool, String, [(Tone, String); 2]);

fn rows_of(name: &str, rows: Vec<Row>, columns: Columns) -> Vec<Line> {
    if rows.is_empty() {
        return Vec::new();
    }
    let mut lines = heading(name, columns);
    let crowd = rows.len() > ROWS_ALL_MAX;
    let agreeing = rows.iter().filter(|(same, ..)| *same).count();
    for (same, label, cells) in rows {
        if !(crowd && same) {
            lines.extend(columns.row(Mark::of(same), &label, cells));
        }
    }
    if crowd && agreeing > 0 {
        let text = format!("   = {agreeing} more, the same in both");
        lines.push(Line::of(Tone::Dim, text));
    }
    lines
}

fn answer(answer: Option<&Answer>) -> (Tone, String) {
    match answer {
        None => (Tone::Dim, "not asked".into()),
        Some(Answer::Open) => (Tone::Human, "open".into()),
        Some(Answer::Expired) => (Tone::Failed, "nobody answered".into()),
        Some(Answer::Withdrawn) => (Tone::Dim, "withdrawn".into()),
        Some(Answer::Waived { by }) => (Tone::Done, format!("yes in advance, by {by}")),
        Some(Answer::Decided {
            verdict,
            option,
            by,
        }) => {
            let (tone, said) = match verdict {
                Verdict::Approve => (Tone::Done, "approved"),
                Verdict::Modify => (Tone::Human, "modified"),
                Verdict::Reject => (Tone::Failed, "rejected"),
            };
            let said = option.as_ref().map_or(said, |option| option.as_str());
            (tone, format!("{said}, by {by}"))
        }
    }
}

fn result(result: Option<&TaskResult>, side: &Side) -> (Tone, String) {
    let Some(result) = result else {
        return (Tone::Dim, "not in the plan".into());
    };
    let output = result.output.clone().map(Payload::Inline);
    let output = output.as_ref().map(preview).unwrap_or_default();
    match (result.status, &result.failure) {
        (TaskStatus::Completed, _) if output.is_empty() => (Tone::Done, "done".into()),
        (TaskStatus::Completed, _) => (Tone::Plain, output),
        (_, Some(failure)) => (Tone::Failed, format!("failed: {failure}")),
        (status, None) if status.is_ended() => (Tone::Failed, status.name().into()),
        (_, None) if side.ending.is_some() => (Tone::Dim, "not done".into()),
        (status, None) => (Tone::Running, status_words(status).into()),
    }
}

fn spent(told: &Comparison, columns: Columns) -> Vec<Line> {
    let mut lines = heading("Cost and time", columns);
    let whole = |side: &Side| side.own.plus(side.inherited);
    let mut row = |label: &str, of: &dyn Fn(&Spent) -> u64, tell: &dyn Fn(u64) -> String| {
        let (a, b) = (of(&whole(&told.a)), of(&whole(&told.b)));
        if a == 0 && b == 0 {
            return;
        }
        let cell = |side: &Side| {
            let inherited = of(&side.inherited);
            let inherited = match tell(inherited) {
                nothing if nothing == tell(0) => String::new(),
                told => format!(" ({told} inherited)"),
            };
            (
                Tone::Plain,
                format!("{}{inherited}", tell(of(&whole(side)))),
            )
        };
        lines.extend(columns.row(Mark::None, label, [cell(&told.a), cell(&told.b)]));
    };
    row("cost", &|of| of.usage.money.0, &|n| {
        money(adjutant_mission::MicroUsd(n))
    });
    row("tokens", &|of| of.usage.tokens, &|n| n.to_string());
    row("calls", &|of| of.calls, &|n| n.to_string());
    row("time", &|of| of.time.0, &|n| {
        elapsed(adjutant_mission::Millis(n))
    });
    lines
}
