//! `schedule_repeat`: how a mission is repeated once its report is approved. The tool only says how; the host leaves the trigger
//! behind when the result has been approved.

use std::sync::Arc;

use adjutant_host::{FOLLOWS, RepeatChoice, RepeatOrder, SCHEDULE_REPEAT};
use adjutant_mission::{EffectClass, Millis, Plan, Provenance, Timestamp, WorkSpec};
use adjutant_schedule::{REPEAT_RUNS_MAX, Repeat, RepeatError, RepeatRequest, ScheduleError, Zone};
use adjutant_tools::{
    BoxFuture, Call, Manifest, RegistryError, Tool, ToolFailure, ToolOutline, read_arguments,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::error::{AppError, ErrorKind};

/// How often a mission is repeated, if nobody says.
const RUNS: u32 = 12;
/// Inputs that hold for one run only.
const OF_ONE_RUN: [&str; 1] = ["as_of"];
const ID_CHARS_MAX: usize = 100;

pub(crate) struct ScheduleRepeat {
    manifest: Manifest,
    clock: Arc<dyn Fn() -> Timestamp + Send + Sync>,
}

/// What the mission was started with, and what a person chose.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Wanted {
    every: String,
    until: String,
    runs: Value,
    zone: String,
    follows: String,
    choices: Vec<Choice>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Choice {
    option: Option<String>,
}

impl ScheduleRepeat {
    pub(crate) fn new(
        clock: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    ) -> Result<Self, RegistryError> {
        let text = |about: &str| json!({"type": "string", "maxLength": 500, "description": about});
        let manifest = ToolOutline {
            id: SCHEDULE_REPEAT,
            name: "Schedule a repetition",
            description: "Says how the mission is to be repeated. Once a person has approved its result, the mission leaves a trigger \
                          behind that starts it again, with a last day and a number of runs.",
            // Changes nothing by itself, but what it asks for is done after the approval of the result.
            class: EffectClass::Idempotent,
            provenance: Provenance::Own,
            input: json!({
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "every": text("daily, weekly, monthly, quarterly or a recurrence rule; not at all if it is empty."),
                    "until": text("The last day; a year from now if it is empty."),
                    "runs": {"description": "How often at most: 12 if it is not given."},
                    "zone": text("Time zone; that of this machine if it is empty."),
                    "follows": text("The earlier mission, if this is a repetition."),
                    "choices": {"type": "array", "description": "Answers of checkpoints: `watch_weekly`, `watch_monthly` and `do_not_watch` go before `every`; `as_started` does not."},
                },
                // Without either, nothing is repeated.
                "anyOf": [{"required": ["every"]}, {"required": ["choices"]}],
            }),
            output: None,
            time_limit: Millis::seconds(10),
            output_bytes_max: 64 * 1024,
        }
        .manifest()?;
        Ok(Self { manifest, clock })
    }
}

impl Tool for ScheduleRepeat {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn call(&self, call: Call) -> BoxFuture<'_, Result<Value, ToolFailure>> {
        let now = (self.clock)();
        Box::pin(async move {
            let wanted: Wanted = read_arguments(call.arguments)?;
            let (order, next) = order(&wanted, now).map_err(|error| {
                ToolFailure::bad_input(format!("{error} ({}). {}", error.code(), error.remedy()))
            })?;
            let data = serde_json::to_value(&order)
                .map_err(|error| ToolFailure::permanent(format!("invalid JSON: {error}")))?;
            let table = table(&order, next.as_deref(), !wanted.follows.is_empty());
            Ok(json!({ "headlines": [], "tables": [table], "data": data }))
        })
    }
}

fn chosen(choices: &[Choice]) -> (RepeatChoice, Option<&'static str>) {
    let chose = |option: &str| {
        choices
            .iter()
            .any(|choice| choice.option.as_deref() == Some(option))
    };
    if chose("do_not_watch") {
        (RepeatChoice::Not, None)
    } else if chose("watch_weekly") {
        (RepeatChoice::Anew, Some("weekly"))
    } else if chose("watch_monthly") {
        (RepeatChoice::Anew, Some("monthly"))
    } else {
        (RepeatChoice::AsStarted, None)
    }
}

/// What is asked for, and the next time in words.
fn order(wanted: &Wanted, now: Timestamp) -> Result<(RepeatOrder, Option<String>), RepeatError> {
    let (repeat, rhythm) = chosen(&wanted.choices);
    let every = rhythm.unwrap_or(wanted.every.trim());
    let zone = zone(&wanted.zone)?;
    let mut order = RepeatOrder {
        repeat,
        schedule: None,
        zone: zone.name().to_owned(),
        runs_max: 0,
        inputs: OF_ONE_RUN
            .map(|name| (name.to_owned(), json!("")))
            .into_iter()
            .collect::<Map<_, _>>(),
        told: "not repeated".to_owned(),
    };
    if repeat == RepeatChoice::Not || every.is_empty() {
        return Ok((order, None));
    }
    let request = RepeatRequest {
        every,
        until: &wanted.until,
        runs: runs(&wanted.runs)?,
        zone: &zone,
        now,
    };
    let read = Repeat::read(request)?;
    order.schedule = Some(read.schedule);
    order.runs_max = read.runs_max;
    order.told = read.told;
    Ok((order, Some(zone.tell(read.next))))
}

