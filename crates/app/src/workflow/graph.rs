//! A graph of tasks as programs write it, as a plan file: there it is checked like every other plan.

use adjutant_mission::{EffectClass, Json, MicroUsd, Plan, references};
use adjutant_plans::PlanErrors;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::delegation::{Delegation, delegation, most_money};
use super::handover;
use super::unfit;
use crate::delegate_outputs::collect_texts;
use crate::error::{AppError, Complaint};
use crate::plan_checker::PlanChecker;

/// More tasks than this are no request by hand or by a program that looks at each layer.
pub(super) const TASKS_MAX: usize = 500;
/// Problems that one response lists.
const PROBLEMS_MAX: usize = 20;
const TITLE_CHARS_MAX: usize = 120;
/// The title of a workflow without an intent.
pub(crate) const UNTITLED: &str = "Workflow";

/// One task of a request.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TaskForm {
    pub(super) id: String,
    #[serde(rename = "type")]
    kind: Option<String>,
    pub(super) tool: Option<String>,
    pub(super) arguments: Option<Map<String, Value>>,
    #[serde(default)]
    pub(super) depends_on: Vec<String>,
    pub(super) agent_role: Option<String>,
    pub(super) agent_goal: Option<String>,
    pub(super) agent_model: Option<String>,
    #[serde(default)]
    pub(super) agent_tools: Vec<String>,
    pub(super) max_iterations: Option<u16>,
    /// In milliseconds.
    pub(super) timeout: Option<u64>,
    /// In US dollars.
    pub(super) max_cost: Option<f64>,
    /// Who does it instead of an agent of ours.
    pub(super) delegate: Option<String>,
    #[serde(default)]
    pub(super) files: Vec<Value>,
    #[serde(default)]
    pub(super) output_files: Vec<String>,
    pub(super) output_schema: Option<Value>,
}

impl TaskForm {
    /// Every text in which references are resolved, with its place in the task.
    fn texts(&self) -> Vec<(String, String)> {
        let mut texts = Vec::new();
        for (name, text) in [
            ("agent_goal", &self.agent_goal),
            ("agent_role", &self.agent_role),
        ] {
            texts.extend(text.clone().map(|text| (name.to_owned(), text)));
        }
        let arguments = self.arguments.iter().flatten();
        for (name, value) in arguments {
            collect_texts(value, format!("arguments.{name}"), &mut texts);
        }
        for (at, file) in self.files.iter().enumerate() {
            collect_texts(file, format!("files[{at}]"), &mut texts);
        }
        for (at, name) in self.output_files.iter().enumerate() {
            texts.push((format!("output_files[{at}]"), name.clone()));
        }
        if let Some(schema) = &self.output_schema {
            collect_texts(schema, "output_schema".to_owned(), &mut texts);
        }
        texts
    }

    fn is_delegation(&self) -> bool {
        self.kind.as_deref() == Some("agent_delegation")
    }
}

/// Whether a person sees the plan that a task belongs to before the task runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlanIs {
    /// A person approves the plan with this task in it.
    ShownFirst,
    /// Nobody does. What changes anything is asked about by itself.
    Unseen,
}

/// The tasks of a request, as they came.
pub(super) fn read_tasks(tasks: &Value) -> Result<Vec<TaskForm>, AppError> {
    let Some(given) = tasks.as_array() else {
        return Err(unfit(
            "ADJ-6221",
            "`tasks` must be a list of tasks",
            "Send `tasks: [{\"id\": \"…\", \"tool\": \"…\", \"arguments\": {…}, \"depends_on\": []}]`.",
        ));
    };
    if given.is_empty() || given.len() > TASKS_MAX {
        return Err(unfit(
            "ADJ-6220",
            format!(
                "a workflow has 1 to {TASKS_MAX} tasks, and this one has {}",
                given.len()
            ),
            "Split the work into several workflows, or give a list to one task, for example to `run_code`.",
        ));
    }
    let mut read = Vec::new();
    let mut complaints = Vec::new();
    for (at, task) in given.iter().enumerate() {
        match TaskForm::deserialize(task) {
            Ok(task) => read.push(task),
            Err(error) => complaints.push(complaint(
                "ADJ-6221",
                format!("tasks[{at}]: {error}"),
                "A task has `id`, `tool`, `arguments` and `depends_on`; or `type: agent_delegation` with `agent_goal` and the other agent fields.",
            )),
        }
    }
    refuse_if_any(complaints)?;
    Ok(read)
}

