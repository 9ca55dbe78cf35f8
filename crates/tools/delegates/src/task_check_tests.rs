use serde_json::json;

use super::*;

const OUT: AnswerFrom = AnswerFrom::StandardOutput;

/// The codes and places of what is wrong.
fn wrong(arguments: Value, references: References) -> Vec<String> {
    let found = problems(&arguments, references, Takes::Files(&OUT));
    let told = found.into_iter();
    told.map(|found| format!("{} {}", found.code.unwrap(), found.path))
        .collect()
}

#[test]
fn names_that_leave_the_folder_are_known_before_anything_runs() {
    for name in [
        "../a",
        "/etc/passwd",
        "a/../../b",
        "..",
        ".",
        "",
        "a\0b",
        "task.json",
    ] {
        for references in [References::Open, References::Resolved] {
            let given =
                json!({ "files": [{ "name": "ok", "text": "" }, { "name": name, "text": "" }] });
            assert_eq!(
                wrong(given, references),
                ["ADJ-6312 files[1].name"],
                "{name}"
            );
            let wanted = json!({ "output_files": ["ok", name] });
            assert_eq!(
                wrong(wanted, references),
                ["ADJ-6312 output_files[1]"],
                "{name}"
            );
        }
    }
    let fine =
        json!({ "files": [{ "name": "a/b.txt", "text": "" }], "output_files": ["a/b.txt", "..c"] });
    assert_eq!(wrong(fine, References::Open), [""; 0]);
    let in_file = AnswerFrom::File("answer.json".into());
    let taken = json!({ "output_files": ["answer.json"] });
    let found = problems(&taken, References::Open, Takes::Files(&in_file));
    assert_eq!(found[0].path, "output_files[0]");
}

#[test]
fn files_that_cannot_be_beside_each_other_are_refused() {
    for names in [["a", "a"], ["a", "a/b"], ["a/b", "a"]] {
        let wanted = json!({ "output_files": names });
        assert_eq!(
            wrong(wanted, References::Open),
            ["ADJ-6312 output_files[1]"],
            "{names:?}"
        );
    }
    let fine =
        json!({ "output_files": ["a", "ab", "b/a"], "files": [{ "name": "a", "text": "" }] });
    assert_eq!(
        wrong(fine, References::Open),
        [""; 0],
        "a file may be given and rewritten"
    );
}

#[test]
fn a_schema_that_is_none_is_refused() {
    for schema in [
        json!({ "type": "objekt" }),
        json!({ "type": ["object", 7] }),
        json!({ "properties": [] }),
        json!({ "required": "count" }),
        json!({ "minimum": "3" }),
        json!({ "$ref": "#/x" }),
        json!({ "pattern": "(a+)+" }),
        json!("object"),
    ] {
        let task = json!({ "output_schema": schema });
        assert_eq!(
            wrong(task.clone(), References::Open),
            ["ADJ-6303 output_schema"],
            "{schema}"
        );
        let found = problems(&task, References::Open, Takes::Words);
        assert_eq!(found.len(), 1, "{schema}");
    }
}

#[test]
fn what_a_reference_decides_is_left_to_the_moment_when_it_is_resolved() {
    let task = json!({
        "files": ["{{a.output.files.0}}", { "name": "{{a.output.name}}", "text": "x" }, { "name": "b", "base64": "{{a.output.b}}" }],
        "output_files": ["{{a.output.name}}", "../{{a.output.name}}"],
        "output_schema": { "enum": "{{a.output.names}}" },
    });
    assert_eq!(wrong(task, References::Open), [""; 0]);
    // Afterwards, braces are only letters, and say nothing about a name.
    let resolved = json!({
        "files": [{ "name": "../{{x", "text": "" }],
        "output_files": ["../{{a.output.name}}"],
        "output_schema": { "type": "{{a.output.type}}" },
    });
    assert_eq!(
        wrong(resolved, References::Resolved),
        [
            "ADJ-6303 output_schema",
            "ADJ-6312 files[0].name",
            "ADJ-6312 output_files[0]"
        ]
    );
}

#[test]
fn a_file_has_one_content() {
    for (file, place) in [
        (json!({ "name": "a" }), "files[0].text"),
        (
            json!({ "name": "a", "text": "x", "base64": "eA==" }),
            "files[0].text",
        ),
        (json!({ "name": "a", "base64": "%" }), "files[0].base64"),
    ] {
        let task = json!({ "files": [file] });
        assert_eq!(wrong(task, References::Open), [format!("ADJ-6312 {place}")]);
    }
}

#[test]
fn who_is_only_told_words_takes_no_files() {
    for (task, count) in [
        (json!({ "files": [{ "name": "a", "text": "" }] }), 1),
        (json!({ "files": "{{a.output.files}}" }), 1),
        (json!({ "output_files": ["a"] }), 1),
        (json!({ "files": [], "output_files": [] }), 0),
    ] {
        let found = problems(&task, References::Open, Takes::Words);
        assert_eq!(found.len(), count, "{task}");
        assert!(found.iter().all(|found| found.code == Some(NOT_FOR_IT)));
    }
}
