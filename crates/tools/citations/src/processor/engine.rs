//! A list of references by the rules of a CSL style.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use hayagriva::citationberg::json::Item as Record;
use hayagriva::citationberg::{
    CitationFormat, FontStyle, FontVariant, FontWeight, IndependentStyle, LocaleCode,
    StyleCategory, StyleClass, TextDecoration, VerticalAlign,
};
use hayagriva::{
    BibliographyDriver, BibliographyItem, BibliographyRequest, CitationItem, CitationRequest,
    ElemChild, ElemChildren, ElemMeta, Formatting, Rendered,
};

use super::archive::LOCALES;
use super::{CslStyle, disambiguation, records};
use crate::csl::Item;
use crate::limits::CSL_ITEMS_MAX;
use crate::notes::Notes;
use crate::rich::{Format, Height, Rich};
use crate::{Entry, Markup, Refusal};

/// A list, and its entries apart.
#[derive(Debug, Default)]
pub(crate) struct WrittenList {
    pub(crate) entries: Vec<Entry>,
    /// The entries with the labels that the style puts before them.
    pub(crate) lines: Vec<String>,
}

pub(crate) fn write_list(
    style: &CslStyle,
    items: &[Item],
    markup: Markup,
    notes: &mut Notes,
) -> Result<WrittenList, Refusal> {
    Refusal::check_count("items", items.len(), CSL_ITEMS_MAX)?;
    let records = items
        .iter()
        .map(|item| records::to_record(item, notes))
        .collect::<Result<Vec<Record>, Refusal>>()?;
    let mut rules = IndependentStyle::clone(&style.style);
    disambiguation::adapt_options(&mut rules, items);
    let work = AssertUnwindSafe(|| process_in_list_order(&rules, &records));
    let (cited, rendered) = catch_unwind(work).map_err(|_| {
        let advice = "the CSL processor fails with this style and these items; use another style";
        Refusal::unusable("style", &style.title, advice)
    })?;
    let in_text: BTreeMap<String, String> = cited
        .into_iter()
        .zip(&rendered.citations)
        .map(|(id, cited)| (id, to_rich(&cited.citation).render(markup)))
        .collect();
    let pairs = in_text
        .iter()
        .map(|(id, text)| (id.as_str(), text.as_str()));
    disambiguation::note_alike(pairs, notes);
    let Some(bibliography) = rendered.bibliography else {
        notes.add("This style has no list of references: each entry is its note.");
        return Ok(notes_as_list(items, &in_text));
    };
    let numbered = is_numeric(&rules);
    let mut list = WrittenList::default();
    for (number, written) in (1_usize..).zip(&bibliography.items) {
        let (label, body) = label_and_body(written);
        let text = body.render(markup);
        let line = Rich::join([label, body], " ");
        list.lines.push(line.render(markup));
        list.entries.push(Entry {
            id: written.key.clone(),
            number: numbered.then_some(number),
            key: None,
            text,
            cited: in_text.get(&written.key).cloned(),
        });
    }
    Ok(list)
}

/// The ids of the citations, and what the processor wrote.
fn process_in_list_order(style: &IndependentStyle, records: &[Record]) -> (Vec<String>, Rendered) {
    let mut records: Vec<&Record> = records.iter().collect();
    let rendered = process(style, &records);
    let in_text = style.settings.class == StyleClass::InText;
    if let (true, false, Some(bibliography)) = (in_text, is_numeric(style), &rendered.bibliography)
    {
        // hayagriva gives letters behind the year by the order of citations, not by that of the list.
        let position_by_id: BTreeMap<&str, usize> = bibliography
            .items
            .iter()
            .zip(0_usize..)
            .map(|(item, position)| (item.key.as_str(), position))
            .collect();
        records.sort_by_key(|record| position_by_id.get(id(record).as_str()).copied());
        let rendered = process(style, &records);
        return (records.into_iter().map(id).collect(), rendered);
    }
    (records.into_iter().map(id).collect(), rendered)
}

