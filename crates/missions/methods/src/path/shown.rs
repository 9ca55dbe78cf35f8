//! A path as an exhibit: what it comes to, its steps, the critical chain, and what more money would buy.

use adjutant_charts::{Chart, GanttChart, GanttTask};
use serde_json::json;

use super::network::{Network, Schedule};
use super::{Asked, Limits, day};
use crate::exhibit::{Exhibit, ExhibitCell, ExhibitChart, ExhibitColumn, ExhibitTable, Statement};
use crate::text::{counted, listed, written};

/// Less than this is no slack.
const NO_SLACK_DAYS: f64 = 1e-6;

pub(super) fn exhibit(
    network: &Network,
    best: &Schedule,
    frontier: &[Schedule],
    asked: &Asked,
    start: &str,
) -> Exhibit {
    let mut exhibit = Exhibit::default();
    let open: Vec<&str> = network
        .steps
        .iter()
        .enumerate()
        .filter(|(at, step)| !step.is_done && step.ways[best.ways[*at]].days.is_none())
        .map(|(_, step)| step.name.as_str())
        .collect();
    exhibit
        .headlines
        .push(Statement::calculation(result(network, best, open.len())));
    exhibit.headlines.extend(critical(network, best));
    exhibit.headlines.extend(margin(best, asked.limits));
    exhibit.headlines.extend(bought(frontier));
    let at_least = if open.is_empty() { "" } else { "at least " };
    exhibit.add_figure(format!("{at_least}{}", lasting(best.days)), "to the goal");
    if has_cost(network) {
        exhibit.add_figure(
            format!("{at_least}{}", written(best.cost)),
            "cost of the steps on the way",
        );
    }
    exhibit.add_figure(
        critical_steps(network, best).len().to_string(),
        "steps that must not be late",
    );
    exhibit.tables.push(steps_table(network, best, start));
    exhibit.tables.extend(frontier_table(network, frontier));
    exhibit.charts.extend(gantt(network, best, start));
    if !open.is_empty() {
        exhibit.add_note(
            "No duration is stated",
            format!(
                "These steps count as if they took no time: {}",
                listed(&open)
            ),
        );
    }
    exhibit.add_note(
        "How it was computed",
        "The ways were chosen by a mixed integer program, which finds the best choice and not only a good one. Steps that do \
         not wait for each other run at the same time; whether the same people work on both was not considered",
    );
    exhibit.data = json!({
        "days": best.days,
        "whole_days": best.days.ceil() as u64,
        "start": start,
        "cost": best.cost,
        "steps": network.steps.iter().enumerate().map(|(at, step)| json!({
            "name": step.name, "way": step.ways[best.ways[at]].name, "start": best.starts[at], "slack": best.slack[at],
        })).collect::<Vec<_>>(),
    });
    exhibit
}

fn result(network: &Network, best: &Schedule, open: usize) -> String {
    let at_least = if open == 0 { "" } else { "at least " };
    let chosen = network
        .steps
        .iter()
        .filter(|step| step.ways.len() > 1)
        .count();
    let choice = match chosen {
        0 => String::new(),
        count => format!(", by the best of all ways to do {}", counted(count, "step")),
    };
    let cost = match has_cost(network) {
        true => format!(" at a cost of {at_least}{}", written(best.cost)),
        false => String::new(),
    };
    format!(
        "{} lead to the goal in {at_least}{}{cost}{choice}",
        counted(network.steps.len(), "step"),
        lasting(best.days),
    )
}

/// In days, and what takes less than two in hours.
fn lasting(days: f64) -> String {
    match days < 2.0 && days > 0.0 {
        true => format!("{} hours", written(days * 24.0)),
        false => format!("{} days", written(days)),
    }
}

/// Whether anybody says what any step costs.
fn has_cost(network: &Network) -> bool {
    let mut ways = network.steps.iter().flat_map(|step| &step.ways);
    ways.any(|way| way.cost.is_some())
}

fn critical_steps<'a>(network: &'a Network, best: &Schedule) -> Vec<&'a str> {
    let steps = network.steps.iter().enumerate();
    let late = steps
        .filter(|(at, step)| best.slack[*at] <= NO_SLACK_DAYS && step.days(best.ways[*at]) > 0.0);
    late.map(|(_, step)| step.name.as_str()).collect()
}

fn critical(network: &Network, best: &Schedule) -> Option<Statement> {
    let names = critical_steps(network, best);
    (!names.is_empty()).then(|| {
        Statement::calculation(format!(
            "A day lost in one of these steps is a day lost at the end: {}",
            listed(&names)
        ))
    })
}

