//! `citations`: a list of references in a style, and how each is mentioned in the text.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::csl::Item;
use crate::limits::{CITED_MAX, ITEMS_MAX};
use crate::notes::Notes;
use crate::style::{self, Shown};
use crate::{Answer, Entry, Markup, Refusal, exchange};

/// A mention grows to this many names to be unlike another, not more.
const MENTIONED_NAMES_MAX: usize = 20;

/// The order, the wording and the purpose of a list of references.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    Vancouver,
    Apa,
    Ama,
    Bibtex,
    Ris,
    CslJson,
}

/// A list of references to be written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Citations {
    pub style: Style,
    /// CSL-JSON.
    pub items: Vec<Value>,
    /// Ids in the order of their mention. What is not mentioned is left out.
    #[serde(default)]
    pub cited: Option<Vec<String>>,
    #[serde(default)]
    pub markup: Markup,
}

impl Citations {
    pub(crate) fn schema() -> Value {
        json!({
            "type": "object",
            "description": "A list of references in a style, and how each is mentioned in the text.",
            "additionalProperties": false,
            "required": ["style", "items"],
            "properties": {
                "style": style_schema(),
                "items": {
                    "type": "array",
                    "maxItems": ITEMS_MAX,
                    "items": { "type": "object" },
                    "description": "Bibliographic records as CSL-JSON."
                },
                "cited": {
                    "type": "array",
                    "maxItems": CITED_MAX,
                    "items": { "type": "string" },
                    "description": "Ids in the order of their mention; what is not mentioned is left out."
                },
                "markup": markup_schema()
            }
        })
    }

    pub(crate) fn answer(&self) -> Result<Answer, Refusal> {
        Refusal::count("items", self.items.len(), ITEMS_MAX)?;
        let cited = self.cited.as_deref();
        Refusal::count("cited", cited.map_or(0, <[String]>::len), CITED_MAX)?;
        let mut notes = Notes::default();
        let mut items = Vec::with_capacity(self.items.len());
        for (at, value) in self.items.iter().enumerate() {
            items.push(Item::from_csl(value, at, &mut notes)?);
        }
        list(items, cited, self.style, self.markup, notes)
    }
}

pub(crate) fn style_schema() -> Value {
    json!({
        "enum": ["vancouver", "apa", "ama", "bibtex", "ris", "csl_json"],
        "description": "Vancouver and AMA count by first mention, APA sorts by name; the others are for programs."
    })
}

pub(crate) fn markup_schema() -> Value {
    json!({ "enum": ["text", "markdown", "html"], "description": "What the text is pasted into; plain text if left out." })
}

/// Merges, orders and writes.
pub(crate) fn list(
    items: Vec<Item>,
    cited: Option<&[String]>,
    style: Style,
    markup: Markup,
    mut notes: Notes,
) -> Result<Answer, Refusal> {
    let merged = merge(items, &mut notes)?;
    let items = in_order(merged, cited, &mut notes)?;
    for item in &items {
        style::note_missing(item, &mut notes);
    }
    let (entries, text, method) = match style {
        Style::Vancouver => {
            let entries = numbered(
                &items,
                markup,
                &mut notes,
                style::vancouver_entry,
                |number| markup.escape(&format!("[{number}]")),
            );
            let text = numbered_text(&entries, markup);
            (
                entries,
                text,
                "Vancouver: ICMJE samples and NLM Citing Medicine, 2nd edition",
            )
        }
        Style::Ama => {
            let entries = numbered(&items, markup, &mut notes, style::ama_entry, |number| {
                superscript(number, markup)
            });
            let text = numbered_text(&entries, markup);
            (entries, text, "AMA Manual of Style, 11th edition")
        }
        Style::Apa => {
            let entries = apa(items, markup, &mut notes);
            let text = paragraphs(&entries, markup);
            (entries, text, "APA Publication Manual, 7th edition")
        }
        Style::Bibtex => {
            let entries = exchange::write_bibtex(&items);
            let text = together(&entries, "\n\n");
            (entries, text, "BibTeX, with the further fields of biblatex")
        }
        Style::Ris => {
            let entries = exchange::write_ris(&items, &mut notes);
            let text = together(&entries, "\n\n");
            (entries, text, "RIS")
        }
        Style::CslJson => {
            let (entries, text) = csl_json(&items);
            (entries, text, "CSL-JSON 1.0.2")
        }
    };
    Ok(Answer {
        text,
        entries,
        items: Vec::new(),
        unread: Vec::new(),
        method: method.to_owned(),
        notes: notes.finish(),
    })
}

