//! What the tenant's rules would decide about a mission that has not started.

use adjutant_effects::{ForeseenCall, Foresight};
use adjutant_rules::{Approver, Decision, Ruling, Subject};

use super::{Line, Tone, count, wrap};

const INDENT: usize = 5;

pub(crate) fn foresight(foresight: &Foresight, width: usize) -> Vec<Line> {
    let mut lines = vec![Line::new().plain(" The rules in force:")];
    lines.extend(about_mission(&foresight.mission, width));
    let (mut allowed, mut open) = (0, Vec::new());
    for call in &foresight.calls {
        match &call.ruling {
            None => open.push(format!("{} ({})", call.tool, call.task)),
            Some(ruling) if ruling.decision == Decision::Allow => allowed += 1,
            Some(ruling) => lines.extend(about_call(call, ruling, width)),
        }
    }
    if allowed > 0 {
        let text = format!("{} allowed.", count(allowed, "call"));
        lines.extend(row(Tone::Done, "✓", &text, width));
    }
    if !open.is_empty() {
        open.dedup();
        let text = format!(
            "{} on what the mission finds: {}",
            match open.len() {
                1 => "1 call depends".to_owned(),
                many => format!("{many} calls depend"),
            },
            open.join(", ")
        );
        lines.extend(row(Tone::Dim, "·", &text, width));
    }
    for on in &foresight.later {
        let what = match on {
            Subject::Result => "Results",
            Subject::Report => "Reports",
            Subject::Mission | Subject::Call => continue,
        };
        let text = format!("{what} are tested when they are there.");
        lines.extend(row(Tone::Dim, "·", &text, width));
    }
    lines
}

fn about_mission(ruling: &Ruling, width: usize) -> Vec<Line> {
    match ruling.decision {
        Decision::Allow => row(Tone::Done, "✓", "The mission may start.", width),
        Decision::Ask => {
            let who = match ruling.approver {
                Approver::Anyone => "A person",
                Approver::AnotherPerson => "Another person",
            };
            let text = format!("{who} must approve the plan: {}", ruling.reason());
            row(Tone::Human, "?", &text, width)
        }
        Decision::Deny => {
            let text = format!("The mission does not start: {}", ruling.reason());
            row(Tone::Failed, "✗", &text, width)
        }
    }
}

fn about_call(call: &ForeseenCall, ruling: &Ruling, width: usize) -> Vec<Line> {
    let ForeseenCall { task, tool, .. } = call;
    let if_chosen = match call.chosen_by_model {
        true => ", if the agent chooses it",
        false => "",
    };
    let reason = ruling.reason();
    match ruling.decision {
        Decision::Deny => {
            let text = format!("{task}: {tool} is refused{if_chosen}: {reason}");
            row(Tone::Failed, "✗", &text, width)
        }
        Decision::Ask | Decision::Allow => {
            let text = format!("{task}: a person must approve {tool}{if_chosen}: {reason}");
            row(Tone::Human, "?", &text, width)
        }
    }
}

fn row(tone: Tone, sign: &'static str, text: &str, width: usize) -> Vec<Line> {
    let mut wrapped = wrap(text, width.saturating_sub(INDENT)).into_iter();
    let first = wrapped.next().unwrap_or_default();
    let head = Line::new()
        .plain("   ")
        .and(tone, sign)
        .plain(format!(" {first}"));
    let more = wrapped.map(|line| Line::new().plain(format!("{}{line}", " ".repeat(INDENT))));
    std::iter::once(head).chain(more).collect()
}
