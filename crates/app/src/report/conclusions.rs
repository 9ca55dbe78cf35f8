//! How sure each conclusion of a mission is: of itself, by its evidence, by experience, and what went wrong on the way.

use std::collections::BTreeSet;

use adjutant_document_model::Concluded;
use adjutant_host::calibration::{self as calibration, Table, calibrated};
use adjutant_mission::{AfterAssessment, Event, Ppm, Task, TaskState};
use serde_json::Value;

use crate::mission_record::MissionRecord;
use crate::words::{agent_name, count};

pub(super) fn conclusions(read: &MissionRecord, table: &Table) -> Vec<Concluded> {
    let tasks = read.mission.tasks();
    tasks
        .filter_map(|(task, state)| concluded(read, table, task, state))
        .collect()
}

fn concluded(
    read: &MissionRecord,
    table: &Table,
    task: &Task,
    state: &TaskState,
) -> Option<Concluded> {
    let assessed = state.assessed?;
    let said = calibration::Ppm::new(assessed.composite.0);
    let so_far = match calibrated(said, table) {
        Some(meant) => format!(
            "right {} % of the time, {} known",
            meant.get() / 10_000,
            count(
                usize::try_from(table.all.count).unwrap_or(usize::MAX),
                "outcome"
            )
        ),
        None => "not known yet".to_owned(),
    };
    Some(Concluded {
        title: task.name().to_owned(),
        by: agent_name(&read.mission, task, state).to_owned(),
        sure: percent(assessed.composite),
        made_of: format!(
            "of itself {}, rules {}, support {}",
            percent(assessed.sure),
            percent(assessed.rules),
            percent(assessed.support)
        ),
        evidence: state
            .output
            .as_ref()
            .and_then(|output| read.output(output))
            .map_or_else(String::new, |output| evidence(&output)),
        so_far,
        trouble: trouble(read, task, state),
    })
}

/// How many passages of how many sources the findings rest on.
fn evidence(output: &Value) -> String {
    let findings = output["findings"].as_array().into_iter().flatten();
    let cited: Vec<&Value> = findings
        .filter_map(|finding| finding["evidence"].as_array())
        .flatten()
        .collect();
    let sources: BTreeSet<&str> = cited
        .iter()
        .filter_map(|evidence| evidence["source"].as_str())
        .collect();
    let passages: BTreeSet<(&str, &str)> = cited
        .iter()
        .filter_map(|evidence| Some((evidence["source"].as_str()?, evidence["quote"].as_str()?)))
        .collect();
    format!(
        "{} of {}",
        count(passages.len(), "passage"),
        count(sources.len(), "source")
    )
}

fn trouble(read: &MissionRecord, task: &Task, state: &TaskState) -> String {
    let (mut again, mut failed, mut refused) = (0, 0, 0);
    for recorded in &read.events {
        match &recorded.event {
            Event::ConfidenceAssessed {
                task: of,
                then: AfterAssessment::Again,
                ..
            } if *of == task.key => again += 1,
            Event::AttemptFailed { task: of, .. } if *of == task.key => failed += 1,
            Event::BreachRefused { task: of, .. } if *of == task.key => refused += 1,
            _ => {}
        }
    }
    let counted = [
        (again, "thought through", "more time"),
        (failed, "not answered", "time"),
        (refused, "refused a call", "time"),
    ];
    let mut told: Vec<String> = counted
        .into_iter()
        .filter(|(times, ..)| *times > 0)
        .map(|(times, what, word)| format!("{what} {}", count(times, word)))
        .collect();
    if let Some(assessed) = state.assessed.filter(|assessed| !assessed.is_enough()) {
        told.push(format!(
            "less sure than the {} wanted",
            percent(assessed.threshold)
        ));
    }
    if let Some(over) = &state.taken_over {
        told.push(format!("taken over by {}", over.by));
    }
    told.join("; ")
}

fn percent(share: Ppm) -> String {
    format!("{} %", share.0 / 10_000)
}
