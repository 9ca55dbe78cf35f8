//! The kind of work that a record describes; it decides the form of the entry.

use super::{Field, Item};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Journal,
    Magazine,
    Newspaper,
    Preprint,
    Book,
    Chapter,
    Report,
    WebPage,
    Patent,
    Dataset,
    Law,
    Thesis,
    Conference,
    Trial,
    PressRelease,
}

impl Kind {
    /// CSL has no type for trial records and press releases; they are recognised by their genre or number.
    pub(crate) fn from_item(item: &Item) -> Self {
        let genre = item.text(Field::Genre).to_lowercase();
        let article = item.csl_type == "article-journal";
        if genre.contains("clinical trial registration")
            || (!article && is_trial_number(item.text(Field::Number)))
        {
            return Self::Trial;
        }
        if genre.contains("press release") || genre.contains("news release") {
            return Self::PressRelease;
        }
        match item.csl_type.as_str() {
            "article-journal" | "review" | "review-book" => Self::Journal,
            "article-magazine" => Self::Magazine,
            "article-newspaper" => Self::Newspaper,
            "article" | "manuscript" => Self::Preprint,
            "book" | "periodical" | "pamphlet" | "classic" => Self::Book,
            "chapter" | "entry" | "entry-dictionary" | "entry-encyclopedia" => Self::Chapter,
            "report" | "standard" => Self::Report,
            "patent" => Self::Patent,
            "dataset" | "software" => Self::Dataset,
            "legislation" | "regulation" | "bill" | "treaty" | "legal_case" => Self::Law,
            "thesis" => Self::Thesis,
            "paper-conference" | "speech" => Self::Conference,
            _ if item.has(Field::Url) => Self::WebPage,
            _ => Self::Report,
        }
    }

    /// Whether `from_item` names the type.
    pub(crate) fn is_known_type(csl_type: &str) -> bool {
        const KNOWN: &[&str] = &[
            "article-journal",
            "review",
            "review-book",
            "article-magazine",
            "article-newspaper",
            "article",
            "manuscript",
            "book",
            "periodical",
            "pamphlet",
            "classic",
            "chapter",
            "entry",
            "entry-dictionary",
            "entry-encyclopedia",
            "report",
            "standard",
            "patent",
            "dataset",
            "software",
            "legislation",
            "regulation",
            "bill",
            "treaty",
            "legal_case",
            "thesis",
            "paper-conference",
            "speech",
            "webpage",
            "post",
            "post-weblog",
            "document",
        ];
        KNOWN.contains(&csl_type)
    }
}

/// `NCT04280705`: a number of ClinicalTrials.gov.
fn is_trial_number(number: &str) -> bool {
    number
        .strip_prefix("NCT")
        .is_some_and(|digits| digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
