//! What can be read as an input and still asks for nothing: empty texts, two sources of one name, none of something.

use std::collections::BTreeSet;

use adjutant_mission::references;
use serde_json::Value;

/// Texts that must say something, where they are given; in a list, each of them.
const SPEAKING: [&str; 14] = [
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
    "part",
    "guidance",
];
/// Lists whose members are told apart by a field.
const TOLD_APART: [(&str, &str); 4] = [
    ("sources", "id"),
    ("thoughts", "step"),
    ("tools", "id"),
    ("missions", "id"),
];
const COUNTS: [&str; 2] = ["most", "words_max"];

/// What makes no sense in an input: dotted path, message. A `{{…}}` reference may still become anything.
pub(crate) fn senseless(input: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    blank("", "", input, &mut found);
    for (list, field) in TOLD_APART {
        let members = input[list].as_array().into_iter().flatten();
        let mut seen = BTreeSet::new();
        for (at, member) in members.enumerate() {
            let name = match &member[field] {
                Value::String(name) if references(name).is_empty() => name.clone(),
                Value::Number(number) => number.to_string(),
                _ => continue,
            };
            if !name.trim().is_empty() && !seen.insert(name.clone()) {
                let message = format!("two {list} have the {field} `{name}`");
                found.push((format!("{list}[{at}].{field}"), message));
            }
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
            // A tool's schema has words of its own.
            let may_be_blank =
                |name: &str| [("sources", "title"), ("tools", "schema")].contains(&(field, name));
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
