//! Which rules are in force for whom.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_mission::{
    Actor, AgentId, ApprovalSource, CheckpointType, Mission, Plan, Sandbox, Start, TenantId,
    WorkSpec,
};
use adjutant_rules::{Approver, Decision, RuleSet, Ruling};
use serde_json::{Map, Value};

use super::MissionRules;
use super::mission_facts::MissionFacts;
use super::recorded::{Before, Recorded, strip, unreadable};

/// What titles of the catalogue's missions begin with, and the mission's type: for those of before it was recorded.
#[derive(Debug, Clone, Default)]
pub struct MissionTypes(BTreeMap<String, String>);

/// The input by which the catalogue records a mission's type. Nobody else may give it.
const MISSION_TYPE: &str = "mission_type";
/// The input that a single question to a model is asked with.
const ASKED: &str = "asked";
const QUESTION: &str = "question";

impl MissionTypes {
    /// Out of names, such as `Deep Dive`, and types, such as `deep_dive`.
    pub fn new(named: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(named.into_iter().collect())
    }

    pub(super) fn of<'a>(&'a self, plan: &Plan, inputs: &'a Map<String, Value>) -> &'a str {
        if let Some(recorded) = inputs.get(MISSION_TYPE).and_then(Value::as_str) {
            return recorded;
        }
        let name = plan.title.split(": ").next().unwrap_or_default();
        if let Some(of_catalogue) = self.0.get(name) {
            return of_catalogue;
        }
        match plan.tasks.as_slice() {
            [task] if matches!(task.work, WorkSpec::Agent(_)) && inputs.contains_key(ASKED) => {
                QUESTION
            }
            _ => "",
        }
    }
}

/// The rules in force, of every tenant.
#[derive(Debug, Clone, Default)]
pub struct RuleBook {
    /// The operator's, for all tenants.
    pub general: Option<Arc<RuleSet>>,
    /// Those that tenants have besides.
    pub of: BTreeMap<TenantId, Arc<RuleSet>>,
    pub types: MissionTypes,
}

impl RuleBook {
    /// The rules in force for a tenant.
    pub fn of(&self, tenant: &TenantId) -> Vec<Arc<RuleSet>> {
        let own = self.of.get(tenant);
        self.general.iter().chain(own).cloned().collect()
    }

    /// Whether a rule of anybody may ask for another person than the one who starts a mission.
    pub fn counts_people(&self) -> bool {
        let sets = self.general.iter().chain(self.of.values());
        let mut sources = sets.flat_map(|set| set.sources());
        sources.any(|source| source.approver == Approver::AnotherPerson)
    }

    /// Asks the rules about a mission before it starts, and sees to what they ask for: who must approve its plan, and the
    /// record of the rules. `above` are those of the mission that it is part of.
    pub fn start(
        &self,
        start: &mut Start,
        by: &Actor,
        above: &[Arc<RuleSet>],
    ) -> Result<(), StartRefused> {
        strip(&mut start.plan)?;
        let sets = union(self.of(&start.scope.tenant), above);
        if sets.is_empty() {
            return Ok(());
        }
        let began = start.began_by.first().cloned();
        let facts = MissionFacts::of_start(start, began.or_else(|| starter(by)), &self.types);
        let ruling = MissionRules::new(sets.clone(), &facts).decide_mission();
        let before = Before::new(&start.plan, &start.approvals);
        match ruling.decision {
            Decision::Allow => {}
            Decision::Deny => return Err(StartRefused::Denied(ruling)),
            Decision::Ask => demand_approval(start, &ruling)?,
        }
        Recorded::new(&sets, before, ruling).write(&mut start.plan)?;
        Ok(())
    }

    /// Asks the rules about a fork before it goes its own way.
    pub fn fork(&self, stood: &Mission, by: &Actor) -> Result<(), StartRefused> {
        let rules = self.of_mission_started_by(stood, starter(by));
        let ruling = rules.decide_mission();
        match ruling.decision {
            Decision::Allow => Ok(()),
            Decision::Deny => Err(StartRefused::Denied(ruling)),
            Decision::Ask => Err(StartRefused::NobodyToAsk(ruling)),
        }
    }

    /// The rules of a mission that has started.
    pub fn of_mission(&self, mission: &Mission) -> MissionRules {
        self.of_mission_started_by(mission, mission.beginners().first().cloned())
    }

    fn of_mission_started_by(&self, mission: &Mission, by: Option<AgentId>) -> MissionRules {
        let opened = mission.opened();
        let in_force = self.of(&opened.scope.tenant);
        let (before, at_start) = match Recorded::read(&opened.plan) {
            None => (None, Vec::new()),
            Some(Ok(recorded)) => (Some(recorded.before.clone()), recorded.sets(&in_force)),
            Some(Err(error)) => (None, vec![Arc::new(unreadable(&error))]),
        };
        let facts = MissionFacts::of_opened(opened, before, by, &self.types);
        MissionRules::new(union(in_force, &at_start), &facts)
    }

    /// The same mission under other rules, for comparing.
    pub fn of_mission_under(&self, sets: Vec<Arc<RuleSet>>, mission: &Mission) -> MissionRules {
        let opened = mission.opened();
        let recorded = Recorded::read(&opened.plan).and_then(Result::ok);
        let before = recorded.map(|recorded| recorded.before);
        let by = mission.beginners().first().cloned();
        let facts = MissionFacts::of_opened(opened, before, by, &self.types);
        MissionRules::new(sets, &facts)
    }
}

/// Why a mission does not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartRefused {
    #[error("not permitted by {}", .0.reason())]
    Denied(Ruling),
    #[error("a person must approve it, and nobody would be asked: {}", .0.reason())]
    NobodyToAsk(Ruling),
    #[error("its inputs cannot be written: {0}")]
    Inputs(String),
}

impl From<serde_json::Error> for StartRefused {
    fn from(error: serde_json::Error) -> Self {
        Self::Inputs(error.to_string())
    }
}

/// A person approves the plan, whatever was approved in advance.
fn demand_approval(start: &mut Start, ruling: &Ruling) -> Result<(), StartRefused> {
    let asked = CheckpointType::PlanApproval;
    if let Some(parent) = &start.parent
        && parent.sandbox == Sandbox::Light
    {
        // It runs without an approval of its own.
        return Err(StartRefused::NobodyToAsk(ruling.clone()));
    }
    for source in &mut start.approvals {
        match source {
            ApprovalSource::Waiver { types, .. } => {
                types.0.remove(&asked);
            }
            ApprovalSource::EarnedLevel { .. } => {}
        }
    }
    let needs_another = ruling.approver == Approver::AnotherPerson;
    if needs_another && !start.plan.four_eyes.contains(&asked) {
        start.plan.four_eyes.push(asked);
    }
    Ok(())
}

pub(super) fn starter(by: &Actor) -> Option<AgentId> {
    match &by.on_behalf_of {
        Some(behind) => Some(behind.clone()),
        None => (!by.is_system()).then(|| by.id.clone()),
    }
}

fn union(mut sets: Vec<Arc<RuleSet>>, more: &[Arc<RuleSet>]) -> Vec<Arc<RuleSet>> {
    for set in more {
        if !sets.iter().any(|known| known.hash() == set.hash()) {
            sets.push(Arc::clone(set));
        }
    }
    sets
}
