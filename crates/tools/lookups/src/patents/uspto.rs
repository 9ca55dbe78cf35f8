//! The United States: the search of the Open Data Portal over application files.

use serde_json::{Value, json};

use super::lookup::{Batch, Turn};
use super::patent::{Authority, Patent};
use super::search::Checked;
use crate::dates::stated_date;
use crate::{HttpRequest, LookupError, Reply, Site, status};

const OFFICE: &str = "The United States patent office";
/// Small, so that a page which fails loses little.
const PAGE_MAX: usize = 10;
const META: &str = "applicationMetaData";

#[derive(Debug)]
pub(super) struct Uspto {
    address: String,
    key: String,
    query: String,
    dates: Option<Value>,
    most: usize,
    offset: usize,
    batch: Batch,
}

impl Uspto {
    /// Nothing without a key: the office answers nobody who has none.
    pub(super) fn new(site: &Site, search: &Checked) -> Option<Self> {
        let key = site.key.clone().filter(|key| !key.is_empty())?;
        Some(Self {
            address: format!("{}/api/v1/patent/applications/search", site.base),
            key,
            query: query(search),
            dates: dates(search),
            most: search.most,
            offset: 0,
            batch: Batch::default(),
        })
    }

    pub(super) fn begin(&mut self) -> HttpRequest {
        let limit = PAGE_MAX.min(self.most - self.batch.patents.len().min(self.most));
        let mut body = json!({
            "q": self.query,
            "pagination": { "offset": self.offset, "limit": limit.max(1) },
        });
        if let (Some(dates), Some(body)) = (&self.dates, body.as_object_mut()) {
            body.insert("rangeFilters".into(), json!([dates]));
        }
        HttpRequest::post(&self.address, "application/json", body.to_string())
            .with("x-api-key", &self.key)
            .with("accept", "application/json")
    }

    pub(super) fn received(&mut self, reply: &Reply) -> Result<Turn, LookupError> {
        match self.page(reply) {
            Ok(next) => Ok(next),
            Err(error) if self.batch.patents.is_empty() => Err(error),
            Err(error) => {
                let count = self.batch.patents.len();
                self.batch.notes.push(format!(
                    "Only the first {count} United States patents were retrieved: {error}"
                ));
                Ok(self.done())
            }
        }
    }

    fn page(&mut self, reply: &Reply) -> Result<Turn, LookupError> {
        if reply.status == 404 {
            self.batch.total.get_or_insert(0);
            return Ok(self.done());
        }
        status::check(OFFICE, reply)?;
        let unreadable = || {
            LookupError::Unreadable(format!(
                "The response of {OFFICE} is not a list of applications."
            ))
        };
        let body: Value = serde_json::from_slice(&reply.body).map_err(|_| unreadable())?;
        let files = body["patentFileWrapperDataBag"]
            .as_array()
            .ok_or_else(unreadable)?;
        self.batch.total = body["count"].as_u64();
        let read: Vec<Patent> = files.iter().filter_map(patent).collect();
        let lost = files.len() - read.len();
        if lost > 0 {
            self.batch
                .notes
                .push(format!("{lost} United States records could not be read."));
        }
        self.batch.patents.extend(read);
        self.offset += files.len();
        let more = self
            .batch
            .total
            .is_none_or(|total| (self.offset as u64) < total);
        if files.is_empty() || !more || self.batch.patents.len() >= self.most {
            return Ok(self.done());
        }
        Ok(Turn::Send(self.begin()))
    }

    fn done(&mut self) -> Turn {
        Turn::Done(std::mem::take(&mut self.batch))
    }
}

/// Words are in lower case, so none of them is an operator.
fn query(search: &Checked) -> String {
    let mut parts = Vec::new();
    if !search.words.is_empty() {
        parts.push(search.words.join(" AND "));
    }
    for (field, pieces) in [
        ("applicantBag.applicantNameText", &search.applicant),
        ("inventorBag.inventorNameText", &search.inventor),
    ] {
        if !pieces.is_empty() {
            parts.push(format!("{META}.{field}:({})", pieces.join(" AND ")));
        }
    }
    if let Some(symbol) = &search.classification {
        let symbol = symbol.replace('/', "\\/");
        parts.push(format!("{META}.cpcClassificationBag:{symbol}*"));
    }
    parts.join(" AND ")
}

fn dates(search: &Checked) -> Option<Value> {
    if search.from.is_none() && search.to.is_none() {
        return None;
    }
    Some(json!({
        "field": format!("{META}.earliestPublicationDate"),
        "valueFrom": search.from.as_deref().unwrap_or("1790-01-01"),
        "valueTo": search.to.as_deref().unwrap_or("2999-12-31"),
    }))
}

fn patent(file: &Value) -> Option<Patent> {
    let application = text(&file["applicationNumberText"])?;
    let meta = &file[META];
    let title = text(&meta["inventionTitle"])?;
    let published_as = text(&meta["earliestPublicationNumber"]).map(|number| joined(&number));
    let granted_as = text(&meta["patentNumber"]).map(|number| {
        format!(
            "US{}{}",
            joined(&number),
            grant_kind(meta, published_as.as_deref())
        )
    });
    let number = granted_as.or(published_as);
    let mut applicants = names(&meta["applicantBag"], "applicantNameText");
    if applicants.is_empty() {
        applicants.extend(text(&meta["firstApplicantName"]));
    }
    let mut inventors = names(&meta["inventorBag"], "inventorNameText");
    if inventors.is_empty() {
        inventors.extend(text(&meta["firstInventorName"]));
    }
    Some(Patent {
        authority: Authority::Uspto,
        number: number.unwrap_or_else(|| application.clone()),
        application: Some(application),
        title,
        summary: None,
        applicants,
        inventors,
        ipc: Vec::new(),
        cpc: strings(&meta["cpcClassificationBag"]),
        filed: day(&meta["filingDate"]),
        priority: first_priority(&file["foreignPriorityBag"]),
        published: day(&meta["earliestPublicationDate"]),
        granted: day(&meta["grantDate"]),
        status: text(&meta["applicationStatusDescriptionText"]),
        status_date: day(&meta["applicationStatusDate"]),
        family: None,
    })
}

/// The office leaves the kind out; it follows from the type and from an earlier publication.
fn grant_kind(meta: &Value, published_before: Option<&str>) -> &'static str {
    match meta["applicationTypeCode"].as_str().unwrap_or("UTL") {
        "DSN" => "S1",
        "PLT" if published_before.is_some() => "P3",
        "PLT" => "P2",
        "REI" => "E1",
        _ if published_before.is_some() => "B2",
        _ => "B1",
    }
}

fn names(bag: &Value, field: &str) -> Vec<String> {
    let people = bag.as_array().map(Vec::as_slice).unwrap_or_default();
    people
        .iter()
        .filter_map(|person| {
            let parts = text(&person["lastName"]).zip(text(&person["firstName"]));
            let parts = parts.map(|(last, first)| format!("{last}, {first}"));
            parts.or_else(|| text(&person[field]))
        })
        .collect()
}

fn first_priority(bag: &Value) -> Option<String> {
    let claims = bag.as_array()?;
    claims
        .iter()
        .filter_map(|claim| day(&claim["filingDate"]))
        .min()
}

fn strings(list: &Value) -> Vec<String> {
    let items = list.as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().filter_map(text).collect()
}

fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

fn day(value: &Value) -> Option<String> {
    stated_date(value.as_str()?)
}

fn joined(number: &str) -> String {
    number
        .chars()
        .filter(|character| character.is_ascii_alphanumeric())
        .collect()
}
