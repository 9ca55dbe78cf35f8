//! The signs of every objective of the development set, one JSON line each, for `bench/routing/learn.py`.
//!
//!     cargo run -p adjutant-rule-answers --example routing_signs < tests/routing/development.json
#![expect(
    clippy::unwrap_used,
    reason = "a measuring program may stop where it stands"
)]

use std::collections::BTreeMap;

use adjutant_rule_answers::routing_signs;
use serde_json::{Value, json};

fn main() {
    let set: Value = serde_json::from_reader(std::io::stdin()).unwrap();
    for objective in set["objectives"].as_array().unwrap() {
        let signs: BTreeMap<String, f64> = routing_signs(objective["objective"].as_str().unwrap())
            .into_iter()
            .collect();
        println!(
            "{}",
            json!({ "author": objective["author"], "field": objective["field"], "best": objective["best"], "signs": signs })
        );
    }
}
