//! One study, from its record.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::results;
use crate::Source;
use crate::dates::{Date, csl_date};

const CRITERIA_CHARS_MAX: usize = 4_000;

/// Nothing without a number.
pub(super) fn read(study: &Value) -> Option<Source> {
    let protocol = &study["protocolSection"];
    let identification = &protocol["identificationModule"];
    let id = identification["nctId"].as_str()?;
    let title = ["officialTitle", "briefTitle"]
        .iter()
        .find_map(|name| identification[*name].as_str())
        .unwrap_or("(without a title)");
    let status = &protocol["statusModule"];
    let updated = date(&status["lastUpdatePostDateStruct"])
        .or_else(|| date(&status["studyFirstPostDateStruct"]));
    let sponsor = protocol["sponsorCollaboratorsModule"]["leadSponsor"]["name"].as_str();
    let url = format!("https://clinicaltrials.gov/study/{id}");
    let results = results::read(&study["resultsSection"]);

    let mut reference = Map::new();
    reference.insert("id".into(), format!("NCT:{id}").into());
    reference.insert("type".into(), "webpage".into());
    reference.insert("title".into(), title.into());
    if let Some(sponsor) = sponsor {
        reference.insert("author".into(), json!([{ "literal": sponsor }]));
    }
    reference.insert("container-title".into(), "ClinicalTrials.gov".into());
    reference.insert("number".into(), id.into());
    reference.insert("URL".into(), url.clone().into());
    if let Some(date) = updated {
        reference.insert("issued".into(), csl_date(date));
    }
    Some(Source {
        id: format!("NCT:{id}"),
        title: title.to_owned(),
        text: text(protocol, &results),
        published: updated.map(Date::iso),
        url,
        reference: Value::Object(reference),
        details: details(study, results),
    })
}

/// What a reader should know before the study is cited.
pub(super) fn notes(source: &Source) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(why) = source.details["why_stopped"].as_str() {
        notes.push(format!("{} was stopped: {why}", source.id));
    }
    if source.details["status"] == "COMPLETED" && source.details["results"].is_null() {
        notes.push(format!(
            "{} is completed and has no posted results",
            source.id
        ));
    }
    notes
}

fn date(structure: &Value) -> Option<Date> {
    structure["date"].as_str().and_then(Date::from_iso)
}

/// The summary, the primary outcomes, and what was posted of them.
fn text(protocol: &Value, results: &Value) -> String {
    let mut lines = Vec::new();
    let summary = protocol["descriptionModule"]["briefSummary"].as_str();
    lines.extend(summary.map(str::to_owned));
    for outcome in list(&protocol["outcomesModule"]["primaryOutcomes"]) {
        if let Some(measure) = outcome["measure"].as_str() {
            let frame = outcome["timeFrame"].as_str().unwrap_or("no time given");
            lines.push(format!("Primary outcome: {measure} ({frame})"));
        }
    }
    lines.extend(results::lines(results));
    lines.join("\n")
}

fn details(study: &Value, results: Value) -> Value {
    let protocol = &study["protocolSection"];
    let identification = &protocol["identificationModule"];
    let status = &protocol["statusModule"];
    let sponsors = &protocol["sponsorCollaboratorsModule"];
    let design = &protocol["designModule"];
    let arms = &protocol["armsInterventionsModule"];
    let outcomes = &protocol["outcomesModule"];
    let mut details = json!({
        "status": status["overallStatus"],
        "acronym": identification["acronym"],
        "brief_title": identification["briefTitle"],
        "protocol_id": identification["orgStudyIdInfo"]["id"],
        "why_stopped": status["whyStopped"],
        "sponsor": sponsors["leadSponsor"]["name"],
        "collaborators": texts(&sponsors["collaborators"], "name"),
        "study_type": design["studyType"],
        "phases": design["phases"],
        "allocation": design["designInfo"]["allocation"],
        "model": design["designInfo"]["interventionModel"],
        "masking": design["designInfo"]["maskingInfo"]["masking"],
        "enrolment": { "count": design["enrollmentInfo"]["count"], "type": design["enrollmentInfo"]["type"] },
        "dates": {
            "start": dated(&status["startDateStruct"]),
            "primary_completion": dated(&status["primaryCompletionDateStruct"]),
            "completion": dated(&status["completionDateStruct"]),
            "first_posted": dated(&status["studyFirstPostDateStruct"]),
            "results_posted": dated(&status["resultsFirstPostDateStruct"]),
            "last_update": dated(&status["lastUpdatePostDateStruct"]),
        },
        "conditions": protocol["conditionsModule"]["conditions"],
        "interventions": some_of(&arms["interventions"], &["type", "name", "description"]),
        "arms": some_of(&arms["armGroups"], &["label", "type", "description"]),
        "primary_outcomes": some_of(&outcomes["primaryOutcomes"], &["measure", "timeFrame"]),
        "secondary_outcomes": some_of(&outcomes["secondaryOutcomes"], &["measure", "timeFrame"]),
        "eligibility": eligibility(&protocol["eligibilityModule"]),
        "countries": countries(&protocol["contactsLocationsModule"]["locations"]),
        "articles": texts(&protocol["referencesModule"]["references"], "pmid"),
        "results": results,
    });
    if let Some(fields) = details.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    details
}

/// A date with whether it has come.
fn dated(structure: &Value) -> Value {
    match structure["date"].as_str() {
        Some(date) => {
            json!({ "date": date, "type": structure["type"].as_str().unwrap_or("ACTUAL") })
        }
        None => Value::Null,
    }
}

fn eligibility(module: &Value) -> Value {
    let criteria = module["eligibilityCriteria"].as_str().unwrap_or_default();
    let criteria: String = criteria.chars().take(CRITERIA_CHARS_MAX).collect();
    json!({
        "criteria": criteria,
        "sex": module["sex"],
        "minimum_age": module["minimumAge"],
        "maximum_age": module["maximumAge"],
    })
}

/// How many places there are in each country.
fn countries(locations: &Value) -> Value {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for location in list(locations) {
        *counts
            .entry(location["country"].as_str().unwrap_or("unknown"))
            .or_default() += 1;
    }
    json!(counts)
}

pub(super) fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn texts(value: &Value, field: &str) -> Vec<Value> {
    let texts = list(value).map(|entry| entry[field].clone());
    texts.filter(Value::is_string).collect()
}

fn some_of(value: &Value, fields: &[&str]) -> Value {
    let entries = list(value).map(|entry| {
        let kept = fields.iter().filter(|field| !entry[**field].is_null());
        let kept = kept.map(|field| ((*field).to_owned(), entry[*field].clone()));
        Value::Object(kept.collect())
    });
    entries.collect()
}
