//! A checker with the built-in tools' arguments and a toy rule grammar, for tests and measurements.

use adjutant_mission::{
    AgentLevel, AgentWork, EffectClass, MicroUsd, Plan, ToolFacts, ToolId, ToolTable,
};
use adjutant_plans::{Checker, Unfit};
use serde_json::{Value, json};

/// Tool, needed arguments, further arguments.
const TOOLS: [(&str, &[&str], &[&str]); 8] = [
    ("calc", &["expression"], &["values"]),
    ("http", &["url"], &["method", "headers", "json"]),
    ("noop", &[], &["value"]),
    ("replace_file", &["path", "text"], &[]),
    ("run_command", &["program"], &["args"]),
    ("sleep", &["seconds"], &[]),
    ("template", &["template"], &["values"]),
    ("write_file", &["path", "text"], &[]),
];

pub(crate) struct BuiltIn {
    tools: ToolTable,
}

impl BuiltIn {
    pub(crate) fn new() -> Self {
        let facts = ToolFacts {
            class: EffectClass::Pure,
            price: MicroUsd::ZERO,
            tokens: 0,
            time_limit: adjutant_mission::Millis::ZERO,
            provenance: None,
        };
        let tools = TOOLS.iter();
        Self {
            tools: tools
                .filter_map(|(name, ..)| Some((ToolId::new(*name).ok()?, facts)))
                .collect(),
        }
    }
}

impl Checker for BuiltIn {
    fn tools(&self, plan: &Plan) -> ToolTable {
        let mut tools = self.tools.clone();
        let asked = plan.agents().into_iter();
        let known = asked.filter(|agent| agent.level != AgentLevel::L1);
        tools.extend(known.map(|agent| {
            let facts = ToolFacts {
                class: EffectClass::Paid,
                price: MicroUsd(1_000),
                tokens: 100,
                time_limit: adjutant_mission::Millis::ZERO,
                provenance: None,
            };
            (agent.route(), facts)
        }));
        tools
    }

    fn question(&self, agent: &AgentWork) -> Vec<(String, String, String)> {
        if agent.purpose.as_str() == "extract" {
            return Vec::new();
        }
        let message = format!("unknown purpose `{}`", agent.purpose);
        vec![("agent".into(), message, "Use `extract`.".into())]
    }

    fn arguments(&self, tool: &ToolId, with: &Value) -> Vec<Unfit> {
        let mut problems = Vec::new();
        for (_, needed, more) in TOOLS.iter().filter(|(name, ..)| *name == tool.as_str()) {
            for name in needed.iter().filter(|name| with.get(name).is_none()) {
                problems.push(Unfit::new("", format!("`{name}` is missing")));
            }
            for name in with.as_object().into_iter().flat_map(|map| map.keys()) {
                if !needed.contains(&name.as_str()) && !more.contains(&name.as_str()) {
                    problems.push(Unfit::new(name, format!("`{tool}` takes no `{name}`")));
                }
            }
        }
        problems
    }

    fn argument_schemas(&self) -> Vec<(ToolId, String, Value)> {
        let schema = |(name, needed, more): &(&str, &[&str], &[&str])| {
            let names = needed.iter().chain(*more);
            let properties = names.map(|name| ((*name).to_owned(), json!({})));
            let properties: serde_json::Map<_, _> = properties.collect();
            let schema = json!({"type": "object", "properties": properties, "required": needed});
            Some((
                ToolId::new(*name).ok()?,
                format!("The tool {name}."),
                schema,
            ))
        };
        TOOLS.iter().filter_map(schema).collect()
    }

    fn rule(&self, text: &str) -> Result<Vec<String>, String> {
        if text.matches('(').count() != text.matches(')').count() {
            return Err("the rule has a bracket that is not closed".to_owned());
        }
        let outside_quotes = text
            .split(['"', '\''])
            .step_by(2)
            .collect::<Vec<_>>()
            .join(" ");
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let mut names: Vec<String> = outside_quotes
            .split(|c| !is_name(c))
            .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
            .filter(|word| !["true", "false", "null", "in", "has", "size"].contains(word))
            .filter_map(|word| word.split('.').next())
            .map(str::to_owned)
            .collect();
        names.dedup();
        Ok(names)
    }
}
