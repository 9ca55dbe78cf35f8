use adjutant_citations::ready_templates;
use serde_json::{Value, json};

use super::{format_json, format_ok};

fn filled(template: &str, values: Value) -> String {
    format_ok(json!({ "format": "template", "template": template, "values": values })).text
}

fn refused(template: &str, values: Value) -> String {
    format_json(json!({ "format": "template", "template": template, "values": values }))
        .expect_err("a refusal")
        .to_string()
}

#[test]
fn filters_write_numbers_dates_and_words() {
    let values = json!({ "n": 1234.5, "share": 0.125, "day": "2024-05-17", "one": 1, "many": 3 });
    let cases = [
        ("[[ n|number(2, ',') ]]", "1,234.50"),
        ("[[ share|percent ]]", "12.5%"),
        ("[[ share|percent(0) ]]", "13%"),
        ("[[ day|date ]]", "17 May 2024"),
        ("[[ day|date('month_first') ]]", "May 17, 2024"),
        ("[[ day|date('iso') ]]", "2024-05-17"),
        ("[[ one|plural('dose', 'doses') ]]", "1 dose"),
        ("[[ many|plural('dose', 'doses') ]]", "3 doses"),
        ("[% for at in [1, 2] %][[ at ]];[% endfor %]", "1;2;"),
    ];
    for (template, text) in cases {
        assert_eq!(filled(template, values.clone()), text, "{template}");
    }
}

#[test]
fn a_citation_and_a_table_take_the_markup_of_the_text() {
    let values = json!({
        "source": { "id": "a", "type": "book", "title": "A <u> book", "author": [{ "family": "Ash", "given": "A" }], "publisher": "P", "issued": { "date-parts": [[2020]] } },
        "rows": [{ "k": "<x>", "v": 1 }], "word": "<script>"
    });
    let template = "[[ word ]] [[ source|citation('apa') ]] [[ rows|table(['k', 'v']) ]]";
    let answer = format_ok(
        json!({ "format": "template", "template": template, "values": values, "markup": "html" }),
    );
    for part in [
        "&lt;script&gt; Ash, A. (2020). <i>A &lt;u&gt; book</i>. P.",
        "<table>",
        "&lt;x&gt;",
    ] {
        assert!(answer.text.contains(part), "{part}\n{}", answer.text);
    }
}

#[test]
fn a_missing_value_is_refused_by_name() {
    let refusal = refused("a\n[[ patient ]]", json!({ "other": 1 }));
    assert!(
        refusal.starts_with("`values.patient` is missing: line 2"),
        "{refusal}"
    );
}

#[test]
fn endless_templates_are_stopped() {
    let loops = "[% for a in range(9000) %][% for b in range(9000) %]x[% endfor %][% endfor %]";
    let refusal = refused(loops, json!({}));
    assert!(
        refusal.contains("more than 500000 steps") || refusal.contains("bytes"),
        "{refusal}"
    );
}

#[test]
fn wrong_values_are_refused() {
    assert!(refused("[[ 'soon'|date ]]", json!({})).contains("`soon` is not a date"));
    assert!(refused("[[ 'x'|number ]]", json!({})).contains("is not a number"));
    assert!(refused("[[ 1", json!({})).contains("line 1"));
}

#[test]
fn ready_templates_take_their_samples_and_nothing_less() {
    let ready = ready_templates();
    assert_eq!(ready.len(), 7);
    for template in ready {
        let fields = jsonschema::validator_for(&template.fields).expect("a schema");
        assert!(
            fields.is_valid(&Value::Object(template.sample.clone())),
            "{}",
            template.name
        );
        let request = |values: &serde_json::Map<String, Value>| json!({ "format": "template", "name": template.name, "values": values, "markup": "markdown" });
        let text = format_ok(request(&template.sample)).text;
        assert!(!text.contains("none") && !text.contains("[["), "{text}");
        for value in template.sample.values().filter_map(Value::as_str) {
            let plain = value.len() != 10 || !value.starts_with("2024-");
            let escaped = value.replace('_', "\\_");
            assert!(!plain || text.contains(&escaped), "{value} in\n{text}");
        }
        for name in template.fields["required"].as_array().expect("fields") {
            let name = name.as_str().expect("a name");
            let mut values = template.sample.clone();
            values.remove(name);
            let refusal = format_json(request(&values))
                .expect_err("a refusal")
                .to_string();
            assert!(
                refusal.starts_with(&format!("`values.{name}` is missing: ")),
                "{refusal}"
            );
        }
    }
}

#[test]
fn a_brief_reads_well() {
    let brief = ready_templates().remove(0);
    let text = format_ok(json!({ "format": "template", "name": "brief", "values": brief.sample, "markup": "markdown" })).text;
    assert_eq!(
        text,
        "# Statins in adults over 75\n\n17 May 2024\n\n\
         **Question.** Do statins prevent first heart attacks after 75?\n\n\
         **Answer.** Probably, with less certainty than in younger adults.\n\n\
         ## Findings\n\n- Fewer events in two cohorts. (Okafor 2020)\n- No completed trial.\n\n\
         ## Limits\n\n- Frail adults were left out.\n\n\
         ## References\n\n1. Okafor C. Statins after 75. Kidney Int. 2020 Aug;98(2):301-12.\n"
    );
}
