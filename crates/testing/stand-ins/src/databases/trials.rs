//! ClinicalTrials.gov as its second interface answers. Errors are plain text.

use std::sync::OnceLock;

use adjutant_lookups::Reply;
use serde_json::{Value, json};

use crate::databases::limit::{Exceeded, Quota};
use crate::databases::query::{self, Between, Query};
use crate::databases::request::Request;

const RECORDS: &str = include_str!("../../../../../samples/velmoran/apis/trials.json");
const QUOTAS: &[Quota] = &[Quota {
    requests: 50,
    window_ms: 60_000,
}];
const JSON: &str = "application/json";
const PAGE: usize = 10;
const PAGE_MAX: usize = 1000;
const TOKEN: &str = "NF0g";

const IDENTIFICATION: &str = "/protocolSection/identificationModule";
const AREAS: [(&str, &[&str]); 5] = [
    ("query.term", &["/protocolSection"]),
    (
        "query.cond",
        &[
            "/protocolSection/conditionsModule",
            "/protocolSection/identificationModule",
        ],
    ),
    ("query.intr", &["/protocolSection/armsInterventionsModule"]),
    ("query.titles", &[IDENTIFICATION]),
    (
        "query.spons",
        &["/protocolSection/sponsorCollaboratorsModule"],
    ),
];
const STATUSES: [&str; 9] = [
    "ACTIVE_NOT_RECRUITING",
    "COMPLETED",
    "ENROLLING_BY_INVITATION",
    "NOT_YET_RECRUITING",
    "RECRUITING",
    "SUSPENDED",
    "TERMINATED",
    "UNKNOWN",
    "WITHDRAWN",
];

pub(crate) fn quotas() -> &'static [Quota] {
    QUOTAS
}

pub(crate) fn too_many(exceeded: Exceeded) -> Reply {
    Reply::new(429, "text/plain", "Too Many Requests")
        .with("retry-after", exceeded.wait_seconds().to_string())
}

fn records() -> &'static [Value] {
    static READ: OnceLock<Vec<Value>> = OnceLock::new();
    // A test proves that they can be read.
    READ.get_or_init(|| serde_json::from_str(RECORDS).unwrap_or_default())
}

pub(crate) fn answer(request: &Request) -> Reply {
    let bad = |message: String| Reply::new(400, "text/plain", message);
    if let Some(id) = request.path.strip_prefix("/studies/") {
        return match records().iter().find(|study| number(study) == id) {
            Some(study) => Reply::new(200, JSON, study.to_string()),
            None => Reply::new(404, "text/plain", format!("NCT number {id} not found")),
        };
    }
    if request.path != "/studies" {
        return Reply::new(404, "text/plain", "Not Found");
    }
    match search(request) {
        Ok(found) => page(request, found).unwrap_or_else(bad),
        Err(message) => bad(message),
    }
}

fn page(request: &Request, found: Vec<&Value>) -> Result<Reply, String> {
    let size = match request.pair("pageSize") {
        None => PAGE,
        Some(text) => match text.parse::<usize>() {
            Ok(size) => size.min(PAGE_MAX),
            Err(_) => return Err(format!("`pageSize` has incorrect format: {text}")),
        },
    };
    let start = match request.pair("pageToken") {
        None => 0,
        Some(token) => token
            .strip_prefix(TOKEN)
            .and_then(|text| text.parse::<usize>().ok())
            .ok_or("`pageToken` is invalid")?,
    };
    let studies: Vec<&Value> = found.iter().skip(start).take(size).copied().collect();
    let mut body = json!({ "studies": studies });
    if request.pair("countTotal") == Some("true") {
        body["totalCount"] = found.len().into();
    }
    let next = start.saturating_add(size);
    if next < found.len() {
        body["nextPageToken"] = format!("{TOKEN}{next}").into();
    }
    Ok(Reply::new(200, JSON, body.to_string()))
}

