//! How a report came about, as the journal says: who answered, which tools ran, who decided what, and what nobody checked.

use std::collections::BTreeMap;

use adjutant_document_model::{Decided, Made, Standing, Used};
use adjutant_host::calibration::{OUTCOMES_MIN, Table};
use adjutant_mission::{
    Actor, Asks, CallPath, Closed, Delivery, Event, MicroUsd, Mission, TaskStatus, Verdict,
    WorkSpec,
};
use adjutant_session_events::Through;

use super::checked::rounds;
use super::conclusions::conclusions;
use crate::mission_record::MissionRecord;
use crate::words::{instant, money};

/// How it was made, as the journal tells it.
pub(super) fn provenance(read: &MissionRecord, table: &Table) -> Made {
    let mission = &read.mission;
    let delivered = mission
        .ending()
        .is_some_and(|ending| ending.delivery == Delivery::Delivered);
    Made {
        mission: mission.id().to_string(),
        begun: instant(mission.opened_at()),
        ended: instant(mission.updated_at()),
        cost: money(mission.used().money),
        tokens: mission.used().tokens,
        steps: mission.turns(),
        answered_by: answerers(read),
        tools: tools(mission),
        decisions: decisions(read),
        conclusions: conclusions(read, table),
        checked: rounds(read),
        not_checked: not_checked(mission, table),
        standing: match (delivered, reviewed(mission)) {
            (true, Some(Verdict::Approve)) => Standing::Delivered,
            (true, _) => Standing::Unreviewed,
            (false, Some(Verdict::Reject)) => Standing::Rejected,
            (false, _) => Standing::Draft,
        },
        stand_in: read.has_stand_in_answers(),
        replaced: String::new(),
        journal_head: read.head.clone(),
    }
}

/// What the last person said who looked at the result.
fn reviewed(mission: &Mission) -> Option<Verdict> {
    let asked = mission.checkpoints().iter().rev();
    let mut reviews = asked.filter(|asked| asked.checkpoint.asks == Asks::ReviewResult);
    reviews.find_map(|asked| match &asked.closed {
        Some(Closed::Decided { decision, .. }) => Some(decision.verdict),
        _ => None,
    })
}

/// Who answered the questions, and how often.
fn answerers(read: &MissionRecord) -> Vec<Used> {
    let mut by: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (_, state) in read.mission.tasks() {
        let steps = state.steps.iter().map(|taken| &taken.output);
        for payload in steps.chain(state.output.as_ref()) {
            let Some(output) = read.output(payload) else {
                continue;
            };
            let answered = &output["answered_by"];
            let Some(provider) = answered["provider"].as_str() else {
                continue;
            };
            let name = match answered["model"].as_str() {
                Some(model) if model != provider => format!("{provider}: {model}"),
                _ => provider.to_owned(),
            };
            let entry = by.entry(name).or_default();
            entry.0 += 1;
            entry.1 += answered["cost"].as_u64().unwrap_or(0);
        }
    }
    let used = by.into_iter().map(|(name, (times, cost))| Used {
        name,
        times,
        cost: money(MicroUsd(cost)),
    });
    used.collect()
}

fn tools(mission: &Mission) -> Vec<Used> {
    let mut by: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (task, state) in mission.tasks() {
        let WorkSpec::Tool(call) = &task.work else {
            continue;
        };
        let gave = state.status == TaskStatus::Completed && state.way == CallPath::First;
        if state.turns > 0 {
            let name = match gave {
                true => call.tool.to_string(),
                false => format!("{} (gave nothing)", call.tool),
            };
            let entry = by.entry(name).or_default();
            entry.0 += state.turns;
            entry.1 += state.used.money.0;
        }
    }
    let used = by.into_iter().map(|(name, (times, cost))| Used {
        name,
        times,
        cost: money(MicroUsd(cost)),
    });
    used.collect()
}

fn decisions(read: &MissionRecord) -> Vec<Decided> {
    let mut decisions = Vec::new();
    for recorded in &read.events {
        match &recorded.event {
            Event::CheckpointDecided { checkpoint, .. } => {
                let asked = read.mission.checkpoints().get(checkpoint.index());
                let Some((asked, Some(Closed::Decided { by, decision }))) =
                    asked.map(|asked| (asked, &asked.closed))
                else {
                    continue;
                };
                let verdict = match decision.verdict {
                    Verdict::Approve => "approved",
                    Verdict::Modify => "changed",
                    Verdict::Reject => "rejected",
                };
                let option = decision.option.as_ref();
                let option = option.map_or(String::new(), |option| format!(": {option}"));
                let (by, note) = acted(by, &decision.note);
                let note = match note {
                    "" => String::new(),
                    note => format!(" (“{note}”)"),
                };
                decisions.push(Decided {
                    question: asked.checkpoint.question.clone(),
                    answer: format!("{verdict}{option}{note}"),
                    by,
                    at: instant(recorded.at),
                });
            }
            Event::CheckpointWaived(waived) => {
                let about = waived.task.as_ref();
                let about = about.map_or(String::new(), |task| format!(" of task {task}"));
                let kind = format!("{:?}", waived.checkpoint_type);
                decisions.push(Decided {
                    question: format!("{}{about}", spaced(&kind)),
                    answer: "approved in advance, not reviewed".to_owned(),
                    by: waived.by.to_string(),
                    at: instant(recorded.at),
                });
            }
            _ => {}
        }
    }
    decisions
}

/// Who acted, and their own words: a program or a supervisor may have acted in a person's name.
fn acted<'a>(by: &Actor, words: &'a str) -> (String, &'a str) {
    match Through::read(by, words) {
        Some((through, own)) => (through.told(&by.id), own),
        None => (by.id.to_string(), words),
    }
}

/// `PlanApproval` as `Plan approval`.
fn spaced(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push(' ');
            words.extend(c.to_lowercase());
        } else {
            words.push(c);
        }
    }
    words
}

fn not_checked(mission: &Mission, table: &Table) -> Vec<String> {
    let mut told = vec![
        "Whether the sources are correct; only that they contain the quoted text.".to_owned(),
        "Whether an interpretation follows from its evidence.".to_owned(),
    ];
    for (task, state) in mission.tasks() {
        let title = task.name();
        match state.status {
            TaskStatus::Completed => {}
            _ => told.push(format!("“{title}” was not done.")),
        }
        if let Some(assessed) = state.assessed.filter(|assessed| !assessed.is_enough()) {
            let (sure, wanted) = (assessed.composite.0 / 10_000, assessed.threshold.0 / 10_000);
            told.push(format!(
                "“{title}” is {sure} % sure of its conclusion, below the required {wanted} %."
            ));
        }
    }
    if table.all.count < OUTCOMES_MIN {
        told.push(
            "How often such confidences are right: too few outcomes have been rated.".to_owned(),
        );
    }
    told
}