/// The tasks as those of a plan file. `inputs` are those of the plan that they belong to.
pub(super) fn as_plan_tasks(
    tasks: &[TaskForm],
    checker: &PlanChecker,
    plan: PlanIs,
    inputs: Option<&Json>,
) -> Result<Vec<Value>, AppError> {
    let mut written = Vec::new();
    let mut complaints = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        match as_plan_task(task, checker, plan) {
            Ok(task) => written.push(task),
            Err(error) => complaints.extend(error.complaints.into_iter().map(|mut one| {
                one.message = format!("tasks[{at}]: {}", one.message);
                one
            })),
        }
    }
    complaints.extend(missing_inputs(tasks, inputs));
    refuse_if_any(complaints)?;
    Ok(written)
}

/// References to inputs that the plan does not have. A workflow has none: nobody could give them.
fn missing_inputs(tasks: &[TaskForm], inputs: Option<&Json>) -> Vec<Complaint> {
    let mut missing = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        for (place, text) in task.texts() {
            let wrong = references(&text).into_iter().filter(|reference| {
                let is_there = |inputs: &Json| inputs.at(&reference.parts[1..2]).is_some();
                reference.is_input() && !inputs.is_some_and(is_there)
            });
            missing.extend(wrong.map(|reference| {
                let message = match inputs {
                    None => "a workflow has no inputs".to_owned(),
                    Some(_) => format!("the plan has no input `{:.60}`", reference.parts[1]),
                };
                complaint(
                    "ADJ-6313",
                    format!(
                        "tasks[{at}].{place}: `{{{{{:.100}}}}}` cannot be resolved: {message}",
                        reference.text
                    ),
                    "Write the value itself, or refer to the output of a task: `{{id.output}}`.",
                )
            }));
        }
    }
    missing
}

fn as_plan_task(task: &TaskForm, checker: &PlanChecker, plan: PlanIs) -> Result<Value, AppError> {
    let delegates = match task.kind.as_deref() {
        None | Some("tool") => false,
        Some("agent_delegation") => true,
        Some(other) => {
            return Err(unfit(
                "ADJ-6221",
                format!("unknown type `{other:.40}`"),
                "Use `agent_delegation`, or leave `type` out for a call of a tool.",
            ));
        }
    };
    if delegates {
        if task.tool.is_some() || task.arguments.is_some() {
            return Err(unfit(
                "ADJ-6221",
                "an agent_delegation has no `tool` and no `arguments`",
                "Name the agent's tools in `agent_tools`, and what it is to find out in `agent_goal`.",
            ));
        }
        return match &task.delegate {
            Some(delegate) => handover::handed_over(task, delegate, checker),
            None => delegated(task, checker, plan),
        };
    }
    let agent_field = [
        ("agent_role", task.agent_role.is_some()),
        ("agent_goal", task.agent_goal.is_some()),
        ("agent_model", task.agent_model.is_some()),
        ("agent_tools", !task.agent_tools.is_empty()),
        ("max_iterations", task.max_iterations.is_some()),
        ("timeout", task.timeout.is_some()),
        ("max_cost", task.max_cost.is_some()),
        ("delegate", task.delegate.is_some()),
        ("files", !task.files.is_empty()),
        ("output_files", !task.output_files.is_empty()),
        ("output_schema", task.output_schema.is_some()),
    ];
    if let Some((name, _)) = agent_field.iter().find(|(_, given)| *given) {
        return Err(unfit(
            "ADJ-6221",
            format!("`{name}` belongs to an agent_delegation"),
            "Add `\"type\": \"agent_delegation\"`, or leave the field out.",
        ));
    }
    let Some(tool) = &task.tool else {
        return Err(unfit(
            "ADJ-6221",
            "the task has neither a `tool` nor the type `agent_delegation`",
            "Name one of the tools that `search_tools` finds.",
        ));
    };
    let arguments = task.arguments.clone().unwrap_or_default();
    let mut written = json!({
        "id": task.id,
        "tool": tool,
        "with": arguments,
        "after": task.depends_on,
    });
    if plan == PlanIs::Unseen && changes_something(checker, tool) {
        written["approval"] = "always".into();
    }
    Ok(written)
}

