//! Patch files that are wrong: each problem stands where the patch is at fault, in the patch's own words.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

mod support;

use std::fmt::Write as _;

use adjutant_plans::{read, read_patch};
use support::BuiltIn;

const PLAN: &str = "title: T
tasks:
- {id: a, tool: noop}
- {id: b, tool: noop, after: a, with: {value: \"{{a.output}}\"}}
";

const CASES: &[(&str, &str)] = &[
    ("empty", ""),
    ("only a comment", "# nothing yet\n"),
    ("nothing in its lists", "add: []\n"),
    ("another's words", "tasks:\n- {id: c, tool: noop}\n"),
    (
        "a task that is missed",
        "add:\n- {id: c, tool: noop}\ndrop: [a]\n",
    ),
    ("every task", "drop: [a, b]\n"),
    (
        "an unknown task",
        "change:\n- {id: b, tool: noop}\n- {id: x, tool: noop}\n",
    ),
    ("an unknown task to drop", "drop:\n- a\n- x\n"),
    (
        "a task that is there",
        "add:\n- {id: c, tool: noop}\n- {id: b, tool: noop}\n",
    ),
    (
        "a task named twice",
        "change:\n- {id: a, tool: noop}\ndrop: [a]\n",
    ),
    ("a circle", "change:\n- {id: a, tool: noop, after: b}\n"),
    ("an unknown tool", "change:\n- {id: a, tool: nop}\n"),
];

#[test]
fn every_problem_stands_in_the_patch() {
    let checker = BuiltIn::new();
    let plan = read(PLAN.as_bytes(), &checker).unwrap().plan;
    let mut told = format!("{PLAN}\n");
    for (name, text) in CASES {
        let errors = read_patch(text.as_bytes(), &plan, &checker).unwrap_err();
        writeln!(told, "== {name}\n{text}--\n{errors}\n").unwrap();
    }
    insta::assert_snapshot!(told);
}
