use serde_json::json;

use super::*;

fn refused(schema: Value) -> String {
    AnswerSchema::compile(&schema).unwrap_err().to_string()
}

#[test]
fn what_could_keep_a_checker_busy_is_refused_with_its_place() {
    for (schema, part) in [
        (json!({ "pattern": "(a+)+$" }), "`pattern`"),
        (
            json!({ "properties": { "a": { "patternProperties": {} } } }),
            "`properties.a`: the keyword `patternProperties`",
        ),
        (json!({ "$ref": "#" }), "`$ref`"),
        (json!({ "items": { "$dynamicRef": "#x" } }), "`items`"),
        (json!({ "anyOf": [{}, { "if": true }] }), "`anyOf.1`"),
        (json!({ "anyOf": {} }), "`anyOf`: it must be a list"),
        (
            json!({ "properties": [] }),
            "`properties`: it must be an object",
        ),
        (json!({ "items": 5 }), "`items`: a schema is an object"),
        (json!([]), "it must be an object"),
        (json!(true), "it must be an object"),
        (json!({ "type": "objekt" }), "objekt"),
        (
            json!({ "description": "x".repeat(70_000) }),
            "the limit is 65536",
        ),
    ] {
        let told = refused(schema);
        assert!(told.contains(part), "{told}");
    }
    let mut deep = json!({});
    for _ in 0..DEPTH_MAX {
        deep = json!({ "items": deep });
    }
    assert!(refused(deep).contains("nested deeper"));
    let many: Vec<Value> = vec![json!({}); NODES_MAX];
    assert!(refused(json!({ "anyOf": many })).contains("more than 1000 parts"));
}

fn rows() -> AnswerSchema {
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["rows"],
        "properties": {
            "rows": { "type": "array", "items": { "type": "object", "properties": { "price": { "type": "number" } } } },
            "note": { "anyOf": [{ "type": "string" }, { "type": "object" }] },
        },
    });
    AnswerSchema::compile(&schema).unwrap()
}

#[test]
fn an_answer_that_does_not_fit_says_where() {
    let schema = rows();
    assert_eq!(schema.check(&json!({ "rows": [{ "price": 1.5 }] })), []);
    let found = schema.check(&json!({ "rows": [{ "price": "1.5" }] }));
    assert_eq!(found[0].path, "rows.0.price");
    assert!(!schema.check(&json!({})).is_empty());
    assert!(!schema.check(&json!({ "rows": [], "more": 1 })).is_empty());
}

#[test]
fn a_path_that_no_answer_has_is_known_before_anything_runs() {
    let schema = rows();
    for (path, never) in [
        (&["rows", "0", "price"][..], None),
        (&["rows"], None),
        (&[], None),
        (&["row"], Some("row")),
        (&["rows", "first"], Some("first")),
        (&["rows", "0", "price", "amount"], Some("amount")),
        // The schema of a row is open.
        (&["rows", "0", "colour", "name"], None),
        // One alternative has fields.
        (&["note", "author"], None),
    ] {
        assert_eq!(schema.never_has(path), never, "{path:?}");
    }
}
