//! What can be read as an input and still asks for nothing: empty texts, two sources of one name, none of something.

use std::collections::BTreeSet;

use adjutant_mission::references;
use serde_json::Value;

/// Texts that must say something, where they are given; in a list, each of them.
const SPEAKING: [&str; 12] = [
    "objective",
    "question",
    "heading",
    "claims",
    "items",
    "criteria",
    "id",
    "text",
    "key",
    "title",
    "wants",
    "name",
];
const COUNTS: [&str; 2] = ["most", "words_max"];

/// What makes no sense in an input: dotted path, message. A `{{…}}` reference may still become anything.
pub(crate) fn senseless(input: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    blank("", "", input, &mut found);
    let sources = input["sources"].as_array().into_iter().flatten();
    let mut ids = BTreeSet::new();
    for (at, source) in sources.enumerate() {
        if let Some(id) = source["id"].as_str().filter(|id| references(id).is_empty())
            && !id.trim().is_empty()
            && !ids.insert(id)
        {
            let message = format!("two sources have the id `{id}`");
            found.push((format!("sources[{at}].id"), message));
        }
    }
    for name in COUNTS {
        if input[name].as_u64() == Some(0) {
            found.push((
                name.to_owned(),
                format!("`{name}` is 0: ask for at least 1"),
            ));
        }
    }
    found
}

/// `field` is what the value stands under, `path` where that is.
fn blank(field: &str, path: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) if SPEAKING.contains(&field) && text.trim().is_empty() => {
            found.push((path.to_owned(), format!("`{field}` is empty")));
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                blank(field, &format!("{path}[{at}]"), item, found);
            }
        }
        Value::Object(fields) => {
            let may_be_blank = |name: &str| field == "sources" && name == "title";
            for (name, inner) in fields.iter().filter(|(name, _)| !may_be_blank(name)) {
                let path = match path {
                    "" => name.clone(),
                    path => format!("{path}.{name}"),
                };
                blank(name, &path, inner, found);
            }
        }
        _ => {}
    }
}