/// Records of one work, and all the ids it goes by.
struct Merged {
    item: Item,
    ids: BTreeSet<String>,
}

fn merge(items: Vec<Item>, notes: &mut Notes) -> Result<Vec<Merged>, Refusal> {
    use crate::csl::Field;

    let mut merged: Vec<Merged> = Vec::with_capacity(items.len());
    let mut known: BTreeMap<(Field, String), usize> = BTreeMap::new();
    let mut ids: BTreeSet<String> = BTreeSet::new();
    for item in items {
        let numbers: Vec<(Field, String)> = [Field::Doi, Field::Pmid]
            .into_iter()
            .filter(|field| item.has(*field))
            .map(|field| (field, item.text(field).to_lowercase()))
            .collect();
        let same = numbers.iter().find_map(|number| known.get(number).copied());
        if let Some(at) = same {
            notes.add(format!(
                "{} is the same work as {} and is merged into it.",
                item.id, merged[at].item.id
            ));
            merged[at].item.fill_from(&item);
            ids.insert(item.id.clone());
            merged[at].ids.insert(item.id);
        } else {
            if !ids.insert(item.id.clone()) {
                return Err(Refusal::unusable(
                    "items",
                    &item.id,
                    "two different works have this `id`, give each its own",
                ));
            }
            merged.push(Merged {
                ids: BTreeSet::from([item.id.clone()]),
                item,
            });
        }
        let at = same.unwrap_or(merged.len() - 1);
        for number in numbers {
            known.entry(number).or_insert(at);
        }
    }
    Ok(merged)
}

fn in_order(
    merged: Vec<Merged>,
    cited: Option<&[String]>,
    notes: &mut Notes,
) -> Result<Vec<Item>, Refusal> {
    let Some(cited) = cited else {
        return Ok(merged.into_iter().map(|work| work.item).collect());
    };
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, work) in merged.iter().enumerate() {
        places.extend(work.ids.iter().map(|id| (id.as_str(), at)));
    }
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for id in cited {
        let Some(&at) = places.get(id.as_str()) else {
            return Err(Refusal::unusable("cited", id, "no item has this `id`"));
        };
        if seen.insert(at) {
            order.push(at);
        }
    }
    let mut works: Vec<Option<Item>> = merged.into_iter().map(|work| Some(work.item)).collect();
    let items = order
        .into_iter()
        .filter_map(|at| works.get_mut(at).and_then(Option::take))
        .collect();
    for left in works.into_iter().flatten() {
        notes.add(format!("{} is not cited and is left out.", left.id));
    }
    Ok(items)
}

fn numbered(
    items: &[Item],
    markup: Markup,
    notes: &mut Notes,
    write: fn(&Item, &mut Notes) -> crate::rich::Rich,
    mention: impl Fn(usize) -> String,
) -> Vec<Entry> {
    let mut entries = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        entries.push(Entry {
            id: item.id.clone(),
            number: Some(at + 1),
            key: None,
            text: write(item, notes).render(markup),
            cited: Some(mention(at + 1)),
        });
    }
    entries
}

fn superscript(number: usize, markup: Markup) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    match markup {
        Markup::Text => number
            .to_string()
            .bytes()
            .filter_map(|digit| RAISED.get(usize::from(digit.wrapping_sub(b'0'))))
            .collect(),
        Markup::Markdown | Markup::Html => format!("<sup>{number}</sup>"),
    }
}

