//! A checkpoint as it is put to a person.

use adjutant_mission::{
    Action, Approvers, Asks, Checkpoint, CheckpointId, ChoiceOption, InboxEntry, Risk, Timestamp,
};

use super::words::{elapsed, money, short, short_checkpoint, until};
use super::{Line, Tone, wrap};

const BAR: &str = " ┃ ";

/// The question with everything that helps to answer it.
pub(crate) fn question(checkpoint: &Checkpoint, now: Timestamp, width: usize) -> Vec<Line> {
    let room = width.saturating_sub(4);
    let bar = || Line::of(Tone::Human, BAR);
    let mut lines: Vec<Line> = wrap(&checkpoint.question, room)
        .into_iter()
        .map(|text| bar().and(Tone::Bold, text))
        .collect();
    if !checkpoint.context.is_empty() {
        let context = wrap(&checkpoint.context, room);
        lines.extend(context.into_iter().map(|text| bar().and(Tone::Dim, text)));
    }
    for (n, option) in checkpoint.options.iter().enumerate() {
        let recommended = checkpoint
            .recommendation
            .as_ref()
            .filter(|recommendation| recommendation.option == option.key);
        lines.push(bar());
        lines.extend(
            choice(n + 1, option, recommended.is_some(), room)
                .into_iter()
                .map(|line| bar().then(line)),
        );
        if let Some(recommendation) = recommended.filter(|told| !told.reason.is_empty()) {
            lines.extend(
                detail("★", Tone::Human, &recommendation.reason, room)
                    .into_iter()
                    .map(|line| bar().then(line)),
            );
        }
    }
    for past in &checkpoint.similar {
        let text = format!(
            "before: {} → {} ({})",
            past.question, past.option, past.outcome
        );
        lines.push(bar().and(Tone::Dim, text));
    }
    lines.push(bar());
    let role = checkpoint
        .role
        .as_ref()
        .map_or(String::new(), |role| format!(" · for the role {role}"));
    let deadline = format!(
        "rejected if not answered {}{role}",
        deadline(now, checkpoint.deadline)
    );
    if let Some(who) = checkpoint.approvers.as_deref() {
        lines.push(bar().and(Tone::Dim, approvers(who)));
    }
    lines.push(bar().then(keys(checkpoint)));
    lines.push(bar().and(Tone::Dim, deadline));
    lines
}

/// Who must answer, and how many of them.
fn approvers(who: &Approvers) -> String {
    let names: Vec<&str> = who.by.iter().map(|name| name.as_str()).collect();
    let names = names.join(", ");
    match (who.needed, names.is_empty()) {
        (0 | 1, _) => format!("for {names}"),
        (needed, true) => format!("{needed} people must approve it"),
        (needed, false) => format!("{needed} of these must approve it: {names}"),
    }
}

fn deadline(now: Timestamp, at: Timestamp) -> String {
    match until(now, at).strip_prefix("in ") {
        Some(span) => format!("within {span}"),
        None => "by now".into(),
    }
}

fn choice(number: usize, option: &ChoiceOption, recommended: bool, room: usize) -> Vec<Line> {
    let mut facts = Vec::new();
    facts.extend(option.cost.map(money));
    facts.extend(option.time.map(elapsed));
    facts.extend(option.risk.map(|risk| {
        let risk = match risk {
            Risk::Low => "low",
            Risk::Medium => "medium",
            Risk::High => "high",
        };
        format!("{risk} risk")
    }));
    let mut head = Line::of(Tone::Running, format!("{number}"))
        .plain("  ")
        .and(Tone::Bold, &option.label);
    if option.key.as_str() != option.label {
        head = head.and(Tone::Dim, format!("  {}", option.key));
    }
    if !facts.is_empty() {
        head = head.and(Tone::Dim, format!("  {}", facts.join(" · ")));
    }
    if recommended {
        head = head.and(Tone::Human, "  ★ recommended");
    }
    let mut lines = vec![head];
    if !option.description.is_empty() {
        lines.extend(detail(" ", Tone::Plain, &option.description, room));
    }
    if !option.pros.is_empty() {
        lines.extend(detail("+", Tone::Done, &option.pros.join(" · "), room));
    }
    if !option.cons.is_empty() {
        lines.extend(detail("−", Tone::Failed, &option.cons.join(" · "), room));
    }
    lines
}

