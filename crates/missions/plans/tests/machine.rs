//! The machine's own validation, driven through plan files: what orders tasks and what must not pass.

mod support;

use adjutant_plans::read;
use support::BuiltIn;

/// A plan of `noop` tasks: `("b", "a FS, c SS")` waits for both.
fn plan(tasks: &[(&str, &str)]) -> String {
    let mut text = "title: T\ntasks:\n".to_owned();
    for (id, after) in tasks {
        let after = after.split(", ").filter(|one| !one.is_empty()).map(|one| {
            let (task, kind) = one.split_once(' ').unwrap_or((one, "FS"));
            format!("{{task: {task}, kind: {kind}}}")
        });
        let after = after.collect::<Vec<_>>().join(", ");
        text += &format!("- {{id: {id}, tool: noop, after: [{after}]}}\n");
    }
    text
}

fn codes(text: &str) -> Vec<&'static str> {
    match read(text.as_bytes(), &BuiltIn::new()) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.problems.iter().map(|problem| problem.code).collect(),
    }
}

const NONE: [&str; 0] = [];

#[test]
fn circles_are_judged_by_what_the_kinds_demand() {
    // b starts after a starts; a finishes after b finishes: b simply runs inside a.
    assert_eq!(codes(&plan(&[("a", "b FF"), ("b", "a SS")])), NONE);
    assert_eq!(codes(&plan(&[("a", "b SS"), ("b", "a SS")])), ["ADJ-1006"]);
    assert_eq!(codes(&plan(&[("a", "b FF"), ("b", "a FF")])), ["ADJ-1006"]);
    // a starts after b finishes, and b finishes after a starts.
    assert_eq!(codes(&plan(&[("a", "b FS"), ("b", "a SF")])), ["ADJ-1006"]);
    assert_eq!(codes(&plan(&[("a", "b FS"), ("b", "a FF")])), ["ADJ-1006"]);
    assert_eq!(codes(&plan(&[("a", "b SF"), ("b", "a SF")])), NONE);
    assert_eq!(
        codes(&plan(&[("a", "c FS"), ("b", "a SS"), ("c", "b FS")])),
        ["ADJ-1006"]
    );
    assert_eq!(
        codes(&plan(&[("a", "c SS"), ("b", "a FS"), ("c", "b FF")])),
        NONE
    );
}

#[test]
fn two_circles_are_two_problems_and_what_follows_is_unreachable() {
    let text = plan(&[
        ("a", "b"),
        ("b", "a"),
        ("c", "d"),
        ("d", "c"),
        ("e", "a"),
        ("f", "e SS"),
        ("g", ""),
    ]);
    assert_eq!(
        codes(&text),
        ["ADJ-1006", "ADJ-1006", "ADJ-1007", "ADJ-1007"]
    );
}

#[test]
fn references_reach_through_chains_but_not_past_starts() {
    let text = |kind: &str| {
        format!(
            "title: T\ntasks:\n- {{id: a, tool: noop}}\n- {{id: b, tool: noop, after: [{{task: a, kind: {kind}}}]}}\n- {{id: c, tool: noop, after: b, with: {{value: '{{{{a.output}}}}'}}}}\n"
        )
    };
    assert_eq!(codes(&text("FS")), NONE);
    assert_eq!(codes(&text("SS")), ["ADJ-1009"]);
    assert_eq!(codes(&text("SF")), ["ADJ-1009"]);
}

#[test]
fn a_gate_cannot_be_bypassed() {
    let text = |extra: &str| {
        format!(
            "title: T\ntasks:\n- {{id: a, tool: noop}}\n- {{id: b, tool: noop, after: a}}\n- id: g\n  after: b\n  gate: {{return_to: a, rules: [{{when: b.output == 1, verdict: repairable}}]}}\n- {{id: c, tool: noop, after: {extra}}}\n"
        )
    };
    assert_eq!(codes(&text("g")), NONE);
    assert_eq!(codes(&text("[g, a]")), NONE);
    assert_eq!(codes(&text("a")), ["ADJ-1010"]);
    assert_eq!(codes(&text("b")), ["ADJ-1010"]);
}

#[test]
fn limits_hold() {
    let wide: Vec<(String, String)> = (0..10_001)
        .map(|n| (format!("t{n}"), String::new()))
        .collect();
    let wide: Vec<(&str, &str)> = wide.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(codes(&plan(&wide)), ["ADJ-1002"]);
    assert_eq!(codes(&plan(&wide[..10_000])), NONE);
    let all: Vec<&str> = wide[..1_001].iter().map(|(id, _)| *id).collect();
    let all = all.join(", ");
    let mut joined = wide[..1_001].to_vec();
    joined.push(("end", &all));
    assert_eq!(codes(&plan(&joined)), ["ADJ-1002"]);
}
