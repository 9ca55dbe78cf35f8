//! `bench rules`: how long a backtest of changed rules over past missions takes.

use std::sync::Arc;

use adjutant_app::error::AppError;
use adjutant_app::rules::{Backtest, compare_past};
use adjutant_app::settings::Settings;
use adjutant_rules::{Approver, Decision, RuleSet, RuleSource, Subject};

use super::failed;
use super::load::round;
use super::world::{Lasts, Workload, World};
use crate::args::{BenchRules, BenchTexts};
use crate::output;

const INFLIGHT: usize = 16;

/// Rules that look at everything that takes long to find out.
const RULES: [(Subject, &str); 3] = [
    (
        Subject::Mission,
        "mission.tools.exists(tool, tool == 'http') || has(mission.budget) && mission.budget > 50.0",
    ),
    (
        Subject::Call,
        "call.tool == 'noop' && call.task.endsWith('3') && call.personal_data == 0",
    ),
    (
        Subject::Result,
        "result.text.contains('confidential') || result.personal_data > 3 || result.size > 100000",
    ),
];

pub(crate) async fn run(settings: &Settings, bench: BenchRules) -> Result<(), AppError> {
    let world = World::open(settings, &bench.place).await?;
    let peer = world.name();
    let steps = bench.steps;
    let workload = match bench.texts {
        BenchTexts::Same => Workload::Words { steps },
        BenchTexts::Letters => Workload::Letters { steps },
    };
    output::note(&format!("Running {} missions first.", bench.missions));
    let lasts = Lasts::Missions(bench.missions.saturating_sub(1));
    world.runs(workload, INFLIGHT, lasts).await?;
    let none = RuleSet::new(Vec::new()).map_err(|error| failed(error.to_string()))?;
    let before = vec![Arc::new(none)];
    let after = vec![Arc::new(rules()?)];
    let found = compare_past(settings, world.journal(), before, after, None).await?;
    world.close().await?;
    print(peer, &bench, &found)
}

fn rules() -> Result<RuleSet, AppError> {
    let sources = RULES.iter().map(|(on, when)| RuleSource {
        name: format!("bench-{on}"),
        on: *on,
        when: (*when).to_owned(),
        then: Decision::Deny,
        approver: Approver::Anyone,
        because: "the bench compares it".to_owned(),
    });
    RuleSet::new(sources.collect()).map_err(|error| failed(error.to_string()))
}

fn print(peer: &str, bench: &BenchRules, found: &Backtest) -> Result<(), AppError> {
    let seconds = found.took.as_secs_f64();
    let rate = found.missions as f64 / seconds;
    if bench.json.json {
        let line = serde_json::json!({
            "peer": peer, "workload": "rules", "missions": found.missions,
            "decisions": found.decisions, "differences": found.differences.len(),
            "seconds": round(seconds), "missions_per_second": round(rate),
        });
        return output::line(&line.to_string());
    }
    output::line(&format!(
        " {} missions of {} steps, {} decisions: {seconds:.1} s, {rate:.0} missions a second, {} differences",
        found.missions,
        bench.steps,
        found.decisions,
        found.differences.len()
    ))
}
