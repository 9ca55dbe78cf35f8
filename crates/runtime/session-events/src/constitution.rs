//! The constitutional checks as they are told, and what must not be told because of them.

use adjutant_constitution::{Action, Finding, Remembered};
use adjutant_mission::{
    Actor, ActorKind, Decision, Event, Payload, Task, TaskKey, Verdict, WorkSpec,
};
use serde_json::{Value, json};

use crate::EventType;
use crate::event::Told;

/// The tool whose result is the record of a check.
const TOOL: &str = "constitution";
/// When these checks are made.
const TRIGGER_POINT: &str = "before_output";
const BLOCK: &str = "block";
const RULES: &str = "rules";
const HARMFUL: &str = "harmful_content";

/// Whether a task's result is the record of a check.
pub(crate) fn is_check(task: &Task) -> bool {
    matches!(&task.work, WorkSpec::Tool(call) if call.tool.as_str() == TOOL)
}

/// One event for each area of a check that was made.
pub(crate) fn checked(told: &mut Told<'_>, task: &TaskKey, output: &Payload) {
    let spec = told.mission.task(task.as_str()).map(|(spec, _)| spec);
    if !spec.is_some_and(is_check) {
        return;
    }
    // With many findings it is a blob.
    let recorded = told.held(output);
    let areas = recorded["areas"].as_array().cloned().unwrap_or_default();
    for area in areas {
        let passed = area["passed"] == true;
        let findings = recorded["findings"].as_array().into_iter().flatten();
        let own = findings.filter(|finding| finding["area"] == area["area"]);
        let listed: Vec<Value> = own.map(finding).collect();
        let data = json!({
            "task_id": task,
            "check_type": area["area"],
            "trigger_point": TRIGGER_POINT,
            "triggers": area["triggers"],
            "passed": passed,
            "action_taken": if passed { Value::Null } else { area["action"].clone() },
            "check_result": { "findings": area["findings"], "listed": listed },
            "checked_by": checked_by(&recorded["model"]),
            "by": null,
            "reason": null,
        });
        told.tell(EventType::ConstitutionalCheck, data);
    }
}

/// By rules always; what a model had to say, where one was to be asked.
fn checked_by(model: &Value) -> Value {
    let complete = || model["answered"] == model["pieces"] && model["unread"] == 0;
    json!({
        "rules": true,
        "model": match model.is_object() {
            false => Value::Null,
            true => json!({
                "by": model["by"],
                "complete": complete(),
                "pieces": model["pieces"],
                "answered": model["answered"],
                "unread": model["unread"],
                "dropped": model["dropped"],
            }),
        },
    })
}

/// A person approved the result in spite of findings, and said why.
pub(crate) fn overruled(told: &mut Told<'_>, decision: &Decision, by: Option<&Actor>) {
    let change = decision.change.as_ref().map(crate::event::value_of);
    let ids = change
        .as_ref()
        .and_then(|change| change["overrule"].as_array());
    let Some((ids, by)) = ids.zip(by.filter(|by| by.kind == ActorKind::Human)) else {
        return;
    };
    if decision.verdict != Verdict::Approve || decision.note.trim().is_empty() {
        return;
    }
    let listed: Vec<Value> = ids.iter().map(|id| json!({ "id": id })).collect();
    let data = json!({
        "task_id": null,
        "check_type": HARMFUL,
        "trigger_point": TRIGGER_POINT,
        "triggers": [],
        "passed": false,
        "action_taken": "overruled",
        "check_result": { "findings": listed.len(), "listed": listed },
        "checked_by": Value::Null,
        "by": by.id,
        "reason": decision.note,
    });
    told.tell(EventType::ConstitutionalCheck, data);
}

/// A finding as everybody may read it: what blocks is not quoted.
fn finding(finding: &Value) -> Value {
    let blocks = finding["action"] == BLOCK;
    json!({
        "id": finding["id"],
        "rule": finding["rule"],
        "found_by": finding.get("by").cloned().unwrap_or_else(|| json!(RULES)),
        "severity": finding["severity"],
        "may_be_overruled": finding["may_be_overruled"],
        "place": finding["place"],
        "reason": finding["reason"],
        "excerpt": if blocks { Value::Null } else { finding["excerpt"].clone() },
    })
}

/// Takes out of an event what the rules block and what a check before it blocked: listeners are told of the work before
/// anybody has reviewed it.
pub(crate) fn withhold(data: &mut Value, before: &Remembered) {
    adjutant_constitution::withhold(data, before, &|_| false);
}

/// What the record of a check blocks, if the event is one.
pub(crate) fn blocked_by(told: &Told<'_>) -> Option<Remembered> {
    let (Event::TaskCompleted { task, output, .. } | Event::TaskHeld { task, output, .. }) =
        &told.recorded.event
    else {
        return None;
    };
    let (spec, _) = told.mission.task(task.as_str())?;
    if !is_check(spec) {
        return None;
    }
    let recorded = told.held(output);
    let findings = recorded["findings"].as_array().into_iter().flatten();
    let findings = findings.filter_map(|it| serde_json::from_value::<Finding>(it.clone()).ok());
    let blocking = findings.filter(|finding| finding.action == Action::Block);
    Some(Remembered::new(blocking))
}
