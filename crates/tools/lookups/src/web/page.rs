//! What came from an address, as a source.

use adjutant_text::html::{self, Dom};
use serde_json::{Value, json};

use super::{about, content, markdown};
use crate::decode::decode;
use crate::words::one_line;
use crate::{Found, LookupError, Source, address, csl};

const BYTES_MAX: usize = 5_000_000;
const NODES_MAX: usize = 300_000;
/// Shorter texts may be what is left in front of a wall.
const SHORT_CHARS_MAX: usize = 1_500;
const NEARLY_NOTHING_CHARS_MAX: usize = 200;
const TITLE_CHARS_MAX: usize = 120;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Html,
    Text,
}

/// The page as its readers see it, or why it cannot be read here.
pub(super) fn read(body: &[u8], content_type: &str, url: &str) -> Result<Found, LookupError> {
    let form = form_of(body, content_type, url)?;
    let mut notes = Vec::new();
    let kept = body.get(..BYTES_MAX).unwrap_or(body);
    if kept.len() < body.len() {
        notes.push(format!(
            "The page is longer than {BYTES_MAX} bytes; the rest was not read."
        ));
    }
    let text = decode(kept, content_type);
    let source = match form {
        Form::Html => read_html(&text, url, &mut notes),
        Form::Text => plain(&text, content_type, url, &mut notes),
    };
    Ok(Found {
        sources: vec![source],
        total: None,
        notes,
    })
}

fn form_of(body: &[u8], content_type: &str, url: &str) -> Result<Form, LookupError> {
    let kind = content_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_lowercase();
    let start: Vec<u8> = body
        .iter()
        .copied()
        .skip_while(u8::is_ascii_whitespace)
        .take(20)
        .collect();
    let start = start.to_ascii_lowercase();
    if start.starts_with(b"%pdf") || kind == "application/pdf" {
        return Err(LookupError::InvalidSearch(format!(
            "{url} is a PDF, which this tool cannot read: save it and read it as a document."
        )));
    }
    let looks_like_html = start.starts_with(b"<!doctype html") || start.starts_with(b"<html");
    let textual = kind.starts_with("text/")
        || kind.ends_with("+json")
        || kind.ends_with("+xml")
        || matches!(
            kind.as_str(),
            "application/json" | "application/xml" | "application/csv" | "application/markdown"
        );
    match kind.as_str() {
        "text/html" | "application/xhtml+xml" => Ok(Form::Html),
        "" | "application/octet-stream" if looks_like_html => Ok(Form::Html),
        "" if !body.contains(&0) => Ok(Form::Text),
        _ if textual => Ok(Form::Text),
        _ => Err(LookupError::InvalidSearch(format!(
            "{url} is {}, which this tool cannot read: save it and read it as a document.",
            if kind.is_empty() { "no text" } else { &kind }
        ))),
    }
}

fn plain(text: &str, content_type: &str, url: &str, notes: &mut Vec<String>) -> Source {
    let first = text
        .lines()
        .map(|line| line.trim_start_matches(['#', ' ']))
        .find(|line| !line.trim().is_empty());
    let title: String = first
        .unwrap_or(url)
        .trim()
        .chars()
        .take(TITLE_CHARS_MAX)
        .collect();
    let mut kept: String = text.chars().take(markdown::TEXT_CHARS_MAX).collect();
    if kept.len() < text.len() {
        notes.push(format!(
            "Only the first {} characters were used.",
            markdown::TEXT_CHARS_MAX
        ));
    }
    kept.truncate(kept.trim_end().len());
    let about = about::About {
        title: Some(title),
        ..about::About::default()
    };
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    source(
        url,
        about,
        kept,
        Vec::new(),
        csl::object([("content_type", json!(kind))]),
    )
}

