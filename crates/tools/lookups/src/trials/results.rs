//! What was posted as results: who took part, the primary outcomes, and how many had adverse events.

use serde_json::{Value, json};

use super::study::list;

const MEASUREMENTS_MAX: usize = 100;

/// Null for a study without results.
pub(super) fn read(section: &Value) -> Value {
    if !section.is_object() {
        return Value::Null;
    }
    let outcomes = list(&section["outcomeMeasuresModule"]["outcomeMeasures"]);
    let primary = outcomes.filter(|outcome| outcome["type"] == "PRIMARY");
    let safety: Vec<Value> = list(&section["outcomeMeasuresModule"]["outcomeMeasures"])
        .filter(|outcome| outcome["type"] != "PRIMARY")
        .map(outcome)
        .collect();
    json!({
        "participants": participants(&section["participantFlowModule"]),
        "primary_outcomes": primary.map(outcome).collect::<Vec<_>>(),
        "other_outcomes": safety,
        "adverse_events": adverse(&section["adverseEventsModule"]),
    })
}

/// One line for each measurement and comparison, so that it can be quoted.
pub(super) fn lines(results: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for name in ["primary_outcomes", "other_outcomes"] {
        for outcome in list(&results[name]) {
            let title = outcome["title"].as_str().unwrap_or("an outcome");
            let unit = outcome["unit"].as_str().unwrap_or_default();
            for measurement in list(&outcome["measurements"]) {
                let text = |field: &str| measurement[field].as_str().unwrap_or_default();
                let class = match text("class") {
                    "" => String::new(),
                    class => format!(", {class}"),
                };
                let line = format!(
                    "Result: {title}{class}: {}: {} {unit}",
                    text("group"),
                    text("value")
                );
                lines.push(line.trim_end().to_owned());
            }
            for analysis in list(&outcome["analyses"]) {
                let text = |field: &str| analysis[field].as_str().unwrap_or("not given");
                lines.push(format!(
                    "Comparison: {title}: {}: {} (from {} to {}), p {}",
                    text("groups"),
                    text("estimate"),
                    text("lower"),
                    text("upper"),
                    text("p")
                ));
            }
        }
    }
    lines
}

fn group_title<'a>(groups: &'a Value, id: &Value) -> &'a str {
    let mut known = list(groups).filter(|group| group["id"] == *id);
    let title = known.next().and_then(|group| group["title"].as_str());
    title.unwrap_or("unknown group")
}

fn participants(flow: &Value) -> Value {
    let mut counts = Vec::new();
    for period in list(&flow["periods"]) {
        for milestone in list(&period["milestones"]) {
            for achieved in list(&milestone["achievements"]) {
                counts.push(json!({
                    "period": period["title"],
                    "milestone": milestone["type"],
                    "group": group_title(&flow["groups"], &achieved["groupId"]),
                    "count": number(&achieved["numSubjects"]),
                }));
            }
        }
    }
    counts.into()
}

/// Numbers come as texts in some places and as numbers in others.
fn number(value: &Value) -> Value {
    match value
        .as_str()
        .and_then(|text| text.trim().parse::<u64>().ok())
    {
        Some(number) => number.into(),
        None => value.clone(),
    }
}

fn outcome(given: &Value) -> Value {
    let groups = &given["groups"];
    let mut measurements = Vec::new();
    for class in list(&given["classes"]) {
        for category in list(&class["categories"]) {
            for one in list(&category["measurements"]) {
                if measurements.len() < MEASUREMENTS_MAX {
                    measurements.push(json!({
                        "class": class["title"],
                        "group": group_title(groups, &one["groupId"]),
                        "value": one["value"],
                        "spread": one["spread"],
                        "lower": one["lowerLimit"],
                        "upper": one["upperLimit"],
                    }));
                }
            }
        }
    }
    let analyses = list(&given["analyses"]).map(|analysis| {
        let compared = list(&analysis["groupIds"]).map(|id| group_title(groups, id));
        json!({
            "groups": compared.collect::<Vec<_>>().join(" against "),
            "method": analysis["statisticalMethod"],
            "estimate": analysis["paramValue"],
            "kind": analysis["paramType"],
            "lower": analysis["ciLowerLimit"],
            "upper": analysis["ciUpperLimit"],
            "p": analysis["pValue"],
        })
    });
    json!({
        "title": given["title"],
        "time_frame": given["timeFrame"],
        "unit": given["unitOfMeasure"],
        "kind": given["paramType"],
        "analyses": analyses.collect::<Vec<_>>(),
        "measurements": measurements,
    })
}

fn adverse(module: &Value) -> Value {
    let groups = list(&module["eventGroups"]).map(|group| {
        json!({
            "group": group["title"],
            "deaths": group["deathsNumAffected"],
            "serious": group["seriousNumAffected"],
            "serious_at_risk": group["seriousNumAtRisk"],
            "other": group["otherNumAffected"],
            "other_at_risk": group["otherNumAtRisk"],
        })
    });
    groups.collect()
}
