//! A task that is handed to an agent of others: a call of the tool that stands for it. Its files, its schema and what other
//! tasks use of its output are checked with the plan, like those of a plan file.

use adjutant_delegates::TOOL_PREFIX;
use adjutant_plans::reading::nearest;
use serde_json::{Map, Value, json};

use super::delegation::{goal, most_money};
use super::graph::{TaskForm, dollars};
use super::unfit;
use crate::error::AppError;
use crate::plan_checker::PlanChecker;

/// The task as that of a plan file. A run changes nothing outside its folder, so nobody is asked about it by itself.
pub(super) fn handed_over(
    task: &TaskForm,
    delegate: &str,
    checker: &PlanChecker,
) -> Result<Value, AppError> {
    let goal = goal(task)?;
    let of_ours = [
        ("agent_model", task.agent_model.is_some()),
        ("agent_tools", !task.agent_tools.is_empty()),
        ("max_iterations", task.max_iterations.is_some()),
    ];
    if let Some((field, _)) = of_ours.iter().find(|(_, given)| *given) {
        return Err(unfit(
            "ADJ-6310",
            format!("`{field}` does not apply to a delegate, which decides that itself"),
            "Leave it out, or leave `delegate` out for an agent of Adjutant.",
        ));
    }
    let tool = format!("{TOOL_PREFIX}{delegate}");
    let Some(known) = checker.registry().get(&tool) else {
        return Err(unknown(delegate, checker));
    };
    let most = &known.manifest().input["properties"]["timeout_ms"]["maximum"];
    let most = most.as_u64().unwrap_or(u64::MAX);
    if let Some(time) = task.timeout
        && !(1..=most).contains(&time)
    {
        return Err(unfit(
            "ADJ-6310",
            format!("`timeout` of this delegate is 1 to {most} milliseconds, not {time}"),
            "Ask for less, or have `timeout_seconds` of the delegate raised in the settings.",
        ));
    }
    let inputs: Map<String, Value> = task
        .depends_on
        .iter()
        .map(|on| (on.clone(), format!("{{{{{on}.output}}}}").into()))
        .collect();
    let mut with = json!({ "goal": goal });
    let role = task.agent_role.as_deref().unwrap_or_default().trim();
    for (field, value) in [
        ("role", (!role.is_empty()).then(|| json!(role))),
        ("inputs", (!inputs.is_empty()).then(|| inputs.into())),
        ("files", (!task.files.is_empty()).then(|| json!(task.files))),
        (
            "output_files",
            (!task.output_files.is_empty()).then(|| json!(task.output_files)),
        ),
        ("output_schema", task.output_schema.clone()),
        ("timeout_ms", task.timeout.map(Value::from)),
    ] {
        if let Some(value) = value {
            with[field] = value;
        }
    }
    let title = match role {
        "" => goal,
        role => role,
    };
    let mut written = json!({
        "id": task.id,
        "title": title.chars().take(80).collect::<String>(),
        "tool": tool,
        "with": with,
        "after": task.depends_on,
    });
    if let Some(money) = most_money(task)? {
        written["caps"]["money"] = dollars(money).into();
    }
    Ok(written)
}

fn unknown(delegate: &str, checker: &PlanChecker) -> AppError {
    let known = checker.registry().manifests();
    let known = known.filter_map(|manifest| manifest.id.as_str().strip_prefix(TOOL_PREFIX));
    let known: Vec<&str> = known.collect();
    let help = match nearest(delegate, known.iter().copied()) {
        Some(near) => format!("Did you mean `{near}`?"),
        None if known.is_empty() => {
            "There are none. A person names them in the settings. Leave `delegate` out for an agent of Adjutant."
                .to_owned()
        }
        None => format!("There are: {}.", known.join(", ")),
    };
    unfit(
        "ADJ-6302",
        format!("there is no delegate `{delegate:.60}`"),
        help,
    )
}

/// An agent of ours has a form of answer of its own.
pub(super) fn needs_no_delegate(task: &TaskForm) -> Result<(), AppError> {
    let of_delegates = [
        ("files", !task.files.is_empty()),
        ("output_files", !task.output_files.is_empty()),
        ("output_schema", task.output_schema.is_some()),
    ];
    match of_delegates.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((field, _)) => Err(unfit(
            "ADJ-6310",
            format!(
                "`{field}` needs a `delegate`: an agent of Adjutant gives its conclusion with findings"
            ),
            "Name a delegate, or leave the field out.",
        )),
    }
}
