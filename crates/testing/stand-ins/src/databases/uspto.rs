//! The patent office of the United States, as its Open Data Portal answers.

use adjutant_lookups::{Method, Reply};
use serde_json::{Value, json};

use crate::databases::limit::{Exceeded, Quota};
use crate::databases::patents::{Office, Record, records};
use crate::databases::request::Request;
use crate::databases::words::{has_all, is_known_key};

pub(crate) const QUOTAS: &[Quota] = &[Quota {
    requests: 60,
    window_ms: 60_000,
}];
const LIMIT_UNLESS_SAID: u64 = 25;
const LIMIT_MAX: u64 = 100;

pub(crate) fn answer(request: &Request) -> Reply {
    if !request.header("x-api-key").is_some_and(is_known_key) {
        return json_reply(403, &json!({ "message": "Forbidden" }));
    }
    if request.path != "/api/v1/patent/applications/search" {
        return fault(404, "Not Found", "The requested resource does not exist.");
    }
    let Some(wanted) = wanted(request) else {
        return fault(
            400,
            "Bad Request",
            "Invalid request, review the request body.",
        );
    };
    let Some(found) = find(&wanted) else {
        return fault(400, "Bad Request", "Invalid query syntax.");
    };
    let page: Vec<Value> = found
        .iter()
        .skip(wanted.offset)
        .take(wanted.limit)
        .map(file)
        .collect();
    if page.is_empty() {
        let advice = "No matching records found, refine your search criteria and try again";
        return fault(404, "Not Found", advice);
    }
    json_reply(
        200,
        &json!({
            "count": found.len(),
            "patentFileWrapperDataBag": page,
            "requestIdentifier": "00000000-0000-0000-0000-000000000000",
        }),
    )
}

pub(crate) fn too_many(exceeded: Exceeded) -> Reply {
    json_reply(429, &json!({ "message": "Too Many Requests" }))
        .with("retry-after", exceeded.wait_seconds().to_string())
}

struct Wanted {
    query: String,
    /// Fields and their first and last days.
    ranges: Vec<(String, String, String)>,
    offset: usize,
    limit: usize,
}

fn wanted(request: &Request) -> Option<Wanted> {
    let (query, ranges, offset, limit) = match request.method {
        Method::Get => {
            let number = |name| request.pair(name).map(str::parse::<u64>).transpose().ok();
            let query = request.pair("q").unwrap_or_default().to_owned();
            (query, Vec::new(), number("offset")?, number("limit")?)
        }
        Method::Post => {
            let body: Value = serde_json::from_slice(&request.body).ok()?;
            let pages = &body["pagination"];
            let query = body["q"].as_str().unwrap_or_default().to_owned();
            let ranges = body["rangeFilters"].as_array().cloned().unwrap_or_default();
            let ranges: Option<Vec<_>> = ranges.iter().map(range).collect();
            (
                query,
                ranges?,
                pages["offset"].as_u64(),
                pages["limit"].as_u64(),
            )
        }
    };
    let limit = limit.unwrap_or(LIMIT_UNLESS_SAID);
    if limit == 0 || limit > LIMIT_MAX {
        return None;
    }
    Some(Wanted {
        query,
        ranges,
        offset: usize::try_from(offset.unwrap_or(0)).ok()?,
        limit: usize::try_from(limit).ok()?,
    })
}

fn range(value: &Value) -> Option<(String, String, String)> {
    let text = |name: &str| value[name].as_str().map(str::to_owned);
    Some((text("field")?, text("valueFrom")?, text("valueTo")?))
}

fn find(wanted: &Wanted) -> Option<Vec<Record>> {
    let parts = parts(&wanted.query)?;
    let mut found = records(Office::Us);
    found.retain(|record| {
        parts.iter().all(|part| fits(record, part))
            && wanted.ranges.iter().all(|range| within(record, range))
    });
    Some(found)
}