fn search(request: &Request) -> Result<Vec<&'static Value>, String> {
    let mut found: Vec<&Value> = records().iter().collect();
    for (parameter, places) in AREAS {
        let Some(text) = request.pair(parameter) else {
            continue;
        };
        let query = query::parse(text, Between::And)
            .map_err(|error| format!("`{parameter}` has invalid syntax: {error}"))?;
        found.retain(|study| {
            let words = words_at(study, places);
            query.holds(&mut |leaf| query::has_phrase(&words, &query::words(leaf)))
        });
    }
    if let Some(ids) = request.pair("filter.ids") {
        let ids: Vec<&str> = ids.split([',', '|']).map(str::trim).collect();
        found.retain(|study| ids.contains(&number(study)));
    }
    if let Some(statuses) = request.pair("filter.overallStatus") {
        let statuses: Vec<&str> = statuses.split([',', '|']).collect();
        if let Some(wrong) = statuses.iter().find(|status| !STATUSES.contains(status)) {
            return Err(format!("`filter.overallStatus` has unknown value: {wrong}"));
        }
        found.retain(|study| statuses.contains(&text(study, "statusModule/overallStatus")));
    }
    if request.pair("aggFilters") == Some("results:with") {
        found.retain(|study| study["hasResults"] == true);
    }
    if let Some(advanced) = request.pair("filter.advanced") {
        let query = query::parse(advanced, Between::And)
            .map_err(|error| format!("`filter.advanced` has invalid syntax: {error}"))?;
        check_areas(&query)?;
        found.retain(|study| query.holds(&mut |leaf| area(study, leaf)));
    }
    sort(request, &mut found)?;
    Ok(found)
}

fn sort(request: &Request, found: &mut [&Value]) -> Result<(), String> {
    let place = match request.pair("sort") {
        None | Some("@relevance") => return Ok(()),
        Some("LastUpdatePostDate:desc") => "statusModule/lastUpdatePostDateStruct/date",
        Some("StartDate:desc") => "statusModule/startDateStruct/date",
        Some("EnrollmentCount:desc") => {
            let count = |study: &Value| {
                study["protocolSection"]["designModule"]["enrollmentInfo"]["count"].as_u64()
            };
            found.sort_by_key(|study| std::cmp::Reverse(count(study)));
            return Ok(());
        }
        Some(other) => return Err(format!("`sort` has unknown field: {other}")),
    };
    found.sort_by(|a, b| text(b, place).cmp(text(a, place)));
    Ok(())
}

fn check_areas(query: &Query) -> Result<(), String> {
    let known = ["AREA[Phase]", "AREA[StartDate]RANGE["];
    let mut leaves = query.leaves().into_iter();
    let wrong = leaves.find(|leaf| !known.iter().any(|area| leaf.starts_with(area)));
    match wrong {
        Some(leaf) => Err(format!("`filter.advanced` has an unknown area: {leaf}")),
        None => Ok(()),
    }
}

fn area(study: &Value, leaf: &str) -> bool {
    if let Some(phase) = leaf.strip_prefix("AREA[Phase]") {
        let phases = &study["protocolSection"]["designModule"]["phases"];
        let mut phases = phases.as_array().into_iter().flatten();
        return phases.any(|known| known == phase);
    }
    let range = leaf.strip_prefix("AREA[StartDate]RANGE[");
    let range = range.and_then(|range| range.strip_suffix(']'));
    let Some((from, to)) = range.and_then(|range| range.split_once(',')) else {
        return false;
    };
    let start = text(study, "statusModule/startDateStruct/date");
    let after = from == "MIN" || start >= from || from.starts_with(start);
    after && (to == "MAX" || start <= to)
}

fn number(study: &Value) -> &str {
    text(study, "identificationModule/nctId")
}

fn text<'a>(study: &'a Value, place: &str) -> &'a str {
    let found = study.pointer(&format!("/protocolSection/{place}"));
    found.and_then(Value::as_str).unwrap_or_default()
}

fn words_at(study: &Value, places: &[&str]) -> Vec<String> {
    let mut words = Vec::new();
    for place in places {
        if let Some(part) = study.pointer(place) {
            collect(part, &mut words);
        }
    }
    words
}

fn collect(value: &Value, words: &mut Vec<String>) {
    match value {
        Value::String(text) => words.extend(query::words(text)),
        Value::Array(parts) => parts.iter().for_each(|part| collect(part, words)),
        Value::Object(parts) => parts.values().for_each(|part| collect(part, words)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_records_can_be_read() {
        let records: Vec<Value> = serde_json::from_str(RECORDS).unwrap();
        assert_eq!(records.len(), 30);
    }
}