fn id(record: &Record) -> String {
    record.id().map(Cow::into_owned).unwrap_or_default()
}

fn process(style: &IndependentStyle, records: &[&Record]) -> Rendered {
    let locale = locale(style);
    let mut driver = BibliographyDriver::new();
    for (number, record) in (1_usize..).zip(records) {
        driver.citation(CitationRequest::new(
            vec![CitationItem::with_entry(*record)],
            style,
            locale.clone(),
            &LOCALES,
            Some(number),
        ));
    }
    driver.finish(BibliographyRequest::new(style, locale, &LOCALES))
}

/// The language of the style, or English if it names one that there are no words for.
fn locale(style: &IndependentStyle) -> Option<LocaleCode> {
    let wanted = style.default_locale.as_ref()?;
    let known = LOCALES
        .iter()
        .any(|locale| locale.lang.as_ref() == Some(wanted));
    Some(if known {
        wanted.clone()
    } else {
        LocaleCode::en_us()
    })
}

fn is_numeric(style: &IndependentStyle) -> bool {
    style.info.category.iter().any(|category| {
        matches!(
            category,
            StyleCategory::CitationFormat {
                format: CitationFormat::Numeric
            }
        )
    })
}

fn notes_as_list(items: &[Item], in_text: &BTreeMap<String, String>) -> WrittenList {
    let mut list = WrittenList::default();
    for item in items {
        let text = in_text.get(&item.id).cloned().unwrap_or_default();
        list.lines.push(text.clone());
        list.entries.push(Entry {
            id: item.id.clone(),
            number: None,
            key: None,
            cited: Some(text.clone()),
            text,
        });
    }
    list
}

/// `[1]` and what follows it, in styles that set the two apart.
fn label_and_body(written: &BibliographyItem) -> (Rich, Rich) {
    let body = to_rich(&written.content);
    let Some(first) = &written.first_field else {
        return (Rich::default(), body);
    };
    let mut label = Rich::default();
    add_child(first, &mut label);
    if is_label(first) {
        return (label, body);
    }
    (Rich::default(), Rich::join([label, body], " "))
}

fn is_label(first: &ElemChild) -> bool {
    matches!(
        first,
        ElemChild::Elem(element)
            if matches!(element.meta, Some(ElemMeta::CitationNumber | ElemMeta::CitationLabel))
    )
}

fn to_rich(children: &ElemChildren) -> Rich {
    let mut rich = Rich::default();
    add_children(children, &mut rich);
    rich.trimmed()
}

fn add_children(children: &ElemChildren, rich: &mut Rich) {
    for child in &children.0 {
        add_child(child, rich);
    }
}

fn add_child(child: &ElemChild, rich: &mut Rich) {
    match child {
        ElemChild::Text(text) => {
            rich.push(Rich::formatted(
                text.text.as_str(),
                to_format(text.formatting),
            ));
        }
        ElemChild::Elem(element) => {
            // A block on a page of its own is part of one line here.
            if element.display.is_some() {
                rich.push_space();
            }
            add_children(&element.children, rich);
        }
        ElemChild::Markup(text) => rich.push(Rich::plain(text.as_str())),
        ElemChild::Link { text, .. } => rich.push(Rich::link(text.text.as_str())),
        ElemChild::Transparent { .. } => {}
    }
}

fn to_format(formatting: Formatting) -> Format {
    Format {
        italic: formatting.font_style == FontStyle::Italic,
        bold: formatting.font_weight == FontWeight::Bold,
        underlined: formatting.text_decoration == TextDecoration::Underline,
        small_caps: formatting.font_variant == FontVariant::SmallCaps,
        height: match formatting.vertical_align {
            VerticalAlign::Sup => Height::Superscript,
            VerticalAlign::Sub => Height::Subscript,
            _ => Height::Line,
        },
    }
}
