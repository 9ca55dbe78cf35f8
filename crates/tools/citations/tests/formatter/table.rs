use serde_json::{Value, json};

use super::{format_json, format_ok};

fn doses(to: &str) -> Value {
    json!({
        "format": "table", "to": to, "caption": "Doses",
        "columns": [
            { "title": "Drug", "key": "drug" },
            { "title": "Arm", "key": "arm", "align": "center" },
            { "title": "Dose", "key": "dose", "number": { "decimals": 1, "thousands": ",", "unit": "mg" }, "total": "sum" },
            { "title": "p", "key": "p", "number": { "style": "p_value" } }
        ],
        "rows": [
            { "drug": "A|B", "arm": "one", "dose": "0.1", "p": 0.00001 },
            { "drug": "<b>C</b>", "arm": "two", "dose": 1234.25, "p": 0.0456 },
            { "drug": "漢字", "arm": "one", "dose": 0.2, "p": null }
        ],
        "footnotes": [{ "mark": "*", "text": "by <weight>" }]
    })
}

#[test]
fn markdown_escapes_pipes() {
    let answer = format_ok(doses("markdown"));
    assert_eq!(
        answer.text,
        "**Doses**\n\n\
         | Drug | Arm | Dose | p |\n\
         | :--- | :---: | ---: | ---: |\n\
         | A\\|B | one | 0.1 mg | \\<0.001 |\n\
         | \\<b\\>C\\</b\\> | two | 1,234.3 mg | 0.046 |\n\
         | 漢字 | one | 0.2 mg | – |\n\
         | **Total** |  | **1,234.6 mg** |  |\n\n\
         \\* by \\<weight\\>"
    );
}

#[test]
fn html_has_caption_and_scopes_and_is_escaped() {
    let answer = format_ok(doses("html"));
    for part in [
        "<caption>Doses</caption>",
        r#"<th scope="col">Drug</th>"#,
        r#"<th scope="row">&lt;b&gt;C&lt;/b&gt;</th>"#,
        r#"<td style="text-align:right">&lt;0.001</td>"#,
        "<tfoot>",
        "<p><sup>*</sup> by &lt;weight&gt;</p>",
    ] {
        assert!(answer.text.contains(part), "{part}\n{}", answer.text);
    }
}

#[test]
fn text_is_as_wide_as_it_looks() {
    let answer = format_ok(doses("text"));
    assert_eq!(
        answer.text,
        "Doses\n\
         ┌──────────┬─────┬────────────┬────────┐\n\
         │ Drug     │ Arm │       Dose │      p │\n\
         ├──────────┼─────┼────────────┼────────┤\n\
         │ A|B      │ one │     0.1 mg │ <0.001 │\n\
         │ <b>C</b> │ two │ 1,234.3 mg │  0.046 │\n\
         │ 漢字     │ one │     0.2 mg │      – │\n\
         ├──────────┼─────┼────────────┼────────┤\n\
         │ Total    │     │ 1,234.6 mg │        │\n\
         └──────────┴─────┴────────────┴────────┘\n\
         * by <weight>"
    );
}

#[test]
fn csv_is_quoted_and_harmless() {
    let rows = json!([
        ["=1+1", "a,b"],
        ["-5", "say \"hi\""],
        ["@x", "plain"],
        ["-x", " edge"]
    ]);
    let table = |cells: &str| json!({ "format": "table", "to": "csv", "columns": [{ "title": "A" }, { "title": "B" }], "rows": rows, "cells": cells });
    let answer = format_ok(table("harmless"));
    assert_eq!(
        answer.text,
        "A,B\r\n'=1+1,\"a,b\"\r\n-5,\"say \"\"hi\"\"\"\r\n'@x,plain\r\n'-x,edge\r\n"
    );
    assert_eq!(
        answer.notes,
        ["3 cells would run as formulas and now start with an apostrophe."]
    );
    assert!(format_ok(table("raw")).text.starts_with("A,B\r\n=1+1,"));
}

#[test]
fn groups_have_their_own_totals_and_sums_are_exact() {
    let mut table = doses("text");
    table["group_by"] = json!("arm");
    table["sort"] = json!([{ "key": "dose", "order": "descending" }]);
    table["columns"][2]["number"] = Value::Null;
    let text = format_ok(table).text;
    let order: Vec<usize> = [
        "│ two",
        "1234.25 │",
        "│ one",
        "漢字",
        "A|B",
        "Subtotal │     │ 0.3",
        "1234.55",
    ]
    .iter()
    .map(|part| {
        text.find(part)
            .unwrap_or_else(|| panic!("{part} in\n{text}"))
    })
    .collect();
    assert!(order.is_sorted(), "{text}");
}

#[test]
fn rows_beyond_the_limit_are_counted_and_totals_include_all() {
    let mut table = doses("markdown");
    table["rows_max"] = json!(1);
    let answer = format_ok(table);
    assert!(
        answer
            .text
            .contains("| … 2 more |  |  |  |\n| **Total** |  | **1,234.6 mg** |"),
        "{}",
        answer.text
    );
    assert_eq!(
        answer.notes,
        ["1 of 3 rows are shown; totals include all rows."]
    );
}

#[test]
fn numbers_in_every_style() {
    let written = |number: Value, value: Value| {
        let table = json!({ "format": "table", "to": "tsv", "columns": [{ "title": "n", "number": number }], "rows": [[value]] });
        format_ok(table)
            .text
            .lines()
            .nth(1)
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(written(json!({ "decimals": 2 }), json!("2.675")), "2.68");
    assert_eq!(written(json!({ "decimals": 0 }), json!(-0.4)), "0");
    assert_eq!(
        written(json!({ "style": "percent", "decimals": 1 }), json!(0.1234)),
        "12.3%"
    );
    assert_eq!(
        written(json!({ "style": "p_value" }), json!(0.9999)),
        ">0.999"
    );
    assert_eq!(
        written(json!({ "style": "p_value", "decimals": 2 }), json!(0.004)),
        "<0.01"
    );
    assert_eq!(
        written(json!({ "thousands": " " }), json!(-1234567)),
        "-1 234 567"
    );
    assert_eq!(written(json!({}), json!("n/a")), "n/a");
    assert_eq!(written(json!({}), json!("1e99")), "1e99");
    assert_eq!(written(json!({ "decimals": 2 }), json!("1e-99")), "1e-99");
    assert_eq!(written(json!({}), json!(1e-7)), "0.0000001");
}

#[test]
fn latex_is_escaped() {
    let answer = format_ok(
        json!({ "format": "table", "to": "latex", "columns": [{ "title": "A & B" }], "rows": [["50% of $x_1"]] }),
    );
    assert!(
        answer.text.contains("\\textbf{A \\& B} \\\\"),
        "{}",
        answer.text
    );
    assert!(
        answer.text.contains("50\\% of \\$x\\_1 \\\\"),
        "{}",
        answer.text
    );
}

#[test]
fn a_row_of_the_wrong_length_is_refused() {
    let table = json!({ "format": "table", "to": "text", "columns": [{ "title": "A" }], "rows": [["1", "2"]] });
    let refusal = format_json(table).expect_err("a refusal").to_string();
    assert_eq!(
        refusal,
        "`rows[0]` is `2 cells`: there are 1 columns, give as many cells"
    );
}
