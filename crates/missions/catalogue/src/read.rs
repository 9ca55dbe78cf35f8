//! Template files: YAML to a template, or every problem at once with its line. What a template shares with a plan file is
//! read and judged by the same code; what only templates have is read here.

use adjutant_mission::{AgentId, CheckpointType, MicroUsd, Millis, Task, TaskKey};
use adjutant_plans::reading::{CHECKPOINT_TYPES, Node, Place, Reader, begin, code};
use adjutant_plans::{Checker, FileProblem, PlanErrors};

use crate::expand::is_of;
use crate::missions::{Category, Range};
use crate::phrases::{METHODS, Method};
use crate::plan::plan;
use crate::roster;
use crate::sample::everything;
use crate::template::{
    Deliverable, Forecast, InputSpec, NamedCheckpoint, Needs, Template, TemplateTask,
};

pub(crate) mod agree;

pub(crate) const TEMPLATE_FIELDS: [&str; 17] = [
    "id",
    "name",
    "category",
    "version",
    "about",
    "expert",
    "specialists",
    "workers",
    "tools",
    "reasoning",
    "methods",
    "checkpoints",
    "supervisors",
    "inputs",
    "estimate",
    "deliverable",
    "tasks",
];
/// What tasks of templates have besides the fields of plan files.
const FURTHER_TASK_FIELDS: &[&str] = &["only_with", "each", "replaces"];
const VERSION_MAX: i64 = 1_000_000;

/// Reads a template and checks it as a whole: its fields, its team, and the plan that it leads to when everything is there.
pub fn read(text: &[u8], checker: &dyn Checker) -> Result<Template, PlanErrors> {
    let (mut reader, root) = begin(text).map_err(of_template)?;
    reader.allow_task_fields(FURTHER_TASK_FIELDS);
    let template = template(&mut reader, &root);
    if let Some(template) = &template {
        agree::check(&mut reader, template, &root);
        judge(&mut reader, template, &root, checker);
    }
    match (reader.into_errors(), template) {
        (None, Some(template)) => Ok(template),
        (Some(errors), _) => Err(errors),
        (None, None) => Err(one(FileProblem::new(
            code::SHAPE,
            root.at(),
            "",
            "this is no template",
            REMEDY,
        ))),
    }
}

const REMEDY: &str = "Start from a built-in template, such as templates/deep_dive.yaml.";

fn one(problem: FileProblem) -> PlanErrors {
    PlanErrors {
        problems: vec![problem],
        left_out: 0,
    }
}

/// What is said of an empty plan file is no help to whoever writes a template.
fn of_template(mut errors: PlanErrors) -> PlanErrors {
    for problem in &mut errors.problems {
        if problem.code == code::EMPTY {
            problem.remedy = REMEDY.to_owned();
        }
    }
    errors
}

/// Judges the plan that comes of the template when everything is there and everything is asked.
fn judge(reader: &mut Reader, template: &Template, root: &Node, checker: &dyn Checker) {
    let Ok(planned) = plan(template, &everything(template)) else {
        return;
    };
    if !planned.left_out.is_empty() {
        return;
    }
    let asked: Vec<usize> = template
        .checkpoints
        .iter()
        .enumerate()
        .filter(|(_, checkpoint)| !checkpoint.is_the_machines())
        .map(|(at, _)| at)
        .collect();
    let tasks = template.tasks.len();
    // Tasks that are done several times stand in the file once.
    let copies = |at: &TemplateTask| match &at.each {
        None => 1,
        Some(_) => {
            let tasks = planned.plan.tasks.iter();
            tasks.filter(|task| is_of(at, &task.key)).count()
        }
    };
    let numbered = template.tasks.iter().enumerate();
    let origins: Vec<usize> = numbered
        .flat_map(|(number, at)| std::iter::repeat_n(number, copies(at)))
        .collect();
    reader.judge(&planned.plan, root, checker, |place| {
        let place = in_template(place, &origins, tasks).unwrap_or_else(|| place.to_owned());
        in_file(&place, tasks, &asked).unwrap_or(place)
    });
}

/// The place with the number that its task has in the template, or would have there.
fn in_template(place: &str, origins: &[usize], tasks: usize) -> Option<String> {
    let (at, rest) = place.strip_prefix("tasks[")?.split_once(']')?;
    let at: usize = at.parse().ok()?;
    let origin = match origins.get(at) {
        Some(origin) => *origin,
        None => at - origins.len() + tasks,
    };
    Some(format!("tasks[{origin}]{rest}"))
}

