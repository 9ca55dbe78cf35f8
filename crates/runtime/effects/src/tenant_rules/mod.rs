//! A tenant's rules where they hold: when a mission starts, before a call, on its result, on a report.
//!
//! **Invariant:** The rules of a mission are those in force now together with those in force when it started, which are
//! recorded in its opening event. The strictest holds, so no change of a file makes a running mission freer.

mod book;
mod call_facts;
mod foresight;
mod mission_facts;
mod output_facts;
mod past_call;
mod recorded;

use std::sync::Arc;

use adjutant_mission::{EffectClass, FailureKind, Outcome, Payload, TaskKey};
use adjutant_rules::{Decision, RuleSet, Ruling, Subject};
use serde_json::Value;

pub use book::{MissionTypes, RuleBook, StartRefused};
pub(crate) use call_facts::{CallFacts, CallKind};
pub use foresight::{ForeseenCall, Foresight};
pub use mission_facts::MissionFacts;
pub(crate) use output_facts::ResultFacts;
pub use output_facts::{document_of, report_value};
pub use past_call::{PastCall, WhoAnswered};

use crate::acknowledgement::{Acknowledgements, AskedBy};
use crate::outcome::{fail, shorten};

/// How much of a call a question to a person shows.
const SHOWN_CHARS_MAX: usize = 800;
/// What a person chooses to approve a call as it is: the machine's option to try a task again.
const APPROVING_OPTION: &str = "Try again";

/// The rules that hold for one mission, and what they know of it.
#[derive(Debug, Clone, Default)]
pub struct MissionRules {
    sets: Vec<Arc<RuleSet>>,
    mission: Arc<Value>,
}

impl MissionRules {
    /// With the mission's fields as the sets look at them.
    pub fn new(sets: Vec<Arc<RuleSet>>, facts: &MissionFacts<'_>) -> Self {
        if sets.is_empty() {
            return Self::default();
        }
        let mission = Arc::new(facts.value(&sets));
        Self { sets, mission }
    }

    pub fn sets(&self) -> &[Arc<RuleSet>] {
        &self.sets
    }

    pub fn rules_on(&self, on: Subject) -> bool {
        self.sets.iter().any(|set| set.rules_on(on))
    }

    pub(crate) fn looks_at(&self, on: Subject, field: &str) -> bool {
        self.sets.iter().any(|set| set.looks_at(on, field))
    }

    /// What is decided about the mission itself.
    pub fn decide_mission(&self) -> Ruling {
        self.strictest(Subject::Mission, &[("mission", &self.mission)])
    }

    /// What is decided about something in the mission.
    pub fn decide(&self, on: Subject, value: &Value) -> Ruling {
        self.strictest(on, &[("mission", &self.mission), (on.name(), value)])
    }

    fn strictest(&self, on: Subject, values: &[(&str, &Value)]) -> Ruling {
        let rulings = self.sets.iter().map(|set| set.decide(on, values));
        rulings.fold(Ruling::default(), Ruling::or_stricter)
    }
}

/// The rules as they are asked while one effect is performed.
#[derive(Clone, Copy)]
pub(crate) struct RuleCheck<'a> {
    pub(crate) rules: &'a MissionRules,
    pub(crate) acknowledged: Acknowledgements<'a>,
    pub(crate) task: &'a TaskKey,
    pub(crate) chosen_by_model: bool,
}

impl RuleCheck<'_> {
    /// Why a call is not made, if it is not.
    pub(crate) fn refusal(&self, facts: &CallFacts<'_>) -> Option<Outcome> {
        if !self.rules.rules_on(Subject::Call) {
            return None;
        }
        let value = facts.value(self.rules);
        let ruling = self.rules.decide(Subject::Call, &value);
        match ruling.decision {
            Decision::Allow => None,
            Decision::Deny => {
                let reason = shorten(format!("not permitted by {}", ruling.reason()));
                Some(Outcome::Denied { reason })
            }
            Decision::Ask => {
                let code = self.approval_code(&ruling, &value);
                let about = format!("this call, {} with {}", facts.tool, facts.arguments);
                let told = self.question(&code, &about, &ruling)?;
                Some(Outcome::NeedsHuman { reason: told })
            }
        }
    }

    /// The question to a person; none if somebody answered it before, for exactly the same.
    fn question(&self, code: &str, what: &str, ruling: &Ruling) -> Option<String> {
        if self.acknowledged.contain(code) {
            return None;
        }
        let what = match what.char_indices().nth(SHOWN_CHARS_MAX) {
            Some((end, _)) => format!("{}…", &what[..end]),
            None => what.to_owned(),
        };
        Some(shorten(format!(
            "{code} {}. “{APPROVING_OPTION}” approves it as it is: {what}",
            ruling.reason()
        )))
    }

    /// Stands for one ruling about exactly this: another rule, or other arguments, are asked about again.
    fn approval_code(&self, ruling: &Ruling, about: &Value) -> String {
        let (reason, about) = (ruling.reason(), about.to_string());
        self.acknowledged
            .code(AskedBy::TenantRules, &[&reason, &about])
    }

    /// The outcome, unless a rule withholds what it brings.
    pub(crate) fn checked(&self, outcome: Outcome, of: &ResultFacts<'_>) -> Outcome {
        let on_report = self.rules.rules_on(Subject::Report);
        if !on_report && !self.rules.rules_on(Subject::Result) {
            return outcome;
        }
        let Outcome::Done {
            output: Payload::Inline(json),
            usage,
            ..
        } = &outcome
        else {
            return outcome;
        };
        let Ok(output) = serde_json::from_str::<Value>(json.text()) else {
            return outcome;
        };
        let withheld = |kind: FailureKind, message: String| match of.class {
            // It has happened, and is not done again without a person.
            EffectClass::Once => fail(FailureKind::OutcomeUnknown, message, *usage),
            EffectClass::Pure | EffectClass::Idempotent | EffectClass::Paid => {
                fail(kind, message, *usage)
            }
        };
        let value = of.value(self.rules, &output, json.text().len(), *usage);
        let ruling = self.rules.decide(Subject::Result, &value);
        if ruling.decision != Decision::Allow {
            let message = format!("the result is withheld by {}", ruling.reason());
            return withheld(FailureKind::Denied, message);
        }
        let Some(document) = document_of(&output).filter(|_| on_report) else {
            return outcome;
        };
        let value = report_value(document, self.rules);
        let ruling = self.rules.decide(Subject::Report, &value);
        match ruling.decision {
            Decision::Allow => outcome,
            Decision::Deny => {
                let message = format!("the report is withheld by {}", ruling.reason());
                withheld(FailureKind::Denied, message)
            }
            Decision::Ask => {
                let code = self.approval_code(&ruling, document);
                let title = document["title"].as_str().unwrap_or_default();
                let about = format!("the report “{title}”");
                match self.question(&code, &about, &ruling) {
                    None => outcome,
                    Some(told) => withheld(FailureKind::NeedsHuman, told),
                }
            }
        }
    }
}
