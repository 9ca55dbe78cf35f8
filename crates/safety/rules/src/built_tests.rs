//! What is refused builds too much, and what people write is not refused.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{Rule, RuleError};

fn judge(rule: &str, values: Value) -> Result<bool, RuleError> {
    let Value::Object(values) = values else {
        unreachable!("the variables by name")
    };
    let values: BTreeMap<String, Value> = values.into_iter().collect();
    Rule::compile(rule).unwrap().holds(&values)
}

fn large(rule: &str, items: usize, bytes: usize) -> Result<bool, RuleError> {
    let list: Vec<usize> = (0..items).collect();
    let (one, big) = ("x".repeat(10), "x".repeat(bytes));
    let inputs = json!({ "l": list, "big": big, "rows": [{ "name": one, "text": big }], "map": { "a": big } });
    judge(rule, json!({ "inputs": inputs }))
}

#[test]
fn rules_that_could_fill_the_memory_are_refused_before_they_are_evaluated() {
    for (rule, items, bytes) in [
        (
            "size(inputs.l.map(x, inputs.big + inputs.big)) == 9",
            4_000,
            200_000,
        ),
        ("size(inputs.l.map(x, inputs.big)) == 9", 4_000, 200_000),
        ("size(inputs.l.map(x, [inputs.big])) == 9", 4_000, 200_000),
        (
            "size(inputs.l.map(x, {'k': inputs.big})) == 9",
            4_000,
            200_000,
        ),
        (
            "size(inputs.l.map(x, string(inputs.big))) == 9",
            4_000,
            200_000,
        ),
        (
            "size(inputs.l.map(x, bytes(inputs.big))) == 9",
            4_000,
            200_000,
        ),
        ("size(inputs.l.map(x, inputs['big'])) == 9", 4_000, 200_000),
        (
            "size(inputs.l.map(x, inputs.map['a'])) == 9",
            4_000,
            200_000,
        ),
        (
            "size(inputs.l.map(x, inputs.rows[0].text)) == 9",
            4_000,
            200_000,
        ),
        (
            "size(inputs.l.map(x, x > 0 ? inputs.big : '')) == 9",
            4_000,
            200_000,
        ),
        (
            "size(inputs.l.map(x, x > 0, inputs.big)) == 9",
            4_000,
            200_000,
        ),
        (
            "inputs.l.exists(x, size(inputs.l.map(y, inputs.big)) == 9)",
            2_000,
            200_000,
        ),
        (
            "size(inputs.l.map(x, inputs.l.map(y, inputs.big + inputs.big))) == 9",
            200,
            20_000,
        ),
        (
            "size(inputs.l.map(x, inputs).map(i, i.big)) == 9",
            4_000,
            200_000,
        ),
        ("[inputs.l.map(x, inputs.big)] == []", 4_000, 200_000),
        (
            "size([1].map(x, inputs.big + inputs.big).map(s, s + s + s + s).map(s, s + s + s + s)) == 9",
            3,
            4_000_000,
        ),
    ] {
        let refused = large(rule, items, bytes).unwrap_err().to_string();
        assert!(
            refused.contains("the maximum is 64 MiB"),
            "{rule}: {refused}"
        );
        assert!(refused.contains("[ADJ-6180]"), "{rule}: {refused}");
        assert!(large(rule, 3, 10).is_ok(), "{rule}");
    }
}

#[test]
fn rules_that_only_look_at_large_values_are_evaluated() {
    for rule in [
        "size(inputs.big) > 5 && inputs.big.startsWith('x') && !inputs.big.contains('y')",
        "inputs.big + 'y' != inputs.big",
        "inputs.rows.all(row, row.text == inputs.big)",
        "inputs.l.all(n, size(inputs.big) > n)",
        "size(inputs.l.filter(n, n > 10)) == 3989",
        "size(inputs.rows.filter(row, row.name != '')) == 1",
        "inputs.l.map(n, n + 1).exists(n, n == 4000)",
        "inputs.rows.map(row, row.name) == ['xxxxxxxxxx']",
        "inputs.big in ['a', 'b'] || has(inputs.map.a)",
    ] {
        assert_eq!(large(rule, 4_000, 2_000_000), Ok(true), "{rule}");
    }
}
