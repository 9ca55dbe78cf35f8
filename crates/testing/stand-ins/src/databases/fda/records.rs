//! The records that stand in for openFDA's. Reports of events are kept in groups and made one by one.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::{Value, json};

const RECORDS: &str = include_str!("../../../../../../samples/velmoran/apis/fda.json");
const FIRST_REPORT: u64 = 99_000_000;
const COUNTRIES: [&str; 5] = ["NL", "DE", "DK", "BE", "NO"];

#[derive(Debug, Default, Deserialize)]
struct Records {
    event: Vec<Group>,
    #[serde(flatten)]
    others: BTreeMap<String, Vec<Value>>,
}

#[derive(Debug, Deserialize)]
struct Group {
    drug: String,
    #[serde(rename = "with")]
    others: Vec<String>,
    reactions: Vec<String>,
    serious: u8,
    reports: u64,
    first: String,
}

/// By the path of a request.
pub(super) fn of(path: &str) -> Option<&'static [Value]> {
    static READ: OnceLock<BTreeMap<String, Vec<Value>>> = OnceLock::new();
    let all = READ.get_or_init(|| {
        // A test proves that they can be read.
        let records: Records = serde_json::from_str(RECORDS).unwrap_or_default();
        let mut all = records.others;
        all.insert("event".into(), reports(&records.event));
        all
    });
    let name = match path {
        "/drug/drugsfda.json" => "drugsfda",
        "/drug/label.json" => "label",
        "/drug/event.json" => "event",
        "/device/510k.json" => "510k",
        "/drug/enforcement.json" => "drug_enforcement",
        "/device/enforcement.json" => "device_enforcement",
        _ => return None,
    };
    all.get(name).map(Vec::as_slice)
}

fn reports(groups: &[Group]) -> Vec<Value> {
    let mut reports = Vec::new();
    for group in groups {
        for index in 0..group.reports {
            let number = FIRST_REPORT + reports.len() as u64;
            reports.push(report(group, index, number));
        }
    }
    reports
}

fn report(group: &Group, index: u64, number: u64) -> Value {
    let drug = |name: &str, role: &str| {
        json!({
            "medicinalproduct": name,
            "drugcharacterization": role,
            "activesubstance": { "activesubstancename": name },
            "openfda": { "generic_name": [name] },
        })
    };
    let mut drugs = vec![drug(&group.drug, "1")];
    drugs.extend(group.others.iter().map(|name| drug(name, "2")));
    let reactions: Vec<Value> = group
        .reactions
        .iter()
        .map(|name| json!({ "reactionmeddrapt": name, "reactionmeddraversionpt": "28.0" }))
        .collect();
    let country = usize::try_from(number).map_or(0, |number| number % COUNTRIES.len());
    json!({
        "safetyreportid": number.to_string(),
        "receivedate": later(&group.first, index),
        "serious": group.serious.to_string(),
        "occurcountry": COUNTRIES[country],
        "patient": {
            "patientonsetage": (45 + number % 45).to_string(),
            "patientsex": (1 + number % 2).to_string(),
            "drug": drugs,
            "reaction": reactions,
        },
    })
}

/// Some days later, within the month, so that it is always a day.
fn later(first: &str, index: u64) -> String {
    let (month, _) = first.split_at_checked(6).unwrap_or((first, ""));
    format!("{month}{:02}", 1 + index % 28)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_records_can_be_read() {
        let records: Records = serde_json::from_str(RECORDS).unwrap();
        assert_eq!(records.others.len(), 5);
        assert!(of("/drug/event.json").unwrap().len() > 1500);
    }
}
