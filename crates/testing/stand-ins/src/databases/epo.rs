//! The European patent office, as its Open Patent Services answer.

use adjutant_lookups::Reply;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::databases::limit::{Exceeded, Quota};
use crate::databases::patents::{Office, Record, records};
use crate::databases::request::Request;
use crate::databases::words::{has_all, is_known_key};

pub(crate) const QUOTAS: &[Quota] = &[Quota {
    requests: 30,
    window_ms: 60_000,
}];
const TOKEN_MS: u64 = 1_200_000;
const RANGE_UNLESS_SAID: (usize, usize) = (1, 25);
const RANGE_MAX: usize = 100;
const TOKEN: &str = "token-of-";
const IDLE: &str = "idle (images=green:200, inpadoc=green:60, other=green:1000, retrieval=green:200, search=green:30)";
const OVERLOADED: &str = "overloaded (images=green:50, inpadoc=green:30, other=green:1000, retrieval=green:50, search=black:0)";

pub(crate) fn answer(request: &Request) -> Reply {
    match request.path.as_str() {
        "/3.2/auth/accesstoken" => token(request),
        "/3.2/rest-services/published-data/search/biblio,abstract"
        | "/3.2/rest-services/published-data/search/biblio" => search(request),
        _ => fault(404, "CLIENT.InvalidReference", "The request was invalid"),
    }
}

pub(crate) fn too_many(exceeded: Exceeded) -> Reply {
    fault(
        403,
        "CLIENT.RobotDetected",
        "Recent behaviour implies you are a robot.",
    )
    .with("x-rejection-reason", "IndividualQuotaPerHour")
    .with("x-throttling-control", OVERLOADED)
    .with("retry-after", exceeded.wait_seconds().to_string())
}

fn token(request: &Request) -> Reply {
    let header = request.header("authorization").unwrap_or_default();
    let credentials = header
        .strip_prefix("Basic ")
        .and_then(|text| STANDARD.decode(text).ok());
    let credentials = credentials.and_then(|bytes| String::from_utf8(bytes).ok());
    let known = credentials
        .as_deref()
        .and_then(|text| text.split_once(':'))
        .is_some_and(|(key, secret)| is_known_key(key) && !secret.is_empty());
    if !known || request.pair("grant_type") != Some("client_credentials") {
        let body = json!({ "ErrorCode": "invalid_client", "Error": "ClientId is Invalid" });
        return Reply::new(401, "application/json", body.to_string());
    }
    // The token says when it was given out, so that nothing need be remembered.
    let body = json!({
        "access_token": format!("{TOKEN}{}", request.now),
        "token_type": "BearerToken",
        "expires_in": (TOKEN_MS / 1000 - 1).to_string(),
        "status": "approved",
    });
    Reply::new(200, "application/json", body.to_string())
}

fn search(request: &Request) -> Reply {
    let header = request.header("authorization").unwrap_or_default();
    let given = header
        .strip_prefix("Bearer ")
        .and_then(|token| token.strip_prefix(TOKEN));
    let given: Option<u64> = given.and_then(|instant| instant.parse().ok());
    let fresh = given.is_some_and(|given| request.now.saturating_sub(given) < TOKEN_MS);
    if !fresh {
        let body = "<error><code>400</code><message>invalid_access_token</message><description>Access token has expired</description></error>";
        return Reply::new(400, "application/xml", body).with(
            "www-authenticate",
            "Bearer realm=\"null\",error=\"invalid_access_token\"",
        );
    }
    let query = request.pair("q").unwrap_or_default();
    let Some(terms) = terms(query) else {
        return fault(400, "CLIENT.CQL", "The CQL query could not be understood");
    };
    let Some((first, last)) = range(request) else {
        return fault(400, "CLIENT.InvalidRange", "The range is not valid");
    };
    let mut found = records(Office::Ep);
    found.retain(|record| terms.iter().all(|term| fits(record, term)));
    if found.len() < first {
        return fault(404, "SERVER.EntityNotFound", "No results found");
    }
    let last = last.min(found.len());
    let documents: Vec<String> = found
        .iter()
        .skip(first - 1)
        .take(last + 1 - first)
        .map(document)
        .collect();
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ops:world-patent-data xmlns:ops=\"http://ops.epo.org\" xmlns=\"http://www.epo.org/exchange\"><ops:meta name=\"elapsed-time\" value=\"7\"/><ops:biblio-search total-result-count=\"{}\"><ops:query syntax=\"CQL\">{}</ops:query><ops:range begin=\"{first}\" end=\"{last}\"/><ops:search-result>{}</ops:search-result></ops:biblio-search></ops:world-patent-data>",
        found.len(),
        escaped(query),
        documents.concat(),
    );
    Reply::new(200, "application/xml;charset=UTF-8", body).with("x-throttling-control", IDLE)
}

