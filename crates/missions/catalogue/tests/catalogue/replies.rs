//! Eighty replies to the plan of a Deep Dive, by somebody who knew the plan and not how replies are read
//! (tests/in-words). What matters most: nothing is left out that nobody wanted left out.

use std::collections::BTreeSet;

use adjutant_catalogue::InWords;
use adjutant_mission::Autonomy;
use serde_json::Value;

use crate::support::{built_in, planned, start};

const REPLIES: &str = include_str!("../../../../../tests/in-words/replies.jsonl");

fn texts(value: &Value) -> BTreeSet<&str> {
    let list = value.as_array().into_iter().flatten();
    list.filter_map(Value::as_str).collect()
}

#[test]
fn replies_of_strangers() {
    let plan = planned(&built_in("deep_dive"), &start(Autonomy::Balanced)).plan;
    let (mut tally, mut wrong) = (
        std::collections::BTreeMap::<String, (u32, u32)>::new(),
        Vec::new(),
    );
    for line in REPLIES.lines() {
        let reply: Value = serde_json::from_str(line).unwrap();
        let text = reply["text"].as_str().unwrap();
        let read = InWords::read(&plan, text);
        let left_out: BTreeSet<&str> = read.left_out.iter().map(|key| key.as_str()).collect();
        let wants = reply["wants"].as_array().unwrap();
        let mut wanted_out = BTreeSet::new();
        for want in wants {
            let kind = want["kind"].as_str().unwrap();
            let met = match kind {
                "leave_out" => {
                    let tasks = texts(&want["tasks"]);
                    wanted_out.extend(tasks.iter().copied());
                    tasks.is_subset(&left_out)
                }
                "limit" => read.caps.is_some(),
                "focus" => !read.constraints.is_empty(),
                _ => read.is_nothing(),
            };
            let counted = tally.entry(kind.to_owned()).or_default();
            counted.1 += 1;
            counted.0 += u32::from(met);
            if !met {
                println!("missed {kind}: {text}");
            }
        }
        let extra: Vec<_> = left_out.difference(&wanted_out).collect();
        if !extra.is_empty() {
            wrong.push(format!("{text}: {extra:?}"));
        }
    }
    println!("{tally:?}");
    assert_eq!(wrong, Vec::<String>::new());
    // The figures of tests/in-words/README.md: what is read today is not lost tomorrow.
    let least = [
        ("leave_out", 10),
        ("limit", 8),
        ("approve", 3),
        ("reject", 2),
        ("unclear", 5),
    ];
    for (kind, least) in least {
        assert!(tally[kind].0 >= least, "{kind}: {tally:?}");
    }
}
