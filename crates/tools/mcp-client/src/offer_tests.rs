use std::time::Duration;

use super::*;
use crate::Reach;

fn settings() -> ServerSettings {
    ServerSettings {
        name: "files".into(),
        reach: Reach::Unusable { why: String::new() },
        allowed: Allowed::All,
        classes: BTreeMap::new(),
        prices: BTreeMap::new(),
        call_limit: Duration::from_secs(60),
        start_limit: Duration::from_secs(10),
    }
}

fn tool(name: &str, hint: Option<bool>) -> Tool {
    let annotations = hint.map(|hint| serde_json::json!({ "readOnlyHint": hint }));
    serde_json::from_value(serde_json::json!({
        "name": name, "inputSchema": { "type": "object" }, "annotations": annotations,
    }))
    .unwrap()
}

#[test]
fn names_that_fit_stay_and_others_never_meet() {
    let id = |name: &str| id("files", name).unwrap().to_string();
    assert_eq!(id("read.all_of-it2"), "files.read.all_of-it2");
    assert!(id("read all").starts_with("files.readall:"));
    let odd = [
        "read all",
        "readall",
        "read:all",
        "rea dall",
        "",
        "é",
        &"x".repeat(64),
    ];
    let mut ids: Vec<String> = odd.iter().map(|name| id(name)).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), odd.len());
}

#[test]
fn the_class_is_once_unless_the_operator_says_otherwise() {
    let mut settings = settings();
    let of = |settings: &ServerSettings, hint| class(settings, &tool("x", hint));
    assert_eq!(of(&settings, None), EffectClass::Once);
    assert_eq!(of(&settings, Some(false)), EffectClass::Once);
    assert_eq!(of(&settings, Some(true)), EffectClass::Once);
    for said in [EffectClass::Pure, EffectClass::Idempotent] {
        settings.classes.insert("x".into(), said);
        assert_eq!(of(&settings, Some(false)), said);
    }
}

#[test]
fn words_from_outside_are_cleaned_and_cut() {
    assert_eq!(clean(" a\tb\n\u{7}c\u{202e}\u{e0041} ", 80), "a b c");
    assert_eq!(clean("ééé", 2), "éé…");
}

#[test]
fn settings_for_tools_that_are_not_there_are_told() {
    let mut settings = settings();
    settings.allowed = Allowed::Only(vec!["x".into(), "y".into()]);
    settings.prices.insert("z".into(), MicroUsd(1));
    let listed = Listed {
        tools: vec![tool("x", None), tool("w", None)],
        rest: Rest::Nothing,
    };
    let (offers, left_out) = sort(&settings, &listed);
    assert_eq!(offers.len(), 1);
    let told: Vec<&str> = left_out.iter().map(|left| left.what.as_str()).collect();
    assert_eq!(told, ["the setting for `y`", "the setting for `z`"]);
    let of_settings = |left: &LeftOut| left.at_fault == AtFault::Settings;
    assert!(left_out.iter().all(of_settings));
}
