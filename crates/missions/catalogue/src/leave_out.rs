//! Taking tasks out of a graph so that the rest still stands: what waited for one of them waits for what that one waited
//! for, lists and pieces that referred to it do without, and what cannot do without goes too.

use std::collections::BTreeMap;

use adjutant_mission::{
    Dependency, Json, Task, TaskKey, ToolCall, WorkSpec, references, references_in_json,
};
use adjutant_questions::Ordered;
use adjutant_rules::Rule;
use serde_json::Value;

use crate::checker::optional_fields;
use crate::planned::LeftOut;

/// What is left out, and why.
#[derive(Debug, Default)]
pub(crate) struct Leaving {
    why: BTreeMap<TaskKey, String>,
    fields: FieldOrder,
}

/// In which order fields stand in what is mended. Either way the same plan has always come of the same template.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum FieldOrder {
    #[default]
    ByName,
    AsWritten,
}

impl Leaving {
    /// What is left out leaves no trace: the plan is that of a template without it.
    pub(crate) fn without_trace() -> Self {
        Self {
            fields: FieldOrder::AsWritten,
            ..Self::default()
        }
    }

    pub(crate) fn leave(&mut self, task: &Task, why: String) {
        self.why.entry(task.key.clone()).or_insert(why);
    }

    fn has(&self, task: &str) -> bool {
        self.why.contains_key(task)
    }
}

/// The tasks that stay, mended, and those that go.
pub(crate) fn without(tasks: Vec<Task>, mut leaving: Leaving) -> (Vec<Task>, Vec<LeftOut>) {
    // Each round leaves out at least one more task, so that there are no more rounds than tasks.
    loop {
        let mut staying = tasks.iter().filter(|task| !leaving.has(task.key.as_str()));
        let next = staying.find_map(|task| Some((task, cannot_do_without(task, &leaving)?)));
        let Some((task, missed)) = next else { break };
        leaving.leave(task, format!("it needs `{missed}`, which is left out"));
    }
    let order: Vec<TaskKey> = tasks.iter().map(|task| task.key.clone()).collect();
    let waits: BTreeMap<TaskKey, Vec<Dependency>> = tasks
        .iter()
        .map(|task| (task.key.clone(), task.after.clone()))
        .collect();
    let mut kept = Vec::new();
    for mut task in tasks {
        if leaving.has(task.key.as_str()) {
            continue;
        }
        task.after = mended(&task.after, &waits, &leaving);
        mend(&mut task, &leaving);
        kept.push(task);
    }
    let left_out = order
        .into_iter()
        .filter_map(|task| {
            let why = leaving.why.get(&task)?.clone();
            Some(LeftOut { task, why })
        })
        .collect();
    (kept, left_out)
}

/// What it waits for, where a dependency that goes hands on its own.
fn mended(
    after: &[Dependency],
    waits: &BTreeMap<TaskKey, Vec<Dependency>>,
    leaving: &Leaving,
) -> Vec<Dependency> {
    let mut found: Vec<Dependency> = Vec::new();
    let mut passed: Vec<TaskKey> = Vec::new();
    let mut todo: Vec<Dependency> = after.iter().rev().cloned().collect();
    while let Some(dependency) = todo.pop() {
        if !leaving.has(dependency.task.as_str()) {
            if !found.iter().any(|known| known.task == dependency.task) {
                found.push(dependency);
            }
            continue;
        }
        if passed.contains(&dependency.task) {
            continue;
        }
        passed.push(dependency.task.clone());
        let handed_on = waits.get(&dependency.task).into_iter().flatten().rev();
        todo.extend(handed_on.map(|inner| Dependency {
            task: inner.task.clone(),
            ..dependency.clone()
        }));
    }
    found
}

/// The left-out task without which this one makes no sense, if there is one.
fn cannot_do_without(task: &Task, leaving: &Leaving) -> Option<String> {
    match &task.work {
        WorkSpec::Tool(call) => missed_in(&call.with, &[], EmptyLists::AreFine, leaving),
        WorkSpec::Agent(agent) => {
            let optional = optional_fields(agent.purpose.as_str());
            missed_in(&agent.with, optional, EmptyLists::AskNothing, leaving)
        }
        WorkSpec::Human(human) => {
            let mentioned = references(&human.question);
            let mut missed = mentioned.iter().filter_map(|reference| reference.task());
            missed.find(|task| leaving.has(task)).map(str::to_owned)
        }
        WorkSpec::Gate(gate) => {
            if let Some(to) = &gate.return_to
                && leaving.has(to.as_str())
            {
                return Some(to.to_string());
            }
            let missed: Vec<Option<String>> = gate
                .rules
                .iter()
                .map(|rule| missed_by_rule(&rule.when, leaving))
                .collect();
            match missed.iter().all(Option::is_some) {
                true => missed.into_iter().flatten().next(),
                false => None,
            }
        }
        WorkSpec::Mission(sub) => sub
            .with
            .as_ref()
            .and_then(|with| missed_in(with, &[], EmptyLists::AreFine, leaving)),
    }
}