fn read_html(text: &str, url: &str, notes: &mut Vec<String>) -> Source {
    let dom = html::parse(text, NODES_MAX);
    let seen = content::look(&dom);
    let base = dom
        .named("base")
        .find_map(|(_, node)| address::resolve(url, node.attribute("href")?));
    let base = base.unwrap_or_else(|| url.to_owned());
    let part = content::main_part(&dom, &seen);
    let written = markdown::write(&dom, &seen, part, &base);
    let about = about::read(&dom, url);
    if dom.is_cut() {
        notes.push("A part of the page that is too long or too deeply nested was left out.".into());
    }
    if dom.are_styles_cut() {
        notes.push(
            "The page has more style rules than are read: some of the text may be hidden from readers.".into(),
        );
    }
    if written.cut {
        notes.push(format!(
            "Only the first {} characters were used.",
            markdown::TEXT_CHARS_MAX
        ));
    }
    if seen.hidden_chars > 0 {
        notes.push(format!(
            "{} hidden characters were left out.",
            seen.hidden_chars
        ));
    }
    let length = written.text.chars().count();
    let mut body = written.text;
    if let Some(wall) = wall(&dom, &about, &body, length) {
        notes.push(wall.to_owned());
        if let Some(description) = about.description.clone().filter(|_| body.is_empty()) {
            notes.push("The text is the description that the page gives of itself.".into());
            body = description;
        }
    }
    source(
        url,
        about,
        body,
        written.links,
        json!({ "hidden_characters": seen.hidden_chars }),
    )
}

/// Whether something stands between the reader and the text.
fn wall(dom: &Dom, about: &about::About, text: &str, length: usize) -> Option<&'static str> {
    let low = text.to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| low.contains(phrase));
    let marked = |word: &str| {
        dom.nodes().iter().any(|node| {
            let names = [node.attribute("class"), node.attribute("id")];
            names
                .into_iter()
                .flatten()
                .any(|name| name.to_lowercase().contains(word))
        })
    };
    let asks = says(&[
        "subscribe to continue",
        "subscribers only",
        "already a subscriber",
        "to continue reading",
        "create a free account to read",
        "subscribe to read",
    ]);
    if about.paywalled || (length < SHORT_CHARS_MAX && (asks || marked("paywall"))) {
        return Some("The page is behind a paywall: only its beginning is included.");
    }
    if length < SHORT_CHARS_MAX / 2 && says(&["cookie"]) && says(&["accept", "consent", "agree"]) {
        return Some(
            "The page asks for consent before it shows its text: this is the consent notice, not the text.",
        );
    }
    if length < NEARLY_NOTHING_CHARS_MAX {
        let told = dom
            .named("noscript")
            .any(|(at, _)| dom.raw_text(at).to_lowercase().contains("javascript"));
        let programs = dom
            .named("script")
            .any(|(_, node)| node.attribute("src").is_some());
        let empty = dom.nodes().iter().enumerate().any(|(at, node)| {
            matches!(
                node.attribute("id"),
                Some("root" | "app" | "__next" | "__nuxt" | "main-app")
            ) && dom.children(at).next().is_none()
        });
        if told || (programs && (empty || length == 0)) {
            return Some(
                "The page is built by JavaScript in the browser: the server does not send its text.",
            );
        }
        if length == 0 {
            return Some("No text was found on the page.");
        }
    }
    None
}

fn source(
    url: &str,
    about: about::About,
    text: String,
    links: Vec<(String, String)>,
    more: Value,
) -> Source {
    let address = about.canonical.as_deref().unwrap_or(url);
    let address = address::canonical(address);
    let id = format!("WEB:{address}");
    let title = about.title.unwrap_or_else(|| {
        let first = text.lines().next().unwrap_or_default();
        let first: String = one_line(first)
            .trim_start_matches(['#', ' '])
            .chars()
            .take(TITLE_CHARS_MAX)
            .collect();
        if first.is_empty() {
            address.clone()
        } else {
            first
        }
    });
    let site = about.site.or_else(|| address::host(url));
    let author = about
        .byline
        .as_deref()
        .map(|byline| vec![json!({ "literal": byline })]);
    let reference = csl::object([
        ("id", json!(id)),
        ("type", json!("webpage")),
        ("title", json!(title)),
        ("author", json!(author)),
        ("container-title", json!(site)),
        (
            "issued",
            about
                .published
                .as_deref()
                .and_then(csl::date)
                .unwrap_or_default(),
        ),
        ("language", json!(about.language)),
        ("URL", json!(address)),
    ]);
    let links: Vec<Value> = links
        .iter()
        .map(|(words, url)| json!({ "text": words, "url": url }))
        .collect();
    let mut details = csl::object([
        ("asked_for", json!(url)),
        ("byline", json!(about.byline)),
        ("language", json!(about.language)),
        ("site", json!(site)),
        ("description", json!(about.description)),
        ("links", json!(links)),
    ]);
    if let (Some(fields), Value::Object(more)) = (details.as_object_mut(), more) {
        fields.extend(more);
    }
    Source {
        id,
        title,
        text,
        published: about.published,
        url: address,
        reference,
        details,
    }
}

#[cfg(test)]
#[path = "page_tests.rs"]
mod tests;
