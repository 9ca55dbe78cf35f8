//! Formats ids, counts, times and amounts for people, the same in every message and report.

use adjutant_mission::{
    CheckpointId, MicroUsd, Mission, MissionId, Task, TaskState, Timestamp, TriggerId,
};

/// Number of characters in a short id.
const SHORT_ID: usize = 6;

/// The last characters of a mission id. Ids begin with the time, so their ends differ most.
pub fn short(mission: MissionId) -> String {
    end_of(&mission.to_string())
}

pub fn short_trigger(trigger: TriggerId) -> String {
    end_of(&trigger.to_string())
}

pub fn short_checkpoint(checkpoint: CheckpointId) -> String {
    format!("{}-{}", short(checkpoint.mission), checkpoint.number)
}

fn end_of(text: &str) -> String {
    text.get(text.len().saturating_sub(SHORT_ID)..)
        .unwrap_or(text)
        .to_owned()
}

/// `1 task`, `2 tasks`.
pub fn count(n: usize, one: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{n} {one}s"),
    }
}

/// A time in the local time zone.
pub fn instant(at: Timestamp) -> String {
    match jiff::Timestamp::from_millisecond(at.0) {
        Ok(at) => at
            .to_zoned(jiff::tz::TimeZone::system())
            .strftime("%Y-%m-%d %H:%M:%S")
            .to_string(),
        Err(_) => format!("{} ms", at.0),
    }
}

pub fn money(amount: MicroUsd) -> String {
    let cents = amount.0.div_ceil(10_000);
    if amount.0 > 0 && amount.0 < 10_000 {
        return amount.to_string();
    }
    format!("${}.{:02}", cents / 100, cents % 100)
}

/// The name of the agent that performs a task, or an empty string.
pub fn agent_name<'a>(mission: &'a Mission, task: &'a Task, state: &'a TaskState) -> &'a str {
    let by = state.doer(task);
    let agents = &mission.plan().agents;
    let agent = by.and_then(|id| agents.iter().find(|agent| agent.id == *id));
    agent.map_or("", |agent| agent.name.as_str())
}
