//! Who speaks in a document, and to whom.

use adjutant_knowledge_index::Document;

/// How much of a document's beginning names them.
const HEAD_BYTES: usize = 900;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Speakers {
    pub(crate) from: Option<String>,
    pub(crate) to: Option<String>,
}

pub(crate) fn speakers(document: &Document) -> Speakers {
    let head = &document.text[..document.text.floor_char_boundary(HEAD_BYTES)];
    let line = |name: &str| {
        head.lines().find_map(|line| {
            let line = line.trim().trim_start_matches(['*', '|', ' ']);
            let rest = line
                .get(..name.len())
                .filter(|own| own.eq_ignore_ascii_case(name))
                .map(|_| &line[name.len()..])?;
            let rest = rest
                .trim_start_matches('*')
                .strip_prefix(':')?
                .trim_start_matches(['*', ' ']);
            person(rest)
        })
    };
    Speakers {
        from: line("from").or_else(|| document.author.as_deref().and_then(person)),
        to: line("to").or_else(|| line("addressee")),
    }
}

/// The first name of a line: `Ada Frey <frey@example.org>, ...`, `Ada Frey     Date: ...`.
fn person(text: &str) -> Option<String> {
    let end = text
        .find(['<', ',', ';'])
        .unwrap_or(text.len())
        .min(text.find("  ").unwrap_or(text.len()));
    let name = text[..end].trim().trim_matches(['*', '"']);
    (!name.is_empty()).then(|| name.to_owned())
}
