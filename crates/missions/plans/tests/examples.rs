//! The plan files that newcomers start from, and those in the documentation, are right.

mod support;

use adjutant_plans::read;
use support::BuiltIn;

fn accept(name: &str, text: &str) {
    let loaded = read(text.as_bytes(), &BuiltIn::new());
    let answer = loaded.map(|loaded| loaded.warnings);
    assert_eq!(
        answer.map_err(|errors| errors.to_string()),
        Ok(Vec::new()),
        "{name}"
    );
}

#[test]
fn examples_are_right() {
    let examples = [
        (
            "first-mission",
            include_str!("../../../../examples/first-mission.yaml"),
        ),
        (
            "approvals",
            include_str!("../../../../examples/approvals.yaml"),
        ),
        (
            "recovery",
            include_str!("../../../../examples/recovery.yaml"),
        ),
        ("fork", include_str!("../../../../examples/fork.yaml")),
        ("layers", include_str!("../../../../examples/layers.yaml")),
        ("nightly", include_str!("../../../../examples/nightly.yaml")),
    ];
    for (name, text) in examples {
        accept(name, text);
    }
}

#[test]
fn documented_plans_are_right() {
    let page = include_str!("../../../../docs/plan-files.md");
    let blocks = page.split("```yaml\n").skip(1);
    let plans = blocks.filter_map(|block| block.split("```").next());
    let plans: Vec<&str> = plans.filter(|text| text.starts_with("title:")).collect();
    assert!(!plans.is_empty());
    for text in plans {
        accept("docs/plan-files.md", text);
    }
}

#[test]
fn every_code_is_documented() {
    let page = include_str!("../../../../docs/plan-files.md");
    for number in (1001..=1014).chain(1101..=1112) {
        assert!(page.contains(&format!("| ADJ-{number} |")), "ADJ-{number}");
    }
}
