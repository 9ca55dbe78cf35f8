//! Feeds as they are found: RSS 2.0 and 1.0, Atom, and JSON Feed.

use adjutant_text::xml::{self, Element, Strictness};

use super::feed_json;
use super::story::Story;
use crate::address;
use crate::dates::stated_date;
use crate::decode::decode;
use crate::plain::plain_text;

pub(super) const BYTES_MAX: usize = 10_000_000;
pub(super) const ENTRIES_MAX: usize = 2_000;
const ELEMENTS_MAX: usize = 200_000;
const TITLE_CHARS_MAX: usize = 120;

#[derive(Debug, Default)]
pub(super) struct Feed {
    pub(super) stories: Vec<Story>,
    pub(super) without_link: usize,
    /// Why the rest could not be read.
    pub(super) broken: Option<String>,
}

/// `url` is where the feed was read, which its links may rest on.
pub(super) fn read(bytes: &[u8], content_type: &str, url: &str) -> Result<Feed, String> {
    if bytes.len() > BYTES_MAX {
        return Err(format!("it is longer than {BYTES_MAX} bytes"));
    }
    let text = decode(bytes, content_type);
    if text.trim_start().starts_with('{') {
        return feed_json::read(&text, url);
    }
    let tree = xml::read(&text, Strictness::Lenient, ELEMENTS_MAX);
    let tree = tree.map_err(|error| error.to_string())?;
    let root = &tree.root;
    let base = based(url, root);
    let mut feed = match root.name.as_str() {
        "rss" => {
            let channel = root.child("channel").ok_or("there is no channel in it")?;
            let base = based(&base, channel);
            entries(channel.named("item"), channel, &base)
        }
        "RDF" => {
            let channel = root.child("channel").unwrap_or(root);
            entries(root.named("item"), channel, &base)
        }
        "feed" => entries(root.named("entry"), root, &base),
        other => {
            return Err(format!(
                "it is neither RSS nor Atom, but <{}>",
                other.chars().take(40).collect::<String>()
            ));
        }
    };
    feed.broken = tree.broken;
    Ok(feed)
}

fn entries<'a>(items: impl Iterator<Item = &'a Element>, channel: &Element, base: &str) -> Feed {
    let outlet = title_of(channel).unwrap_or_else(|| address::host(base).unwrap_or_default());
    let language = plain(channel, "language")
        .and_then(Element::line)
        .or_else(|| channel.attribute("lang").map(str::to_owned));
    let mut feed = Feed::default();
    for item in items.take(ENTRIES_MAX) {
        match story(item, base) {
            Some(story) => feed.stories.push(Story {
                outlet: source_of(item).unwrap_or_else(|| outlet.clone()),
                language: item
                    .attribute("lang")
                    .map(str::to_owned)
                    .or_else(|| language.clone()),
                ..story
            }),
            None => feed.without_link += 1,
        }
    }
    feed
}

fn story(item: &Element, base: &str) -> Option<Story> {
    let base = based(base, item);
    let url = link(item, &base)?;
    let text = ["encoded", "description", "content", "summary"]
        .iter()
        .filter_map(|name| item.child(name))
        .map(content_of)
        .max_by_key(String::len)
        .unwrap_or_default();
    let title = title_of(item).unwrap_or_else(|| text.chars().take(TITLE_CHARS_MAX).collect());
    if title.is_empty() {
        return None;
    }
    let published = [
        "pubDate",
        "published",
        "date",
        "issued",
        "updated",
        "modified",
    ]
    .iter()
    .filter_map(|name| item.child(name))
    .find_map(|date| stated_date(&date.text()));
    Some(Story {
        title,
        text,
        url,
        published,
        author: author(item),
        ..Story::default()
    })
}

/// Without a prefix where there is one such, so that `media:title` is not taken for the title.
fn plain<'a>(element: &'a Element, name: &'a str) -> Option<&'a Element> {
    let bare = element.named(name).find(|child| child.prefix.is_empty());
    bare.or_else(|| {
        element
            .named(name)
            .find(|child| matches!(child.prefix.as_str(), "dc" | "atom" | "rss"))
    })
}

fn title_of(element: &Element) -> Option<String> {
    let title = plain(element, "title")?;
    Some(content_of(title)).filter(|title| !title.is_empty())
}

/// HTML in CDATA, HTML in entities, and elements of XHTML all come to the same.
fn content_of(element: &Element) -> String {
    if element.attribute("type") == Some("xhtml") || element.children().next().is_some() {
        return plain_text(&element.markup());
    }
    plain_text(&element.text())
}

fn author(item: &Element) -> Option<String> {
    let named = item.child("creator").or_else(|| item.child("author"))?;
    let name = named.child("name").unwrap_or(named).line()?;
    // RSS wants an e-mail address with the name in brackets behind it.
    let name = match name.split_once(" (") {
        Some((before, inside)) if before.contains('@') => inside.trim_end_matches(')').to_owned(),
        _ => name,
    };
    Some(name).filter(|name| !name.contains('@'))
}

fn source_of(item: &Element) -> Option<String> {
    let source = plain(item, "source")?;
    source.child("title").unwrap_or(source).line()
}

fn link(item: &Element, base: &str) -> Option<String> {
    let of_atom = |wanted: Option<&str>| {
        item.named("link")
            .filter(move |link| link.attribute("rel") == wanted)
            .find_map(|link| address::resolve(&based(base, link), link.attribute("href")?))
    };
    let of_rss = || {
        item.named("link")
            .filter_map(Element::line)
            .find_map(|link| address::resolve(base, &link))
    };
    let of_guid = || {
        let guid = item.child("guid")?;
        let permanent = guid.attribute("isPermaLink") != Some("false");
        let text = guid
            .line()
            .filter(|text| permanent && text.contains("://"))?;
        address::resolve(base, &text)
    };
    let of_about = || address::resolve(base, item.attribute("about")?);
    of_atom(Some("alternate"))
        .or_else(|| of_atom(None))
        .or_else(of_rss)
        .or_else(of_guid)
        .or_else(of_about)
        .filter(|url| address::is_web(url))
}

fn based(base: &str, element: &Element) -> String {
    let own = element
        .attribute("base")
        .and_then(|own| address::resolve(base, own));
    own.unwrap_or_else(|| base.to_owned())
}

#[cfg(test)]
#[path = "feed_tests.rs"]
mod tests;
