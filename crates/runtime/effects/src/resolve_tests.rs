use super::*;
use proptest::prelude::*;
use serde_json::json;

fn outputs() -> BTreeMap<String, Json> {
    let fetch =
        json!({ "title": "A \"b\"", "rows": [{ "n": 1 }, [2, 3]], "none": null, "0": "zero" });
    BTreeMap::from([
        ("fetch".to_owned(), Json::encode(&fetch).unwrap()),
        ("plain".to_owned(), Json::parse("\"text\"").unwrap()),
    ])
}

fn resolved(mut value: Value) -> Result<Value, String> {
    let inputs = Json::parse(r#"{"name":"Ada","on":true}"#).unwrap();
    Resolver::new(Some(&inputs), &outputs()).resolve(&mut value)?;
    Ok(value)
}

#[test]
fn a_whole_reference_keeps_its_type_and_a_part_becomes_text() {
    for (text, wanted) in [
        ("{{fetch.output.rows}}", json!([{ "n": 1 }, [2, 3]])),
        ("{{ fetch.output.rows.0.n }}", json!(1)),
        ("{{fetch.output.rows[1][0]}}", json!(2)),
        ("{{fetch.output.rows[0].n}}", json!(1)),
        ("{{fetch.output.0}}", json!("zero")),
        ("{{fetch.output.none}}", Value::Null),
        ("{{plain.output}}", json!("text")),
        ("{{inputs.on}}", json!(true)),
        (
            "{{inputs.name}}: {{fetch.output.title}} {{fetch.output.rows}}",
            json!("Ada: A \"b\" [{\"n\":1},[2,3]]"),
        ),
        (" {{fetch.output.none}}", json!(" null")),
        ("{{inputs.on}}{{inputs.on}}", json!("truetrue")),
        ("a {{ b", json!("a {{ b")),
        ("{ {x} }", json!("{ {x} }")),
    ] {
        assert_eq!(resolved(json!(text)), Ok(wanted), "{text}");
    }
    let nested = json!({ "a": ["{{inputs.name}}", { "b": "{{inputs.on}}" }], "{{inputs.on}}": 1 });
    let wanted = json!({ "a": ["Ada", { "b": true }], "{{inputs.on}}": 1 });
    assert_eq!(resolved(nested), Ok(wanted));
}

#[test]
fn what_was_brought_in_is_not_resolved_again() {
    let outputs = BTreeMap::from([(
        "a".to_owned(),
        Json::parse(r#""{{inputs.secret}}""#).unwrap(),
    )]);
    let inputs = Json::parse(r#"{"secret":"s"}"#).unwrap();
    let mut value = json!(["{{a.output}}", "x{{a.output}}"]);
    Resolver::new(Some(&inputs), &outputs)
        .resolve(&mut value)
        .unwrap();
    assert_eq!(value, json!(["{{inputs.secret}}", "x{{inputs.secret}}"]));
}

#[test]
fn what_is_missing_is_named_with_what_is_there() {
    for (text, wanted) in [
        (
            "{{fetch.output.titel}}",
            "`{{fetch.output.titel}}`: there is no `titel`; `fetch.output` has `0`, `none`, `rows`, `title`",
        ),
        (
            "{{fetch.output.rows.7}}",
            "`{{fetch.output.rows.7}}`: there is no `7`; `fetch.output.rows` is a list of 2, counted from 0",
        ),
        (
            "{{plain.output.a}}",
            "`{{plain.output.a}}`: there is no `a`; `plain.output` is a text",
        ),
        (
            "{{other.output.a}}",
            "`{{other.output.a}}`: task `other` has no output; it was skipped, or does not run before this one",
        ),
        (
            "{{title}}",
            "`{{title}}` is not a reference: write `{{task.output.path}}` or `{{inputs.path}}`",
        ),
        (
            "{{}}",
            "`{{}}` is not a reference: write `{{task.output.path}}` or `{{inputs.path}}`",
        ),
    ] {
        assert_eq!(resolved(json!(text)), Err(wanted.to_owned()));
    }
    let mut value = json!("{{inputs.a}}");
    let without = Resolver::new(None, &BTreeMap::new()).resolve(&mut value);
    assert_eq!(
        without,
        Err("`{{inputs.a}}`: the mission has no inputs".to_owned())
    );
}

#[test]
fn many_references_to_much_are_refused_before_they_fill_the_memory() {
    let big = Json::encode(&"x".repeat(1_000_000)).unwrap();
    let outputs = BTreeMap::from([("a".to_owned(), big)]);
    for value in [
        json!("{{a.output}},".repeat(10_000)),
        json!(vec!["{{a.output}}"; 10_000]),
    ] {
        let mut value = value;
        let result = Resolver::new(None, &outputs).resolve(&mut value);
        assert!(
            result
                .unwrap_err()
                .contains("insert more than 8388608 bytes")
        );
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,60}|([{}\\[\\]. ]|fetch|output|rows|inputs|[0-9]|\\{\\{|\\}\\}){0,24}") {
        let _ = resolved(json!(text));
        let mut found = Vec::new();
        tasks(&json!(text), &mut found);
    }

    #[test]
    fn text_without_braces_stays(text in "[^{]{0,60}") {
        prop_assert_eq!(resolved(json!(text)), Ok(json!(text)));
    }

    #[test]
    fn every_value_survives_a_whole_reference(number in any::<i64>(), text in "\\PC{0,40}", key in "[a-z_]{1,8}") {
        let document = json!({ &key: [{ "n": number, "t": text }] });
        let outputs = BTreeMap::from([("a".to_owned(), Json::encode(&document).unwrap())]);
        let mut value = json!(format!("{{{{a.output.{key}.0}}}}"));
        Resolver::new(None, &outputs).resolve(&mut value).unwrap();
        prop_assert_eq!(value, json!({ "n": number, "t": text }));
    }
}