fn margin(best: &Schedule, limits: Limits) -> Vec<Statement> {
    let mut told = Vec::new();
    if let Some(days) = limits.days_max {
        told.push(format!(
            "Of the {} days there are, {} are left",
            written(days),
            written((days - best.days).max(0.0))
        ));
    }
    if let Some(cost) = limits.cost_max {
        told.push(format!(
            "Of the budget of {}, {} is left",
            written(cost),
            written((cost - best.cost).max(0.0))
        ));
    }
    told.into_iter().map(Statement::calculation).collect()
}

fn bought(frontier: &[Schedule]) -> Option<Statement> {
    let (fastest, cheapest) = (frontier.first()?, frontier.last()?);
    (frontier.len() > 1).then(|| {
        Statement::calculation(format!(
            "Spending {} more saves {} days: the cheapest way takes {} days for {}",
            written(fastest.cost - cheapest.cost),
            written(cheapest.days - fastest.days),
            written(cheapest.days),
            written(cheapest.cost)
        ))
    })
}

pub(super) fn steps_table(network: &Network, best: &Schedule, start: &str) -> ExhibitTable {
    let when = |days: f64| {
        day::after(start, days).unwrap_or_else(|| format!("day {}", written(days + 1.0)))
    };
    let rows = network.steps.iter().enumerate().map(|(at, step)| {
        let way = &step.ways[best.ways[at]];
        let cited = |value: Option<f64>| match value {
            Some(value) => ExhibitCell {
                evidence: way.evidence.clone(),
                ..ExhibitCell::calculation(written(value))
            },
            None => ExhibitCell::label("not stated"),
        };
        let before: Vec<&str> = step
            .after
            .iter()
            .map(|at| network.steps[*at].name.as_str())
            .collect();
        vec![
            ExhibitCell::label(match way.name.as_str() {
                "" => step.name.clone(),
                name => format!("{} ({name})", step.name),
            }),
            if step.is_done {
                ExhibitCell::label("done")
            } else {
                ExhibitCell::calculation(when(best.starts[at]))
            },
            cited(way.days),
            cited(way.cost),
            ExhibitCell::label(if before.is_empty() {
                "nothing".to_owned()
            } else {
                listed(&before)
            }),
            if step.is_done {
                ExhibitCell::label("done")
            } else {
                ExhibitCell::calculation(written(best.slack[at].max(0.0)))
            },
        ]
    });
    ExhibitTable {
        caption: "The steps, in order".to_owned(),
        columns: vec![
            ExhibitColumn::text("Step (way)", 4),
            ExhibitColumn::text("Starts", 2),
            ExhibitColumn::numbers("Days", 1),
            ExhibitColumn::numbers("Cost", 2),
            ExhibitColumn::text("Waits for", 3),
            ExhibitColumn::numbers("May be late by days", 2),
        ],
        rows: rows.collect(),
    }
}

fn frontier_table(network: &Network, frontier: &[Schedule]) -> Option<ExhibitTable> {
    let rows = frontier.iter().map(|one| {
        let ways = network
            .steps
            .iter()
            .enumerate()
            .filter(|(_, step)| step.ways.len() > 1);
        let ways: Vec<String> = ways
            .map(|(at, step)| format!("{}: {}", step.name, step.ways[one.ways[at]].name))
            .collect();
        vec![
            ExhibitCell::calculation(written(one.days)),
            ExhibitCell::calculation(written(one.cost)),
            ExhibitCell::label(ways.join("; ")),
        ]
    });
    (frontier.len() > 1).then(|| ExhibitTable {
        caption: "From the fastest way to the cheapest".to_owned(),
        columns: vec![
            ExhibitColumn::numbers("Days", 1),
            ExhibitColumn::numbers("Cost", 1),
            ExhibitColumn::text("Ways", 5),
        ],
        rows: rows.collect(),
    })
}

fn gantt(network: &Network, best: &Schedule, start: &str) -> Option<ExhibitChart> {
    let steps = network
        .steps
        .iter()
        .enumerate()
        .filter(|(_, step)| !step.is_done);
    let tasks: Option<Vec<GanttTask>> = steps
        .map(|(at, step)| {
            let days = step.days(best.ways[at]);
            let last = best.starts[at] + (days.ceil() - 1.0).max(0.0);
            let before = step
                .after
                .iter()
                .filter(|before| !network.steps[**before].is_done);
            Some(GanttTask {
                id: format!("s{at}"),
                name: step.name.clone(),
                start: day::after(start, best.starts[at])?,
                end: (days > 0.0).then(|| day::after(start, last)).flatten(),
                after: before.map(|before| format!("s{before}")).collect(),
                done: None,
                group: None,
            })
        })
        .collect();
    let tasks = tasks.filter(|tasks| !tasks.is_empty())?;
    Some(ExhibitChart {
        caption: "The path in time".to_owned(),
        chart: Chart::Gantt(GanttChart {
            title: "The path in time".to_owned(),
            subtitle: None,
            source: None,
            tasks,
            today: None,
        }),
    })
}
