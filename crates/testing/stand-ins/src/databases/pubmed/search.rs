//! What a term finds: words, phrases, field tags and dates.

use super::Wanted;
use super::records::{Article, articles};
use crate::databases::query::{self, Between};

const FIELDS: [&str; 14] = [
    "ti",
    "tiab",
    "au",
    "mh",
    "mesh",
    "pt",
    "la",
    "sb",
    "dp",
    "pdat",
    "ta",
    "journal",
    "all",
    "title/abstract",
];
const LANGUAGES: [(&str, &str); 3] = [("english", "eng"), ("german", "ger"), ("french", "fre")];

pub(super) struct Outcome {
    pub(super) found: Vec<&'static Article>,
    pub(super) phrases_not_found: Vec<String>,
    pub(super) fields_not_found: Vec<String>,
    pub(super) quoted_not_found: Vec<String>,
}

struct Leaf<'a> {
    text: &'a str,
    field: Option<String>,
    quoted: bool,
}

pub(super) fn run(wanted: &Wanted) -> Result<Outcome, String> {
    let query = query::parse(&wanted.term, Between::And)?;
    let (mut phrases, mut fields, mut quoted) = (Vec::new(), Vec::new(), Vec::new());
    for text in query.leaves() {
        let leaf = leaf(text);
        let known = leaf
            .field
            .as_deref()
            .is_none_or(|field| FIELDS.contains(&field));
        if !known {
            fields.extend(leaf.field);
        } else if !articles().iter().any(|article| matches(article, text)) {
            if leaf.quoted {
                quoted.push(text.to_owned());
            } else {
                phrases.push(leaf.text.to_owned());
            }
        }
    }
    let dropped: Vec<String> = phrases.clone();
    let kept = query.retain(&|text| !dropped.iter().any(|phrase| phrase == leaf(text).text));
    let mut found: Vec<&Article> = match kept {
        None => Vec::new(),
        Some(query) => {
            let all = articles().iter().filter(|article| within(article, wanted));
            all.filter(|article| query.holds(&mut |text| matches(article, text)))
                .collect()
        }
    };
    match wanted.sort.as_str() {
        "pub_date" => found.sort_by(|a, b| b.date.cmp(&a.date)),
        "JournalName" => found.sort_by(|a, b| a.journal.cmp(&b.journal)),
        "Author" => found.sort_by(|a, b| a.words.authors.cmp(&b.words.authors)),
        _ => {}
    }
    Ok(Outcome {
        found,
        phrases_not_found: phrases,
        fields_not_found: fields,
        quoted_not_found: quoted,
    })
}

/// `"two words"[ti]` as its text and its field.
fn leaf(text: &str) -> Leaf<'_> {
    let (text, field) = match text.split_once('[') {
        Some((text, field)) => (text, Some(field.trim_end_matches(']').to_lowercase())),
        None => (text, None),
    };
    Leaf {
        quoted: text.starts_with('"'),
        text: text.trim_matches('"'),
        field,
    }
}

fn matches(article: &Article, text: &str) -> bool {
    let leaf = leaf(text);
    let phrase = query::words(leaf.text);
    let words = &article.words;
    let has = |part: &[String]| query::has_phrase(part, &phrase);
    match leaf.field.as_deref() {
        Some("ti") => has(&words.title),
        Some("tiab" | "title/abstract") => {
            has(&words.title) || has(&words.summary) || has(&words.keywords)
        }
        Some("au") => has(&words.authors),
        Some("mh" | "mesh") => has(&words.mesh),
        Some("pt") => has(&words.types),
        Some("ta" | "journal") => has(&words.journal),
        Some("la") => LANGUAGES
            .iter()
            .any(|(name, code)| leaf.text.eq_ignore_ascii_case(name) && article.language == *code),
        Some("sb") => leaf.text.eq_ignore_ascii_case("free full text") && article.free,
        Some("dp" | "pdat") => article.date.starts_with(&leaf.text.replace('/', "-")),
        _ if leaf.text == "hasabstract" => !article.sections.is_empty(),
        _ => {
            let all = [
                &words.title,
                &words.summary,
                &words.authors,
                &words.mesh,
                &words.keywords,
                &words.journal,
            ];
            let whole = all.iter().any(|part| has(part));
            whole || article.registry.as_deref() == Some(leaf.text)
        }
    }
}

/// A shorter date counts as its whole year or month.
fn within(article: &Article, wanted: &Wanted) -> bool {
    let cut = |bound: &str| {
        let length = bound.len().min(article.date.len());
        (
            article.date[..length].to_owned(),
            bound.chars().take(length).collect::<String>(),
        )
    };
    let after = wanted.from.as_deref().is_none_or(|from| {
        let (date, from) = cut(from);
        date >= from
    });
    let before = wanted.to.as_deref().is_none_or(|to| {
        let (date, to) = cut(to);
        date <= to
    });
    after && before
}