/// Where something of the plan stands in the template: its tasks come first, then the checkpoints.
fn in_file(place: &str, tasks: usize, asked: &[usize]) -> Option<String> {
    let (at, rest) = place.strip_prefix("tasks[")?.split_once(']')?;
    let checkpoint = asked.get(at.parse::<usize>().ok()?.checked_sub(tasks)?)?;
    let rest = match rest.strip_prefix(".human") {
        Some(rest) => rest,
        None if rest == ".id" => ".name",
        None => rest,
    };
    Some(format!("checkpoints[{checkpoint}]{rest}"))
}

pub(crate) fn categories() -> Vec<(&'static str, Category)> {
    Category::ALL.iter().map(|it| (it.name(), *it)).collect()
}

pub(crate) fn methods() -> Vec<(&'static str, Method)> {
    METHODS.iter().map(|it| (it.name(), *it)).collect()
}

pub(crate) fn needs() -> Vec<(&'static str, Needs)> {
    Needs::ALL.iter().map(|it| (it.name(), *it)).collect()
}

fn template(reader: &mut Reader, root: &Node) -> Option<Template> {
    let fields = reader.fields(root, &Place::Root, &TEMPLATE_FIELDS)?;
    let id: Option<TaskKey> = reader.needed(&fields, "id", Reader::name);
    let name = reader.needed(&fields, "name", Reader::filled_text);
    let category = reader.needed(&fields, "category", |reader, node, place| {
        reader.choice(node, place, &categories())
    });
    let version = reader.needed(&fields, "version", |reader, node, place| {
        reader.whole(node, place, 1..=VERSION_MAX)
    });
    let about = reader.needed(&fields, "about", Reader::filled_text);
    let expert: Option<AgentId> = reader.needed(&fields, "expert", Reader::name);
    let names = |reader: &mut Reader, node: &Node, place: &Place<'_>| {
        Some(reader.several(node, place, Reader::name::<AgentId>))
    };
    let specialists = reader.field(&fields, "specialists", names);
    let workers = reader.field(&fields, "workers", names);
    let (specialists, workers) = (specialists.unwrap_or_default(), workers.unwrap_or_default());
    for agent in expert.iter().chain(&specialists).chain(&workers) {
        if let Some(known) = roster::agent(agent.as_str()) {
            reader.know_agent(agent.clone(), known.level);
        }
    }
    let tools = reader.field(&fields, "tools", |reader, node, place| {
        Some(reader.several(node, place, Reader::name))
    });
    let reasoning = reader.needed(&fields, "reasoning", Reader::reasoning);
    let methods = reader.field(&fields, "methods", |reader, node, place| {
        Some(reader.several(node, place, |reader, node, place| {
            reader.choice(node, place, &methods())
        }))
    });
    let checkpoints = reader.field(&fields, "checkpoints", |reader, node, place| {
        each(reader, node, place, checkpoint)
    });
    let supervisors = reader.field(&fields, "supervisors", |reader, node, place| {
        reader.items(node, place)?;
        reader.free_value(node, place)
    });
    let inputs = reader.field(&fields, "inputs", |reader, node, place| {
        each(reader, node, place, input)
    });
    let estimate = reader.needed(&fields, "estimate", estimate);
    let deliverable = reader.needed(&fields, "deliverable", deliverable);
    let tasks = reader.needed(&fields, "tasks", tasks);
    Some(Template {
        id: id?.as_str().to_owned(),
        name: name?,
        category: category?,
        version: version?,
        about: about?,
        expert: expert?,
        specialists,
        workers,
        tools: tools.unwrap_or_default(),
        reasoning: reasoning?,
        methods: methods.unwrap_or_default(),
        checkpoints: checkpoints.unwrap_or_default(),
        supervisors,
        inputs: inputs.unwrap_or_default(),
        estimate: estimate?,
        deliverable: deliverable?,
        tasks: tasks?,
    })
}