/// Split at `AND`, but not inside parentheses.
fn parts(query: &str) -> Option<Vec<String>> {
    let mut parts = vec![String::new()];
    let mut depth = 0_i32;
    for word in query.split_whitespace() {
        depth += i32::try_from(word.matches('(').count()).ok()?;
        depth -= i32::try_from(word.matches(')').count()).ok()?;
        if depth < 0 {
            return None;
        }
        match parts.last_mut() {
            Some(_) if word == "AND" && depth == 0 => parts.push(String::new()),
            Some(last) => {
                last.push_str(word);
                last.push(' ');
            }
            None => {}
        }
    }
    (depth == 0).then_some(parts)
}

fn fits(record: &Record, part: &str) -> bool {
    let part = part.trim();
    let Some((field, value)) = part.split_once(':') else {
        return has_all(&everything(record), part);
    };
    let value = value.replace("AND", " ");
    match field.rsplit('.').next().unwrap_or_default() {
        "applicantNameText" | "firstApplicantName" => has_all(&record.applicants.join(" "), &value),
        "inventorNameText" | "firstInventorName" => has_all(&record.inventors.join(" "), &value),
        "inventionTitle" => has_all(&record.title, &value),
        "applicationNumberText" => record.application == value,
        "patentNumber" => record.number == value,
        "cpcClassificationBag" => {
            let symbol = value.replace('\\', "");
            let beginning = symbol.trim_matches(['"', '*', ' ']);
            record.cpc.iter().any(|known| known.starts_with(beginning))
        }
        _ => false,
    }
}

fn within(record: &Record, (field, from, to): &(String, String, String)) -> bool {
    let day = match field.rsplit('.').next().unwrap_or_default() {
        "earliestPublicationDate" => record.published.as_deref(),
        "filingDate" => Some(record.filed.as_str()),
        "grantDate" => record.granted.as_deref(),
        _ => None,
    };
    day.is_some_and(|day| from.as_str() <= day && day <= to.as_str())
}

fn type_name(record: &Record) -> &'static str {
    if record.kind == "DSN" {
        "Design"
    } else {
        "Utility"
    }
}

fn everything(record: &Record) -> String {
    [
        type_name(record),
        record.title.as_str(),
        &record.applicants.join(" "),
        &record.inventors.join(" "),
        &record.cpc.join(" "),
        &record.status,
        &record.application,
        &record.number,
    ]
    .join(" ")
}

fn file(record: &Record) -> Value {
    let inventors: Vec<Value> = record
        .inventors
        .iter()
        .map(|name| {
            let (last, first) = name.split_once(", ").unwrap_or((name, ""));
            json!({ "firstName": first, "lastName": last, "inventorNameText": format!("{first} {last}") })
        })
        .collect();
    let applicants: Vec<Value> = record
        .applicants
        .iter()
        .map(|name| json!({ "applicantNameText": name }))
        .collect();
    let mut meta = json!({
        "applicationTypeCode": record.kind,
        "applicationTypeLabelName": type_name(record),
        "filingDate": record.filed,
        "inventionTitle": record.title,
        "firstApplicantName": record.applicants.first(),
        "applicantBag": applicants,
        "inventorBag": inventors,
        "cpcClassificationBag": record.cpc,
        "applicationStatusDescriptionText": record.status,
        "applicationStatusDate": record.status_date,
    });
    let optional = [
        (
            "patentNumber",
            Some(record.number.clone()).filter(|number| !number.is_empty()),
        ),
        ("grantDate", record.granted.clone()),
        ("earliestPublicationNumber", record.publication.clone()),
        ("earliestPublicationDate", record.published.clone()),
    ];
    if let Some(fields) = meta.as_object_mut() {
        for (name, value) in optional {
            if let Some(value) = value {
                fields.insert(name.into(), value.into());
            }
        }
    }
    let mut file =
        json!({ "applicationNumberText": record.application, "applicationMetaData": meta });
    if let (Some(day), Some(fields)) = (&record.priority, file.as_object_mut()) {
        let claim = json!({ "ipOfficeName": "EUROPEAN PATENT OFFICE (EPO)", "filingDate": day });
        fields.insert("foreignPriorityBag".into(), json!([claim]));
    }
    file
}

fn fault(status: u16, error: &str, details: &str) -> Reply {
    json_reply(
        status,
        &json!({ "code": status, "error": error, "errorDetails": details }),
    )
}

fn json_reply(status: u16, body: &Value) -> Reply {
    Reply::new(status, "application/json", body.to_string())
}
