//! The rules that a mission started under, among the inputs of its opening event.

use std::sync::Arc;

use adjutant_mission::{ApprovalSource, CheckpointType, Json, Plan};
use adjutant_rules::{RuleSet, RuleSource, Ruling};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::mission_facts::waived;

/// The input that holds them.
pub(super) const RULES_INPUT: &str = "rules_in_force";

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recorded {
    sets: Vec<Vec<RuleSource>>,
    pub(super) before: Before,
    /// What they decided about the mission.
    ruling: Ruling,
}

/// What rules may change when a mission starts, as it was before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Before {
    pub(super) four_eyes: Vec<CheckpointType>,
    pub(super) waived: Vec<CheckpointType>,
}

impl Before {
    pub(super) fn new(plan: &Plan, approvals: &[ApprovalSource]) -> Self {
        Self {
            four_eyes: plan.four_eyes.clone(),
            waived: waived(approvals),
        }
    }
}

impl Recorded {
    pub(super) fn new(sets: &[Arc<RuleSet>], before: Before, ruling: Ruling) -> Self {
        let sets = sets.iter().map(|set| set.sources().cloned().collect());
        Self {
            sets: sets.collect(),
            before,
            ruling,
        }
    }

    /// Writes it into the plan's inputs.
    pub(super) fn write(&self, plan: &mut Plan) -> Result<(), serde_json::Error> {
        let mut inputs = inputs(plan);
        inputs.insert(RULES_INPUT.to_owned(), serde_json::to_value(self)?);
        plan.inputs = Some(Json::encode(&Value::Object(inputs))?);
        Ok(())
    }

    /// What is recorded in a plan, if anything is; it may not be what this version can read.
    pub(super) fn read(plan: &Plan) -> Option<Result<Self, serde_json::Error>> {
        let given = plan.inputs.as_ref()?;
        let recorded = given.at(&[RULES_INPUT.to_owned()])?;
        Some(serde_json::from_str(recorded.text()))
    }

    pub(super) fn sets(self, known: &[Arc<RuleSet>]) -> Vec<Arc<RuleSet>> {
        let sets = self.sets.into_iter().map(|sources| {
            let same = known.iter().find(|set| set.sources().eq(&sources));
            match same {
                Some(set) => Arc::clone(set),
                None => Arc::new(RuleSet::new(sources).unwrap_or_else(|error| unreadable(&error))),
            }
        });
        sets.collect()
    }
}

/// Rules that cannot be read are not rules that do not hold.
pub(super) fn unreadable(error: &dyn std::fmt::Display) -> RuleSet {
    RuleSet::denying(&format!(
        "the rules that the mission started under cannot be read: {error}"
    ))
}

/// What a caller gives under the name is not a record.
pub(super) fn strip(plan: &mut Plan) -> Result<(), serde_json::Error> {
    let mut inputs = inputs(plan);
    if inputs.remove(RULES_INPUT).is_some() {
        plan.inputs = Some(Json::encode(&Value::Object(inputs))?);
    }
    Ok(())
}

fn inputs(plan: &Plan) -> Map<String, Value> {
    let text = plan.inputs.as_ref().map_or("{}", Json::text);
    serde_json::from_str(text).unwrap_or_default()
}
