//! Which way to take for each step, so that the whole takes the least time or money within its limits: a mixed integer
//! program, solved exactly.

use good_lp::{
    Expression, ProblemVariables, Solution, SolverModel, Variable, constraint, microlp, variable,
};

use super::network::{Network, Schedule};

/// Points of the line between the fastest and the cheapest plan.
pub(super) const FRONTIER_MAX: usize = 6;
/// By which share of the largest value two results are still the same.
const TOLERANCE: f64 = 1e-6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    Fastest,
    Cheapest,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Limits {
    pub(super) days_max: Option<f64>,
    pub(super) cost_max: Option<f64>,
}

/// The best plan within the limits: the least time, and of those the least money, or the other way round. Nothing if no
/// choice of ways keeps the limits.
pub(super) fn best(network: &Network, aim: Aim, limits: Limits) -> Option<Schedule> {
    let first = solve(network, aim, limits)?;
    let (aim, limits) = match aim {
        Aim::Fastest => (
            Aim::Cheapest,
            Limits {
                days_max: Some(first.days),
                ..limits
            },
        ),
        Aim::Cheapest => (
            Aim::Fastest,
            Limits {
                cost_max: Some(first.cost),
                ..limits
            },
        ),
    };
    Some(solve(network, aim, limits).unwrap_or(first))
}

/// From the fastest plan to the cheapest: each next one is the fastest that costs less.
pub(super) fn frontier(network: &Network, limits: Limits) -> Vec<Schedule> {
    let step = scale(network, |network, at, way| network.steps[at].cost(way)) * 1e-3;
    let mut found: Vec<Schedule> = Vec::new();
    let mut limits = limits;
    while found.len() < FRONTIER_MAX {
        let Some(next) = best(network, Aim::Fastest, limits) else {
            break;
        };
        limits.cost_max = Some(next.cost - step);
        found.push(next);
    }
    found
}

/// The largest value of one step, at least 1, so that the program works with numbers of one size.
fn scale(network: &Network, value: impl Fn(&Network, usize, usize) -> f64) -> f64 {
    let steps = 0..network.steps.len();
    let all = steps.flat_map(|at| (0..network.steps[at].ways.len()).map(move |way| (at, way)));
    let largest = all
        .map(|(at, way)| value(network, at, way))
        .fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}

fn solve(network: &Network, aim: Aim, limits: Limits) -> Option<Schedule> {
    let days_scale = scale(network, |network, at, way| network.steps[at].days(way));
    let cost_scale = scale(network, |network, at, way| network.steps[at].cost(way));
    let mut variables = ProblemVariables::new();
    let end = variables.add(variable().min(0.0));
    let starts: Vec<Variable> = network
        .steps
        .iter()
        .map(|_| variables.add(variable().min(0.0)))
        .collect();
    let chosen: Vec<Vec<Variable>> = network
        .steps
        .iter()
        .map(|step| {
            step.ways
                .iter()
                .map(|_| variables.add(variable().binary()))
                .collect()
        })
        .collect();
    let days = |at: usize| -> Expression {
        let ways = chosen[at].iter().enumerate();
        ways.map(|(way, is_chosen)| *is_chosen * (network.steps[at].days(way) / days_scale))
            .sum()
    };
    let cost: Expression = (0..network.steps.len())
        .flat_map(|at| {
            chosen[at]
                .iter()
                .enumerate()
                .map(move |(way, is_chosen)| (at, way, *is_chosen))
        })
        .map(|(at, way, is_chosen)| is_chosen * (network.steps[at].cost(way) / cost_scale))
        .sum();
    let objective: Expression = match aim {
        Aim::Fastest => end.into(),
        Aim::Cheapest => cost.clone(),
    };
    let mut model = variables.minimise(objective).using(microlp);
    for (at, step) in network.steps.iter().enumerate() {
        let one: Expression = chosen[at].iter().copied().sum();
        model.add_constraint(constraint!(one == 1.0));
        model.add_constraint(constraint!(end >= starts[at] + days(at)));
        for before in &step.after {
            model.add_constraint(constraint!(starts[at] >= starts[*before] + days(*before)));
        }
    }
    if let Some(days_max) = limits.days_max {
        model.add_constraint(constraint!(end <= days_max / days_scale + TOLERANCE));
    }
    if let Some(cost_max) = limits.cost_max {
        model.add_constraint(constraint!(cost <= cost_max / cost_scale + TOLERANCE));
    }
    let solved = model.solve().ok()?;
    let ways: Vec<usize> = chosen
        .iter()
        .map(|ways| {
            let values = ways.iter().map(|is_chosen| solved.value(*is_chosen));
            let best = values
                .enumerate()
                .max_by(|one, other| one.1.total_cmp(&other.1));
            best.map_or(0, |(way, _)| way)
        })
        .collect();
    // What counts is what the chosen ways come to, not how the program rounded.
    let made = network.schedule(&ways);
    let keeps = |value: f64, max: Option<f64>, scale: f64| {
        max.is_none_or(|max| value <= max + 2.0 * TOLERANCE * scale)
    };
    (keeps(made.days, limits.days_max, days_scale) && keeps(made.cost, limits.cost_max, cost_scale))
        .then_some(made)
}