fn missed_by_rule(when: &str, leaving: &Leaving) -> Option<String> {
    let rule = Rule::compile(when).ok()?;
    rule.variables().into_iter().find(|name| leaving.has(name))
}

/// The left-out task that a field hangs on which must be there. Fields of `optional`, items of lists and fields of inner
/// maps can go; of a question's list something must be left.
fn missed_in(
    with: &Json,
    optional: &[&str],
    lists: EmptyLists,
    leaving: &Leaving,
) -> Option<String> {
    if !refers(with, leaving) {
        return None;
    }
    let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(with.text()) else {
        return None;
    };
    fields
        .iter()
        .filter(|(name, _)| !optional.contains(&name.as_str()))
        .find_map(|(_, value)| match value {
            Value::String(text) => missed_in_text(text, leaving),
            Value::Array(items) if lists == EmptyLists::AskNothing => {
                let mut rest = Ordered::from(value.clone());
                can_stay(&mut rest, leaving);
                let all_gone = matches!(&rest, Ordered::List(rest) if rest.is_empty());
                let first = items.first().filter(|_| all_gone)?;
                let found = references_in_json(&first.to_string());
                let mut missed = found.iter().filter_map(|reference| reference.task());
                missed.find(|task| leaving.has(task)).map(str::to_owned)
            }
            _ => None,
        })
}

/// What a list of which nothing is left means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EmptyLists {
    /// A tool takes it as it is.
    AreFine,
    /// A question would be about nothing.
    AskNothing,
}

fn missed_in_text(text: &str, leaving: &Leaving) -> Option<String> {
    let found = references(text);
    let mut missed = found.iter().filter_map(|reference| reference.task());
    missed.find(|task| leaving.has(task)).map(str::to_owned)
}

fn refers(with: &Json, leaving: &Leaving) -> bool {
    let found = references_in_json(with.text());
    let mut tasks = found.iter().filter_map(|reference| reference.task());
    tasks.any(|task| leaving.has(task))
}

/// Takes what refers to left-out tasks out of what stays.
fn mend(task: &mut Task, leaving: &Leaving) {
    match &mut task.work {
        WorkSpec::Tool(ToolCall { with, .. }) => mend_json(with, leaving),
        WorkSpec::Agent(agent) => mend_json(&mut agent.with, leaving),
        WorkSpec::Gate(gate) => gate
            .rules
            .retain(|rule| missed_by_rule(&rule.when, leaving).is_none()),
        WorkSpec::Mission(sub) => {
            if let Some(with) = &mut sub.with {
                mend_json(with, leaving);
            }
        }
        WorkSpec::Human(_) => {}
    }
    if let Some(alternative) = &mut task.alternative {
        mend_json(&mut alternative.with, leaving);
    }
}

fn mend_json(with: &mut Json, leaving: &Leaving) {
    if !refers(with, leaving) {
        return;
    }
    let Ok(mut value) = serde_json::from_str::<Ordered>(with.text()) else {
        return;
    };
    if let Ordered::Fields(fields) = &mut value {
        fields.retain_mut(|(_, field)| can_stay(field, leaving));
    }
    let json = match leaving.fields {
        FieldOrder::AsWritten => Json::encode(&value),
        FieldOrder::ByName => serde_json::to_value(&value).and_then(|value| Json::encode(&value)),
    };
    if let Ok(json) = json {
        *with = json;
    }
}

/// Whether a value can stay, with what cannot taken out of it. A map loses fields; inside a list a map that lost one goes
/// as a whole, for it was one thing.
fn can_stay(value: &mut Ordered, leaving: &Leaving) -> bool {
    match value {
        Ordered::Plain(Value::String(text)) => missed_in_text(text, leaving).is_none(),
        Ordered::List(items) => {
            items.retain_mut(|item| match item {
                Ordered::Fields(fields) => {
                    let mut whole = true;
                    for (_, field) in fields {
                        whole &= can_stay(field, leaving);
                    }
                    whole
                }
                other => can_stay(other, leaving),
            });
            true
        }
        Ordered::Fields(fields) => {
            fields.retain_mut(|(_, field)| can_stay(field, leaving));
            true
        }
        Ordered::Plain(_) => true,
    }
}