/// A list, written as one, each item by itself. Unreadable items are left out.
fn each<T>(
    reader: &mut Reader,
    node: &Node,
    place: &Place<'_>,
    read: impl Fn(&mut Reader, &Node, &Place<'_>) -> Option<T>,
) -> Option<Vec<T>> {
    reader.items(node, place)?;
    Some(reader.several(node, place, read))
}

fn tasks(reader: &mut Reader, node: &Node, place: &Place<'_>) -> Option<Vec<TemplateTask>> {
    let read: Vec<Task> = reader.tasks(node, place)?;
    let items = reader.items(node, place)?;
    let mut tasks = Vec::new();
    for (at, (task, item)) in read.into_iter().zip(items).enumerate() {
        let here = Place::Item(place, at);
        let only_with = item.get("only_with").map(|entry| {
            let here = Place::Field(&here, "only_with");
            reader.several(entry.value(), &here, |reader, node, place| {
                reader.choice(node, place, &needs())
            })
        });
        let mut named = |field: &'static str| {
            let entry = item.get(field)?;
            let here = Place::Field(&here, field);
            reader.name::<TaskKey>(entry.value(), &here)
        };
        let (each, replaces) = (named("each"), named("replaces"));
        tasks.push(TemplateTask {
            task,
            only_with: only_with.unwrap_or_default(),
            each,
            replaces,
        });
    }
    Some(tasks)
}

pub(crate) const CHECKPOINT_FIELDS: [&str; 8] = [
    "name",
    "type",
    "after",
    "question",
    "options",
    "recommend",
    "on_modify",
    "because",
];

fn checkpoint(reader: &mut Reader, node: &Node, place: &Place<'_>) -> Option<NamedCheckpoint> {
    let fields = reader.fields(node, place, &CHECKPOINT_FIELDS)?;
    let name = reader.needed(&fields, "name", Reader::name);
    let kind: Option<CheckpointType> = reader.needed(&fields, "type", |reader, node, place| {
        reader.choice(node, place, &CHECKPOINT_TYPES)
    });
    let after = reader.field(&fields, "after", |reader, node, place| {
        Some(reader.several(node, place, Reader::name))
    });
    let question = reader.needed(&fields, "question", Reader::filled_text);
    let options = reader.field(&fields, "options", Reader::options);
    let recommend = reader.field(&fields, "recommend", Reader::name);
    let on_modify = reader.field(&fields, "on_modify", Reader::name);
    let because = reader.field(&fields, "because", Reader::text);
    Some(NamedCheckpoint {
        name: name?,
        kind: kind?,
        after: after.unwrap_or_default(),
        question: question?,
        options: options.unwrap_or_default(),
        recommend,
        on_modify,
        because: because.unwrap_or_default(),
    })
}

fn input(reader: &mut Reader, node: &Node, place: &Place<'_>) -> Option<InputSpec> {
    let fields = reader.fields(node, place, &["name", "about", "required", "default"])?;
    let name: Option<TaskKey> = reader.needed(&fields, "name", Reader::name);
    let about = reader.needed(&fields, "about", Reader::filled_text);
    let required = reader.field(&fields, "required", Reader::yes_or_no);
    let default = reader.field(&fields, "default", Reader::free_value);
    Some(InputSpec {
        name: name?.as_str().to_owned(),
        about: about?,
        required: required.unwrap_or_default(),
        default,
    })
}

fn estimate(reader: &mut Reader, node: &Node, place: &Place<'_>) -> Option<Forecast> {
    let fields = reader.fields(node, place, &["cost", "time"])?;
    let cost = reader.needed(&fields, "cost", |reader, node, place| {
        range::<MicroUsd>(reader, node, place, Reader::money)
    });
    let time = reader.needed(&fields, "time", |reader, node, place| {
        range::<Millis>(reader, node, place, Reader::duration)
    });
    Some(Forecast {
        cost: cost?,
        time: time?,
    })
}

fn range<T: PartialOrd>(
    reader: &mut Reader,
    node: &Node,
    place: &Place<'_>,
    read: impl Fn(&mut Reader, &Node, &Place<'_>) -> Option<T>,
) -> Option<Range<T>> {
    let fields = reader.fields(node, place, &["from", "to"])?;
    let from = reader.needed(&fields, "from", &read);
    let to = reader.needed(&fields, "to", &read);
    let (from, to) = (from?, to?);
    if from > to {
        let message = "`from` is above `to`";
        let remedy = "Write the smaller value under `from`.";
        reader.report(code::VALUE, node.at(), place, message, remedy);
    }
    Some(Range { from, to })
}

fn deliverable(reader: &mut Reader, node: &Node, place: &Place<'_>) -> Option<Deliverable> {
    let fields = reader.fields(node, place, &["kind", "sections"])?;
    let kind: Option<TaskKey> = reader.needed(&fields, "kind", Reader::name);
    let sections = reader.field(&fields, "sections", Reader::texts);
    Some(Deliverable {
        kind: kind?.as_str().to_owned(),
        sections: sections.unwrap_or_default(),
    })
}
