//! What the rules will decide about a mission that has not started, as far as its plan tells. Nothing is performed.
//!
//! **Invariant:** What is foreseen is decided the same when it comes to it, unless the rules or the plan change. What depends on
//! something that only the mission will find is left open.

use adjutant_mission::{
    Actor, AgentWork, EffectClass, MicroUsd, Provenance, Start, TaskKey, ToolCall, ToolFacts,
    WorkSpec,
};
use adjutant_rules::{Decision, Ruling, Subject};
use adjutant_tools::Registry;
use serde::Serialize;
use serde_json::Value;

use super::book::RuleBook;
use super::call_facts::{CallFacts, CallKind};
use super::past_call::WhoAnswered;
use super::{MissionFacts, MissionRules};
use crate::asking::question;
use crate::performer::{Refers, resolved_arguments};
use crate::request::ResolvedInputs;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Foresight {
    pub mission: Ruling,
    /// Every call that the plan names, in its order.
    pub calls: Vec<ForeseenCall>,
    /// What there are rules on that is not there yet.
    pub later: Vec<Subject>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ForeseenCall {
    pub task: TaskKey,
    /// The tool, or the purpose of a question.
    pub tool: String,
    /// `tool` or `model`.
    pub kind: &'static str,
    /// An agent may call it while it thinks.
    pub chosen_by_model: bool,
    /// Nothing if it depends on arguments that other tasks or a model give.
    pub ruling: Option<Ruling>,
}

impl RuleBook {
    /// What the rules in force say to a mission that would be started like this; nothing if there are none. `asked` tells
    /// whom a question goes to.
    pub fn foresee(
        &self,
        start: &Start,
        by: &Actor,
        asked: &dyn Fn(&AgentWork) -> WhoAnswered,
    ) -> Option<Foresight> {
        let sets = self.of(&start.scope.tenant);
        if sets.is_empty() {
            return None;
        }
        let facts = MissionFacts::of_start(start, super::book::starter(by), &self.types);
        let rules = MissionRules::new(sets, &facts);
        let given = ResolvedInputs {
            inputs: start.plan.inputs.clone(),
            ..ResolvedInputs::default()
        };
        let calls = match rules.rules_on(Subject::Call) {
            true => Planned {
                start,
                given,
                asked,
            }
            .calls(&rules),
            false => Vec::new(),
        };
        let later = [Subject::Result, Subject::Report].into_iter();
        Some(Foresight {
            mission: rules.decide_mission(),
            calls,
            later: later.filter(|on| rules.rules_on(*on)).collect(),
        })
    }
}

/// A plan, and what is known of its calls beforehand.
struct Planned<'a> {
    start: &'a Start,
    given: ResolvedInputs,
    asked: &'a dyn Fn(&AgentWork) -> WhoAnswered,
}

impl Planned<'_> {
    fn calls(&self, rules: &MissionRules) -> Vec<ForeseenCall> {
        let mut calls = Vec::new();
        for task in &self.start.plan.tasks {
            match &task.work {
                WorkSpec::Tool(call) => calls.push(self.tool(rules, &task.key, call)),
                WorkSpec::Agent(agent) => {
                    calls.push(self.question(rules, &task.key, agent));
                    let offered = agent.reasoning.iter().flat_map(|thinks| &thinks.tools);
                    calls.extend(offered.map(|tool| {
                        let facts = self.start.tools.get(tool);
                        self.chosen(rules, &task.key, tool.as_str(), facts)
                    }));
                }
                WorkSpec::Human(_) | WorkSpec::Gate(_) | WorkSpec::Mission(_) => {}
            }
            let undo = task.undo.as_ref().map(|undo| ToolCall {
                tool: undo.tool.clone(),
                with: undo.with.clone(),
            });
            let others = task.alternative.iter().chain(&undo);
            calls.extend(others.map(|call| self.tool(rules, &task.key, call)));
        }
        calls
    }

    fn tool(&self, rules: &MissionRules, task: &TaskKey, call: &ToolCall) -> ForeseenCall {
        let known = resolved_arguments(call, Refers::ToTasks(&self.given)).ok();
        let facts = facts(
            task,
            call.tool.as_str(),
            self.start.tools.get(&call.tool),
            known.as_ref().unwrap_or(&Value::Null),
        );
        foreseen(rules, task, &facts, known.is_some())
    }

    fn chosen(
        &self,
        rules: &MissionRules,
        task: &TaskKey,
        tool: &str,
        of_tool: Option<&ToolFacts>,
    ) -> ForeseenCall {
        let facts = CallFacts {
            chosen_by_model: true,
            ..facts(task, tool, of_tool, &Value::Null)
        };
        foreseen(rules, task, &facts, false)
    }

    fn question(&self, rules: &MissionRules, task: &TaskKey, agent: &AgentWork) -> ForeseenCall {
        // The steps of a reasoning ask for more than is given.
        let known = match agent.reasoning {
            None => question(agent, None, &[], &self.given, &Registry::new()).ok(),
            Some(_) => None,
        };
        let value = known.map(|(input, _)| input.value());
        let asked = (self.asked)(agent);
        let of_route = self.start.tools.get(&agent.route());
        let facts = CallFacts {
            kind: CallKind::Model,
            provenance: Provenance::Outside,
            outside_model: asked.outside,
            pseudonyms: asked.pseudonyms,
            ..facts(
                task,
                agent.purpose.as_str(),
                of_route,
                value.as_ref().unwrap_or(&Value::Null),
            )
        };
        foreseen(rules, task, &facts, value.is_some())
    }
}

fn facts<'a>(
    task: &'a TaskKey,
    tool: &'a str,
    of_tool: Option<&ToolFacts>,
    arguments: &'a Value,
) -> CallFacts<'a> {
    let provenance = of_tool.and_then(|facts| facts.provenance);
    CallFacts {
        kind: CallKind::Tool,
        tool,
        arguments,
        class: of_tool.map_or(EffectClass::Once, |facts| facts.class),
        cost: of_tool.map_or(MicroUsd::ZERO, |facts| facts.price),
        provenance: provenance.unwrap_or(Provenance::Outside),
        task: task.as_str(),
        chosen_by_model: false,
        outside_model: false,
        pseudonyms: false,
    }
}

fn foreseen(
    rules: &MissionRules,
    task: &TaskKey,
    facts: &CallFacts<'_>,
    arguments_are_known: bool,
) -> ForeseenCall {
    let mut value = facts.value(rules);
    if !arguments_are_known && let Value::Object(fields) = &mut value {
        // A rule that needs them cannot be evaluated, which tells that it needs them.
        for name in CallFacts::FROM_ARGUMENTS {
            fields.remove(name);
        }
    }
    ForeseenCall {
        task: task.clone(),
        tool: facts.tool.to_owned(),
        kind: facts.kind.name(),
        chosen_by_model: facts.chosen_by_model,
        ruling: rules.foresee(Subject::Call, &value),
    }
}

impl MissionRules {
    /// What is decided whatever the value leaves out; nothing if that is open.
    fn foresee(&self, on: Subject, value: &Value) -> Option<Ruling> {
        let values = [("mission", &*self.mission), (on.name(), value)];
        let rulings = self.sets.iter().map(|set| set.foresee(on, &values));
        let (known, open): (Vec<_>, Vec<_>) = rulings.partition(Option::is_some);
        let strictest = known.into_iter().flatten();
        let strictest = strictest.fold(Ruling::default(), Ruling::or_stricter);
        // Nothing is stricter than a refusal.
        (open.is_empty() || strictest.decision == Decision::Deny).then_some(strictest)
    }
}
