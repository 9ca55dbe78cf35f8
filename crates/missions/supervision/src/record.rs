//! The supervisors of a mission among the inputs of its plan, so that its journal says who watched it.

use adjutant_mission::{Json, Plan, ReplanTrigger};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::declaration::{Action, Problem, Supervisor, problems};

/// The input that holds them. Plan files write it as the field `supervisors`.
pub const SUPERVISORS_INPUT: &str = "supervisors_in_force";

/// Who declared a supervisor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Whoever wrote the plan: what it does, it may do in their name.
    Plan,
    /// The operator, for all missions.
    Settings,
}

impl Origin {
    pub(crate) fn is_persons(self) -> bool {
        self == Self::Plan
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    pub origin: Origin,
    pub supervisor: Supervisor,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    #[error("the supervisors are not valid: {0}")]
    Invalid(Problem),
    #[error("the supervisors that the mission was started with cannot be read: {0}")]
    Unreadable(String),
}

impl RecordError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "ADJ-6270",
            Self::Unreadable(_) => "ADJ-6271",
        }
    }

    /// What to do about it, in one sentence.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "Correct it as the message says; see docs/supervisors.md.",
            Self::Unreadable(_) => {
                "Run the version of Adjutant that started the mission, or a later one; nothing was changed."
            }
        }
    }
}

/// As it is recorded when a mission starts.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    of_plan: Vec<Supervisor>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    of_settings: Vec<Supervisor>,
}

/// What is wrong with supervisors as a plan file or the settings write them.
pub fn check(list: &Value) -> Result<Vec<Supervisor>, Vec<Problem>> {
    let wrong = |message: String| Problem {
        place: String::new(),
        message,
    };
    let Value::Array(items) = list else {
        return Err(vec![wrong("supervisors are a list".to_owned())]);
    };
    let mut read = Vec::new();
    let mut found = Vec::new();
    for (at, item) in items.iter().enumerate() {
        match Supervisor::deserialize(item) {
            Ok(supervisor) => read.push(supervisor),
            Err(error) => found.push(Problem {
                place: format!("[{at}]"),
                message: error.to_string(),
            }),
        }
    }
    if found.is_empty() {
        found = problems(&read);
    }
    match found.is_empty() {
        true => Ok(read),
        false => Err(found),
    }
}

/// What the operator may declare: nothing that only a person may do, for there is nobody in whose name it would be done.
pub fn check_operators(supervisors: &[Supervisor]) -> Result<(), Problem> {
    if let Some(problem) = problems(supervisors).into_iter().next() {
        return Err(problem);
    }
    for (at, supervisor) in supervisors.iter().enumerate() {
        let mut actions = supervisor.actions().into_iter();
        if let Some(action) = actions.find(|action| action.needs_person()) {
            return Err(Problem {
                place: format!("[{at}]"),
                message: format!(
                    "`{}` may {action}, which is done in the name of a person; declare it in a plan",
                    supervisor.name()
                ),
            });
        }
    }
    Ok(())
}

/// Writes the supervisors of a mission that is about to start into its plan: those that the plan names, and the operator's. Whatever
/// the plan says of the operator's is replaced.
pub fn declare(plan: &mut Plan, of_settings: &[Supervisor]) -> Result<(), RecordError> {
    let of_plan = given(plan)?.map_or_else(Vec::new, |given| given.of_plan);
    let mut inputs = inputs(plan);
    let was_given = inputs.remove(SUPERVISORS_INPUT).is_some();
    let of_settings: Vec<Supervisor> = of_settings
        .iter()
        .filter(|operators| {
            // A plan that is started again may have been written with the operator's in it.
            !of_plan.contains(operators)
        })
        .cloned()
        .collect();
    let all: Vec<Supervisor> = of_plan.iter().chain(&of_settings).cloned().collect();
    if let Some(problem) = problems(&all).into_iter().next() {
        return Err(RecordError::Invalid(problem));
    }
    if all.is_empty() {
        if was_given {
            write(plan, inputs)?;
        }
        return Ok(());
    }
    // A question whether to go on is asked on this occasion.
    if all
        .iter()
        .any(|supervisor| supervisor.actions().contains(&Action::Ask))
    {
        plan.replan.on.insert(ReplanTrigger::NewInformation);
    }
    let recorded = Recorded {
        of_plan,
        of_settings,
    };
    let value = serde_json::to_value(recorded).map_err(unreadable)?;
    inputs.insert(SUPERVISORS_INPUT.to_owned(), value);
    write(plan, inputs)
}

/// The supervisors that a mission was started with; nothing if it has none.
pub fn declared(plan: &Plan) -> Result<Option<Vec<Declared>>, RecordError> {
    let Some(given) = given(plan)? else {
        return Ok(None);
    };
    let Recorded {
        of_plan,
        of_settings,
    } = given;
    let with = |origin| move |supervisor| Declared { origin, supervisor };
    let all = of_plan.into_iter().map(with(Origin::Plan));
    let all: Vec<Declared> = all
        .chain(of_settings.into_iter().map(with(Origin::Settings)))
        .collect();
    Ok((!all.is_empty()).then_some(all))
}

/// A plan file has a list; a mission that was started has a record. One that is started again brings the old record along.
fn given(plan: &Plan) -> Result<Option<Recorded>, RecordError> {
    let found = plan
        .inputs
        .as_ref()
        .and_then(|inputs| inputs.at(&[SUPERVISORS_INPUT.to_owned()]));
    let Some(found) = found else {
        return Ok(None);
    };
    let found: Value = serde_json::from_str(found.text()).map_err(unreadable)?;
    let first = |problems: Vec<Problem>| {
        let first = problems.into_iter().next();
        first.map_or_else(
            || RecordError::Unreadable("the list is wrong".to_owned()),
            RecordError::Invalid,
        )
    };
    match found {
        Value::Array(_) => Ok(Some(Recorded {
            of_plan: check(&found).map_err(first)?,
            of_settings: Vec::new(),
        })),
        recorded => serde_json::from_value(recorded)
            .map(Some)
            .map_err(unreadable),
    }
}

fn inputs(plan: &Plan) -> Map<String, Value> {
    let text = plan.inputs.as_ref().map_or("{}", Json::text);
    serde_json::from_str(text).unwrap_or_default()
}

fn write(plan: &mut Plan, inputs: Map<String, Value>) -> Result<(), RecordError> {
    plan.inputs = Some(Json::encode(&Value::Object(inputs)).map_err(unreadable)?);
    Ok(())
}

fn unreadable(error: serde_json::Error) -> RecordError {
    RecordError::Unreadable(error.to_string())
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
