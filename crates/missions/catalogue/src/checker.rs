//! What a template is checked against where nobody knows which tools there are: every tool is taken to exist.

use adjutant_mission::{
    AgentWork, EffectClass, MicroUsd, Millis, Plan, ToolFacts, ToolId, ToolTable, WorkSpec,
};
use adjutant_plans::{Checker, Unfit};
use adjutant_questions::Purpose;
use adjutant_rules::Rule;
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
        let Some(purpose) = Purpose::of_name(name) else {
            let known = Purpose::ALL.iter().map(|purpose| purpose.name());
            let known = known.collect::<Vec<_>>().join("`, `");
            let message = format!("unknown purpose `{name}`");
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
                let remedy = format!("See docs/models.md for the input of `{name}`.");
                (place, message, remedy)
            })
            .collect()
    }

    fn arguments(&self, _: &ToolId, _: &Value) -> Vec<Unfit> {
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

/// The fields that a purpose's input may do without.
pub(crate) fn optional_fields(purpose: &str) -> &'static [&'static str] {
    Purpose::of_name(purpose).map_or(&[], |purpose| purpose.fields().1)
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