struct Term {
    index: String,
    relation: String,
    value: String,
}

/// Terms joined by `and`; nothing if the query is of any other form.
fn terms(query: &str) -> Option<Vec<Term>> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for word in query.split_whitespace() {
        match parts.last_mut() {
            Some(_) if !quoted && word.eq_ignore_ascii_case("and") => parts.push(String::new()),
            Some(last) => {
                last.push_str(word);
                last.push(' ');
            }
            None => {}
        }
        quoted ^= word.matches('"').count() % 2 == 1;
    }
    if quoted {
        return None;
    }
    parts.iter().map(|part| term(part.trim())).collect()
}

fn term(part: &str) -> Option<Term> {
    let index: String = part.chars().take_while(char::is_ascii_alphabetic).collect();
    let rest = part.get(index.len()..)?.trim_start();
    let relation = ["all", "within", ">=", "<=", "="]
        .into_iter()
        .find(|relation| rest.starts_with(relation))?;
    let value = rest.get(relation.len()..)?.trim().trim_matches('"').trim();
    let known = ["ta", "ti", "ab", "pa", "in", "cl", "pd", "pn"].contains(&index.as_str());
    (known && !value.is_empty()).then(|| Term {
        index,
        relation: relation.to_owned(),
        value: value.to_owned(),
    })
}

fn fits(record: &Record, term: &Term) -> bool {
    match term.index.as_str() {
        "ta" => has_all(&format!("{} {}", record.title, record.summary), &term.value),
        "ti" => has_all(&record.title, &term.value),
        "ab" => has_all(&record.summary, &term.value),
        "pa" => has_all(&record.applicants.join(" "), &term.value),
        "in" => has_all(&record.inventors.join(" "), &term.value),
        "cl" => record
            .cpc
            .iter()
            .chain(&record.ipc)
            .any(|symbol| symbol.starts_with(&term.value)),
        "pd" => published(record, term),
        _ => format!("EP{}{}", record.number, record.kind).starts_with(&term.value),
    }
}

fn published(record: &Record, term: &Term) -> bool {
    let day = digits(record.published.as_deref().unwrap_or_default());
    let (from, to) = term
        .value
        .split_once(' ')
        .unwrap_or((&term.value, &term.value));
    match term.relation.as_str() {
        ">=" => day.as_str() >= from,
        "<=" => day.as_str() <= to,
        _ => from <= day.as_str() && day.as_str() <= to,
    }
}

fn range(request: &Request) -> Option<(usize, usize)> {
    let asked = request
        .header("x-ops-range")
        .or_else(|| request.pair("Range"));
    let Some(asked) = asked else {
        return Some(RANGE_UNLESS_SAID);
    };
    let (first, last) = asked.split_once('-')?;
    let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    let proper = first >= 1 && first <= last && last - first < RANGE_MAX;
    proper.then_some((first, last))
}

