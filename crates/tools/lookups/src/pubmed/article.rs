//! One article of a journal, from its XML.

use adjutant_text::xml::Element;
use serde_json::{Map, Value, json};

use super::published;
use crate::Source;
use crate::dates::{Date, csl_date};

/// Links that tell what became of an article, by PubMed's names for them.
const CORRECTIONS: [(&str, &str); 12] = [
    ("RetractionIn", "retracted_by"),
    ("PartialRetractionIn", "partially_retracted_by"),
    ("RetractionOf", "retracts"),
    ("ExpressionOfConcernIn", "concern_in"),
    ("ErratumIn", "erratum_in"),
    ("ErratumFor", "erratum_for"),
    ("CorrectedandRepublishedIn", "republished_in"),
    ("RepublishedIn", "republished_in"),
    ("UpdateIn", "updated_in"),
    ("UpdateOf", "updates"),
    ("CommentIn", "comment_in"),
    ("CommentOn", "comment_on"),
];

/// What was read, and what a careful reader should know of it.
pub(super) struct Read {
    pub(super) source: Source,
    pub(super) notes: Vec<String>,
}

/// Nothing without a number.
pub(super) fn read(node: &Element) -> Option<Read> {
    let citation = node.at(&["MedlineCitation"])?;
    let article = citation.at(&["Article"])?;
    let pmid = citation.line_at(&["PMID"])?;
    let title = title(article);
    let sections = sections(article);
    let ids = node.at(&["PubmedData", "ArticleIdList"]);
    let doi = identifier(ids, "doi").or_else(|| location(article, "doi"));
    let pmcid = identifier(ids, "pmc");
    let printed = article
        .at(&["Journal", "JournalIssue", "PubDate"])
        .and_then(published::date);
    let electronic = article.at(&["ArticleDate"]).and_then(published::date);
    let published = printed.or(electronic).or_else(|| entered(node));
    let types = texts(article.at(&["PublicationTypeList"]), "PublicationType");
    let corrections = corrections(citation);
    let retracted = types.iter().any(|kind| kind == "Retracted Publication")
        || corrections
            .iter()
            .any(|link| link["kind"] == "retracted_by");
    let url = format!("https://pubmed.ncbi.nlm.nih.gov/{pmid}/");

    let mut reference = reference(article, &title, published);
    insert(&mut reference, "id", Some(format!("PMID:{pmid}")));
    insert(&mut reference, "DOI", doi.clone());
    insert(&mut reference, "PMID", Some(pmid.clone()));
    insert(&mut reference, "PMCID", pmcid.clone());
    insert(&mut reference, "URL", Some(url.clone()));
    insert(
        &mut reference,
        "status",
        retracted.then(|| "retracted".into()),
    );

    let mut details = Map::new();
    insert(&mut details, "doi", doi);
    insert(&mut details, "pmcid", pmcid);
    insert(&mut details, "electronic", electronic.map(Date::iso));
    insert(
        &mut details,
        "original_title",
        article.line_at(&["VernacularTitle"]),
    );
    details.insert("retracted".into(), retracted.into());
    details.insert("publication_types".into(), json!(types));
    let languages: Vec<String> = article.named("Language").map(Element::one_line).collect();
    details.insert("languages".into(), json!(languages));
    details.insert("mesh".into(), mesh(citation));
    details.insert(
        "keywords".into(),
        json!(texts(citation.at(&["KeywordList"]), "Keyword")),
    );
    details.insert("sections".into(), json!(sections));
    details.insert("corrections".into(), json!(corrections));

    let notes = notes(&pmid, &corrections, retracted, sections.is_empty());
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

/// A foreign article has a translated title in square brackets.
fn title(article: &Element) -> String {
    let title = article.line_at(&["ArticleTitle"]);
    let title = title.or_else(|| article.line_at(&["VernacularTitle"]));
    tidy_title(&title.unwrap_or_else(|| "(without a title)".into()))
}

pub(super) fn tidy_title(title: &str) -> String {
    let title = title.trim().trim_end_matches('.');
    let inner = title
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let title = inner.unwrap_or(title);
    title.trim_end_matches('.').to_owned()
}

/// A section without a label has an empty one.
pub(super) fn sections(article: &Element) -> Vec<Value> {
    let Some(given) = article.at(&["Abstract"]) else {
        return Vec::new();
    };
    let parts = given.named("AbstractText").map(|part| {
        let label = part.attribute("Label").unwrap_or_default();
        (label.to_owned(), part.one_line())
    });
    parts
        .filter(|(_, text)| !text.is_empty())
        .map(|(label, text)| json!({ "label": label, "text": text }))
        .collect()
}

/// Without an abstract only the title may be quoted.
pub(super) fn quotable(sections: &[Value], title: &str) -> String {
    let lines = sections.iter().filter_map(|section| {
        let text = section["text"].as_str()?;
        match section["label"].as_str() {
            Some(label) if !label.is_empty() => Some(format!("{label}: {text}")),
            _ => Some(text.to_owned()),
        }
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    if text.is_empty() {
        title.to_owned()
    } else {
        text
    }
}

fn reference(article: &Element, title: &str, published: Option<Date>) -> Map<String, Value> {
    let mut item = Map::new();
    item.insert("type".into(), "article-journal".into());
    item.insert("title".into(), title.into());
    let authors = people(article.at(&["AuthorList"]));
    if !authors.is_empty() {
        item.insert("author".into(), json!(authors));
    }
    let journal = |path: &[&str]| article.at(&["Journal"]).and_then(|node| node.line_at(path));
    insert(&mut item, "container-title", journal(&["Title"]));
    insert(
        &mut item,
        "container-title-short",
        journal(&["ISOAbbreviation"]),
    );
    insert(&mut item, "ISSN", journal(&["ISSN"]));
    insert(&mut item, "volume", journal(&["JournalIssue", "Volume"]));
    insert(&mut item, "issue", journal(&["JournalIssue", "Issue"]));
    insert(&mut item, "page", pages(article));
    insert(&mut item, "language", article.line_at(&["Language"]));
    if let Some(date) = published {
        item.insert("issued".into(), csl_date(date));
    }
    item
}

/// A group has one name; a person has two, and perhaps a suffix.
pub(super) fn people(list: Option<&Element>) -> Vec<Value> {
    let Some(list) = list else { return Vec::new() };
    let people = list.named("Author").filter_map(|author| {
        if let Some(group) = author.line_at(&["CollectiveName"]) {
            return Some(json!({ "literal": group }));
        }
        let mut person = Map::new();
        let given = author.line_at(&["ForeName"]);
        let given = given.or_else(|| author.line_at(&["Initials"]));
        insert(&mut person, "family", author.line_at(&["LastName"]));
        insert(&mut person, "given", given);
        insert(&mut person, "suffix", author.line_at(&["Suffix"]));
        (!person.is_empty()).then_some(Value::Object(person))
    });
    people.collect()
}

fn pages(article: &Element) -> Option<String> {
    let range = article.at(&["Pagination"]);
    let given = range.and_then(|node| node.line_at(&["MedlinePgn"]));
    given
        .or_else(|| {
            let start = range?.line_at(&["StartPage"])?;
            match range?.line_at(&["EndPage"]) {
                Some(end) => Some(format!("{start}-{end}")),
                None => Some(start),
            }
        })
        .or_else(|| location(article, "pii"))
}

fn location(article: &Element, kind: &str) -> Option<String> {
    let mut all = article.named("ELocationID");
    let found = all.find(|node| {
        node.attribute("EIdType") == Some(kind) && node.attribute("ValidYN") != Some("N")
    })?;
    found.line()
}

pub(super) fn identifier(list: Option<&Element>, kind: &str) -> Option<String> {
    let mut all = list?.named("ArticleId");
    let found = all.find(|node| node.attribute("IdType") == Some(kind))?;
    found.line()
}

/// When it came into PubMed, for what has no other date.
fn entered(node: &Element) -> Option<Date> {
    let history = node.at(&["PubmedData", "History"])?;
    let mut all = history.named("PubMedPubDate");
    let found = all.find(|date| date.attribute("PubStatus") == Some("pubmed"))?;
    published::date(found)
}

fn mesh(citation: &Element) -> Value {
    let Some(list) = citation.at(&["MeshHeadingList"]) else {
        return json!([]);
    };
    let headings = list.named("MeshHeading").filter_map(|heading| {
        let name = heading.at(&["DescriptorName"])?;
        let qualifiers: Vec<String> = heading
            .named("QualifierName")
            .map(Element::one_line)
            .collect();
        let major = heading
            .children()
            .any(|node| node.attribute("MajorTopicYN") == Some("Y"));
        Some(json!({ "heading": name.one_line(), "qualifiers": qualifiers, "major": major }))
    });
    headings.collect()
}

fn corrections(citation: &Element) -> Vec<Value> {
    let Some(list) = citation.at(&["CommentsCorrectionsList"]) else {
        return Vec::new();
    };
    let links = list.named("CommentsCorrections").filter_map(|link| {
        let kind = link.attribute("RefType")?;
        let (_, kind) = CORRECTIONS.iter().find(|(name, _)| *name == kind)?;
        let mut entry = Map::new();
        entry.insert("kind".into(), (*kind).into());
        insert(&mut entry, "reference", link.line_at(&["RefSource"]));
        insert(&mut entry, "pmid", link.line_at(&["PMID"]));
        Some(Value::Object(entry))
    });
    links.collect()
}

fn notes(pmid: &str, corrections: &[Value], retracted: bool, bare: bool) -> Vec<String> {
    let mut notes = Vec::new();
    let place = |kind: &str| {
        let mut links = corrections.iter().filter(|link| link["kind"] == kind);
        let link = links.next()?;
        Some(
            link["reference"]
                .as_str()
                .unwrap_or("no place is named")
                .to_owned(),
        )
    };
    if retracted {
        let place = place("retracted_by").map_or(String::new(), |place| format!(" ({place})"));
        notes.push(format!("PMID:{pmid} has been retracted{place}"));
    }
    let warnings = [
        ("partially_retracted_by", "has been retracted in part"),
        ("concern_in", "has an expression of concern"),
        ("erratum_in", "has an erratum"),
        ("republished_in", "was corrected and published again"),
    ];
    for (kind, what) in warnings {
        if let Some(place) = place(kind) {
            notes.push(format!("PMID:{pmid} {what} ({place})"));
        }
    }
    if bare {
        notes.push(format!("PMID:{pmid} has no abstract"));
    }
    notes
}

pub(super) fn texts(list: Option<&Element>, name: &str) -> Vec<String> {
    let Some(list) = list else { return Vec::new() };
    let texts = list.named(name).map(Element::one_line);
    texts.filter(|text| !text.is_empty()).collect()
}

pub(super) fn insert(map: &mut Map<String, Value>, name: &str, value: Option<String>) {
    if let Some(value) = value {
        map.insert(name.to_owned(), value.into());
    }
}
