//! Entries against those that citeproc makes from the same records; the script beside them says where and why
//! ours differ.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::format_ok;

#[derive(Deserialize)]
struct Case {
    style: String,
    id: String,
    text: String,
    cited: Option<String>,
    made_by: String,
}

#[test]
fn entries_are_those_of_the_styles() {
    let items: Vec<Value> =
        serde_json::from_str(include_str!("../reference/items.json")).expect("items");
    let items: BTreeMap<String, Value> = items
        .into_iter()
        .map(|item| (item["id"].as_str().expect("an id").to_owned(), item))
        .collect();
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../reference/expected.json")).expect("cases");
    assert!(cases.len() >= 120, "only {} cases", cases.len());
    let mut wrong = Vec::new();
    for case in cases {
        let request =
            json!({ "format": "citations", "style": case.style, "items": [items[&case.id]] });
        let answer = format_ok(request);
        let entry = &answer.entries[0];
        let mut differs = |ours: &str, theirs: &str| {
            if ours != theirs {
                wrong.push(format!(
                    "{} {} ({})\n  ours {ours}\n  want {theirs}",
                    case.style, case.id, case.made_by
                ));
            }
        };
        differs(&entry.text, &case.text);
        if let Some(cited) = &case.cited {
            differs(entry.cited.as_deref().unwrap_or_default(), cited);
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
