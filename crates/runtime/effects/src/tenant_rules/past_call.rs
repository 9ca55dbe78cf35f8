//! A call as a journal has it: what rules would have seen before it was made, and of its result. Nothing is performed.

use adjutant_mission::{
    Effect, EffectClass, MicroUsd, Provenance, ToolFacts, ToolTable, Usage, Work,
};
use adjutant_rules::Subject;
use adjutant_tools::Registry;
use serde_json::Value;

use super::{CallFacts, CallKind, MissionRules, ResultFacts};
use crate::asking::question;
use crate::performer::{Refers, resolved_arguments};
use crate::request::ResolvedInputs;

#[derive(Debug, Clone)]
pub struct PastCall {
    kind: CallKind,
    tool: String,
    arguments: Value,
    class: EffectClass,
    cost: MicroUsd,
    provenance: Provenance,
    task: String,
    chosen_by_model: bool,
}

/// Who answered a question, as far as rules ask.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WhoAnswered {
    pub outside: bool,
    pub pseudonyms: bool,
}

impl PastCall {
    /// What the effect calls, with what its references resolved to then; nothing if it calls nobody.
    pub fn new(
        effect: &Effect,
        resolved: &ResolvedInputs,
        registry: &Registry,
        tools: &ToolTable,
    ) -> Option<Result<Self, String>> {
        let made = |kind, tool: &str, arguments, facts: Option<&ToolFacts>| Self {
            kind,
            tool: tool.to_owned(),
            arguments,
            class: effect.class,
            cost: facts.map_or(MicroUsd::ZERO, |facts| facts.price),
            provenance: facts
                .and_then(|facts| facts.provenance)
                .filter(|_| kind == CallKind::Tool)
                .unwrap_or(Provenance::Outside),
            task: effect.task.to_string(),
            chosen_by_model: kind == CallKind::Tool && effect.thought.is_some(),
        };
        match &effect.work {
            Work::CallTool(call) => {
                let refers = match effect.thought {
                    Some(_) => Refers::Nowhere,
                    None => Refers::ToTasks(resolved),
                };
                let arguments = resolved_arguments(call, refers);
                let tool = call.tool.as_str();
                let facts = tools.get(&call.tool);
                Some(arguments.map(|arguments| made(CallKind::Tool, tool, arguments, facts)))
            }
            Work::AskModel(agent) => {
                let thought = effect.thought.as_deref();
                let input = question(agent, thought, &effect.guidance, resolved, registry);
                let facts = tools.get(&agent.route());
                Some(input.map(|(input, _)| {
                    let purpose = input.purpose().name();
                    made(CallKind::Model, purpose, input.value(), facts)
                }))
            }
            Work::EvaluateGate(_) | Work::RunMission { .. } => None,
        }
    }

    pub fn is_question(&self) -> bool {
        self.kind == CallKind::Model
    }

    pub fn tool(&self) -> &str {
        &self.tool
    }

    pub fn task(&self) -> &str {
        &self.task
    }

    /// As rules on calls would have seen it.
    pub fn value(&self, rules: &MissionRules, answered: WhoAnswered) -> Value {
        let facts = CallFacts {
            kind: self.kind,
            tool: &self.tool,
            arguments: &self.arguments,
            class: self.class,
            cost: self.cost,
            provenance: self.provenance,
            task: &self.task,
            chosen_by_model: self.chosen_by_model,
            outside_model: answered.outside,
            pseudonyms: answered.pseudonyms,
        };
        facts.value(rules)
    }

    /// As rules on results would have seen what it gave.
    pub fn result_value(
        &self,
        rules: &MissionRules,
        output: &Value,
        bytes: usize,
        usage: Usage,
    ) -> Value {
        let facts = ResultFacts {
            kind: self.kind,
            tool: &self.tool,
            task: &self.task,
            class: self.class,
        };
        facts.value(rules, output, bytes, usage)
    }
}

impl MissionRules {
    /// Whether rules on calls or results need what was said and given, which takes time to fetch.
    pub fn looks_into_calls(&self) -> bool {
        self.rules_on(Subject::Call)
            || self.rules_on(Subject::Result)
            || self.rules_on(Subject::Report)
    }
}