fn delegated(task: &TaskForm, checker: &PlanChecker, plan: PlanIs) -> Result<Value, AppError> {
    handover::needs_no_delegate(task)?;
    let Delegation {
        title,
        agent,
        input,
        time,
    } = delegation(task, checker, plan)?;
    let mut written = json!({
        "id": task.id,
        "title": title,
        "agent": agent,
        "with": input,
        "after": task.depends_on,
    });
    if let Some(milliseconds) = time {
        written["caps"]["wall_time"] = format!("{milliseconds}ms").into();
    }
    if let Some(money) = most_money(task)? {
        written["caps"]["money"] = dollars(money).into();
    }
    Ok(written)
}

/// Whether calls of the tool change anything outside. An unknown tool is refused elsewhere.
fn changes_something(checker: &PlanChecker, tool: &str) -> bool {
    let known = checker.registry().get(tool);
    known.is_some_and(|known| !only_reads(known.manifest().class))
}

pub(crate) fn only_reads(class: EffectClass) -> bool {
    matches!(class, EffectClass::Pure | EffectClass::Paid)
}

/// The plan file of a workflow.
pub(super) struct WorkflowFile<'a> {
    pub(super) intent: &'a str,
    pub(super) tasks: Vec<Value>,
    pub(super) asks_between_layers: bool,
    pub(super) budget: MicroUsd,
}

impl WorkflowFile<'_> {
    pub(super) fn bytes(&self) -> Vec<u8> {
        let intent = self.intent.trim();
        let title = match intent.lines().next().unwrap_or_default() {
            "" => UNTITLED.to_owned(),
            line => line.chars().take(TITLE_CHARS_MAX).collect(),
        };
        let mut file = json!({
            "title": title,
            "caps": { "money": dollars(self.budget) },
            "tasks": self.tasks,
        });
        if !intent.is_empty() {
            file["objective"] = intent.into();
        }
        if self.asks_between_layers {
            file["barrier"] = "ask".into();
        }
        file.to_string().into_bytes()
    }
}

pub(super) fn dollars(amount: MicroUsd) -> String {
    format!("${}.{:06}", amount.0 / 1_000_000, amount.0 % 1_000_000)
}

/// The tasks of a change: those that are in the plan already are changed, the others are added.
pub(super) struct ChangeFile {
    pub(super) bytes: Vec<u8>,
    /// Where the tasks of `add` and of `change` stand in the request.
    pub(super) added: Vec<usize>,
    pub(super) changed: Vec<usize>,
}

impl ChangeFile {
    pub(super) fn new(plan: &Plan, tasks: Vec<Value>, drop: &[String]) -> Self {
        let has = |task: &Value| {
            let mut known = plan.tasks.iter();
            known.any(|known| task["id"] == known.key.as_str())
        };
        let (mut add, mut change) = (Vec::new(), Vec::new());
        let (mut added, mut changed) = (Vec::new(), Vec::new());
        for (at, task) in tasks.into_iter().enumerate() {
            match has(&task) {
                true => {
                    changed.push(at);
                    change.push(task);
                }
                false => {
                    added.push(at);
                    add.push(task);
                }
            }
        }
        let mut file = Map::new();
        for (name, list) in [("add", add), ("change", change)] {
            if !list.is_empty() {
                file.insert(name.into(), list.into());
            }
        }
        if !drop.is_empty() {
            file.insert("drop".into(), json!(drop));
        }
        Self {
            bytes: Value::Object(file).to_string().into_bytes(),
            added,
            changed,
        }
    }

