//! The exchange documents of Open Patent Services.

use adjutant_text::xml::{self, Element, Strictness};

use super::patent::{Authority, Patent};
use crate::dates::stated_date;

const ELEMENTS_MAX: usize = 200_000;

pub(super) struct Page {
    pub(super) patents: Vec<Patent>,
    /// How many there were, with those that could not be read.
    pub(super) listed: usize,
    pub(super) total: Option<u64>,
}

pub(super) fn read(body: &[u8]) -> Result<Page, String> {
    let text = String::from_utf8_lossy(body);
    let tree = xml::read(&text, Strictness::Lenient, ELEMENTS_MAX);
    let tree = tree.map_err(|error| error.to_string())?;
    if let Some(broken) = tree.broken {
        return Err(broken);
    }
    let Some(search) = tree.root.child("biblio-search") else {
        return Err("there is no search result in it".into());
    };
    let documents = search.descendants("exchange-document");
    Ok(Page {
        patents: documents
            .iter()
            .filter_map(|document| patent(document))
            .collect(),
        listed: documents.len(),
        total: search
            .attribute("total-result-count")
            .and_then(|count| count.parse().ok()),
    })
}

fn patent(document: &Element) -> Option<Patent> {
    let country = safe(document.attribute("country")?)?;
    let number = safe(document.attribute("doc-number")?)?;
    let kind = safe(document.attribute("kind").unwrap_or_default()).unwrap_or_default();
    let data = document.child("bibliographic-data")?;
    let published = reference_date(data, "publication-reference");
    // B documents are grants, published on the day of the grant.
    let granted = published.clone().filter(|_| kind.starts_with('B'));
    let parties = data.child("parties");
    Some(Patent {
        authority: Authority::Epo,
        number: format!("{country}{number}{kind}"),
        application: application(data),
        title: in_english(data, "invention-title")?,
        summary: in_english(document, "abstract"),
        applicants: people(parties, "applicants", "applicant"),
        inventors: people(parties, "inventors", "inventor"),
        ipc: ipc(data),
        cpc: cpc(data),
        filed: reference_date(data, "application-reference"),
        priority: priority(data),
        published,
        granted,
        status: status_of(&kind),
        status_date: None,
        family: document.attribute("family-id").map(str::to_owned),
    })
}

/// Only what the kind of the document says; the register says more.
fn status_of(kind: &str) -> Option<String> {
    let status = match kind.chars().next()? {
        'A' => "application published",
        'B' => "granted, as published; the register may say otherwise since",
        _ => return None,
    };
    Some(status.to_owned())
}

fn safe(text: &str) -> Option<String> {
    let plain = !text.is_empty()
        && text
            .chars()
            .all(|character| character.is_ascii_alphanumeric());
    plain.then(|| text.to_owned())
}

fn in_english(parent: &Element, name: &str) -> Option<String> {
    let english = parent
        .named(name)
        .find(|title| title.attribute("lang") == Some("en"));
    english.or_else(|| parent.child(name))?.line()
}

fn reference_date(data: &Element, name: &str) -> Option<String> {
    let reference = data.child(name)?;
    let dates = reference
        .named("document-id")
        .filter_map(|id| id.child("date"));
    dates.filter_map(|date| stated_date(&date.text())).next()
}

fn application(data: &Element) -> Option<String> {
    let reference = data.child("application-reference")?;
    let wanted = |kind: &str| {
        reference
            .named("document-id")
            .find(|id| id.attribute("document-id-type") == Some(kind))
    };
    if let Some(id) = wanted("epodoc") {
        return id.child("doc-number")?.line();
    }
    let id = wanted("docdb").or_else(|| reference.child("document-id"))?;
    let country = id
        .child("country")
        .and_then(Element::line)
        .unwrap_or_default();
    Some(format!("{country}{}", id.child("doc-number")?.line()?))
}

fn priority(data: &Element) -> Option<String> {
    let dates = data.child("priority-claims")?.descendants("date");
    dates
        .into_iter()
        .filter_map(|date| stated_date(&date.text()))
        .min()
}

/// Each person stands there twice, once as written and once normalised with a country; the former is the better name.
fn people(parties: Option<&Element>, group: &str, name: &str) -> Vec<String> {
    let Some(group) = parties.and_then(|parties| parties.child(group)) else {
        return Vec::new();
    };
    let all: Vec<&Element> = group.named(name).collect();
    let original = |person: &&&Element| person.attribute("data-format") == Some("original");
    let chosen: Vec<&&Element> = match all.iter().any(|person| original(&person)) {
        true => all.iter().filter(original).collect(),
        false => all.iter().collect(),
    };
    let mut names = Vec::new();
    for person in chosen {
        let line = person
            .descendants("name")
            .first()
            .and_then(|name| name.line());
        let line = line.map(|line| line.trim_end_matches([',', ' ']).to_owned());
        if let Some(line) = line.filter(|line| !names.contains(line)) {
            names.push(line);
        }
    }
    names
}

fn ipc(data: &Element) -> Vec<String> {
    let group = data.child("classifications-ipcr");
    let texts = group.map_or_else(Vec::new, |group| group.descendants("text"));
    let mut symbols = Vec::new();
    for text in texts {
        // `A61K   9/  20            A I`: the symbol is in the first columns, indicators follow.
        let line = text.one_line();
        let words: Vec<&str> = line
            .split(' ')
            .take_while(|word| word.len() > 1 || word.ends_with(|end: char| end.is_ascii_digit()))
            .collect();
        let symbol = words.concat();
        if !symbol.is_empty() && !symbols.contains(&symbol) {
            symbols.push(symbol);
        }
    }
    symbols
}

fn cpc(data: &Element) -> Vec<String> {
    let Some(group) = data.child("patent-classifications") else {
        return Vec::new();
    };
    let mut symbols = Vec::new();
    for part in group.named("patent-classification") {
        let scheme = part
            .child("classification-scheme")
            .and_then(|scheme| scheme.attribute("scheme"));
        if !scheme.is_none_or(|scheme| scheme.starts_with("CPC")) {
            continue;
        }
        let piece = |name: &str| part.child(name).and_then(Element::line).unwrap_or_default();
        let symbol = format!(
            "{}{}{}{}/{}",
            piece("section"),
            piece("class"),
            piece("subclass"),
            piece("main-group"),
            piece("subgroup")
        );
        if symbol.len() > 5 && !symbols.contains(&symbol) {
            symbols.push(symbol);
        }
    }
    symbols
}
