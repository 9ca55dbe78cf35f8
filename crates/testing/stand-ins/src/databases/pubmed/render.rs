//! Articles as PubMed's XML.

use std::fmt::Write as _;

use super::records::{Article, Author, Book, journal_of};

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

pub(super) fn set(articles: &[&Article]) -> String {
    let mut xml = String::from(
        "<?xml version=\"1.0\" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC \"-//NLM//DTD PubMedArticle, 1st January 2025//EN\" \
         \"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd\">\n<PubmedArticleSet>\n",
    );
    for article in articles {
        match &article.book {
            Some(book) => xml.push_str(&chapter(article, book)),
            None => xml.push_str(&one(article)),
        }
    }
    xml.push_str("</PubmedArticleSet>\n");
    xml
}

fn one(article: &Article) -> String {
    let mut inner = String::new();
    if let Some(journal) = journal_of(article) {
        let issue = format!(
            "{}{}<PubDate>{}</PubDate>",
            optional("Volume", article.volume.as_deref()),
            optional("Issue", article.issue.as_deref()),
            match &article.medline {
                Some(free) => element("MedlineDate", free),
                None => date(&article.date),
            }
        );
        let _ = write!(
            inner,
            "<Journal><ISSN IssnType=\"Electronic\">{}</ISSN><JournalIssue CitedMedium=\"Internet\">{issue}</JournalIssue>{}{}</Journal>",
            journal.issn,
            element("Title", &journal.title),
            element("ISOAbbreviation", &journal.abbreviation)
        );
    }
    inner.push_str(&element("ArticleTitle", &format!("{}.", article.title)));
    if let Some(pages) = &article.pages {
        let _ = write!(
            inner,
            "<Pagination>{}</Pagination>",
            element("MedlinePgn", pages)
        );
    }
    if let Some(doi) = &article.doi {
        let _ = write!(
            inner,
            "<ELocationID EIdType=\"doi\" ValidYN=\"Y\">{}</ELocationID>",
            escape(doi)
        );
    }
    inner.push_str(&summary(article));
    inner.push_str(&people("", &article.authors));
    inner.push_str(&element("Language", &article.language));
    inner.push_str("<PublicationTypeList>");
    for kind in &article.types {
        let _ = write!(
            inner,
            "<PublicationType UI=\"D000000\">{}</PublicationType>",
            escape(kind)
        );
    }
    inner.push_str("</PublicationTypeList>");
    if let Some(vernacular) = &article.vernacular {
        inner.push_str(&element("VernacularTitle", &format!("{vernacular}.")));
    }
    if let Some(day) = &article.electronic {
        let _ = write!(
            inner,
            "<ArticleDate DateType=\"Electronic\">{}</ArticleDate>",
            date(day)
        );
    }
    let mut ids = id("pubmed", &article.pmid);
    if let Some(doi) = &article.doi {
        ids.push_str(&id("doi", doi));
    }
    if let Some(pmc) = &article.pmc {
        ids.push_str(&id("pmc", pmc));
    }
    format!(
        "<PubmedArticle><MedlineCitation Status=\"MEDLINE\" Owner=\"NLM\"><PMID Version=\"1\">{}</PMID><Article \
         PubModel=\"Print\">{inner}</Article>{}{}{}</MedlineCitation><PubmedData><PublicationStatus>ppublish</PublicationStatus>\
         <ArticleIdList>{ids}</ArticleIdList></PubmedData></PubmedArticle>\n",
        article.pmid,
        links(article),
        headings(article),
        keywords(article)
    )
}