    /// A place in the file as a place in the request, whose tasks these are.
    pub(super) fn place(&self, place: &str, tasks: &[TaskForm]) -> String {
        for (name, list) in [("add", &self.added), ("change", &self.changed)] {
            let rest = place
                .strip_prefix(name)
                .and_then(|rest| rest.strip_prefix('['));
            let Some((number, rest)) = rest.and_then(|rest| rest.split_once(']')) else {
                continue;
            };
            let at = number.parse::<usize>().ok().and_then(|at| list.get(at));
            if let Some(at) = at {
                return in_request(&format!("tasks[{at}]{rest}"), tasks);
            }
        }
        in_request(place, tasks)
    }
}

/// The problems of a plan file in the words of the request that it was written from.
pub(super) fn in_words_of_request(
    checker: &PlanChecker,
    file: &[u8],
    errors: PlanErrors,
    place: impl Fn(&str) -> String,
) -> AppError {
    let mut failure = checker.plan_error("workflow", file, errors);
    let listed = failure.complaints.len().min(PROBLEMS_MAX);
    failure.left_out += failure.complaints.len() - listed;
    failure.complaints.truncate(listed);
    for complaint in &mut failure.complaints {
        if let Some(at) = complaint.place.take()
            && !at.path.is_empty()
        {
            complaint.message = format!("{}: {}", place(&at.path), complaint.message);
        }
    }
    failure
}

/// Fields of a plan file, and the fields of a request that they were written from.
const PLACES: [(&str, &str); 7] = [
    ("after", "depends_on"),
    ("caps.money", "max_cost"),
    ("caps.wall_time", "timeout"),
    ("agent.model", "agent_model"),
    ("agent.reasoning.tools", "agent_tools"),
    ("agent.reasoning.max_iterations", "max_iterations"),
    ("with", "arguments"),
];
/// The same of a task that is delegated: it has no arguments of its own.
const PLACES_OF_DELEGATIONS: [(&str, &str); 8] = [
    ("with.question", "agent_goal"),
    ("with.goal", "agent_goal"),
    ("with.role", "agent_role"),
    ("with.inputs", "depends_on"),
    ("with.sources", "depends_on"),
    ("with.timeout_ms", "timeout"),
    ("title", "agent_role"),
    ("tool", "delegate"),
];

/// `tasks[2].with.url` is `tasks[2].arguments.url` in a request.
pub(super) fn in_request(place: &str, tasks: &[TaskForm]) -> String {
    let Some((task, field)) = place.split_once('.') else {
        return place.to_owned();
    };
    if place.starts_with("caps.money") {
        return "config.max_cost".to_owned();
    }
    let number = task
        .strip_prefix("tasks[")
        .and_then(|rest| rest.strip_suffix(']'));
    let Some(number) = number else {
        return place.to_owned();
    };
    let form = number.parse::<usize>().ok().and_then(|at| tasks.get(at));
    let delegates = form.is_some_and(TaskForm::is_delegation);
    let of_delegations = delegates.then_some(PLACES_OF_DELEGATIONS).into_iter();
    for (ours, theirs) in of_delegations.flatten().chain(PLACES) {
        let rest = field.strip_prefix(ours);
        let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with(['.', '['])) else {
            continue;
        };
        return match (delegates, ours) {
            // Only these fields are passed on under their own names.
            (true, "with") => format!("{task}{rest}"),
            _ => format!("{task}.{theirs}{rest}"),
        };
    }
    place.to_owned()
}

fn complaint(code: &str, message: String, help: &str) -> Complaint {
    Complaint {
        code: code.into(),
        message,
        help: help.into(),
        place: None,
    }
}