fn document(record: &Record) -> String {
    let people = |group: &str, name: &str, list: &[String]| {
        let one = |(at, person): (usize, &String)| {
            let number = at + 1;
            let person = escaped(person);
            let loud = person.to_uppercase();
            format!(
                "<{name} sequence=\"{number}\" data-format=\"epodoc\"><{name}-name><name>{loud} [NL]</name></{name}-name></{name}><{name} sequence=\"{number}\" data-format=\"original\"><{name}-name><name>{person}, </name></{name}-name></{name}>"
            )
        };
        let all: Vec<String> = list.iter().enumerate().map(one).collect();
        format!("<{group}>{}</{group}>", all.concat())
    };
    let published = digits(record.published.as_deref().unwrap_or_default());
    let priority = record.priority.as_deref().map(digits).unwrap_or_default();
    format!(
        "<exchange-documents><exchange-document system=\"ops.epo.org\" family-id=\"{family}\" country=\"EP\" doc-number=\"{number}\" kind=\"{kind}\"><bibliographic-data><publication-reference><document-id document-id-type=\"docdb\"><country>EP</country><doc-number>{number}</doc-number><kind>{kind}</kind><date>{published}</date></document-id><document-id document-id-type=\"epodoc\"><doc-number>EP{number}</doc-number><date>{published}</date></document-id></publication-reference>{ipc}{cpc}<application-reference doc-id=\"{family}\"><document-id document-id-type=\"docdb\"><country>EP</country><doc-number>{bare}</doc-number><kind>A</kind><date>{filed}</date></document-id><document-id document-id-type=\"epodoc\"><doc-number>{application}</doc-number><date>{filed}</date></document-id></application-reference><priority-claims><priority-claim sequence=\"1\" kind=\"national\"><document-id document-id-type=\"epodoc\"><doc-number>EP{family}P</doc-number><date>{priority}</date></document-id></priority-claim></priority-claims><parties>{applicants}{inventors}</parties><invention-title lang=\"de\">(Titel auf Deutsch)</invention-title><invention-title lang=\"en\">{title}</invention-title></bibliographic-data><abstract lang=\"en\"><p>{summary}</p></abstract></exchange-document></exchange-documents>",
        family = record.family,
        number = record.number,
        kind = record.kind,
        bare = record.application.trim_start_matches("EP"),
        application = record.application,
        filed = digits(&record.filed),
        ipc = ipc(record),
        cpc = cpc(record),
        applicants = people("applicants", "applicant", &record.applicants),
        inventors = people("inventors", "inventor", &record.inventors),
        title = escaped(&record.title),
        summary = escaped(&record.summary),
    )
}

fn ipc(record: &Record) -> String {
    let one = |(at, symbol): (usize, &String)| {
        let (class, rest) = symbol.split_at_checked(4).unwrap_or((symbol, ""));
        let (group, subgroup) = rest.split_once('/').unwrap_or((rest, "00"));
        format!(
            "<classification-ipcr sequence=\"{}\"><text>{class}{group:>4}/{subgroup:>4}            A I                    </text></classification-ipcr>",
            at + 1
        )
    };
    let all: Vec<String> = record.ipc.iter().enumerate().map(one).collect();
    format!(
        "<classifications-ipcr>{}</classifications-ipcr>",
        all.concat()
    )
}

fn cpc(record: &Record) -> String {
    let one = |symbol: &String| {
        let piece = |from: usize, to: usize| symbol.get(from..to).unwrap_or_default();
        let (group, subgroup) = symbol
            .get(4..)
            .and_then(|rest| rest.split_once('/'))
            .unwrap_or_default();
        format!(
            "<patent-classification><classification-scheme office=\"EP\" scheme=\"CPCI\"/><section>{}</section><class>{}</class><subclass>{}</subclass><main-group>{group}</main-group><subgroup>{subgroup}</subgroup><classification-value>I</classification-value></patent-classification>",
            piece(0, 1),
            piece(1, 3),
            piece(3, 4),
        )
    };
    let all: Vec<String> = record.cpc.iter().map(one).collect();
    format!(
        "<patent-classifications>{}</patent-classifications>",
        all.concat()
    )
}

fn digits(day: &str) -> String {
    day.chars().filter(char::is_ascii_digit).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn fault(status: u16, code: &str, message: &str) -> Reply {
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><fault xmlns=\"http://ops.epo.org\"><code>{code}</code><message>{message}</message></fault>"
    );
    Reply::new(status, "application/xml", body).with("x-throttling-control", IDLE)
}