fn apa(mut items: Vec<Item>, markup: Markup, notes: &mut Notes) -> Vec<Entry> {
    items.sort_by_cached_key(style::apa_sort_key);
    let suffixes = year_suffixes(&items);
    let shown = names_needed(&items);
    let mut entries = Vec::with_capacity(items.len());
    for ((item, suffix), shown) in items.iter().zip(&suffixes).zip(shown) {
        let names = style::apa_mention(item, shown).render(markup);
        let year = style::apa_year(item, suffix);
        // The comma of a title in quotation marks stands inside of them.
        let comma = if names.ends_with(",”") { "" } else { "," };
        entries.push(Entry {
            id: item.id.clone(),
            number: None,
            key: None,
            text: style::apa_entry(item, suffix, notes).render(markup),
            cited: Some(format!("({names}{comma} {})", markup.escape(&year))),
        });
    }
    entries
}

/// `a`, `b`, … for works of the same names and year, in the order of the list.
fn year_suffixes(items: &[Item]) -> Vec<String> {
    let key = |item: &Item| (style::apa_sort_key(item).0, style::apa_year(item, ""));
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for item in items {
        *counts.entry(key(item)).or_default() += 1;
    }
    let mut used: BTreeMap<(String, String), usize> = BTreeMap::new();
    items
        .iter()
        .map(|item| {
            let key = key(item);
            if counts.get(&key).is_none_or(|count| *count < 2) {
                return String::new();
            }
            let at = used.entry(key).or_default();
            let suffix = letters(*at);
            *at += 1;
            suffix
        })
        .collect()
}

/// 0 is `a`, 25 is `z`, 26 is `aa`.
fn letters(at: usize) -> String {
    let last = char::from(b'a' + u8::try_from(at % 26).unwrap_or(0));
    if at < 26 {
        return last.to_string();
    }
    format!("{}{last}", letters(at / 26 - 1))
}

/// More names where `et al.` would stand for different people in the same year.
fn names_needed(items: &[Item]) -> Vec<Shown> {
    let short = |item: &Item, names: usize| {
        let mention = style::apa_mention(item, Shown { names }).render(Markup::Text);
        (mention, style::apa_year(item, ""))
    };
    let mut groups: BTreeMap<(String, String), Vec<&Item>> = BTreeMap::new();
    for item in items {
        groups.entry(short(item, 1)).or_default().push(item);
    }
    items
        .iter()
        .map(|item| {
            let others: Vec<&Item> = groups
                .get(&short(item, 1))
                .into_iter()
                .flatten()
                .copied()
                .filter(|other| other.authors != item.authors)
                .collect();
            let most = item.authors.len().clamp(1, MENTIONED_NAMES_MAX);
            let names = (1..most)
                .find(|names| {
                    let mine = short(item, *names);
                    others.iter().all(|other| short(other, *names) != mine)
                })
                .unwrap_or(1);
            Shown { names }
        })
        .collect()
}

fn csl_json(items: &[Item]) -> (Vec<Entry>, String) {
    let values: Vec<Value> = items.iter().map(Item::to_csl).collect();
    let entries = items
        .iter()
        .zip(&values)
        .map(|(item, value)| Entry {
            id: item.id.clone(),
            number: None,
            key: Some(item.id.clone()),
            text: value.to_string(),
            cited: None,
        })
        .collect();
    (entries, format!("{:#}", Value::Array(values)))
}

fn numbered_text(entries: &[Entry], markup: Markup) -> String {
    if markup == Markup::Html {
        let lines: Vec<String> = entries
            .iter()
            .map(|entry| format!("<li>{}</li>", entry.text))
            .collect();
        return format!("<ol class=\"references\">\n{}\n</ol>", lines.join("\n"));
    }
    let lines: Vec<String> = entries
        .iter()
        .zip(1_usize..)
        .map(|(entry, number)| format!("{number}. {}", entry.text))
        .collect();
    lines.join("\n")
}

fn paragraphs(entries: &[Entry], markup: Markup) -> String {
    if markup == Markup::Html {
        let lines: Vec<String> = entries
            .iter()
            .map(|entry| format!("<p>{}</p>", entry.text))
            .collect();
        return format!("<div class=\"references\">\n{}\n</div>", lines.join("\n"));
    }
    together(entries, "\n\n")
}

fn together(entries: &[Entry], between: &str) -> String {
    let texts: Vec<&str> = entries.iter().map(|entry| entry.text.as_str()).collect();
    texts.join(between)
}
