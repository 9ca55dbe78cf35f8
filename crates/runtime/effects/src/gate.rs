//! The verdict of a gate, by its compiled rules and what the tasks before it gave.

use std::collections::BTreeMap;

use adjutant_mission::{FailureKind, Gate, GateVerdict, Outcome, Usage};
use adjutant_rules::{Rule, RuleError};
use serde_json::{Value, json};

use crate::outcome::{before_call, shorten};
use crate::request::ResolvedInputs;
use crate::resolve::{self, Resolver};

/// The first rule that holds gives the verdict. A rule in doubt ends the judging: it might have been a no.
pub(crate) fn judge_gate(
    gate: &Gate,
    rules: &[Result<Rule, RuleError>],
    resolved: &ResolvedInputs,
) -> Outcome {
    let mut values = BTreeMap::new();
    for (at, (rule, compiled)) in gate.rules.iter().zip(rules).enumerate() {
        match holds(compiled, &mut values, resolved) {
            Ok(false) => {}
            Ok(true) => {
                let reason = match rule.because.as_str() {
                    "" => format!("rule {} holds: {}", at + 1, rule.when),
                    because => fill_in(because, resolved),
                };
                return Outcome::Judged {
                    verdict: rule.verdict,
                    reason: shorten(reason),
                    usage: Usage::NONE,
                };
            }
            Err(message) => {
                let message = format!(
                    "rule {} of the gate (`{:.200}`): {message}",
                    at + 1,
                    rule.when
                );
                return before_call(FailureKind::BadInput, message);
            }
        }
    }
    Outcome::Judged {
        verdict: GateVerdict::Valid,
        reason: "no rule failed".into(),
        usage: Usage::NONE,
    }
}

fn holds(
    compiled: &Result<Rule, RuleError>,
    values: &mut BTreeMap<String, Value>,
    resolved: &ResolvedInputs,
) -> Result<bool, String> {
    let rule = compiled.as_ref().map_err(ToString::to_string)?;
    for name in rule.variables() {
        add_value(values, name, resolved)?;
    }
    rule.holds(values).map_err(|error| error.to_string())
}

/// A reason with what it refers to: what a judge found is told to whoever does the work again.
fn fill_in(because: &str, resolved: &ResolvedInputs) -> String {
    let mut value = Value::String(because.to_owned());
    let mut resolver = Resolver::new(resolved.inputs.as_ref(), &resolved.outputs);
    if !resolve::may_refer(because) || resolver.resolve(&mut value).is_err() {
        return because.to_owned();
    }
    match value {
        Value::String(text) => text,
        Value::Array(items) => {
            let texts = items.iter().map(|item| match item {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            });
            texts.collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}

/// Makes what a rule calls `name` known to it: `{"output": …}` of a task, or the mission's inputs.
fn add_value(
    values: &mut BTreeMap<String, Value>,
    name: String,
    resolved: &ResolvedInputs,
) -> Result<(), String> {
    if values.contains_key(&name) {
        return Ok(());
    }
    let json = match name.as_str() {
        "inputs" => resolved.inputs.as_ref(),
        task => resolved.outputs.get(task),
    };
    if let Some(json) = json {
        let value: Value = serde_json::from_str(json.text())
            .map_err(|error| format!("`{name}` cannot be read: {error}"))?;
        let value = match name.as_str() {
            "inputs" => value,
            _ => json!({ "output": value }),
        };
        values.insert(name, value);
    }
    Ok(())
}
