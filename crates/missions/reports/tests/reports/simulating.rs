use adjutant_reports::{Run, Simulate, Simulation, simulation};

use crate::dossier::{changed, sources};

fn simulated(sources: Vec<adjutant_questions::Source>) -> Simulation {
    simulation(Simulate {
        sources,
        seed: 7,
        ..Simulate::default()
    })
}

fn run<'s>(all: &'s Simulation, name: &str) -> &'s Run {
    let found = all.runs.iter().find(|run| run.name.contains(name));
    found.unwrap_or_else(|| {
        panic!(
            "no {name} in {:?}",
            all.runs.iter().map(|at| &at.name).collect::<Vec<_>>()
        )
    })
}

#[test]
fn the_forecast_is_summed_over_its_quarters() {
    let all = simulated(sources());
    let cost = run(&all, "cost forecast");
    assert_eq!(cost.inputs.len(), 13);
    let likely: f64 = cost.inputs.iter().map(|at| at.likely).sum();
    assert_eq!(likely, 64_200_000.0);
    let (low, high) = (56_496_000.0, 80_250_000.0);
    assert!(low < cost.p10 && cost.p10 < cost.p50 && cost.p50 < cost.p90 && cost.p90 < high);
    let together = cost.together.unwrap();
    assert!(
        together.p10 < cost.p10 && cost.p90 < together.p90,
        "one draw for all spreads wider"
    );
    let limit = cost.limit.as_ref().unwrap();
    assert_eq!(limit.value, 58_500_000.0);
    assert!(limit.chance_missed > 0.99, "{}", limit.chance_missed);
    assert!(cost.histogram.is_some() && cost.tornado.is_some());
}

#[test]
fn ranges_in_other_units_stand_alone() {
    let all = simulated(sources());
    let effect = run(&all, "True effect");
    assert_eq!(
        (
            effect.inputs[0].low,
            effect.inputs[0].likely,
            effect.inputs[0].high
        ),
        (3.0, 6.0, 8.0)
    );
    let limit = effect.limit.as_ref().unwrap();
    assert_eq!(limit.told, "at least 5 mmHg");
    assert!(
        (0.05..0.5).contains(&limit.chance_missed),
        "{}",
        limit.chance_missed
    );
    assert_eq!(
        limit.evidence[0].source,
        "board/board-minutes-2026-07-09.md"
    );
}

#[test]
fn another_range_is_another_result_and_the_same_seed_the_same() {
    let before = simulated(sources());
    assert_eq!(before, simulated(sources()));
    let all = simulated(changed(
        "minutes/risk-workshop-2026-09-10.md",
        "| 3.0 | 6.0 | 8.0 |",
        "| 3.0 | 4.0 | 8.0 |",
    ));
    assert!(run(&all, "True effect").p50 < run(&before, "True effect").p50 - 0.5);
}

#[test]
fn without_ranges_it_says_why() {
    let all = simulated(Vec::new());
    assert!(all.runs.is_empty());
    assert!(all.not_simulated[0].contains("nothing to draw from"));
}