fn chapter(article: &Article, book: &Book) -> String {
    format!(
        "<PubmedBookArticle><BookDocument><PMID Version=\"1\">{}</PMID><ArticleIdList>{}</ArticleIdList><Book><Publisher>\
         {}{}</Publisher><BookTitle book=\"x\">{}</BookTitle><PubDate>{}</PubDate>{}{}</Book>{}<Language>{}</Language>{}\
         <PublicationType UI=\"D016454\">Review</PublicationType>{}</BookDocument></PubmedBookArticle>\n",
        article.pmid,
        id("bookaccession", &book.accession),
        element("PublisherName", &book.publisher),
        element("PublisherLocation", &book.place),
        escape(&book.title),
        date(&article.date),
        people(" Type=\"editors\"", &book.editors),
        element("Isbn", &book.isbn),
        element("ArticleTitle", &article.title),
        article.language,
        people(" Type=\"authors\"", &article.authors),
        summary(article)
    )
}

fn summary(article: &Article) -> String {
    if article.sections.is_empty() {
        return String::new();
    }
    let mut xml = String::from("<Abstract>");
    for (label, text) in &article.sections {
        let label = match label.is_empty() {
            true => String::new(),
            false => format!(" Label=\"{0}\" NlmCategory=\"{0}\"", escape(label)),
        };
        let _ = write!(xml, "<AbstractText{label}>{}</AbstractText>", escape(text));
    }
    xml.push_str("</Abstract>");
    xml
}

fn people(kind: &str, authors: &[Author]) -> String {
    let mut xml = format!("<AuthorList{kind} CompleteYN=\"Y\">");
    for author in authors {
        match author {
            Author::Group(name) => {
                let name = element("CollectiveName", name);
                let _ = write!(xml, "<Author ValidYN=\"Y\">{name}</Author>");
            }
            Author::Person(last, fore) => {
                let initial: String = fore.chars().take(1).collect();
                let _ = write!(
                    xml,
                    "<Author ValidYN=\"Y\">{}{}{}</Author>",
                    element("LastName", last),
                    element("ForeName", fore),
                    element("Initials", &initial)
                );
            }
        }
    }
    xml.push_str("</AuthorList>");
    xml
}

fn links(article: &Article) -> String {
    if article.links.is_empty() {
        return String::new();
    }
    let mut xml = String::from("<CommentsCorrectionsList>");
    for (kind, place, pmid) in &article.links {
        let _ = write!(
            xml,
            "<CommentsCorrections RefType=\"{kind}\">{}{}</CommentsCorrections>",
            element("RefSource", place),
            optional("PMID", pmid.as_deref())
        );
    }
    xml.push_str("</CommentsCorrectionsList>");
    xml
}

/// A star marks what an article is mainly about.
fn headings(article: &Article) -> String {
    let mut xml = String::from("<MeshHeadingList>");
    for heading in &article.mesh {
        let major = if heading.ends_with('*') { "Y" } else { "N" };
        let _ = write!(
            xml,
            "<MeshHeading><DescriptorName UI=\"D000000\" MajorTopicYN=\"{major}\">{}</DescriptorName></MeshHeading>",
            escape(heading.trim_end_matches('*'))
        );
    }
    xml.push_str("</MeshHeadingList>");
    xml
}

fn keywords(article: &Article) -> String {
    if article.keywords.is_empty() {
        return String::new();
    }
    let words = article.keywords.iter().map(|word| element("Keyword", word));
    format!(
        "<KeywordList Owner=\"NOTNLM\">{}</KeywordList>",
        words.collect::<String>()
    )
}

fn date(text: &str) -> String {
    let mut parts = text.split('-');
    let mut xml = element("Year", parts.next().unwrap_or_default());
    if let Some(month) = parts.next() {
        let at = month.parse::<usize>().unwrap_or(1).saturating_sub(1);
        xml.push_str(&element("Month", MONTHS.get(at).unwrap_or(&"Jan")));
    }
    xml.push_str(&optional("Day", parts.next()));
    xml
}

fn id(kind: &str, value: &str) -> String {
    format!("<ArticleId IdType=\"{kind}\">{}</ArticleId>", escape(value))
}

fn optional(name: &str, text: Option<&str>) -> String {
    text.map_or(String::new(), |text| element(name, text))
}

fn element(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>", escape(text))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