fn refuse_if_any(mut complaints: Vec<Complaint>) -> Result<(), AppError> {
    if complaints.is_empty() {
        return Ok(());
    }
    let left_out = complaints.len().saturating_sub(PROBLEMS_MAX);
    complaints.truncate(PROBLEMS_MAX);
    let first = complaints.remove(0);
    let mut refused = unfit(&first.code, first.message, first.help);
    refused.complaints.extend(complaints);
    refused.left_out = left_out;
    Err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_in_the_words_of_the_request() {
        let tasks = read_tasks(&json!([
            { "id": "a", "tool": "noop" },
            { "id": "b", "type": "agent_delegation", "agent_goal": "Count." },
        ]))
        .unwrap();
        for (place, expected) in [
            ("tasks[0].with.after.with", "tasks[0].arguments.after.with"),
            ("tasks[0].with", "tasks[0].arguments"),
            ("tasks[0].with.goal", "tasks[0].arguments.goal"),
            ("tasks[0].without", "tasks[0].without"),
            ("tasks[0].after[1]", "tasks[0].depends_on[1]"),
            ("tasks[1].with.question", "tasks[1].agent_goal"),
            (
                "tasks[1].with.sources[0].text",
                "tasks[1].depends_on[0].text",
            ),
            ("tasks[1].with.files[2].name", "tasks[1].files[2].name"),
            ("tasks[1].caps.money", "tasks[1].max_cost"),
            ("tasks[1].agent.model", "tasks[1].agent_model"),
            ("tasks[1].with.goal", "tasks[1].agent_goal"),
            ("tasks[1].with.output_files[0]", "tasks[1].output_files[0]"),
            ("tasks[1].tools", "tasks[1].tools"),
            ("tasks[9].after", "tasks[9].depends_on"),
            ("tasks[0]", "tasks[0]"),
            ("caps.money", "config.max_cost"),
            ("tasks", "tasks"),
            ("tasks[9].id", "tasks[9].id"),
        ] {
            assert_eq!(in_request(place, &tasks), expected, "{place}");
        }
    }

    #[test]
    fn a_task_with_a_field_of_its_own_making_is_refused_with_its_place() {
        let given = json!([{ "id": "a", "tool": "noop" }, { "id": "b", "tool": "noop", "approval": "never" }]);
        let error = read_tasks(&given).unwrap_err();
        assert!(error.has_code("ADJ-6221"));
        let told = &error.complaints[0].message;
        assert!(
            told.starts_with("tasks[1]: unknown field `approval`"),
            "{told}"
        );
    }

    #[test]
    fn an_input_that_nobody_can_give_is_refused_with_its_field() {
        let tasks = read_tasks(&json!([
            { "id": "a", "tool": "noop", "arguments": { "value": { "x": ["{{inputs.drug}}"] } } },
            {
                "id": "b", "type": "agent_delegation", "delegate": "coder", "agent_goal": "About {{ inputs.drug.name }}.",
                "files": [{ "name": "a", "text": "{{inputs.page}} {{a.output}}" }],
            },
        ]))
        .unwrap();
        let places = |inputs: Option<&Json>| {
            let told = missing_inputs(&tasks, inputs).into_iter();
            told.map(|complaint| {
                assert_eq!(complaint.code, "ADJ-6313");
                complaint.message.split(": ").next().unwrap().to_owned()
            })
            .collect::<Vec<_>>()
        };
        assert_eq!(
            places(None),
            [
                "tasks[0].arguments.value.x[0]",
                "tasks[1].agent_goal",
                "tasks[1].files[0].text"
            ]
        );
        // A mission that was planned with inputs can be changed with them.
        let inputs = Json::parse(r#"{"drug":{"name":"Aspirin"}}"#).unwrap();
        assert_eq!(places(Some(&inputs)), ["tasks[1].files[0].text"]);
    }

    #[test]
    fn a_huge_graph_is_refused_by_its_number_of_tasks() {
        let task = json!({ "id": "a", "tool": "noop" });
        let error = read_tasks(&json!(vec![task; TASKS_MAX + 1])).unwrap_err();
        assert!(error.has_code("ADJ-6220"));
        assert!(error.complaints[0].message.contains("501"));
        assert!(read_tasks(&json!([])).unwrap_err().has_code("ADJ-6220"));
        assert!(read_tasks(&json!({})).unwrap_err().has_code("ADJ-6221"));
    }

    #[test]
    fn an_amount_of_money_is_written_as_plans_write_it() {
        assert_eq!(dollars(MicroUsd(1_000_000)), "$1.000000");
        assert_eq!(dollars(MicroUsd(20_005)), "$0.020005");
    }
}
