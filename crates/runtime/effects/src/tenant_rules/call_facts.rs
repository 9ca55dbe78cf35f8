//! What rules know of a call before it is made.

use adjutant_mission::{EffectClass, MicroUsd, Provenance};
use adjutant_rules::Subject;
use serde_json::{Value, json};

use super::MissionRules;
use super::output_facts::count_personal_data;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallKind {
    Tool,
    Model,
}

impl CallKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Model => "model",
        }
    }
}

/// A call that is about to be made, or was.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallFacts<'a> {
    pub(crate) kind: CallKind,
    /// The tool, or the purpose of a question.
    pub(crate) tool: &'a str,
    /// References resolved.
    pub(crate) arguments: &'a Value,
    pub(crate) class: EffectClass,
    pub(crate) cost: MicroUsd,
    pub(crate) provenance: Provenance,
    pub(crate) task: &'a str,
    pub(crate) chosen_by_model: bool,
    pub(crate) outside_model: bool,
    pub(crate) pseudonyms: bool,
}

impl CallFacts<'_> {
    /// The fields that are not known before the arguments are.
    pub(crate) const FROM_ARGUMENTS: [&'static str; 2] = ["arguments", "personal_data"];

    /// As rules on calls see it. What takes long to find out is left out where no rule looks at it.
    pub(crate) fn value(&self, rules: &MissionRules) -> Value {
        let mut value = json!({
            "kind": self.kind.name(), "tool": self.tool, "task": self.task,
            "class": self.class.name(), "cost": dollars(self.cost),
            "provenance": match self.provenance {
                Provenance::Own => "own",
                Provenance::Outside => "outside",
                Provenance::AnyHost => "any_host",
            },
            "chosen_by_model": self.chosen_by_model,
            "outside_model": self.outside_model, "pseudonyms": self.pseudonyms,
        });
        // An approval is bound to them.
        value["arguments"] = self.arguments.clone();
        if rules.looks_at(Subject::Call, "personal_data") {
            value["personal_data"] = count_personal_data(self.arguments).into();
        }
        value
    }
}

pub(crate) fn dollars(amount: MicroUsd) -> f64 {
    amount.0 as f64 / 1e6
}