fn detail(sign: &str, tone: Tone, text: &str, room: usize) -> Vec<Line> {
    let mut lines = wrap(text, room.saturating_sub(5)).into_iter();
    let first = lines.next().unwrap_or_default();
    let first = Line::new()
        .plain("   ")
        .and(tone, sign)
        .plain(" ")
        .plain(first);
    let rest = lines.map(|text| Line::new().plain("     ").plain(text));
    std::iter::once(first).chain(rest).collect()
}

/// Which keys answer it.
fn keys(checkpoint: &Checkpoint) -> Line {
    let mut keys = Vec::new();
    match checkpoint.options.len() {
        0 => {}
        1 => keys.push(("1", "choose")),
        _ => keys.push(("1…", "choose")),
    }
    let recommended = checkpoint.recommendation.is_some();
    for action in &checkpoint.actions {
        match action {
            Action::Approve if checkpoint.options.is_empty() => keys.push(("a", "approve")),
            Action::Approve if recommended => keys.push(("a", "as recommended")),
            Action::Approve => {}
            Action::Modify => keys.push(("m", "modify")),
            Action::Reject => keys.push(("r", "reject")),
        }
    }
    keys.push(("l", "leave for later"));
    let mut line = Line::new();
    for (n, (key, does)) in keys.into_iter().enumerate() {
        let gap = if n == 0 { "" } else { "   " };
        line = line
            .plain(gap)
            .and(Tone::Running, key)
            .and(Tone::Dim, format!(" {does}"));
    }
    line
}

/// An open question in one line: which, what, whose, and until when.
pub(crate) fn question_line(entry: &InboxEntry, now: Timestamp) -> Line {
    let role = entry
        .role
        .as_ref()
        .map_or(String::new(), |role| format!("for {role} · "));
    let when = deadline(now, entry.deadline);
    Line::of(Tone::Human, "? ")
        .and(Tone::Human, short_checkpoint(entry.checkpoint))
        .plain("  ")
        .and(Tone::Bold, &entry.question)
        .and(
            Tone::Dim,
            format!("  {role}rejected if not answered {when}"),
        )
}

/// The command that shows what the question is about, where the question itself cannot say it all.
pub(crate) fn how_to_look(id: CheckpointId, checkpoint: &Checkpoint) -> String {
    let mission = short(id.mission);
    match &checkpoint.asks {
        Asks::AcceptConclusion { task } => format!("adjutant show {mission} --reasoning {task}"),
        Asks::ReviewResult => format!("adjutant report {mission}"),
        Asks::ApprovePlan
        | Asks::ChangePlan { .. }
        | Asks::ApproveTool { .. }
        | Asks::DoHumanTask { .. }
        | Asks::RecoverTask { .. }
        | Asks::SettleInDoubt { .. }
        | Asks::PassLayer { .. }
        | Asks::PassSoftCap { .. } => format!("adjutant decide {}", short_checkpoint(id)),
    }
}

/// Whether a change can be asked for in words.
fn takes_words(checkpoint: &Checkpoint) -> bool {
    matches!(
        checkpoint.asks,
        Asks::ApprovePlan | Asks::ReviewResult | Asks::DoHumanTask { .. }
    )
}

/// The exact commands that answer it from another terminal, or later.
pub(crate) fn how_to_decide(id: CheckpointId, checkpoint: &Checkpoint) -> Vec<String> {
    let decide = |rest: &str| format!("adjutant decide {} {rest}", short_checkpoint(id));
    let mut commands = Vec::new();
    let may = |action| checkpoint.actions.contains(&action);
    if may(Action::Approve) {
        if checkpoint.options.is_empty() {
            commands.push(decide("approve"));
        }
        for option in &checkpoint.options {
            commands.push(decide(&format!("approve --option {}", option.key)));
        }
    }
    if may(Action::Modify) && takes_words(checkpoint) {
        commands.push(decide("modify --note \"what to change\""));
    }
    if may(Action::Reject) {
        commands.push(decide("reject"));
    }
    commands
}
