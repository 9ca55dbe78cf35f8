//! A list of references in any style: its entries, and the list as one text.

use serde_json::Value;

use crate::csl::Item;
use crate::notes::Notes;
use crate::rich::Rich;
use crate::style_choice::Style;
use crate::works::works_in_order;
use crate::{Answer, Entry, Markup, Refusal, exchange, processor, style};

/// Merges records of the same work, orders them and writes them.
pub(crate) fn write_list(
    items: Vec<Item>,
    cited: Option<&[String]>,
    style: &Style,
    markup: Markup,
    mut notes: Notes,
) -> Result<Answer, Refusal> {
    let items = works_in_order(items, cited, &mut notes)?;
    for item in &items {
        style::note_missing(item, &mut notes);
    }
    let written = match style {
        Style::Vancouver => vancouver(&items, markup, &mut notes),
        Style::Ama => ama(&items, markup, &mut notes),
        Style::Apa => apa(items, markup, &mut notes),
        Style::Bibtex => {
            let entries = exchange::write_bibtex(&items);
            let text = join_texts(&entries, "\n\n");
            Written::new(entries, text, "BibTeX, with the further fields of biblatex")
        }
        Style::Ris => {
            let entries = exchange::write_ris(&items, &mut notes);
            let text = join_texts(&entries, "\n\n");
            Written::new(entries, text, "RIS")
        }
        Style::CslJson => csl_json(&items),
        Style::Csl(style) => {
            let list = processor::write_list(style, &items, markup, &mut notes)?;
            let text = paragraphs(&list.lines, markup);
            Written::new(list.entries, text, style.method())
        }
    };
    Ok(Answer {
        text: written.text,
        entries: written.entries,
        items: Vec::new(),
        unread: Vec::new(),
        method: written.method,
        notes: notes.finish(),
    })
}

struct Written {
    entries: Vec<Entry>,
    text: String,
    method: String,
}

impl Written {
    fn new(entries: Vec<Entry>, text: String, method: impl Into<String>) -> Self {
        Self {
            entries,
            text,
            method: method.into(),
        }
    }
}

fn vancouver(items: &[Item], markup: Markup, notes: &mut Notes) -> Written {
    let entries = numbered(items, markup, notes, style::vancouver_entry, |number| {
        Rich::plain(format!("[{number}]"))
    });
    let text = numbered_text(&entries, markup);
    let method = "Vancouver: ICMJE samples and NLM Citing Medicine, 2nd edition";
    Written::new(entries, text, method)
}

fn ama(items: &[Item], markup: Markup, notes: &mut Notes) -> Written {
    let entries = numbered(items, markup, notes, style::ama_entry, |number| {
        Rich::superscript(number.to_string())
    });
    let text = numbered_text(&entries, markup);
    Written::new(entries, text, "AMA Manual of Style, 11th edition")
}

fn numbered(
    items: &[Item],
    markup: Markup,
    notes: &mut Notes,
    entry: fn(&Item, &mut Notes) -> Rich,
    in_text: impl Fn(usize) -> Rich,
) -> Vec<Entry> {
    let mut entries = Vec::with_capacity(items.len());
    for (number, item) in (1_usize..).zip(items) {
        entries.push(Entry {
            id: item.id.clone(),
            number: Some(number),
            key: None,
            text: entry(item, notes).render(markup),
            cited: Some(in_text(number).render(markup)),
        });
    }
    entries
}

fn apa(mut items: Vec<Item>, markup: Markup, notes: &mut Notes) -> Written {
    items.sort_by_cached_key(style::apa_sort_key);
    let in_text = style::apa_in_text_citations(&items);
    let mut entries = Vec::with_capacity(items.len());
    for (item, in_text) in items.iter().zip(in_text) {
        entries.push(Entry {
            id: item.id.clone(),
            number: None,
            key: None,
            text: style::apa_entry(item, &in_text.year_suffix, notes).render(markup),
            cited: Some(in_text.render(item, markup)),
        });
    }
    let lines: Vec<String> = entries.iter().map(|entry| entry.text.clone()).collect();
    let text = paragraphs(&lines, markup);
    Written::new(entries, text, "APA Publication Manual, 7th edition")
}

fn csl_json(items: &[Item]) -> Written {
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
    let text = format!("{:#}", Value::Array(values));
    Written::new(entries, text, "CSL-JSON 1.0.2")
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

fn paragraphs(lines: &[String], markup: Markup) -> String {
    if markup == Markup::Html {
        let lines: Vec<String> = lines.iter().map(|line| format!("<p>{line}</p>")).collect();
        return format!("<div class=\"references\">\n{}\n</div>", lines.join("\n"));
    }
    lines.join("\n\n")
}

fn join_texts(entries: &[Entry], separator: &str) -> String {
    let texts: Vec<&str> = entries.iter().map(|entry| entry.text.as_str()).collect();
    texts.join(separator)
}