fn zone(name: &str) -> Result<Zone, ScheduleError> {
    match name.trim() {
        "" => Ok(Zone::of_this_machine().unwrap_or_else(Zone::utc)),
        name => Zone::named(name),
    }
}

/// A number, or a text of one; 12 if it is not given.
fn runs(given: &Value) -> Result<u32, RepeatError> {
    let number = match given {
        Value::Null => return Ok(RUNS),
        Value::String(text) if text.trim().is_empty() => return Ok(RUNS),
        Value::String(text) => text.trim().parse::<u64>().ok(),
        other => other.as_u64(),
    };
    let number = number.ok_or(RepeatError::Runs(0))?;
    match u32::try_from(number) {
        Ok(runs) if (1..=REPEAT_RUNS_MAX).contains(&runs) => Ok(runs),
        _ => Err(RepeatError::Runs(number)),
    }
}

/// What the report says of it, as an exhibit shows it.
fn table(order: &RepeatOrder, next: Option<&str>, is_repetition: bool) -> Value {
    let label = |text: &str| json!({"text": text, "role": "label"});
    let calculated = |text: &str| json!({"text": text, "role": "calculation"});
    let mut rows = Vec::new();
    match (order.repeat, next) {
        (RepeatChoice::AsStarted, _) if is_repetition => {
            rows.push(json!([label("Repeated"), label("as before")]));
        }
        (_, Some(next)) => {
            rows.push(json!([label("Repeated"), calculated(&order.told)]));
            rows.push(json!([
                label("Next"),
                calculated(&format!("{next} ({})", order.zone))
            ]));
            rows.push(json!([
                label("Begins"),
                label("once this report is approved; a rejected report leaves nothing behind")
            ]));
        }
        _ => rows.push(json!([label("Repeated"), label("no")])),
    }
    rows.push(json!([
        label("To see and to stop it"),
        label("adjutant trigger list, adjutant trigger cancel")
    ]));
    json!({
        "caption": "How it goes on",
        "columns": [{"heading": "What", "width": 2}, {"heading": "How", "width": 6}],
        "rows": rows,
    })
}

/// Refuses a plan whose repetition cannot be scheduled, before anything is done.
pub(crate) fn check_repetition(plan: &Plan) -> Result<(), AppError> {
    let asks = |work: &WorkSpec| matches!(work, WorkSpec::Tool(call) if call.tool.as_str() == SCHEDULE_REPEAT);
    if !plan.tasks.iter().any(|task| asks(&task.work)) {
        return Ok(());
    }
    let inputs = plan.inputs.as_ref().map(|inputs| inputs.text());
    let inputs: Map<String, Value> = inputs
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default();
    let text = |name: &str| {
        inputs
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let follows = text(FOLLOWS);
    if follows.chars().count() > ID_CHARS_MAX {
        return Err(AppError::new(
            ErrorKind::BadInput,
            "ADJ-6213",
            "`follows` is not the id of a mission",
            "Copy an id from `adjutant list`; its last six characters are enough.",
        ));
    }
    let wanted = Wanted {
        every: text("every"),
        until: text("until"),
        runs: inputs.get("runs").cloned().unwrap_or_default(),
        zone: text("zone"),
        follows,
        choices: Vec::new(),
    };
    let now = crate::wiring::clock().now();
    // An end date or a number of runs may be needed later, if a checkpoint chooses a rhythm.
    let mut tried = wanted.clone();
    if tried.every.trim().is_empty() {
        tried.every = "daily".to_owned();
    }
    order(&tried, now).map(|_| ()).map_err(|error| {
        AppError::new(
            ErrorKind::BadInput,
            error.code(),
            error.to_string(),
            error.remedy(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_795_050_000_000);

    fn ordered(every: &str, option: &str) -> RepeatOrder {
        let wanted = Wanted {
            every: every.to_owned(),
            zone: "UTC".to_owned(),
            choices: vec![Choice {
                option: Some(option.to_owned()),
            }],
            ..Wanted::default()
        };
        order(&wanted, NOW).unwrap().0
    }

    #[test]
    fn a_choice_goes_before_what_the_mission_was_started_with() {
        assert_eq!(
            ordered("", "as_started").schedule,
            None,
            "nobody asked for it"
        );
        assert_eq!(ordered("weekly", "do_not_watch").schedule, None);
        assert_eq!(ordered("weekly", "do_not_watch").repeat, RepeatChoice::Not);
        assert!(
            ordered("daily", "as_started")
                .told
                .starts_with("every day, at most 12 times")
        );
        let monthly = ordered("weekly", "watch_monthly");
        assert_eq!(monthly.repeat, RepeatChoice::Anew);
        assert!(monthly.told.starts_with("every month"), "{}", monthly.told);
        assert_eq!(
            monthly.inputs["as_of"], "",
            "a repetition counts from its own day"
        );
    }

    #[test]
    fn runs_are_a_number_however_they_are_given() {
        assert_eq!(runs(&json!("3")), Ok(3));
        assert_eq!(runs(&json!(3)), Ok(3));
        assert_eq!(runs(&Value::Null), Ok(12));
        for wrong in [
            json!(0),
            json!(-1),
            json!(2.5),
            json!("many"),
            json!(9_999_999_999_u64),
        ] {
            assert!(runs(&wrong).is_err(), "{wrong}");
        }
    }
}
