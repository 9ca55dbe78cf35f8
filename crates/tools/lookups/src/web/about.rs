//! What a page states of itself.

use adjutant_text::html::{Dom, Node};
use serde_json::Value;

use crate::address;
use crate::dates::stated_date;
use crate::words::one_line;

const LINKED_DATA_BYTES_MAX: usize = 500_000;
const DEPTH_MAX: usize = 8;
const NAME_CHARS_MAX: usize = 200;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct About {
    pub(super) title: Option<String>,
    pub(super) byline: Option<String>,
    pub(super) published: Option<String>,
    pub(super) language: Option<String>,
    pub(super) site: Option<String>,
    pub(super) description: Option<String>,
    /// Where the page says it lives, if that is on the same host.
    pub(super) canonical: Option<String>,
    pub(super) paywalled: bool,
}

pub(super) fn read(dom: &Dom, url: &str) -> About {
    let mut about = About::default();
    linked_data(dom, &mut about);
    let meta = |names: &[&str]| {
        names.iter().find_map(|name| {
            dom.named("meta")
                .map(|(_, node)| node)
                .find(|node| key_of(node).is_some_and(|key| key.eq_ignore_ascii_case(name)))
                .and_then(|node| line(node.attribute("content")?))
        })
    };
    let title = meta(&["og:title", "twitter:title", "citation_title", "dc.title"]);
    let own = dom
        .named("title")
        .next()
        .and_then(|(at, _)| line(&dom.raw_text(at)));
    let heading = dom
        .named("h1")
        .next()
        .and_then(|(at, _)| line(&dom.raw_text(at)));
    about.site = meta(&["og:site_name", "application-name"]);
    let own = own.map(|own| without_site(&own, about.site.as_deref(), heading.as_deref()));
    about.title = about.title.take().or(title).or(own).or(heading);
    let author = meta(&[
        "author",
        "article:author",
        "citation_author",
        "dc.creator",
        "parsely-author",
    ]);
    let author = author.filter(|author| !author.contains("://"));
    about.byline = about
        .byline
        .take()
        .or(author)
        .or_else(|| written_byline(dom));
    let date = meta(&[
        "article:published_time",
        "date",
        "dc.date",
        "dcterms.date",
        "dcterms.created",
        "pubdate",
        "citation_publication_date",
        "datepublished",
        "parsely-pub-date",
    ]);
    let time = dom
        .named("time")
        .find_map(|(_, node)| stated_date(node.attribute("datetime")?));
    let date = date.and_then(|date| stated_date(&date));
    about.published = about.published.take().or(date).or(time);
    let language = dom
        .named("html")
        .find_map(|(_, node)| line(node.attribute("lang")?));
    about.language = language.or_else(|| meta(&["og:locale", "content-language", "dc.language"]));
    about.description = meta(&["description", "og:description"]);
    about.canonical = canonical(dom, url);
    about
}

fn key_of(node: &Node) -> Option<&str> {
    let keys = ["property", "name", "itemprop", "http-equiv"];
    keys.iter().find_map(|key| node.attribute(key))
}

fn line(text: &str) -> Option<String> {
    let line: String = one_line(text).chars().take(NAME_CHARS_MAX * 2).collect();
    (!line.is_empty()).then_some(line)
}

/// A page may say where it lives, but not that it lives with somebody else.
fn canonical(dom: &Dom, url: &str) -> Option<String> {
    let links = dom.named("link").map(|(_, node)| node);
    let said = links.filter(|node| {
        node.attribute("rel")
            .is_some_and(|rel| rel.eq_ignore_ascii_case("canonical"))
    });
    let said = said
        .filter_map(|node| address::resolve(url, node.attribute("href")?))
        .next()?;
    let is_same = address::host(&said)? == address::host(url)?;
    is_same.then_some(said)
}

fn without_site(title: &str, site: Option<&str>, heading: Option<&str>) -> String {
    for separator in [" | ", " - ", " – ", " — ", " · "] {
        if let Some((before, after)) = title.rsplit_once(separator) {
            let named = site.is_some_and(|site| after.eq_ignore_ascii_case(site));
            let headed = heading.is_some_and(|heading| before.eq_ignore_ascii_case(heading));
            if named || headed {
                return before.to_owned();
            }
        }
    }
    title.to_owned()
}

fn written_byline(dom: &Dom) -> Option<String> {
    let marked = |node: &&Node| {
        node.attribute("rel") == Some("author")
            || node.attribute("itemprop") == Some("author")
            || node.attribute("class").is_some_and(|class| {
                class
                    .split_whitespace()
                    .any(|class| matches!(class, "byline" | "author" | "article-author"))
            })
    };
    let (at, _) = dom
        .nodes()
        .iter()
        .enumerate()
        .find(|(_, node)| marked(node))?;
    let text = one_line(&dom.raw_text(at));
    let name = ["By ", "by ", "Von ", "Door "]
        .iter()
        .find_map(|start| text.strip_prefix(start))
        .unwrap_or(&text);
    let short = !name.is_empty() && name.chars().count() <= NAME_CHARS_MAX;
    short.then(|| name.to_owned())
}

fn linked_data(dom: &Dom, about: &mut About) {
    for (at, node) in dom.named("script") {
        if !node
            .attribute("type")
            .is_some_and(|kind| kind.eq_ignore_ascii_case("application/ld+json"))
        {
            continue;
        }
        let text = dom.raw_text(at);
        if text.len() > LINKED_DATA_BYTES_MAX {
            continue;
        }
        if let Ok(value) = serde_json::from_str::<Value>(text.trim()) {
            take(&value, about, 0);
        }
    }
}

fn take(value: &Value, about: &mut About, depth: usize) {
    if depth > DEPTH_MAX {
        return;
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| take(item, about, depth + 1)),
        Value::Object(_) => {
            take(&value["@graph"], about, depth + 1);
            if !is_text(&value["@type"]) {
                return;
            }
            let text = |value: &Value| line(value.as_str()?);
            about.title = about.title.take().or_else(|| text(&value["headline"]));
            about.published = about
                .published
                .take()
                .or_else(|| stated_date(value["datePublished"].as_str()?));
            about.byline = about.byline.take().or_else(|| names(&value["author"]));
            let free = &value["isAccessibleForFree"];
            about.paywalled |= free == &Value::Bool(false)
                || free
                    .as_str()
                    .is_some_and(|free| free.eq_ignore_ascii_case("false"));
        }
        _ => {}
    }
}

fn is_text(kind: &Value) -> bool {
    let known = |kind: &Value| {
        let kind = kind.as_str().unwrap_or_default();
        kind.ends_with("Article")
            || matches!(kind, "BlogPosting" | "WebPage" | "Report" | "CreativeWork")
    };
    known(kind) || kind.as_array().is_some_and(|kinds| kinds.iter().any(known))
}

fn names(author: &Value) -> Option<String> {
    let one = |author: &Value| line(author["name"].as_str().or_else(|| author.as_str())?);
    let all: Vec<String> = match author {
        Value::Array(authors) => authors.iter().filter_map(one).collect(),
        author => one(author).into_iter().collect(),
    };
    (!all.is_empty()).then(|| all.join(", "))
}
