//! Each time that the judge held the report against its sources, and what became of the report then.

use adjutant_document_model::{Checked, CheckedKind};
use adjutant_mission::{AfterVerdict, Event, Payload};
use adjutant_reports::{CheckKind, Judgement};

use crate::mission_record::{MissionRecord, is_judge};

/// The most faults listed for one round.
const FAULTS_MAX: usize = 6;

/// The rounds in their order. A judgement that cannot be read any more, because its output was erased, is left out.
pub(super) fn rounds(read: &MissionRecord) -> Vec<Checked> {
    let mut rounds: Vec<Checked> = Vec::new();
    let mut undecided = false;
    for recorded in &read.events {
        match &recorded.event {
            Event::TaskCompleted { task, output, .. } if is_judge(&read.mission, task.as_str()) => {
                if let Some(judgement) = judgement(read, output) {
                    rounds.push(round(rounds.len() as u64 + 1, &judgement));
                    undecided = true;
                }
            }
            Event::GateJudged { then, .. } if undecided => {
                if let Some(round) = rounds.last_mut() {
                    round.then = became(*then, &round.then);
                }
                undecided = false;
            }
            _ => {}
        }
    }
    rounds
}

fn judgement(read: &MissionRecord, output: &Payload) -> Option<Judgement> {
    serde_json::from_value(read.output(output)?).ok()
}

fn round(number: u64, judgement: &Judgement) -> Checked {
    let kinds = CheckKind::ALL.into_iter().filter_map(|kind| {
        let of_kind = || judgement.checks.iter().filter(move |at| at.kind == kind);
        let all = of_kind().count();
        (all > 0).then(|| CheckedKind {
            name: kind.name().to_owned(),
            held: format!("{} of {all}", of_kind().filter(|at| at.passed).count()),
        })
    });
    let mut faults: Vec<String> = judgement
        .feedback
        .iter()
        .take(FAULTS_MAX)
        .cloned()
        .collect();
    let more = judgement.feedback.len() - faults.len();
    if more > 0 {
        faults.push(format!("and {more} more."));
    }
    Checked {
        round: number,
        kinds: kinds.collect(),
        then: match judgement.passed {
            true => "passed".to_owned(),
            false => "did not pass".to_owned(),
        },
        faults,
    }
}

fn became(then: AfterVerdict, found: &str) -> String {
    match then {
        AfterVerdict::Pass => found.to_owned(),
        AfterVerdict::Return => format!("{found}: sent back to be revised"),
        AfterVerdict::Escalate => format!("{found}: a person was asked"),
        AfterVerdict::GiveUp => format!("{found}: given up"),
    }
}
