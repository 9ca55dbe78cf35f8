//! A chapter or a book that PubMed lists, from its XML.

use adjutant_text::xml::Element;
use serde_json::{Map, Value, json};

use super::article::{Read, identifier, insert, people, quotable, sections, texts, tidy_title};
use super::published;
use crate::Source;
use crate::dates::{Date, csl_date};

/// Nothing without a number.
pub(super) fn read(node: &Element) -> Option<Read> {
    let document = node.at(&["BookDocument"])?;
    let pmid = document.line_at(&["PMID"])?;
    let book = document.at(&["Book"]);
    let book_title = book.and_then(|book| book.line_at(&["BookTitle"]));
    let chapter = document.line_at(&["ArticleTitle"]);
    let kind = if chapter.is_some() { "chapter" } else { "book" };
    let title = chapter.clone().or_else(|| book_title.clone());
    let title = tidy_title(&title.unwrap_or_else(|| "(without a title)".into()));
    let sections = sections(document);
    let contributed = document.at(&["ContributionDate"]).and_then(published::date);
    let printed = book
        .and_then(|book| book.at(&["PubDate"]))
        .and_then(published::date);
    let published = contributed.or(printed);
    let accession = identifier(document.at(&["ArticleIdList"]), "bookaccession");
    let url = format!("https://pubmed.ncbi.nlm.nih.gov/{pmid}/");

    let mut reference = Map::new();
    reference.insert("id".into(), format!("PMID:{pmid}").into());
    reference.insert("type".into(), kind.into());
    reference.insert("title".into(), title.clone().into());
    let (mut authors, mut editors) = (Vec::new(), Vec::new());
    let lists = document
        .named("AuthorList")
        .chain(book.into_iter().flat_map(|book| book.named("AuthorList")));
    for list in lists {
        match list.attribute("Type") {
            Some("editors") => editors.extend(people(Some(list))),
            _ => authors.extend(people(Some(list))),
        }
    }
    for (role, people) in [("author", authors), ("editor", editors)] {
        if !people.is_empty() {
            reference.insert(role.into(), json!(people));
        }
    }
    let of_book = |path: &[&str]| book.and_then(|book| book.line_at(path));
    if chapter.is_some() {
        insert(&mut reference, "container-title", book_title);
    }
    insert(
        &mut reference,
        "publisher",
        of_book(&["Publisher", "PublisherName"]),
    );
    insert(
        &mut reference,
        "publisher-place",
        of_book(&["Publisher", "PublisherLocation"]),
    );
    insert(&mut reference, "ISBN", of_book(&["Isbn"]));
    insert(&mut reference, "PMID", Some(pmid.clone()));
    insert(&mut reference, "URL", Some(url.clone()));
    if let Some(date) = published {
        reference.insert("issued".into(), csl_date(date));
    }

    let mut details = Map::new();
    details.insert("retracted".into(), false.into());
    details.insert(
        "publication_types".into(),
        json!(texts(Some(document), "PublicationType")),
    );
    details.insert("sections".into(), json!(sections));
    insert(&mut details, "book", accession);
    let notes = if sections.is_empty() {
        vec![format!("PMID:{pmid} has no abstract")]
    } else {
        Vec::new()
    };
    let source = Source {
        id: format!("PMID:{pmid}"),
        text: quotable(&sections, &title),
        title,
        published: published.map(Date::iso),
        url,
        reference: Value::Object(reference),
        details: Value::Object(details),
    };
    Some(Read { source, notes })
}
