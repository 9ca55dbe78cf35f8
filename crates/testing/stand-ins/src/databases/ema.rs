//! The European Medicines Agency's tables, each as one file that can be asked for again by its validator.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use adjutant_lookups::Reply;
use serde_json::{Value, json};

use crate::databases::limit::{Exceeded, Quota};
use crate::databases::request::Request;

const RECORDS: &str = include_str!("../../../../../samples/velmoran/apis/ema.json");
const QUOTAS: &[Quota] = &[Quota {
    requests: 20,
    window_ms: 60_000,
}];
const FILES: [(&str, &str); 6] = [
    (
        "/medicines-output-medicines_json-report_en.json",
        "medicines",
    ),
    ("/referrals-output-json-report_en.json", "referrals"),
    ("/dhpc-output-json-report_en.json", "dhpc"),
    (
        "/medicines-output-orphan_designations-json-report_en.json",
        "orphan",
    ),
    ("/shortages-output-json-report_en.json", "shortages"),
    (
        "/medicines-output-paediatric_investigation_plans-output-json-report_en.json",
        "paediatric",
    ),
];

pub(crate) fn quotas() -> &'static [Quota] {
    QUOTAS
}

pub(crate) fn too_many(exceeded: Exceeded) -> Reply {
    let page = "<html><head><title>429 Too Many Requests</title></head><body></body></html>";
    Reply::new(429, "text/html", page).with("retry-after", exceeded.wait_seconds().to_string())
}

fn records() -> &'static BTreeMap<String, Vec<Value>> {
    static READ: OnceLock<BTreeMap<String, Vec<Value>>> = OnceLock::new();
    // A test proves that they can be read.
    READ.get_or_init(|| serde_json::from_str(RECORDS).unwrap_or_default())
}

pub(crate) fn answer(request: &Request) -> Reply {
    let file = FILES.iter().find(|(path, _)| *path == request.path);
    let Some((name, rows)) = file.and_then(|(_, name)| Some((name, records().get(*name)?))) else {
        return Reply::new(404, "text/html", "<html><body>Page not found</body></html>");
    };
    let validator = format!("\"{name}-{}\"", rows.len());
    if request.header("if-none-match") == Some(&validator) {
        return Reply::new(304, "application/json", "").with("etag", validator);
    }
    let body = json!({
        "meta": { "total_records": rows.len(), "timestamp": "2026-10-01T06:02:43Z" },
        "data": rows,
    });
    Reply::new(200, "application/json", body.to_string())
        .with("etag", validator)
        .with("last-modified", "Thu, 01 Oct 2026 06:02:43 GMT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_records_can_be_read() {
        let records: BTreeMap<String, Vec<Value>> = serde_json::from_str(RECORDS).unwrap();
        assert_eq!(records["medicines"].len(), 25);
        for (_, name) in FILES {
            assert!(!records[name].is_empty(), "{name}");
        }
    }
}
