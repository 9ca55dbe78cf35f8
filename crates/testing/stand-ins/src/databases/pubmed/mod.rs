//! PubMed as its E-utilities answer: a search that is kept, and articles as XML.

mod records;
mod render;
mod search;

use adjutant_lookups::Reply;
use serde_json::{Value, json};

use crate::databases::limit::{Exceeded, Quota};
use crate::databases::request::Request;
use records::{Article, articles};

const WITHOUT_KEY: &[Quota] = &[Quota {
    requests: 3,
    window_ms: 1000,
}];
const WITH_KEY: &[Quota] = &[Quota {
    requests: 10,
    window_ms: 1000,
}];
const JSON: &str = "application/json; charset=UTF-8";
const XML: &str = "text/xml; charset=UTF-8";
/// A key that the database does not know, so that this can be seen, too.
const INVALID_KEY: &str = "invalid";
const FETCHED_MAX: usize = 10_000;

pub(crate) fn quotas(key: &str) -> &'static [Quota] {
    if key.is_empty() {
        WITHOUT_KEY
    } else {
        WITH_KEY
    }
}

pub(crate) fn too_many(request: &Request, exceeded: Exceeded) -> Reply {
    let body = json!({
        "error": "API rate limit exceeded",
        "api-key": request.pair("api_key").unwrap_or("127.0.0.1"),
        "count": exceeded.used.to_string(),
        "limit": exceeded.quota.requests.to_string(),
    });
    Reply::new(429, JSON, body.to_string()).with("retry-after", exceeded.wait_seconds().to_string())
}

pub(crate) fn answer(request: &Request) -> Reply {
    if request.pair("api_key") == Some(INVALID_KEY) {
        let body = json!({ "error": "API key invalid", "api-key": INVALID_KEY, "type": "invalid", "status": "unknown" });
        return Reply::new(400, JSON, body.to_string());
    }
    match request.path.as_str() {
        "/esearch.fcgi" => esearch(request),
        "/efetch.fcgi" => efetch(request),
        _ => Reply::new(404, "text/html", "<html><body>Not Found</body></html>"),
    }
}

fn esearch(request: &Request) -> Reply {
    let error = |message: &str| {
        let body = json!({ "header": { "type": "esearch", "version": "0.3" }, "esearchresult": { "ERROR": message } });
        Reply::new(200, JSON, body.to_string())
    };
    if request.pair("db") != Some("pubmed") {
        return error("Invalid db name specified");
    }
    let Some(term) = request.pair("term") else {
        return error("Empty term and query_key - nothing todo");
    };
    let wanted = Wanted::of(request, term);
    let outcome = match search::run(&wanted) {
        Ok(outcome) => outcome,
        Err(message) => return error(&message),
    };
    let start = number(request, "retstart", 0);
    let most = number(request, "retmax", 20);
    let page = outcome.found.iter().skip(start).take(most);
    let ids: Vec<&str> = page.map(|article| article.pmid.as_str()).collect();
    let mut result = json!({
        "count": outcome.found.len().to_string(),
        "retmax": ids.len().to_string(),
        "retstart": start.to_string(),
        "idlist": ids,
        "translationset": [],
        "querytranslation": term,
    });
    if request.pair("usehistory") == Some("y") {
        result["querykey"] = "1".into();
        result["webenv"] = wanted.environment().into();
    }
    let messages: Vec<&str> = match outcome.found.is_empty() {
        true => vec!["No items found."],
        false => Vec::new(),
    };
    if !outcome.phrases_not_found.is_empty() || !outcome.fields_not_found.is_empty() {
        result["errorlist"] = json!({
            "phrasesnotfound": outcome.phrases_not_found,
            "fieldsnotfound": outcome.fields_not_found,
        });
    }
    if !messages.is_empty() || !outcome.quoted_not_found.is_empty() {
        result["warninglist"] = json!({
            "phrasesignored": [],
            "quotedphrasesnotfound": outcome.quoted_not_found,
            "outputmessages": messages,
        });
    }
    let body =
        json!({ "header": { "type": "esearch", "version": "0.3" }, "esearchresult": result });
    Reply::new(200, JSON, body.to_string())
}

fn efetch(request: &Request) -> Reply {
    let failed = |status: u16, message: &str| {
        let body = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<eFetchResult>\n\t<ERROR>{message}</ERROR>\n</eFetchResult>\n"
        );
        Reply::new(status, XML, body)
    };
    let found: Vec<&Article> = if let Some(ids) = request.pair("id") {
        let ids = ids.split(',').map(str::trim);
        ids.filter_map(|id| articles().iter().find(|article| article.pmid == id))
            .collect()
    } else if let Some(environment) = request.pair("WebEnv") {
        let Some(wanted) = Wanted::kept(environment) else {
            return failed(400, "Unable to obtain query #1");
        };
        match search::run(&wanted) {
            Ok(outcome) => outcome.found,
            Err(message) => return failed(400, &message),
        }
    } else {
        return failed(400, "Empty id list - nothing todo");
    };
    let start = number(request, "retstart", 0);
    let most = number(request, "retmax", FETCHED_MAX);
    let page: Vec<&Article> = found.into_iter().skip(start).take(most).collect();
    Reply::new(200, XML, render::set(&page))
}

fn number(request: &Request, name: &str, default: usize) -> usize {
    let given = request.pair(name).and_then(|text| text.parse().ok());
    given.unwrap_or(default).min(FETCHED_MAX)
}

/// A search and all that it depends on. It is kept by writing it into the name of its environment, so that nothing
/// has to be remembered between requests.
#[derive(Debug)]
pub(crate) struct Wanted {
    term: String,
    from: Option<String>,
    to: Option<String>,
    sort: String,
}

const ENVIRONMENT: &str = "MCID_";

impl Wanted {
    fn of(request: &Request, term: &str) -> Self {
        let owned = |name: &str| request.pair(name).map(|text| text.replace('/', "-"));
        Self {
            term: term.to_owned(),
            from: owned("mindate"),
            to: owned("maxdate"),
            sort: request.pair("sort").unwrap_or_default().to_owned(),
        }
    }

    fn environment(&self) -> String {
        let kept = json!([self.term, self.from, self.to, self.sort]).to_string();
        let hex: String = kept.bytes().map(|byte| format!("{byte:02x}")).collect();
        format!("{ENVIRONMENT}{hex}")
    }

    fn kept(environment: &str) -> Option<Self> {
        let hex = environment.strip_prefix(ENVIRONMENT)?;
        let pairs = hex.as_bytes().chunks(2);
        let bytes: Option<Vec<u8>> = pairs
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
            .collect();
        let kept: Value = serde_json::from_slice(&bytes?).ok()?;
        let text = |at: usize| kept[at].as_str().map(str::to_owned);
        Some(Self {
            term: text(0)?,
            from: text(1),
            to: text(2),
            sort: text(3)?,
        })
    }
}
