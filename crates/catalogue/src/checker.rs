//! What a template is checked against where nobody knows which tools there are: every tool is taken to exist.

use adjutant_ask::Purpose;
use adjutant_mission::{
    AgentWork, EffectClass, MicroUsd, Millis, Plan, ToolFacts, ToolId, ToolTable, WorkSpec,
};
use adjutant_plans::Checker;
use adjutant_policy::Rule;
use serde_json::Value;

/// Knows the purposes of questions and the grammar of rules, and believes every tool.
#[derive(Debug, Clone, Copy, Default)]
pub struct WithoutTools;

impl Checker for WithoutTools {
    fn tools(&self, plan: &Plan) -> ToolTable {
        let facts = ToolFacts {
            class: EffectClass::Pure,
            price: MicroUsd::ZERO,
            tokens: 0,
            time_limit: Millis::ZERO,
            provenance: None,
        };
        let tools = plan.tasks.iter().flat_map(tools_of);
        tools.map(|tool| (tool, facts)).collect()
    }

    fn question(&self, agent: &AgentWork) -> Vec<(String, String, String)> {
        let name = agent.purpose.as_str();
        if name == REASONED && Purpose::of_name(name).is_none() {
            return misfits(agent);
        }
        let Some(purpose) = Purpose::of_name(name) else {
            let known = Purpose::ALL.iter().map(|purpose| purpose.name());
            let known = known.collect::<Vec<_>>().join("`, `");
            let message = format!("there is no purpose `{name}`");
            let remedy = format!("Use one of `{known}`.");
            return vec![("agent".to_owned(), message, remedy)];
        };
        let with = serde_json::from_str(agent.with.text()).unwrap_or(Value::Null);
        let unfit = purpose.check_unresolved(&with).into_iter();
        unfit
            .map(|(path, message)| {
                let place = match path.as_str() {
                    "" => "with".to_owned(),
                    path => format!("with.{path}"),
                };
                let remedy = format!("See docs/models.md for what `{name}` is asked with.");
                (place, message, remedy)
            })
            .collect()
    }

    fn arguments(&self, _: &ToolId, _: &Value) -> Vec<(String, String)> {
        Vec::new()
    }

    fn argument_schemas(&self) -> Vec<(ToolId, String, Value)> {
        Vec::new()
    }

    fn rule(&self, text: &str) -> Result<Vec<String>, String> {
        let rule = Rule::compile(text).map_err(|error| error.to_string())?;
        Ok(rule.variables())
    }
}

/// The purpose of a task that is thought through.
pub(crate) const REASONED: &str = "conclude";
/// What it is asked with, as long as the questions do not know it themselves.
const REASONED_FIELDS: (&[&str], &[&str]) =
    (&["question", "sources"], &["thoughts", "guidance", "most"]);

/// The fields that a purpose's input may do without.
pub(crate) fn optional_fields(purpose: &str) -> &'static [&'static str] {
    match Purpose::of_name(purpose) {
        Some(purpose) => purpose.fields().1,
        None if purpose == REASONED => REASONED_FIELDS.1,
        None => &[],
    }
}

fn misfits(agent: &AgentWork) -> Vec<(String, String, String)> {
    let (needed, more) = REASONED_FIELDS;
    let with = serde_json::from_str(agent.with.text()).unwrap_or(Value::Null);
    let given: Vec<&String> = with
        .as_object()
        .into_iter()
        .flat_map(|it| it.keys())
        .collect();
    let remedy = || format!("It takes `{}`.", [needed, more].concat().join("`, `"));
    let missing = needed
        .iter()
        .filter(|name| !given.iter().any(|it| it == *name));
    let missing = missing.map(|name| {
        let message = format!("`{REASONED}` needs `{name}`");
        ("with".to_owned(), message, remedy())
    });
    let strange = given
        .iter()
        .filter(|name| !needed.contains(&name.as_str()) && !more.contains(&name.as_str()));
    let strange = strange.map(|name| {
        let message = format!("`{REASONED}` takes no `{name}`");
        (format!("with.{name}"), message, remedy())
    });
    let blank = with["question"]
        .as_str()
        .is_some_and(|text| text.trim().is_empty());
    let blank = blank.then(|| {
        let message = "`question` is empty".to_owned();
        ("with.question".to_owned(), message, remedy())
    });
    missing.chain(strange).chain(blank).collect()
}

/// Everything a task may call, in any of its ways.
pub(crate) fn tools_of(task: &adjutant_mission::Task) -> Vec<ToolId> {
    let mut tools = Vec::new();
    match &task.work {
        WorkSpec::Tool(call) => tools.push(call.tool.clone()),
        WorkSpec::Agent(agent) => {
            tools.push(agent.route());
            let reasoning = agent.reasoning.iter();
            tools.extend(reasoning.flat_map(|reasoning| reasoning.tools.clone()));
        }
        WorkSpec::Mission(sub) => tools.extend(sub.plan.tasks.iter().flat_map(tools_of)),
        WorkSpec::Human(_) | WorkSpec::Gate(_) => {}
    }
    tools.extend(task.alternative.iter().map(|call| call.tool.clone()));
    tools.extend(task.undo.iter().map(|undo| undo.tool.clone()));
    tools
}
